// SPDX-License-Identifier: MIT
// Alpha: colours that are multiplied by it, and that are not.
#include "capture/files/source/alpha.h"

static uint8_t multiply(uint32_t code, uint32_t alpha)
{
    return (uint8_t)((2 * code * alpha + 255) / 510);
}

static uint8_t divide(uint32_t code, uint32_t alpha)
{
    if (alpha == 0) {
        return (uint8_t)code;
    }
    return code < alpha ? (uint8_t)((2 * code * 255 + alpha) / (2 * alpha)) : 255;
}

static void map(uint8_t *pixels, size_t pitch, uint32_t width, uint32_t height,
                uint8_t (*change)(uint32_t code, uint32_t alpha))
{
    for (uint32_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            uint8_t *texel = pixels + y * pitch + 4 * x;
            for (int c = 0; c < 3 && texel[3] < 255; c++) {
                texel[c] = change(texel[c], texel[3]);
            }
        }
    }
}

void weir_alpha_multiply(uint8_t *pixels, size_t pitch, uint32_t width, uint32_t height)
{
    map(pixels, pitch, width, height, multiply);
}

void weir_alpha_divide(uint8_t *pixels, size_t pitch, uint32_t width, uint32_t height)
{
    map(pixels, pitch, width, height, divide);
}
