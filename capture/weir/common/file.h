// SPDX-License-Identifier: MIT
// A file that is written at once, as a report.
#ifndef WEIR_CAPTURE_WEIR_COMMON_FILE_H
#define WEIR_CAPTURE_WEIR_COMMON_FILE_H

#include <stddef.h>

#include <weir/result.h>

#include "capture/base/json.h"

// Check that a file can be written, before long work is done for it. Prints the reason if not.
// Errors: as weir_file_open().
enum weir_result cli_file_check(const char *path);

// Write a whole file. One that is there is replaced completely or not at all; pipes and devices are
// written as they are. Prints the reason of a failure. Errors: as weir_file_write().
enum weir_result cli_file_write(const char *path, const void *data, size_t size);

// Write a file of what `write` makes of `user`, as cli_file_write() does; "-" is standard output.
// Prints the reason of a failure. Errors: those of cli_file_write(), WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_file_write_json(const char *path,
                                     void (*write)(struct weir_json *json, const void *user),
                                     const void *user);

// Remove what a process that was killed has written of a file under another name.
void cli_file_remove_part(const char *path);

#endif
