// SPDX-License-Identifier: MIT
// Compute pipelines of weir-bench's own kernels.
#ifndef WEIR_TESTS_BENCH_COMPUTE_H
#define WEIR_TESTS_BENCH_COMPUTE_H

#include <stddef.h>

#include "capture/weir/gpu/gpu.h"

// The layout of kernels with one descriptor set. A zeroed one may be finished.
struct bench_layout {
    VkDescriptorSetLayout set;
    VkPipelineLayout pipeline;
};
enum weir_result bench_layout_init(struct cli_gpu *gpu,
                                   const VkDescriptorSetLayoutBinding *bindings,
                                   uint32_t num_bindings, uint32_t push_constants_size,
                                   struct bench_layout *layout);
void bench_layout_finish(struct cli_gpu *gpu, struct bench_layout *layout);

// A pool of `max_sets` sets, and one set of it. Destroying the pool frees its sets.
enum weir_result bench_pool_create(struct cli_gpu *gpu, const VkDescriptorPoolSize *sizes,
                                   uint32_t num_sizes, uint32_t max_sets, VkDescriptorPool *pool);
enum weir_result bench_set_allocate(struct cli_gpu *gpu, VkDescriptorPool pool,
                                    const struct bench_layout *layout, VkDescriptorSet *set);

// A kernel, and its specialization constants 0 .. num_constants-1, of 32 bits each.
struct bench_pipeline_params {
    const uint32_t *code;
    size_t code_size; // [bytes]
    const uint32_t *constants;
    uint32_t num_constants; // at most BENCH_MAX_CONSTANTS
};
enum { BENCH_MAX_CONSTANTS = 8 };

enum weir_result bench_pipeline_create(struct cli_gpu *gpu, const struct bench_layout *layout,
                                       const struct bench_pipeline_params *params,
                                       VkPipeline *pipeline);

// Get the number of workgroups, or blocks, of size `b` that cover `a`.
uint32_t bench_divide_up(uint32_t a, uint32_t b);

#endif
