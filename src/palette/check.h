// SPDX-License-Identifier: MIT
// Checks the images and numbers of a palette reduction before anything is recorded. Each call
// returns WEIR_OK, or logs the reason.
#ifndef WEIR_PALETTE_CHECK_H
#define WEIR_PALETTE_CHECK_H

#include "palette/palette.h"

// `name` is what the caller calls the image.
enum weir_result weir_palette_check_source(const weir_palette *palette, const weir_image *source,
                                           const char *name);

// Check a source and an output of its size.
enum weir_result weir_palette_check_mapping(const weir_palette *palette, const weir_image *source,
                                            const weir_image *output);

// The numbers of a reduction, by the palette's method.
enum weir_result weir_palette_check_start(const weir_palette *palette,
                                          const struct weir_palette_start *start);

enum weir_result weir_palette_check_dispatches(const weir_palette *palette,
                                               uint32_t num_dispatches);

// Tell that `call` was not recorded after `before`. Returns WEIR_ERROR_INVALID.
enum weir_result weir_palette_out_of_order(const weir_palette *palette, const char *call,
                                           const char *before);

#endif
