// SPDX-License-Identifier: MIT
// Every method, format, reduction and hard size of pyramids against the float64 reference.
#include "tests/gpu/pyramid_run.h"

static const enum weir_pyramid_method methods[] = {
    WEIR_PYRAMID_SINGLE,   WEIR_PYRAMID_HYBRID,    WEIR_PYRAMID_FAST, WEIR_PYRAMID_GENERAL,
    WEIR_PYRAMID_SUBGROUP, WEIR_PYRAMID_PER_LEVEL, WEIR_PYRAMID_BLIT,
};
enum { NUM_METHODS = sizeof(methods) / sizeof(methods[0]) };

static void test_sizes(struct pyramid_runner *runner)
{
    static const uint32_t sizes[][2] = {
        {1, 1},   {2, 1},   {3, 1},     {1, 3},     {3, 3},     {5, 5},     {7, 7},      {15, 17},
        {31, 33}, {32, 32}, {63, 65},   {64, 64},   {127, 129}, {128, 128}, {511, 3},    {1025, 1},
        {3, 700}, {66, 64}, {255, 257}, {640, 360}, {683, 384}, {515, 600}, {1023, 511},
    };
    for (int m = 0; m < NUM_METHODS; m++) {
        for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            pyramid_run(runner, &(struct pyramid_case){.method = methods[m],
                                                       .format = VK_FORMAT_R8G8B8A8_SRGB,
                                                       .width = sizes[i][0],
                                                       .height = sizes[i][1]});
        }
    }
}

// Sides that halve without a rest: every number of levels a dispatch, tiles that the image ends within.
// Subgroups differ by the width of the software device's vectors.
static void test_even(struct pyramid_runner *runner, enum weir_pyramid_method method,
                      enum weir_pyramid_reduction reduction, bool no_subgroups)
{
    static const struct {
        uint32_t width, height, last_level;
    } sizes[] = {
        {2, 2, 1},   {14, 6, 1},  {36, 20, 2},   {40, 72, 3},  {48, 80, 4},    {96, 160, 5},
        {64, 64, 0}, {64, 16, 4}, {128, 128, 0}, {192, 64, 6}, {1024, 256, 8}, {512, 512, 0},
    };
    enum { NUM_LARGE = 2, NUM_SIZES = sizeof(sizes) / sizeof(sizes[0]) };
    const int num_sizes = reduction == WEIR_PYRAMID_MEAN ? NUM_SIZES : NUM_SIZES - NUM_LARGE;
    for (int i = 0; i < num_sizes; i++) {
        pyramid_run(runner, &(struct pyramid_case){.method = method,
                                                   .reduction = reduction,
                                                   .format = VK_FORMAT_R8G8B8A8_SRGB,
                                                   .width = sizes[i].width,
                                                   .height = sizes[i].height,
                                                   .layers = i % 3 + 1,
                                                   .last_level = sizes[i].last_level,
                                                   .no_subgroups = no_subgroups});
    }
}

static void test_even_methods(struct pyramid_runner *runner)
{
    static const enum weir_pyramid_method even[] = {WEIR_PYRAMID_FAST, WEIR_PYRAMID_SUBGROUP,
                                                    WEIR_PYRAMID_HYBRID};
    for (int m = 0; m < 3; m++) {
        for (int r = 0; r < WEIR_PYRAMID_CUSTOM; r++) {
            test_even(runner, even[m], (enum weir_pyramid_reduction)r, false);
            test_even(runner, even[m], (enum weir_pyramid_reduction)r, true);
        }
    }
}

// A filter may multiply taps of weight 0 as well, and 0 times infinity is NaN.
static bool is_defined(enum weir_pyramid_method method, enum ref_pyramid_content content)
{
    return method != WEIR_PYRAMID_BLIT ||
           (content != REF_CONTENT_INFINITIES && content != REF_CONTENT_NANS);
}

static void test_contents(struct pyramid_runner *runner, enum weir_pyramid_method method,
                          enum weir_pyramid_reduction reduction, VkFormat format)
{
    const bool is_even = method == WEIR_PYRAMID_FAST || method == WEIR_PYRAMID_SUBGROUP;
    // Level 3 of 77x53 has a texel in the very middle of one, and the filter's weight of its neighbours is
    // all but 0: more than nothing of 1e30.
    const uint32_t last_level = is_even ? 5 : method == WEIR_PYRAMID_BLIT ? 2 : 0;
    for (int content = 0; content < REF_NUM_CONTENTS; content++) {
        if (ref_pyramid_content_exists((enum ref_pyramid_content)content, format) &&
            is_defined(method, (enum ref_pyramid_content)content)) {
            pyramid_run(runner, &(struct pyramid_case){
                                    .method = method,
                                    .reduction = reduction,
                                    .format = format,
                                    .width = is_even ? 96 : 77,
                                    .height = is_even ? 64 : 53,
                                    .last_level = last_level,
                                    .content = (enum ref_pyramid_content)content,
                                });
        }
    }
}

static void test_formats(struct pyramid_runner *runner)
{
    size_t num_formats;
    const struct weir_pyramid_format *formats = weir_pyramid_formats(&num_formats);
    for (int m = 0; m < NUM_METHODS; m++) {
        for (size_t f = 0; f < num_formats; f++) {
            for (int r = 0; r < WEIR_PYRAMID_CUSTOM; r++) {
                test_contents(runner, methods[m], (enum weir_pyramid_reduction)r,
                              formats[f].format);
            }
        }
    }
}

int main(void)
{
    struct harness harness;
    struct pyramid_runner runner;
    harness_init(&harness, true);
    pyramid_runner_init(&runner, &harness);
    test_sizes(&runner);
    test_even_methods(&runner);
    test_formats(&runner);
    pyramid_runner_finish(&runner);
    return harness_finish(&harness);
}
