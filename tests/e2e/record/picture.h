// SPDX-License-Identifier: MIT
// The picture of a frame, which says its number: what e2e_present draws and e2e_numbers reads.
#pragma once

#include <stdint.h>

enum {
    // Four rows of four cells, each a bit of the number, the lowest first: black or white.
    PICTURE_CELLS = 16,
    // Below them two rows of eight patches for the colours: from black to white, and from green to
    // magenta.
    PICTURE_PATCHES = 16,
    PICTURE_RECTS = PICTURE_CELLS + PICTURE_PATCHES,
    // Of a picture; cells have 16 texels a side then [texels].
    PICTURE_MIN_WIDTH = 64,
    PICTURE_MIN_HEIGHT = 88,
};

// A part of the picture that has one colour [texels; codes as a display gets them].
struct picture_rect {
    uint32_t x, y, width, height;
    uint8_t codes[3]; // R, G, B
};

// Get part `i`: the cells, then the patches. All of them cover the picture.
struct picture_rect picture_rect(uint32_t width, uint32_t height, uint32_t number, unsigned i);
