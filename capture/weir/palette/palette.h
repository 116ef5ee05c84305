// SPDX-License-Identifier: MIT
// weir palette: its options, the state that its parts share, and pixels and colours on the host.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/result.h>

#include "capture/weir/common/folder.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/decoder/decoder.h"
#include "capture/weir/gpu/gpu.h"
#include "capture/weir/gpu/reduction.h"
#include "capture/weir/movie/movie.h"

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

// Read a picture; more than 8 bits a value are rounded to the nearest. Prints the reason of a
// failure. Free it in every case.
enum weir_result palette_pixels_read(struct palette_pixels *pixels, const char *path,
                                     struct cli_pictures *pictures);
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
    uint32_t num;    // distinct colours
    bool has_hidden; // pixels with alpha 0
};

void palette_set_free(struct palette_set *set);

// Add the pixels of a picture whose alpha is not 0. False: no memory.
bool palette_set_add_pixels(struct palette_set *set, const struct palette_pixels *pixels);

// Change pixels so that they have at most `most` colours with their alphas: colours of one alpha
// are joined. `moves`: to their mean, and not to the more frequent one. Soft alpha, of more than a
// few values, stays as it is. False: no memory.
enum { PALETTE_MAX_ALPHAS = 4 };
bool palette_join_colors(struct palette_pixels *pixels, const struct palette_colors *colors,
                         size_t most, bool moves);

// Write a picture, of which `colors` are the colours, as a PNG file: indexed if there are at most
// 256 colours, else RGB, or RGBA if a pixel is not opaque. Prints the reason of a failure; the file
// is unchanged then.
enum weir_result palette_write_png(const char *path, const struct palette_pixels *pixels,
                                   const struct palette_colors *colors);

struct palette_diffusion {
    float strength; // 0 .. 1: what is passed on of each error
    bool fits;      // the colours may be changed, so that mixtures of them come nearer
};

// Dither a picture: `mapped` has each pixel in the nearest colour and gets the result; `source` are
// the pixels that it was made of, RGBA; `colors` are those of the palette, 0xRRGGBB, 256 at most.
// False: no memory.
bool palette_diffuse(struct palette_pixels *mapped, const uint8_t *source, const uint32_t *colors,
                     uint32_t num_colors, const struct palette_diffusion *params);

// True if the file's name ends in .gpl, .hex or .png, the formats of palettes.
bool palette_can_export(const char *path);

// Write opaque colours, the most used first; `name` is that of the picture. Prints the reason of a
// failure; the file is as it was before then.
enum weir_result palette_export(const char *path, const char *name,
                                const struct palette_colors *colors);

// The device counts the pixels of a colour in 32 bits.
#define PALETTE_MAX_PIXELS UINT32_MAX

// Check that one palette can count the pixels of so many pictures, which become `output`. Prints an
// error if it cannot: WEIR_ERROR_UNSUPPORTED.
enum weir_result palette_check_pixels(uint64_t num_pictures, uint64_t num_pixels,
                                      const char *output);

// By the index of --dither: those of the library, and one more.
enum {
    PALETTE_DITHER_DIFFUSION = WEIR_PALETTE_DITHER_BLUE_NOISE + 1,
};

// Choices are indices of names. What was not given suits the number of colours, and what becomes
// of them.
struct palette_options {
    int method, metric, dither, weight, light, profile;
    double radius, strength;
    uint64_t colors; // 0: not given
    uint64_t limit, device, max_memory;
    const char *export_file; // NULL: none
    const char *layer;
    bool table, share, validation;
};

// The state of the command. One device serves all pictures.
struct palette {
    const struct palette_options *options;
    struct cli_gpu *gpu;
    struct cli_pictures pictures;
    struct cli_progress progress;
    struct cli_reduction run;
    struct cli_picture picture;
    struct palette_colors shown; // of all pictures that were written, for the export
};

// Get the params of the reduction that the options ask for, with room for that many colours.
struct weir_palette_params palette_choose_run(const struct palette_options *options,
                                              uint32_t max_colors);

// Get the values of the reduction that the options ask for, but for a radius that is looked for.
struct weir_palette_start palette_choose_start(const struct palette_options *options);

// Make the reduction, or make it anew if it has room for fewer colours. Prints the reason of a
// failure.
enum weir_result palette_prepare(struct palette *palette, uint32_t num_colors);

// Upload a picture, whose name is for messages. Prints the reason of a failure.
enum weir_result palette_upload(struct palette *palette, const char *name,
                                const struct palette_pixels *pixels);

// Add the colours of a picture to the set. Prints the reason of a failure.
enum weir_result palette_scan(struct palette_set *set, const char *name,
                              const struct palette_pixels *pixels);

// Upload a picture and count the pixels of its colours. Prints the reason of a failure.
enum weir_result palette_count(struct palette *palette, const char *name,
                               const struct palette_pixels *pixels, bool clear);

// The result of a reduction.
struct palette_result {
    struct weir_palette_stats stats; // of the last reduction
    float radius;                    // of the same, by mean shift
    uint32_t num_reductions;         // more than 1 if the radius was searched for
};

// Reduce the counted colours by the method of the options: to the best colours by k-means, or by
// the radius of the options, or by the smallest radius that leaves at most as many colours as they
// ask for; `set` is what was counted. Prints the reason of a failure.
enum weir_result palette_reduce(struct palette *palette, const struct palette_set *set,
                                struct palette_result *result);

// Map the picture that was uploaded last and write it; `*num_colors` is how many it has then.
// Prints the reason of a failure; the file is as it was before then.
enum weir_result palette_write_picture(struct palette *palette, const char *output,
                                       struct palette_pixels *pixels, uint64_t *num_colors);

// Print the end of a line: colours, radius, steps, time.
void palette_print_result(const struct palette *palette, const struct palette_result *result);

// Reduce one picture. Prints a line on it, or the reason of a failure.
enum weir_result palette_reduce_file(struct palette *palette, const char *input,
                                     const char *output);

// Reduce the pictures of a folder that are left: each by itself, or all to one palette. For a
// picture that fails the reason is printed; the others are still written.
enum weir_result palette_reduce_folder(struct palette *palette, struct cli_folder *folder);

// Reduce a movie, each frame by itself or all to one palette. Prints the reason of a failure.
// Messages of the validation layer are one.
enum weir_result palette_reduce_movie(const struct palette_options *options,
                                      const struct cli_inputs *inputs, const char *output);
