// SPDX-License-Identifier: MIT
// The bench's own kernels: floors, copies and the methods that others are compared with.
#ifndef WEIR_TESTS_BENCH_KERNEL_H
#define WEIR_TESTS_BENCH_KERNEL_H

#include "capture/weir/gpu/gpu.h"

enum { BENCH_MAX_FORMS = 16 };

// The forms of a kernel are pipelines of one layout. A zeroed one may be finished.
struct bench_kernel {
    struct cli_gpu *gpu;
    struct weir_gpu_layout layout;
    VkPipeline forms[BENCH_MAX_FORMS];
    uint32_t num_forms;
};
// Finish it in every case.
enum weir_result bench_kernel_init(struct bench_kernel *kernel, struct cli_gpu *gpu,
                                   const struct weir_gpu_layout_params *params);
void bench_kernel_finish(struct bench_kernel *kernel);
enum weir_result bench_kernel_add_form(struct bench_kernel *kernel,
                                       const struct weir_gpu_kernel *params);

// Descriptor sets of a kernel, and views for them. A zeroed one may be finished.
struct bench_sets {
    const struct bench_kernel *kernel;
    VkDescriptorPool pool;
    VkDescriptorSet *sets;
    VkImageView *views;
    uint32_t num_sets, num_views;
};
// With room for so many of each. Finish it in every case.
enum weir_result bench_sets_init(struct bench_sets *sets, const struct bench_kernel *kernel,
                                 uint32_t max_sets, uint32_t max_views);
void bench_sets_finish(struct bench_sets *sets);

// Add a view of a level of a colour image.
struct bench_view_params {
    VkImage image;
    VkFormat format;
    VkImageUsageFlags usage;
    uint32_t level;
    uint32_t layers; // 0: it is no array
};
enum weir_result bench_sets_add_view(struct bench_sets *sets,
                                     const struct bench_view_params *params, VkImageView *view);
// Add a view of level 0 in the layout that its use has: GENERAL to store, else read only.
enum weir_result bench_sets_add_image(struct bench_sets *sets,
                                      const struct weir_image_params *image, VkFormat format,
                                      VkImageUsageFlags usage, struct weir_gpu_descriptor *info);
// Add a set, see weir_gpu_set_init().
enum weir_result bench_sets_add(struct bench_sets *sets,
                                const struct weir_gpu_descriptor *descriptors);

struct bench_groups {
    uint32_t x, y, z;
};
// Record a dispatch of a form of the kernel with a set.
void bench_sets_record(const struct bench_sets *sets, uint32_t form, uint32_t set, const void *push,
                       struct bench_groups groups, VkCommandBuffer commands);

#endif
