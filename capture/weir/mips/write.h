// SPDX-License-Identifier: MIT
// A level becomes a PNG or PFM file, and a part of the contact sheet.
#ifndef WEIR_CAPTURE_WEIR_MIPS_WRITE_H
#define WEIR_CAPTURE_WEIR_MIPS_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/files/picture/light.h"
#include "capture/weir/gpu/pyramid.h"
#include "capture/weir/mips/files.h"
#include "capture/weir/mips/sheet.h"

struct mips_writer {
    const char *name; // the beginning of all file names; borrowed
    const struct weir_pyramid_format_info *format;
    enum weir_values stored; // the values of the levels
    bool has_alpha;          // alpha is written to the files
    struct mips_files *files;
    struct mips_sheet *sheet;
};

// The files that were written for a level.
struct mips_written {
    uint32_t width, height;
    // Names in the folder; the caller frees them. alpha_file is NULL if there is no such file.
    char *file, *alpha_file;
    uint64_t size; // size of both files [bytes]
};

// Read a level back, write it and draw it. Prints the reason of a failure.
enum weir_result mips_write_level(const struct mips_writer *writer, struct cli_pyramid *run,
                                  uint32_t level, struct mips_written *written);

// Write the sheet; `*file` is its name: free it.
enum weir_result mips_write_sheet(const struct mips_writer *writer, char **file);

#endif
