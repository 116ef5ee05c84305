// SPDX-License-Identifier: MIT
// Files that are read by place, and that are written at once, as a report or a picture.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <weir/result.h>

#include "capture/base/json.h"

// Open a file that `command`, such as "weir join", was given, by open() with `flags`, and get its
// status. What is no file is refused. Returns the descriptor, or -1: the reason was printed.
int cli_read_open(const char *command, const char *path, int flags, struct stat *status);

// Read `size` bytes at `offset`, in as many calls as that takes. False: they cannot be read.
bool cli_read_at(int fd, uint64_t offset, uint8_t *bytes, size_t size);

// Write a whole file. One that is there is replaced completely or not at all; pipes and devices are
// written as they are. Prints the reason of a failure. Errors: as weir_file_write().
enum weir_result cli_file_write(const char *path, const void *data, size_t size);

// Write a file of what `write` makes of `user`, as cli_file_write() does; "-" is standard output.
// Prints the reason of a failure. Errors: those of cli_file_write(), WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_file_write_json(const char *path,
                                     void (*write)(struct weir_json *json, const void *user),
                                     const void *user);

// Make the folders that a path lies in, where they are missing. False and errno: the last of them
// cannot be made. The path is as it was afterwards.
bool cli_make_folders(char *path, mode_t mode);

// A picture in the making, of rows of floats: a PNG file of 8 or 16 bits, or a PFM file. A zeroed
// one may be freed.
struct cli_still {
    uint32_t width, height;
    uint32_t num_channels;
    uint32_t value_size; // 1, 2 (PNG) or 4 bytes (PFM)
    bool is_data;        // see weir_still
    uint8_t *pixels;
};

// Allocate the pixels, after the other fields were set. False: no memory. Free them in any case.
bool cli_still_allocate(struct cli_still *still);

// Set row `y` to the first channels of RGBA.
void cli_still_put_row(const struct cli_still *still, uint32_t y, const float *row);

// Write the file. Prints the reason of a failure.
enum weir_result cli_still_write(const struct cli_still *still, const char *path);
