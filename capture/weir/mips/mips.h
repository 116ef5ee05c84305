// SPDX-License-Identifier: MIT
// weir mips: its options and state, how levels and their contact sheet are written, its reports.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <weir/result.h>

#include "capture/base/file.h"
#include "capture/files/picture/picture.h"
#include "capture/weir/decoder/decoder.h"
#include "capture/weir/gpu/levels.h"

// Files that belong together: when all of them are written they take their names.
enum { MIPS_MAX_FILES = 72 }; // a level has two at most, a chain 32 levels

struct mips_file {
    char *temporary, *target; // where it is written, and where it belongs
    const char *name;         // the last part of its path
};

struct mips_files {
    const char *folder;    // borrowed
    bool made_folder;      // the folder did not exist before
    struct weir_file lock; // never committed: while it is open nobody else writes levels there
    bool is_locked;
    struct mips_file list[MIPS_MAX_FILES];
    size_t num;
};

// Make the folder, if it is missing. Prints the reason of a failure. Close it in every case.
enum weir_result mips_files_open(struct mips_files *files, const char *folder);

// Add a file of that name, which is to be written to file->temporary. It is an error if something
// that is not a file has that name.
enum weir_result mips_files_add(struct mips_files *files, const char *name,
                                const struct mips_file **file);

// Check that no file is the input or `other`, an output beside them or NULL. Prints an error if one
// is.
enum weir_result mips_files_check(const struct mips_files *files, const char *input,
                                  const char *other);

// Give all files their names, with the mode and the group of those that they replace. Behind one
// that cannot have its name all stay what they were; prints the reason.
enum weir_result mips_files_commit(const struct mips_files *files);

// Remove files that were not committed, and the folder if it was made and has stayed empty.
void mips_files_close(struct mips_files *files);

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

// The files that were written for a level.
struct mips_written {
    uint32_t width, height;
    const char *file, *alpha_file; // names in the folder; alpha_file is NULL if there is none
    uint64_t size;                 // size of both files [bytes]
};

// Of --alpha: opacity that weighs colours, or not.
enum { MIPS_ALPHA_STRAIGHT, MIPS_ALPHA_DATA };

// The options. Choices are indices of names; -1: chosen by the picture.
struct mips_options {
    int method, reduction, format, values, alpha, profile;
    uint64_t levels, device, max_memory;
    const char *json, *layer;
    bool exact_srgb, validation;
    struct cli_level_options level;
};

enum { MIPS_MAX_LEVELS = 32 };

struct mips {
    const struct mips_options *options;
    const char *input, *folder;
    char *name; // of the input, without its folder and ending
    struct cli_pictures pictures;
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

extern const char *const mips_values_names[]; // by enum weir_values; ends with NULL

// Print a line for every level, and one for the whole pyramid.
void mips_report_print(const struct mips *mips, FILE *out);

// Write the same as JSON, as cli_file_write_json() does.
enum weir_result mips_report_write_json(const struct mips *mips, const char *path);
