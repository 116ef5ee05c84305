// SPDX-License-Identifier: MIT
// The images of weir bench pyramid: mipmapped, alike, filled with what no device can compress.
#ifndef WEIR_CAPTURE_CLI_BENCH_PYRAMID_IMAGES_H
#define WEIR_CAPTURE_CLI_BENCH_PYRAMID_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/pyramid.h>

#include "capture/cli/gpu.h"

struct bench_pyramid_images {
    struct cli_gpu *gpu;
    const struct weir_pyramid_format *format;
    uint32_t width, height, layers, levels;
    VkImageUsageFlags usage;
    uint32_t num;
    uint64_t image_size; // [bytes] in memory
    VkImage *images;
    VkDeviceMemory memory; // of all of them
};

// Make `num` of the size that is set, in VK_IMAGE_LAYOUT_GENERAL, or fewer where the memory ends, but at
// least `least`. `*why` gets one line and WEIR_OK is answered with num == 0 where the device cannot.
// Finish it in every case.
enum weir_result bench_pyramid_images_init(struct bench_pyramid_images *images, uint32_t least,
                                           uint32_t num, char *why, size_t why_size);
void bench_pyramid_images_finish(struct bench_pyramid_images *images);

// How many of one size a rotation takes so that no cache keeps them; 8 at least.
uint32_t bench_pyramid_images_rotation(double image_size);

#endif
