// SPDX-License-Identifier: MIT
// The bench's own kernels: floors, copies and what encoders are compared with.
#pragma once

#include "capture/weir/gpu/gpu.h"

enum { BENCH_MAX_FORMS = 16, BENCH_MAX_SETS = 32, BENCH_MAX_VIEWS = 17 * BENCH_MAX_SETS };

// Pipelines of one layout, which are the kernel's forms, its descriptor sets and their views. A
// zeroed one may be finished.
struct bench_kernel {
    struct cli_gpu *gpu;
    struct weir_gpu_layout layout;
    VkPipeline forms[BENCH_MAX_FORMS];
    VkDescriptorPool pool;
    VkDescriptorSet sets[BENCH_MAX_SETS];
    VkImageView views[BENCH_MAX_VIEWS];
    uint32_t num_forms, num_sets, num_views;
};
// Finish it in every case.
enum weir_result bench_kernel_init(struct bench_kernel *kernel, struct cli_gpu *gpu,
                                   const struct weir_gpu_layout_params *params);
void bench_kernel_finish(struct bench_kernel *kernel);
enum weir_result bench_kernel_add_form(struct bench_kernel *kernel,
                                       const struct weir_gpu_kernel *params);

// Destroy its sets and views.
void bench_kernel_clear(struct bench_kernel *kernel);

// Add a view of a level of a colour image.
struct bench_view_params {
    VkImage image;
    VkFormat format;
    VkImageUsageFlags usage;
    uint32_t level;
    uint32_t layers; // 0: it is no array
};
enum weir_result bench_kernel_add_view(struct bench_kernel *kernel,
                                       const struct bench_view_params *params, VkImageView *view);
// Add a set, see weir_gpu_set_init().
enum weir_result bench_kernel_add_set(struct bench_kernel *kernel,
                                      const struct weir_gpu_descriptor *descriptors);

struct bench_groups {
    uint32_t x, y, z;
};
// Record a dispatch of a form of the kernel with a set.
void bench_kernel_record(const struct bench_kernel *kernel, uint32_t form, uint32_t set,
                         const void *push, struct bench_groups groups, VkCommandBuffer commands);

// A buffer that kernels write, and its wrapper. A zeroed one may be finished.
struct bench_buffer {
    struct weir_gpu_buffer memory;
    weir_buffer *weir;
};
enum weir_result bench_buffer_init(struct cli_gpu *gpu, uint64_t size, bool mapped,
                                   struct bench_buffer *buffer);
void bench_buffer_finish(struct cli_gpu *gpu, struct bench_buffer *buffer);
