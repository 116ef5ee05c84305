// SPDX-License-Identifier: MIT
// The floor kernel: reads an image once and writes 16 bytes a block. See shaders/floor.comp.
#ifndef WEIR_CAPTURE_CLI_BENCH_FLOOR_H
#define WEIR_CAPTURE_CLI_BENCH_FLOOR_H

#include "capture/cli/bench.h"

enum { bench_num_floor_shapes = 4 };
// Workgroups that are tried, in blocks.
extern const uint32_t bench_floor_shapes[bench_num_floor_shapes][2];

struct bench_floor {
    struct cli_gpu *gpu;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipelines[bench_num_floor_shapes];
    VkDescriptorPool pool;
    VkImageView views[bench_max_images];
    VkDescriptorSet sets[bench_max_images];
    uint32_t num_views, width, height;
};

// Finish it in every case.
enum weir_result bench_floor_init(struct bench_floor *floor, struct cli_gpu *gpu,
                                  const struct bench_images *images, VkBuffer target);
void bench_floor_finish(struct bench_floor *floor);

void bench_floor_record(const struct bench_floor *floor, uint32_t shape, uint32_t image,
                        VkCommandBuffer commands);

#endif
