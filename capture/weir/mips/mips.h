// SPDX-License-Identifier: MIT
// weir mips: its options and state, how levels and their contact sheet are written, its reports.
#ifndef WEIR_CAPTURE_WEIR_MIPS_MIPS_H
#define WEIR_CAPTURE_WEIR_MIPS_MIPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <weir/result.h>

#include "capture/files/picture/picture.h"
#include "capture/weir/gpu/pyramid.h"
#include "capture/weir/mips/files.h"

struct mips_sheet {
    uint32_t width, height; // [texels]
    // The first level that is shown, as the levels before it are too large, and the number of the
    // pyramid's levels.
    uint32_t first_level, num_levels;
    uint32_t base_width, base_height; // size of level 0 [texels]
    uint8_t *pixels;                  // RGB, rows without space between them
};

// The side that a level may have to be shown; a level above it gives its place to a smaller one.
enum { MIPS_SHEET_MAX_SIDE = 4096 };

// Lay it out and fill it with the background. Errors: WEIR_ERROR_OUT_OF_MEMORY. Finish it in every
// case.
enum weir_result mips_sheet_init(struct mips_sheet *sheet, uint32_t width, uint32_t height,
                                 uint32_t num_levels);
void mips_sheet_finish(struct mips_sheet *sheet);

// Draw row `y` of a level that is shown, from RGBA display codes. Alpha lets the background
// through.
void mips_sheet_draw(struct mips_sheet *sheet, uint32_t level, uint32_t y, const float *row,
                     bool has_alpha);

// The files that were written for a level.
struct mips_written {
    uint32_t width, height;
    const char *file, *alpha_file; // names in the folder; alpha_file is NULL if there is none
    uint64_t size;                 // size of both files [bytes]
};

// The options. Choices are indices of names; -1: chosen by the picture.
struct mips_options {
    int method, reduction, format, values;
    uint64_t levels, device, max_memory;
    const char *json;
    bool exact_srgb, validation;
};

enum { MIPS_MAX_LEVELS = 32 };

struct mips {
    const struct mips_options *options;
    const char *input, *folder;
    char *name; // of the input, without its folder and ending
    struct weir_picture picture;
    enum weir_values values; // of the picture
    const struct weir_pyramid_format_info *format;
    enum weir_values stored; // the values of the levels
    bool has_alpha;          // alpha is written to the files
    struct cli_gpu gpu;
    struct cli_pyramid run;
    struct mips_files files;
    struct mips_sheet sheet;
    struct mips_written levels[MIPS_MAX_LEVELS];
    uint32_t num_levels;
    const char *sheet_file;
};

// Read a level back, write it and draw it. Prints the reason of a failure.
enum weir_result mips_write_level(struct mips *mips, uint32_t level);

// Write the sheet.
enum weir_result mips_write_sheet(struct mips *mips);

// The names of the values, as on a command line; NULL after the last.
const char *mips_values_name(int index);

// Print a line for every level, and one for the whole pyramid.
void mips_report_print(const struct mips *mips, FILE *out);

// Write the same as JSON, as cli_file_write_json() does.
enum weir_result mips_report_write_json(const struct mips *mips, const char *path);

#endif
