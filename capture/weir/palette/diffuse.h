// SPDX-License-Identifier: MIT
// Dither by diffusion of errors, on the processor.
#ifndef WEIR_CAPTURE_WEIR_PALETTE_DIFFUSE_H
#define WEIR_CAPTURE_WEIR_PALETTE_DIFFUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/weir/palette/pixels.h"

// Dither a picture: `mapped` has each pixel in the nearest colour and gets the result; `source` are
// the pixels that it was made of, RGBA; `colors` are those of the palette, 0xRRGGBB, 256 at most.
// False: no memory.
bool palette_diffuse(struct palette_pixels *mapped, const uint8_t *source, const uint32_t *colors,
                     uint32_t num_colors);

#endif
