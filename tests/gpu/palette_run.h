// SPDX-License-Identifier: MIT
// A picture through a palette reduction, on the host's queue.
#ifndef WEIR_TESTS_GPU_PALETTE_RUN_H
#define WEIR_TESTS_GPU_PALETTE_RUN_H

#include <weir/palette.h>

#include "tests/gpu/harness.h"

struct palette_picture {
    uint32_t width, height;
    const uint8_t *rgba; // the codes that count, 4 bytes a pixel

    // The image that has them. Zero: `rgba` in R8G8B8A8_UNORM.
    VkFormat format;
    VkImageCreateFlags flags;
    enum weir_transfer transfer;
    const void *texels;
    uint32_t texel_size; // [bytes]

    // The image that new colours are written to. Zero: R8G8B8A8_UNORM.
    VkFormat target_format;
    VkImageCreateFlags target_flags;
};

// Make a palette reduction, of R8G8B8A8_UNORM where `params` have no `like`. Failures end the test.
weir_palette *palette_create(struct harness *h, const struct weir_palette_params *params);

// A picture on the device, and the image for its new colours.
struct palette_images {
    struct weir_gpu_image source, target;
    struct weir_gpu_buffer pixels; // of the target, as its format has them
    weir_image *image, *result;
};
void palette_images_init(struct harness *h, const struct palette_picture *picture,
                         struct palette_images *images);
void palette_images_finish(struct harness *h, struct palette_images *images);
// Record the copy of what was written; then, when it has been executed, take its pixels as RGBA.
void palette_images_copy(const struct harness *h, VkCommandBuffer cmd,
                         const struct palette_images *images);
void palette_images_read(const struct palette_images *images, uint8_t *pixels);

// Submit iterations until no colour moves. False after a failure, which is counted.
bool palette_iterate(struct harness *h, weir_palette *palette);

// Reduce `picture` once, and get its new pixels. False after a failure, which is counted.
bool palette_run(struct harness *h, weir_palette *palette, const struct palette_picture *picture,
                 const struct weir_palette_start *start, uint8_t *pixels,
                 struct weir_palette_stats *stats);

// Do the same with the colours of several pictures together. `pixels` has a pointer for each.
bool palette_run_shared(struct harness *h, weir_palette *palette,
                        const struct palette_picture *pictures, uint32_t num_pictures,
                        const struct weir_palette_start *start, uint8_t *const *pixels,
                        struct weir_palette_stats *stats);

// Do the same with images that were counted already.
bool palette_run_counted(struct harness *h, weir_palette *palette,
                         const struct palette_images *images, uint32_t num_images,
                         const struct weir_palette_start *start);

#endif
