// SPDX-License-Identifier: MIT
// Pictures in 8 bits, before and after a palette reduction: their pixels, their colours, dither by
// diffusion of errors, and their files.
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

struct palette_color {
    uint32_t rgba;  // as palette_pixel() returns it
    uint64_t count; // of pixels, above 0
};

// A hash table. A zeroed one is empty and may be freed.
struct palette_colors {
    struct palette_color *slots; // those with a count of 0 are free
    size_t num_slots;            // a power of two
    size_t num;                  // distinct colours
};

void palette_colors_free(struct palette_colors *colors);

// Add the pixels of a picture, each colour with its alpha. False: no memory.
bool palette_colors_add_pixels(struct palette_colors *colors, const struct palette_pixels *pixels);

// Add the colours of another table whose alpha is not 0, as opaque colours. False: no memory.
bool palette_colors_add_visible(struct palette_colors *colors, const struct palette_colors *other);

// Get all colours: `colors->num` entries, in no order. Free it. NULL: no memory.
struct palette_color *palette_colors_list(const struct palette_colors *colors);

// A set of the 2^24 colours without alpha. A zeroed one is empty and may be freed.
struct palette_set {
    uint8_t *bits;
    uint32_t num; // distinct colours
};

void palette_set_free(struct palette_set *set);

// Add the pixels of a picture whose alpha is not 0. False: no memory.
bool palette_set_add_pixels(struct palette_set *set, const struct palette_pixels *pixels);

// Write a picture, of which `colors` are the colours, as a PNG file: indexed if there are at most
// 256 colours, else RGB, or RGBA if a pixel is not opaque. Prints the reason of a failure; the file
// is unchanged then.
enum weir_result palette_write_png(const char *path, const struct palette_pixels *pixels,
                                   const struct palette_colors *colors);

// Dither a picture: `mapped` has each pixel in the nearest colour and gets the result; `source` are
// the pixels that it was made of, RGBA; `colors` are those of the palette, 0xRRGGBB, 256 at most.
// False: no memory.
bool palette_diffuse(struct palette_pixels *mapped, const uint8_t *source, const uint32_t *colors,
                     uint32_t num_colors);

// True if the file's name ends in .gpl, .hex or .png, the formats of palettes.
bool palette_can_export(const char *path);

// Write opaque colours, the most used first; `name` is that of the picture. Prints the reason of a
// failure; the file is as it was before then.
enum weir_result palette_export(const char *path, const char *name,
                                const struct palette_colors *colors);

#endif
