// SPDX-License-Identifier: MIT
// A picture in 8 bits, in host memory and on the device, before and after a palette reduction.
#ifndef WEIR_CAPTURE_WEIR_PALETTE_IMAGE_H
#define WEIR_CAPTURE_WEIR_PALETTE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/weir/gpu/gpu.h"
#include "capture/weir/gpu/reduction.h"

// RGBA, rows without space between them. A zeroed one may be freed.
struct palette_pixels {
    uint32_t width, height;
    uint8_t *rgba;
    bool is_rounded; // the file has more than 8 bits a value
};

// A pixel with red in the lowest byte, alpha in the highest.
static inline uint32_t palette_pixel(const struct palette_pixels *pixels, size_t i)
{
    const uint8_t *pixel = pixels->rgba + 4 * i;
    return pixel[0] | (uint32_t)pixel[1] << 8 | (uint32_t)pixel[2] << 16 | (uint32_t)pixel[3] << 24;
}

// Read a picture; more than 8 bits a value are rounded to the nearest. `max_memory`: what the
// command may take [bytes], 0 = the default. Prints the reason of a failure. Free it in every case.
enum weir_result palette_pixels_read(struct palette_pixels *pixels, const char *path,
                                     uint64_t max_memory);
void palette_pixels_free(struct palette_pixels *pixels);

// The images and buffers on the device for one picture at a time.
struct palette_image {
    struct cli_gpu *gpu;
    VkCommandBuffer commands;
    struct cli_buffer staging;
    struct cli_image source, image; // `image` is written in new colours
};

// Upload a picture into the source, which is made anew if its size differs. `name` is the
// picture's, for messages. Prints the reason of a failure. Finish it in every case, before the run;
// a zeroed one may be finished.
enum weir_result palette_image_upload(struct palette_image *image, const struct cli_reduction *run,
                                      const char *name, const struct palette_pixels *pixels);
void palette_image_finish(struct palette_image *image);

// Read the picture in new colours back into pixels of the same size. Prints the reason of a
// failure.
enum weir_result palette_image_download(struct palette_image *image, struct palette_pixels *pixels);

#endif
