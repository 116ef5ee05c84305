// SPDX-License-Identifier: MIT
// The images of weir-bench pyramid, and its own kernels: the floor in several forms, the empty one,
// and the one that fills images.
#ifndef WEIR_TESTS_BENCH_PYRAMID_FLOOR_H
#define WEIR_TESTS_BENCH_PYRAMID_FLOOR_H

#include "tests/bench/kernel.h"
#include "tests/bench/pyramid/pyramid.h"

// Images of a pyramid's format or of depth, all alike.
struct bench_pyramid_images {
    struct cli_gpu *gpu;
    const struct weir_pyramid_format_info *format; // or of D32_SFLOAT
    uint32_t width, height, layers, levels;
    VkImageUsageFlags usage;
    VkImageCreateFlags flags; // beside those of the format
    uint32_t num;
    uint64_t image_size; // [bytes] in memory
    struct weir_gpu_image *images;
    weir_image **wrapped; // the wrappers of `images`
};

// Make `num` images of the size that is set, in VK_IMAGE_LAYOUT_GENERAL. If memory is short there
// are fewer, but at least `least`. Errors are logged: WEIR_ERROR_UNSUPPORTED if the device makes no
// such image. Finish it in every case.
enum weir_result bench_pyramid_images_init(struct bench_pyramid_images *images, uint32_t least,
                                           uint32_t num);
void bench_pyramid_images_finish(struct bench_pyramid_images *images);

// `linear`: the format can be filtered. Finish it in every case.
enum weir_result bench_pyramid_kernel_init(struct bench_kernel *kernel, struct cli_gpu *gpu,
                                           bool linear);

// The sets by which the kernels use images, one for each. Finish them in every case.
enum weir_result bench_pyramid_sets_init(struct bench_sets *sets, const struct bench_kernel *kernel,
                                         const struct bench_pyramid_images *images);

// Put the name of a form of the floor into a text.
void bench_pyramid_form_name(uint32_t form, char *text, size_t size);

void bench_pyramid_record_floor(const struct bench_sets *sets,
                                const struct bench_pyramid_images *images, uint32_t form,
                                uint32_t image, VkCommandBuffer commands);
void bench_pyramid_record_empty(const struct bench_sets *sets, VkCommandBuffer commands);
// Record the dispatches that fill level 0 of every image.
void bench_pyramid_record_fill(const struct bench_sets *sets,
                               const struct bench_pyramid_images *images, VkCommandBuffer commands);

#endif
