// SPDX-License-Identifier: MIT
// A picture in 8 bits, before and after a palette reduction.
#ifndef WEIR_CAPTURE_WEIR_PALETTE_PIXELS_H
#define WEIR_CAPTURE_WEIR_PALETTE_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/result.h>

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

#endif
