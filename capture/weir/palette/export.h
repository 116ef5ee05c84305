// SPDX-License-Identifier: MIT
// A palette as a file that other programs read: GIMP's, hexadecimal numbers, or swatches.
#ifndef WEIR_CAPTURE_WEIR_PALETTE_EXPORT_H
#define WEIR_CAPTURE_WEIR_PALETTE_EXPORT_H

#include <stdbool.h>

#include <weir/result.h>

#include "capture/weir/palette/colors.h"

// True if the file's name ends in .gpl, .hex or .png, the formats of palettes.
bool palette_can_export(const char *path);

// Write opaque colours, the most used first; `name` is that of the picture. Prints the reason of a
// failure; the file is as it was before then.
enum weir_result palette_export(const char *path, const char *name,
                                const struct palette_colors *colors);

#endif
