// SPDX-License-Identifier: MIT
// OpenGL without a window, which samples compressed texels: an independent decoder of them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Exits with 77, saying why, where there is no surfaceless EGL or no OpenGL 4.3. Prints the
// renderer: Mesa's software one unless LIBGL_ALWAYS_SOFTWARE=0 asks for that of the machine.
void offscreen_init(void);
void offscreen_finish(void);

// Sample every texel of an image of width x height, multiples of 8, in a format of OpenGL's.
// `texels` begin with the first block's first. False where OpenGL refuses the format; exits with 1
// at any other error.
bool offscreen_sample(uint32_t gl_format, uint32_t width, uint32_t height, const uint8_t *blocks,
                      size_t size, float (*texels)[4]);
