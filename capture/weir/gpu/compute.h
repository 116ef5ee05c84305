// SPDX-License-Identifier: MIT
// Compute pipelines of the programs' own kernels, by plain Vulkan.
#ifndef WEIR_CAPTURE_WEIR_GPU_COMPUTE_H
#define WEIR_CAPTURE_WEIR_GPU_COMPUTE_H

#include <stddef.h>

#include "capture/weir/gpu/gpu.h"

// The layout of kernels with one descriptor set. A zeroed one may be finished.
struct cli_layout {
    VkDescriptorSetLayout set;
    VkPipelineLayout pipeline;
};
enum weir_result cli_layout_init(struct cli_gpu *gpu, const VkDescriptorSetLayoutBinding *bindings,
                                 uint32_t num_bindings, uint32_t push_constants_size,
                                 struct cli_layout *layout);
void cli_layout_finish(struct cli_gpu *gpu, struct cli_layout *layout);

// A sampler that finds the texels of the edge outside.
enum weir_result cli_sampler_create(struct cli_gpu *gpu, VkFilter filter, VkSampler *sampler);

// A pool of `max_sets` sets. Destroying it frees its sets.
enum weir_result cli_pool_create(struct cli_gpu *gpu, const VkDescriptorPoolSize *sizes,
                                 uint32_t num_sizes, uint32_t max_sets, VkDescriptorPool *pool);

// Allocate a set of the pool and write to its bindings 0 .. num_writes-1. `writes` have a type and
// infos, and a count where it is not 1.
enum weir_result cli_set_init(struct cli_gpu *gpu, VkDescriptorPool pool,
                              const struct cli_layout *layout, VkWriteDescriptorSet *writes,
                              uint32_t num_writes, VkDescriptorSet *set);

// A kernel, and its specialization constants 0 .. num_constants-1, of 32 bits each.
struct cli_pipeline_params {
    const uint32_t *code;
    size_t code_size; // [bytes]
    const uint32_t *constants;
    uint32_t num_constants; // at most CLI_MAX_CONSTANTS
};
enum { CLI_MAX_CONSTANTS = 8 };

enum weir_result cli_pipeline_create(struct cli_gpu *gpu, const struct cli_layout *layout,
                                     const struct cli_pipeline_params *params,
                                     VkPipeline *pipeline);

// Record what a dispatch of the kernel needs.
void cli_cmd_bind(VkCommandBuffer commands, const struct cli_layout *layout, VkPipeline pipeline,
                  VkDescriptorSet set, const void *push_constants, uint32_t push_constants_size);

#endif
