// SPDX-License-Identifier: MIT
// What the parts of weir_file share: open, write, seal, restore.
#ifndef WEIR_CAPTURE_BASE_FILE_PARTS_H
#define WEIR_CAPTURE_BASE_FILE_PARTS_H

#include "capture/base/file.h"

// True for the errno values of a file system that has no room.
bool weir_file_is_full(int error);

// Get the result for an errno value: WEIR_ERROR_DISK_FULL or WEIR_ERROR_IO.
enum weir_result weir_file_failure(int error);

// Replace the stage by one of another size. False: out of memory; the stage stays as it is.
bool weir_file_make_stage(struct weir_file *file, size_t room);

// Write through the system's cache from now on.
void weir_file_leave_direct(struct weir_file *file);

// Note that the disk did not store what the system had taken. Returns the state.
enum weir_result weir_file_fail_sync(struct weir_file *file, int error);

// End the thread that syncs, and take over its failure. Returns the state.
enum weir_result weir_file_stop_sync(struct weir_file *file);

// Free what weir_file_open() made, but for the descriptor of the file.
void weir_file_free(struct weir_file *file);

// Compare what was written with what has its name now, and see to it that all commits are kept:
// under that name, or where another file has it, under one that the log names. A file that has no
// name at all is copied.
// WEIR_OK: it has its name. Errors, logged: WEIR_ERROR_IO (it is kept under another name, or there
// is no room for the copy and it is lost).
enum weir_result weir_file_restore(struct weir_file *file);

#endif
