// SPDX-License-Identifier: MIT
// Images of a pyramid's format or of depth, all alike.
#ifndef WEIR_TESTS_BENCH_PYRAMID_IMAGES_H
#define WEIR_TESTS_BENCH_PYRAMID_IMAGES_H

#include <stdint.h>

#include <weir/pyramid.h>

#include "capture/weir/gpu/gpu.h"

struct cli_images {
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
enum weir_result cli_images_init(struct cli_images *images, uint32_t least, uint32_t num);
void cli_images_finish(struct cli_images *images);

#endif
