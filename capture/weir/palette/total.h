// SPDX-License-Identifier: MIT
// How many pixels share a palette.
#ifndef WEIR_CAPTURE_WEIR_PALETTE_TOTAL_H
#define WEIR_CAPTURE_WEIR_PALETTE_TOTAL_H

#include <stdint.h>

#include <weir/result.h>

// The device counts the pixels of a colour in 32 bits.
#define PALETTE_MAX_PIXELS UINT32_MAX

// Pictures that are counted together. A zeroed one has none.
struct palette_total {
    uint64_t num_pictures, num_pixels;
};

void palette_total_add(struct palette_total *total, uint32_t width, uint32_t height);

// Check that one palette can count them. `output` names them. Prints an error if it cannot:
// WEIR_ERROR_UNSUPPORTED.
enum weir_result palette_total_check(const struct palette_total *total, const char *output);

#endif
