// SPDX-License-Identifier: MIT
// Parts of chains, layers, batches and sources of pyramids against the float64 reference.
#include "tests/gpu/pyramid_run.h"

static void run_methods(struct pyramid_runner *runner, const struct pyramid_case *cases,
                        size_t num_cases)
{
    for (int m = 0; m < PYRAMID_NUM_METHODS; m++) {
        for (size_t i = 0; i < num_cases; i++) {
            struct pyramid_case c = cases[i];
            c.method = pyramid_methods[m];
            pyramid_run(runner, &c);
        }
    }
}

#define RUN(runner, cases) run_methods(runner, cases, sizeof(cases) / sizeof((cases)[0]))

// Numbers of levels; where they start and end; layers. FAST and SUBGROUP refuse the odd ones.
static void test_parts(struct pyramid_runner *runner)
{
#define ODD .format = VK_FORMAT_R8G8B8A8_SRGB, .width = 117, .height = 101
#define EVEN .format = VK_FORMAT_R8G8B8A8_SRGB, .width = 96, .height = 160
    static const struct pyramid_case parts[] = {
        {ODD, .levels = 1},
        {ODD, .levels = 2},
        {ODD, .levels = 6},
        {ODD, .levels = 7},
        {ODD, .levels = 7, .last_level = 3},
        {ODD, .first_level = 1},
        {ODD, .first_level = 2, .last_level = 4},
        {ODD, .first_level = 6},
        {ODD, .first_level = 3, .last_level = 3},
        {ODD, .layers = 6},
        {ODD, .layers = 7, .first_level = 1, .last_level = 4},
        {EVEN, .levels = 2},
        {EVEN, .levels = 6},
        {EVEN, .levels = 7, .last_level = 5},
        {EVEN, .first_level = 1, .last_level = 5},
        {EVEN, .first_level = 2, .last_level = 3},
        {EVEN, .layers = 6, .last_level = 5},
        {EVEN, .layers = 7, .last_level = 5, .content = REF_CONTENT_STEPS},
    };
#undef ODD
#undef EVEN
    RUN(runner, parts);
}

// A side of 5000 or 16384, in images thin enough for a software device.
static void test_longest(struct pyramid_runner *runner)
{
    static const struct pyramid_case cases[] = {
        {.format = VK_FORMAT_R8G8B8A8_SRGB, .width = 5000, .height = 3, .levels = 12},
        {.format = VK_FORMAT_R8G8B8A8_SRGB, .width = 3, .height = 5000, .levels = 13},
        {.format = VK_FORMAT_R8G8B8A8_SRGB, .width = 16383, .height = 3, .levels = 14},
        {.format = VK_FORMAT_R8G8B8A8_SRGB, .width = 5, .height = 16384, .levels = 15},
        {.format = VK_FORMAT_R8G8B8A8_SRGB, .width = 16384, .height = 3, .first_level = 9},
    };
    RUN(runner, cases);
}

static void test_batches(struct pyramid_runner *runner)
{
    for (int m = 0; m < PYRAMID_NUM_METHODS; m++) {
        for (uint32_t num_images = runner->subgroups ? 3 : 1;
             num_images <= (runner->subgroups ? 3u : 5u); num_images += 2) {
            for (uint32_t layers = 1; layers <= 2; layers++) {
                pyramid_run(runner, &(struct pyramid_case){.method = pyramid_methods[m],
                                                           .format = VK_FORMAT_R8G8B8A8_SRGB,
                                                           .width = 96,
                                                           .height = 160,
                                                           .last_level = 5,
                                                           .layers = layers,
                                                           .num_images = num_images});
                pyramid_run(runner, &(struct pyramid_case){.method = pyramid_methods[m],
                                                           .format = VK_FORMAT_R8G8B8A8_SRGB,
                                                           .width = 117,
                                                           .height = 101,
                                                           .layers = layers,
                                                           .num_images = num_images});
            }
        }
    }
}

struct conversion {
    VkFormat from, to;
    enum weir_pyramid_reduction reduction;
};

static void run_conversion(struct pyramid_runner *runner, enum weir_pyramid_method method,
                           const struct conversion *conversion)
{
    static const enum ref_pyramid_content contents[] = {REF_CONTENT_RANDOM, REF_CONTENT_EXTREMES,
                                                        REF_CONTENT_STEPS};
    for (int i = 0; i < 12; i++) {
        const bool is_even = i % 4 > 1;
        pyramid_run(runner, &(struct pyramid_case){.method = method,
                                                   .reduction = conversion->reduction,
                                                   .format = conversion->to,
                                                   .source_format = conversion->from,
                                                   .source_above = i % 2 != 0,
                                                   .width = is_even ? 96 : 117,
                                                   .height = is_even ? 160 : 101,
                                                   .last_level = 5,
                                                   .content = contents[i / 4]});
    }
    // a copy and nothing else, and one reduction and nothing else
    for (int above = 0; above < 2; above++) {
        pyramid_run(runner, &(struct pyramid_case){.method = method,
                                                   .reduction = conversion->reduction,
                                                   .format = conversion->to,
                                                   .source_format = conversion->from,
                                                   .source_above = above != 0,
                                                   .width = 117,
                                                   .height = 101,
                                                   .levels = 1});
    }
}

static void run_batch(struct pyramid_runner *runner, enum weir_pyramid_method method,
                      const struct conversion *conversion)
{
    pyramid_run(runner, &(struct pyramid_case){.method = method,
                                               .reduction = conversion->reduction,
                                               .format = conversion->to,
                                               .source_format = conversion->from,
                                               .width = 117,
                                               .height = 101,
                                               .layers = 3,
                                               .num_images = 3,
                                               .first_level = 1,
                                               .last_level = 3});
}

// Test every conversion with SINGLE and with one of the other methods in turn, or with every method
// with --all. Batches are tested with a colour and a depth.
static void test_sources(struct pyramid_runner *runner)
{
    static const struct conversion conversions[] = {
        {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_SRGB, WEIR_PYRAMID_MEAN},
        {VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_B10G11R11_UFLOAT_PACK32, WEIR_PYRAMID_LUMA_MEAN},
        {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM, WEIR_PYRAMID_ALPHA_MEAN},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16G16B16A16_SFLOAT, WEIR_PYRAMID_MEAN},
        {VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_SFLOAT, WEIR_PYRAMID_MAX},
        {VK_FORMAT_D16_UNORM, VK_FORMAT_R32_SFLOAT, WEIR_PYRAMID_MIN},
        {VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, WEIR_PYRAMID_MIN_MAX},
        {VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R16G16_SFLOAT, WEIR_PYRAMID_MIN_MAX},
    };
    for (uint32_t m = 0; m < PYRAMID_NUM_METHODS; m++) {
        const bool is_blit = pyramid_methods[m] == WEIR_PYRAMID_BLIT; // takes no source
        for (uint32_t i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++) {
            const bool in_turn = m == 0 || i % (PYRAMID_NUM_METHODS - 2) + 1 == m;
            if (!is_blit && (runner->all || in_turn)) {
                run_conversion(runner, pyramid_methods[m], &conversions[i]);
                if (runner->all || i % 4 == 0) {
                    run_batch(runner, pyramid_methods[m], &conversions[i]);
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct pyramid_runner runner;
    harness_init(&harness, true);
    pyramid_runner_init(&runner, &harness, argc, argv);
    test_parts(&runner);
    test_batches(&runner);
    if (!runner.subgroups) { // code with subgroups depends neither on the length nor on the source
        test_longest(&runner);
        test_sources(&runner);
    }
    pyramid_runner_finish(&runner);
    return harness_finish(&harness);
}
