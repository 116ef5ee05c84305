// SPDX-License-Identifier: MIT
// Methods, formats, reductions and contents of pyramids against the float64 reference.
//
// Every two of them meet; with --all every combination.
#include <stdio.h>

#include "tests/gpu/pyramid_run.h"

// One odd size, and one whose sides halve without a rest five times.
static const struct {
    uint32_t width, height, last_level;
} sizes[] = {{77, 53, 0}, {96, 64, 5}};

static void run_contents(struct pyramid_runner *runner, enum weir_pyramid_method method,
                         VkFormat format, enum weir_pyramid_reduction reduction)
{
    for (int s = pyramid_needs_even_sides(method); s < 2; s++) {
        for (int content = 0; content < REF_NUM_CONTENTS; content++) {
            if (ref_pyramid_content_exists((enum ref_pyramid_content)content, format)) {
                pyramid_run(runner, &(struct pyramid_case){
                                        .method = method,
                                        .reduction = reduction,
                                        .format = format,
                                        .width = sizes[s].width,
                                        .height = sizes[s].height,
                                        .last_level = sizes[s].last_level,
                                        .content = (enum ref_pyramid_content)content,
                                    });
            }
        }
    }
}

static uint32_t reductions_of(const struct weir_pyramid_format *format,
                              enum weir_pyramid_method method, enum weir_pyramid_reduction *out)
{
    uint32_t num = 0;
    for (int r = 0; r < WEIR_PYRAMID_CUSTOM; r++) {
        if ((method == WEIR_PYRAMID_BLIT && r != WEIR_PYRAMID_MEAN) ||
            (r == WEIR_PYRAMID_ALPHA_MEAN && format->num_channels < 4) ||
            (r == WEIR_PYRAMID_MIN_MAX && format->num_channels < 2)) {
            continue;
        }
        out[num++] = (enum weir_pyramid_reduction)r;
    }
    return num;
}

// One reduction of each method and format, moving on by one from each to the next, so that every reduction meets
// every method and every format. SINGLE, which is what AUTO takes, gets all.
static void test_formats(struct pyramid_runner *runner)
{
    size_t num_formats;
    const struct weir_pyramid_format *formats = weir_pyramid_formats(&num_formats);
    for (uint32_t m = 0; m < PYRAMID_NUM_METHODS; m++) {
        for (uint32_t f = 0; f < num_formats; f++) {
            enum weir_pyramid_reduction reductions[WEIR_PYRAMID_CUSTOM];
            const uint32_t num = reductions_of(&formats[f], pyramid_methods[m], reductions);
            const bool all = runner->all || pyramid_methods[m] == WEIR_PYRAMID_SINGLE;
            for (uint32_t r = 0; r < num; r++) {
                if (all || r == (f + m) % num) {
                    run_contents(runner, pyramid_methods[m], formats[f].format, reductions[r]);
                }
            }
        }
    }
}

// Sides that halve without a rest: every number of levels a dispatch, tiles that the image ends within, and
// subgroups against shared memory.
static void test_even(struct pyramid_runner *runner)
{
    static const struct {
        uint32_t width, height, last_level;
    } even[] = {
        {2, 2, 1},   {64, 64, 0}, {128, 32, 5}, {512, 512, 0}, {1024, 256, 8}, {96, 160, 5},
        {36, 20, 2}, {40, 72, 3}, {48, 80, 4},  {192, 64, 6},  {14, 6, 1},     {128, 128, 0},
    };
    for (int m = 0; m < PYRAMID_NUM_METHODS; m++) {
        for (int r = 0; r < WEIR_PYRAMID_CUSTOM; r++) {
            for (int no_subgroups = 0; no_subgroups < 2; no_subgroups++) {
                for (uint32_t i = 0; i < sizeof(even) / sizeof(even[0]); i++) {
                    const struct pyramid_case c = {
                        .method = pyramid_methods[m],
                        .reduction = (enum weir_pyramid_reduction)r,
                        .format = VK_FORMAT_R8G8B8A8_SRGB,
                        .width = even[i].width,
                        .height = even[i].height,
                        .last_level = even[i].last_level,
                        .no_subgroups = no_subgroups != 0,
                    };
                    const bool has_subgroups = pyramid_needs_even_sides(c.method) ||
                                               c.method == WEIR_PYRAMID_HYBRID;
                    if ((!no_subgroups || has_subgroups) &&
                        (c.method != WEIR_PYRAMID_BLIT || r == WEIR_PYRAMID_MEAN)) {
                        pyramid_run(runner, &c);
                    }
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
    test_formats(&runner);
    test_even(&runner);
    pyramid_runner_finish(&runner);
    return harness_finish(&harness);
}
