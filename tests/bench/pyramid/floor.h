// SPDX-License-Identifier: MIT
// The kernels of weir-bench pyramid itself: the floor in several forms, the empty one, and the one
// that fills images.
#ifndef WEIR_TESTS_BENCH_PYRAMID_FLOOR_H
#define WEIR_TESTS_BENCH_PYRAMID_FLOOR_H

#include "capture/weir/gpu/compute.h"
#include "capture/weir/gpu/images.h"
#include "tests/bench/pyramid/pyramid.h"

// Who writes levels 2 and on.
enum bench_pyramid_order {
    BENCH_PYRAMID_WITH,  // the workgroups of level 1, a tile each
    BENCH_PYRAMID_OWN,   // each invocation, the levels over its own texel of level 1
    BENCH_PYRAMID_FIRST, // workgroups of their own, dispatched before those of level 1
};

// Specialization constants of shaders/pyramid_floor.comp.
struct bench_pyramid_form {
    uint32_t width, height;  // size of a workgroup [invocations]
    uint32_t taps_x, taps_y; // taps of an invocation
    enum bench_pyramid_order order;
};
extern const struct bench_pyramid_form bench_pyramid_forms[BENCH_PYRAMID_NUM_FORMS];

struct bench_pyramid_kernels {
    struct cli_gpu *gpu;
    VkSampler sampler;
    struct cli_layout layout;
    VkPipeline forms[BENCH_PYRAMID_NUM_FORMS];
    VkPipeline empty, fill;
};
// `linear`: the format can be filtered. Finish it in every case.
enum weir_result bench_pyramid_kernels_init(struct bench_pyramid_kernels *kernels,
                                            struct cli_gpu *gpu, bool linear);
void bench_pyramid_kernels_finish(struct bench_pyramid_kernels *kernels);

// The descriptor sets and views by which the kernels use images.
struct bench_pyramid_sets {
    const struct bench_pyramid_kernels *kernels;
    const struct cli_images *images;
    VkDescriptorPool pool;
    VkDescriptorSet *sets; // one for each image
    VkImageView *views;    // for each image: level 0 to sample, then each level to write
};
// Finish it in every case.
enum weir_result bench_pyramid_sets_init(struct bench_pyramid_sets *sets,
                                         const struct bench_pyramid_kernels *kernels,
                                         const struct cli_images *images);
void bench_pyramid_sets_finish(struct bench_pyramid_sets *sets);

void bench_pyramid_record_floor(const struct bench_pyramid_sets *sets, uint32_t form,
                                uint32_t image, VkCommandBuffer commands);
void bench_pyramid_record_empty(const struct bench_pyramid_sets *sets, VkCommandBuffer commands);
// Record the dispatches that fill level 0 of every image.
void bench_pyramid_record_fill(const struct bench_pyramid_sets *sets, VkCommandBuffer commands);

#endif
