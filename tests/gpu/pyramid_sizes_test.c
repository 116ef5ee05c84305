// SPDX-License-Identifier: MIT
// Pyramids of hard sizes against the float64 reference: odd and even, thin and large, every small one.
#include <stdio.h>

#include "tests/gpu/pyramid_run.h"

struct size {
    uint32_t width, height;
};

// What a size meets: the reductions and formats of the other tests meet few sizes.
static const struct pyramid_case kinds[] = {
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_GENERAL, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R8G8B8A8_UNORM},
    {.method = WEIR_PYRAMID_SINGLE, .format = VK_FORMAT_R32_SFLOAT, .reduction = WEIR_PYRAMID_MAX},
    {.method = WEIR_PYRAMID_HYBRID, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_PER_LEVEL, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_FAST, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_SUBGROUP, .format = VK_FORMAT_R8G8B8A8_SRGB},
    {.method = WEIR_PYRAMID_BLIT, .format = VK_FORMAT_R8G8B8A8_UNORM},
};
enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]), NUM_EXHAUSTIVE = 2 };

static void run_size(struct pyramid_runner *runner, const struct pyramid_case *kind, uint32_t width,
                     uint32_t height)
{
    struct pyramid_case c = *kind;
    c.width = width;
    c.height = height;
    pyramid_run(runner, &c);
}

// FAST and SUBGROUP make as many levels as the sides halve without a rest.
static uint32_t even_levels(const struct size *size)
{
    uint32_t levels = 0;
    while (((size->width | size->height) >> levels & 1) == 0) {
        levels++;
    }
    return levels;
}

static void run_hard_size(struct pyramid_runner *runner, const struct pyramid_case *kind,
                          const struct size *size)
{
    struct pyramid_case c = *kind;
    c.width = size->width;
    c.height = size->height;
    if (pyramid_needs_even_sides(c.method)) {
        c.last_level = even_levels(size);
        if (c.last_level == 0) {
            return; // refused; the errors are tested elsewhere
        }
    }
    pyramid_run(runner, &c);
}

// Cheap enough for every kind on a software device.
static const struct size small_sizes[] = {
    {1, 1},     {2, 1},     {3, 1},     {1, 3},     {3, 3},     {5, 5},     {7, 7},   {15, 17},
    {31, 31},   {31, 33},   {32, 32},   {33, 33},   {63, 63},   {63, 65},   {64, 64}, {65, 65},
    {127, 127}, {127, 129}, {128, 128}, {129, 129}, {511, 3},   {1025, 1},  {3, 700}, {66, 64},
    {255, 257}, {512, 256}, {640, 360}, {683, 384}, {515, 600}, {1023, 511}};

// On a software device for SINGLE and GENERAL only.
static const struct size medium_sizes[] = {{16384, 1}, {3, 16384},   {1366, 768},
                                           {8192, 64}, {2047, 2047}, {1921, 1081}};

// Not on a software device.
static const struct size large_sizes[] = {{2048, 2048}, {2049, 2049}, {2052, 2052},  {3095, 990},
                                          {4094, 4094}, {4095, 4095}, {4096, 4096},  {4097, 4097},
                                          {6000, 4000}, {8192, 8192}, {16384, 16384}};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void test_hard_sizes(struct pyramid_runner *runner)
{
    for (size_t k = 0; k < NUM_KINDS; k++) {
        for (size_t i = 0; i < LENGTH(small_sizes); i++) {
            run_hard_size(runner, &kinds[k], &small_sizes[i]);
        }
        for (size_t i = 0; i < LENGTH(medium_sizes); i++) {
            if (!runner->is_cpu || k < NUM_EXHAUSTIVE) {
                run_hard_size(runner, &kinds[k], &medium_sizes[i]);
            }
        }
        for (size_t i = 0; i < LENGTH(large_sizes); i++) {
            const bool is_huge = large_sizes[i].width == 16384;
            if (!runner->is_cpu && (!is_huge || (runner->all && k < NUM_EXHAUSTIVE))) {
                run_hard_size(runner, &kinds[k], &large_sizes[i]);
            }
        }
    }
    if (runner->is_cpu) {
        printf("left out on a software device: %zu sizes of 2048x2048 to 16384x16384, and from "
               "1366x768 on other methods than single and general\n",
               LENGTH(large_sizes));
    } else if (!runner->all) {
        printf("left out without --all: 16384x16384\n");
    }
}

// W x H in 1 .. 130, all on a GPU and with --all. On a software device a part of them.
static void test_small_sizes(struct pyramid_runner *runner, const struct pyramid_case *kind)
{
    static const uint32_t edges[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130};
    const uint32_t full = runner->all || !runner->is_cpu ? 130 : 24;
    for (uint32_t height = 1; height <= full; height++) {
        for (uint32_t width = 1; width <= full; width++) {
            run_size(runner, kind, width, height);
        }
    }
    if (full == 130) {
        return;
    }
    for (size_t i = 0; i < LENGTH(edges) * LENGTH(edges); i++) {
        run_size(runner, kind, edges[i % LENGTH(edges)], edges[i / LENGTH(edges)]);
    }
    for (int i = 0; i < 500; i++) {
        run_size(runner, kind, 1 + harness_random_below(runner->harness, 130),
                 1 + harness_random_below(runner->harness, 130));
    }
    printf("%s: every size up to %ux%u, edges of tiles and 500 others up to 130x130\n",
           weir_pyramid_method_name(kind->method), full, full);
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct pyramid_runner runner;
    harness_init(&harness, true);
    pyramid_runner_init(&runner, &harness, argc, argv);
    test_hard_sizes(&runner);
    for (int k = 0; k < NUM_EXHAUSTIVE; k++) {
        test_small_sizes(&runner, &kinds[k]);
    }
    pyramid_runner_finish(&runner);
    return harness_finish(&harness);
}
