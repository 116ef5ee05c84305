// SPDX-License-Identifier: MIT
// The floor kernel: reads an image once and writes 8 or 16 bytes a block. See shaders/floor.comp.
#ifndef WEIR_TESTS_BENCH_ENCODE_FLOOR_H
#define WEIR_TESTS_BENCH_ENCODE_FLOOR_H

#include "capture/weir/gpu/compute.h"
#include "tests/bench/encode/encode.h"

// Specialization constants of the kernel, besides the size of a block.
struct bench_floor_shape {
    uint32_t width, height; // size of a workgroup [blocks]
    uint32_t rows;          // invocations read texels side by side, not their own blocks
    uint32_t gathers;       // by gathers of whole texels as words, not by texelFetch
};
enum { BENCH_NUM_FLOOR_SHAPES = 16 };
extern const struct bench_floor_shape bench_floor_shapes[BENCH_NUM_FLOOR_SHAPES];

struct bench_floor {
    struct cli_gpu *gpu;
    struct cli_layout layout;
    VkPipeline pipelines[BENCH_NUM_FLOOR_SHAPES];
    VkDescriptorPool pool;
    VkSampler sampler;
    VkImageView views[BENCH_MAX_IMAGES], word_views[BENCH_MAX_IMAGES];
    VkDescriptorSet sets[BENCH_MAX_IMAGES];
    uint32_t width, height;
};

// Finish it in every case.
enum weir_result bench_floor_init(struct bench_floor *floor, struct cli_gpu *gpu,
                                  const struct bench_images *images, VkBuffer target,
                                  uint32_t block_size);
void bench_floor_finish(struct bench_floor *floor);

void bench_floor_record(const struct bench_floor *floor, uint32_t shape, uint32_t image,
                        VkCommandBuffer commands);

#endif
