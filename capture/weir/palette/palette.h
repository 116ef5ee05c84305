// SPDX-License-Identifier: MIT
// weir palette: its options, and the state that its parts share.
#ifndef WEIR_CAPTURE_WEIR_PALETTE_PALETTE_H
#define WEIR_CAPTURE_WEIR_PALETTE_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/result.h>

#include "capture/weir/common/folder.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/progress.h"
#include "capture/weir/gpu/gpu.h"
#include "capture/weir/gpu/reduction.h"
#include "capture/weir/movie/movie.h"
#include "capture/weir/palette/pixels.h"

// The device counts the pixels of a colour in 32 bits.
#define PALETTE_MAX_PIXELS UINT32_MAX

// Pictures that are counted together. A zeroed one has none.
struct palette_total {
    uint64_t num_pictures, num_pixels;
};

void palette_total_add(struct palette_total *total, uint32_t width, uint32_t height);

// Check that one palette can count them. `output` names them. Prints an error if it cannot:
// WEIR_ERROR_UNSUPPORTED.
enum weir_result palette_total_check(const struct palette_total *total, const char *output);

#define PALETTE_DEFAULT_RADIUS 0.02

// By the index of --dither: those of the library, and one more.
enum {
    PALETTE_DITHER_DIFFUSION = WEIR_PALETTE_DITHER_BLUE_NOISE + 1,
};

struct palette_options {
    int method, metric, dither, weight, light; // indices of names; -1: not given
    double radius;                             // below 0: not given
    uint64_t colors;                           // 0: not given
    uint64_t limit, device, max_memory;
    const char *export_file; // NULL: none
    bool table, share, validation;
};

// The state of the command. One device serves all pictures.
struct palette {
    const struct palette_options *options;
    enum weir_palette_weight weight; // where the options name none
    struct cli_gpu *gpu;
    struct cli_progress progress;
    struct cli_reduction run;
    struct cli_picture picture;
    struct palette_colors shown; // of all pictures that were written, for the export
};

// The method that the options name, or that suits their number of colours.
enum weir_palette_method palette_method(const struct palette_options *options);

// Get the params of the reduction that the options ask for, with room for that many colours.
struct weir_palette_params palette_choose_run(const struct palette_options *options,
                                              enum weir_palette_weight weight, uint32_t max_colors);

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
// ask for. Prints the reason of a failure.
enum weir_result palette_reduce(struct palette *palette, struct palette_result *result);

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

#endif
