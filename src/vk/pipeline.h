// SPDX-License-Identifier: MIT
// Compute pipelines: a kernel, its specialization and its layout.
#pragma once

#include "vk/context.h"
#include "vk/kernel.h"

enum { WEIR_VK_MAX_CONSTANTS = 16 };

// All pointers are read only while the pipeline is made.
struct weir_vk_pipeline_params {
    const struct weir_vk_kernel *kernel;
    const uint32_t *constants; // values of the specialization constants 0 .. num_constants - 1
    uint32_t num_constants;    // at most WEIR_VK_MAX_CONSTANTS
    uint32_t push_constants_size;
    const VkDescriptorSetLayout *set_layouts;
    uint32_t num_set_layouts;
    uint32_t subgroup_size; // 0: the device's choice. Else full subgroups of this size
    const char *tag;
};

struct weir_vk_pipeline {
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

enum weir_result weir_vk_pipeline_init(weir_context *context,
                                       const struct weir_vk_pipeline_params *params,
                                       struct weir_vk_pipeline *out);
// Make each of the two by itself; after a failure `*out` is a null handle.
enum weir_result weir_vk_pipeline_layout_init(weir_context *context, VkShaderStageFlags stages,
                                              const struct weir_vk_pipeline_params *params,
                                              VkPipelineLayout *out);
enum weir_result weir_vk_compute_init(weir_context *context,
                                      const struct weir_vk_pipeline_params *params,
                                      VkPipelineLayout layout, VkPipeline *out);
// Make the pipelines whose params have a kernel, each at its index of `out`, by several threads,
// which have ended when the call returns. After a failure `out` holds those that were made.
enum weir_result weir_vk_pipelines_init(weir_context *context,
                                        const struct weir_vk_pipeline_params *params, uint32_t num,
                                        struct weir_vk_pipeline *out);
void weir_vk_pipeline_finish(weir_context *context, struct weir_vk_pipeline *pipeline);
