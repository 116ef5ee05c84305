// SPDX-License-Identifier: MIT
// What the recorder says while the program runs, which has standard output for itself.
#ifndef WEIR_CAPTURE_WEIR_RECORD_TELL_H
#define WEIR_CAPTURE_WEIR_RECORD_TELL_H

#include <stdbool.h>

// Print a warning, as printf does.
void record_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Print a line that is no warning, unless `quiet`.
void record_tell(bool quiet, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
