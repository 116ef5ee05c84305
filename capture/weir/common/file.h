// SPDX-License-Identifier: MIT
// A file that is written at once, as a report.
#ifndef WEIR_CAPTURE_WEIR_COMMON_FILE_H
#define WEIR_CAPTURE_WEIR_COMMON_FILE_H

#include <stddef.h>

#include <weir/result.h>

// Check that a file can be written, before long work is done for it. Prints the reason if not.
// Errors: as weir_file_open().
enum weir_result cli_file_check(const char *path);

// Write a whole file. One that is there is replaced completely or not at all; pipes and devices are
// written as they are. Prints the reason of a failure. Errors: as weir_file_write().
enum weir_result cli_file_write(const char *path, const void *data, size_t size);

// Remove what a process that was killed has written of a file under another name.
void cli_file_remove_part(const char *path);

#endif
