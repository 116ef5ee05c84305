// SPDX-License-Identifier: MIT
// Opens a TIFF file with libtiff, whose messages are kept.
#pragma once

#include <tiffio.h>

// The limit of one allocation: a header may ask for anything [bytes].
#define WEIR_TIFF_MAX_ALLOCATION ((tmsize_t)1 << 31)

// Open a file. The first message of libtiff, also of later calls, goes to `reason`
// (WEIR_REASON_SIZE, empty before). NULL if it cannot be opened, is no TIFF, or there is no memory.
TIFF *weir_tiff_open(const char *path, char *reason);
