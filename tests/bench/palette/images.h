// SPDX-License-Identifier: MIT
// The image that weir-bench palette counts, what comes back of the one that it writes, and the copy
// between them.
#ifndef WEIR_TESTS_BENCH_PALETTE_IMAGES_H
#define WEIR_TESTS_BENCH_PALETTE_IMAGES_H

#include "tests/bench/palette/palette.h"
#include "tests/bench/stopwatch.h"

struct bench_palette_images {
    struct cli_gpu *gpu;
    struct cli_image source; // in SHADER_READ_ONLY_OPTIMAL
    struct cli_buffer staging;
};

// Upload a picture. Finish it in every case.
enum weir_result bench_palette_images_init(struct bench_palette_images *images, struct cli_gpu *gpu,
                                           const struct bench_palette_picture *picture);
void bench_palette_images_finish(struct bench_palette_images *images);

// Time a copy of the source into an image of its size, whose content and layout are lost.
enum weir_result bench_palette_images_copy(struct bench_palette_images *images,
                                           struct cli_timer *watch, const struct cli_image *target,
                                           double *ns);

// Record that an image of this program goes from one layout to another, between any uses of it.
void bench_palette_images_change(VkCommandBuffer commands, const struct cli_image *image,
                                 VkImageLayout from, VkImageLayout to);

// Read the rows of an image, which is in SHADER_READ_ONLY_OPTIMAL and has the size of the source.
// The rows have no gaps.
enum weir_result bench_palette_images_read(struct bench_palette_images *images,
                                           const struct cli_image *image, uint8_t *rgba);

#endif
