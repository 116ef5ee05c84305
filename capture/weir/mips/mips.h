// SPDX-License-Identifier: MIT
// weir mips: its options, its state, and its reports.
#ifndef WEIR_CAPTURE_WEIR_MIPS_MIPS_H
#define WEIR_CAPTURE_WEIR_MIPS_MIPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "capture/files/picture/light.h"
#include "capture/files/picture/picture.h"
#include "capture/weir/gpu/pyramid.h"
#include "capture/weir/mips/sheet.h"
#include "capture/weir/mips/write.h"

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
    struct cli_gpu gpu;
    struct cli_pyramid run;
    struct mips_files files;
    struct mips_sheet sheet;
    struct mips_writer writer;
    struct mips_written levels[MIPS_MAX_LEVELS];
    uint32_t num_levels;
    char *sheet_file;
};

// The names of the values, as on a command line; NULL after the last.
const char *mips_values_name(int index);

// Print a line for every level, and one for the whole pyramid.
void mips_report_print(const struct mips *mips, FILE *out);

// Write the same as JSON, as cli_file_write_json() does.
enum weir_result mips_report_write_json(const struct mips *mips, const char *path);

#endif
