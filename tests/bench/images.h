// SPDX-License-Identifier: MIT
// Images of one size that repetitions take in turn, so many that no cache keeps them.
#pragma once

#include <weir/pyramid.h>

#include "capture/weir/gpu/gpu.h"

enum { BENCH_MAX_ROTATION = 32 };

struct bench_images {
    struct cli_gpu *gpu;
    const struct weir_pyramid_format_info *format; // how texels are packed
    struct weir_image_params params;
    uint32_t num;
    uint64_t image_size; // in memory, with all levels and layers [bytes]
    struct cli_image *images;
};

// How many images of so many bytes a rotation takes: `least` to BENCH_MAX_ROTATION.
uint32_t bench_rotation(double image_size, uint32_t least);

// Make `num` images, for the first three members that are set. If memory is short there are fewer,
// but at least `least`. Errors are logged: WEIR_ERROR_UNSUPPORTED if the device makes no such
// image. Finish it in every case; a zeroed one may be finished.
enum weir_result bench_images_init(struct bench_images *images, uint32_t least, uint32_t num);
void bench_images_finish(struct bench_images *images);

// Fill level 0 of every layer, and bring the images into `layout`. There are `num_rows` rows,
// which are repeated down to the last one; `draw` writes one of them.
struct bench_fill {
    uint32_t num_rows;
    VkImageLayout layout;
    void (*draw)(void *user, const struct bench_images *images, uint32_t y, uint8_t *texels);
    void *user;
};
enum weir_result bench_images_fill(const struct bench_images *images,
                                   const struct bench_fill *fill);
