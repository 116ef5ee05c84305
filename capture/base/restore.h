// SPDX-License-Identifier: MIT
// Restores the name of a file that another program moved, deleted or replaced while it was written.
#ifndef WEIR_CAPTURE_BASE_RESTORE_H
#define WEIR_CAPTURE_BASE_RESTORE_H

#include "capture/base/file.h"

// Compare what was written with what has its name now, and see to it that all commits are kept:
// under that name, or where another file has it, under one that the log names. A file that has no
// name at all is copied.
// WEIR_OK: it has its name. Errors, logged: WEIR_ERROR_IO (it is kept under another name, or there
// is no room for the copy and it is lost).
enum weir_result weir_file_restore(struct weir_file *file);

#endif
