// SPDX-License-Identifier: MIT
// Every method, format, reduction and hard size of pyramids against the float64 reference.
#include "tests/gpu/pyramid_run.h"

static const enum weir_pyramid_method methods[] = {WEIR_PYRAMID_SINGLE, WEIR_PYRAMID_PER_LEVEL};
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

static void test_formats(struct pyramid_runner *runner)
{
    size_t num_formats;
    const struct weir_pyramid_format *formats = weir_pyramid_formats(&num_formats);
    for (int m = 0; m < NUM_METHODS; m++) {
        for (size_t f = 0; f < num_formats; f++) {
            for (int r = 0; r < WEIR_PYRAMID_CUSTOM; r++) {
                for (int content = 0; content < REF_NUM_CONTENTS; content++) {
                    if (ref_pyramid_content_exists((enum ref_pyramid_content)content,
                                                   formats[f].format)) {
                        pyramid_run(runner, &(struct pyramid_case){
                                                .method = methods[m],
                                                .reduction = (enum weir_pyramid_reduction)r,
                                                .format = formats[f].format,
                                                .width = 77,
                                                .height = 53,
                                                .content = (enum ref_pyramid_content)content,
                                            });
                    }
                }
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
    test_formats(&runner);
    pyramid_runner_finish(&runner);
    return harness_finish(&harness);
}
