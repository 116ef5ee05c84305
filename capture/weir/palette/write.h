// SPDX-License-Identifier: MIT
// Pictures in few colours as PNG files, indexed where they can be.
#ifndef WEIR_CAPTURE_WEIR_PALETTE_WRITE_H
#define WEIR_CAPTURE_WEIR_PALETTE_WRITE_H

#include <weir/result.h>

#include "capture/weir/palette/colors.h"
#include "capture/weir/palette/image.h"

// Write a picture, whose colours these are: as an indexed PNG file where they are at most 256, else
// as RGB, or RGBA where there is an alpha. Prints the reason of a failure; the file is as it was
// before then.
enum weir_result palette_write_png(const char *path, const struct palette_pixels *pixels,
                                   const struct palette_colors *colors);

#endif
