// SPDX-License-Identifier: MIT
// Pictures in few colours as PNG files, indexed where they can be.
#ifndef WEIR_CAPTURE_WEIR_PALETTE_WRITE_H
#define WEIR_CAPTURE_WEIR_PALETTE_WRITE_H

#include <weir/result.h>

#include "capture/weir/palette/colors.h"
#include "capture/weir/palette/pixels.h"

// Write a picture, of which `colors` are the colours, as a PNG file: indexed if there are at most
// 256 colours, else RGB, or RGBA if a pixel is not opaque. Prints the reason of a failure; the file
// is unchanged then.
enum weir_result palette_write_png(const char *path, const struct palette_pixels *pixels,
                                   const struct palette_colors *colors);

#endif
