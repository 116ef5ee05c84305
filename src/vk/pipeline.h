// SPDX-License-Identifier: MIT
// Compute pipelines: a kernel, its specialization and its layout.
#ifndef WEIR_VK_PIPELINE_H
#define WEIR_VK_PIPELINE_H

#include "vk/context.h"

// An embedded kernel.
struct weir_vk_kernel {
    const char *name;
    const uint32_t *code;
    size_t code_size; // [bytes]
};

struct weir_vk_pipeline {
    VkPipelineLayout layout; // set 0: the image read, set 1: the buffer written, push constants
    VkPipeline pipeline;
};

// Make a pipeline. Specialization constants 0 .. num_constants-1 take the values of `constants`.
enum weir_result weir_vk_pipeline_init(weir_context *context, const struct weir_vk_kernel *kernel,
                                       const uint32_t *constants, uint32_t num_constants,
                                       uint32_t push_constants_size, const char *tag,
                                       struct weir_vk_pipeline *out);
void weir_vk_pipeline_finish(weir_context *context, struct weir_vk_pipeline *pipeline);

#endif
