// SPDX-License-Identifier: MIT
// A TIFF file in memory, as libtiff reads it.
#ifndef WEIR_CAPTURE_FILES_SOURCE_TIFF_FILE_H
#define WEIR_CAPTURE_FILES_SOURCE_TIFF_FILE_H

#include <stdint.h>
#include <tiffio.h>

// The limit of one allocation: a header may ask for anything [bytes].
#define WEIR_TIFF_MAX_ALLOCATION ((tmsize_t)1 << 31)

struct weir_tiff_file {
    const uint8_t *data; // borrowed
    uint64_t size, at;   // `at`: where reading goes on [bytes]
};

// Open the file, which is borrowed until TIFFClose(). The first message of libtiff, also of later
// calls, goes to `reason` (WEIR_REASON_SIZE, empty before). NULL if it is no TIFF or there is no
// memory.
TIFF *weir_tiff_open(struct weir_tiff_file *file, char *reason);

#endif
