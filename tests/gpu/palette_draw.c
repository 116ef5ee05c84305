// SPDX-License-Identifier: MIT
// Random pictures for palette reductions.
#include "tests/gpu/palette_test.h"

#include <string.h>

uint8_t palette_draw_near(struct harness *h, uint32_t code, uint32_t spread)
{
    const int moved = (int)code + (int)harness_random_below(h, 2 * spread + 1) - (int)spread;
    return (uint8_t)(moved < 0 ? 0 : moved > 255 ? 255 : moved);
}

void palette_draw_one(uint32_t color, uint8_t alpha, uint32_t num_pixels, uint8_t *rgba)
{
    for (uint32_t i = 0; i < num_pixels; i++) {
        rgba[4 * i] = (uint8_t)(color >> 16);
        rgba[4 * i + 1] = (uint8_t)(color >> 8);
        rgba[4 * i + 2] = (uint8_t)color;
        rgba[4 * i + 3] = alpha;
    }
}

void palette_draw_pixels(struct harness *h, uint32_t num_pixels, uint8_t *rgba)
{
    const uint32_t num_centers = 1 + harness_random_below(h, 12);
    const uint32_t spread = harness_random_below(h, 3) == 0 ? 0 : 1 + harness_random_below(h, 30);
    const bool has_holes = harness_random_below(h, 2) == 0;
    uint8_t centers[12][3];
    for (uint32_t i = 0; i < num_centers; i++) {
        for (int c = 0; c < 3; c++) {
            centers[i][c] = (uint8_t)harness_random(h);
        }
    }
    for (uint32_t i = 0; i < num_pixels; i++) {
        // The smaller of two: some centers have many more pixels than others.
        const uint32_t a = harness_random_below(h, num_centers);
        const uint32_t b = harness_random_below(h, num_centers);
        const uint8_t *center = centers[a < b ? a : b];
        const uint32_t scale = harness_random_below(h, 4) == 0 ? spread : spread / 4;
        for (int c = 0; c < 3; c++) {
            rgba[4 * i + c] = palette_draw_near(h, center[c], scale);
        }
        rgba[4 * i + 3] = has_holes && harness_random_below(h, 5) == 0
                              ? 0
                              : (uint8_t)(1 + harness_random_below(h, 255));
    }
}

void palette_draw_cube(struct harness *h, uint32_t side, uint32_t step, uint32_t num_pixels,
                       uint8_t *rgba)
{
    uint32_t base[3];
    for (int c = 0; c < 3; c++) {
        base[c] = harness_random_below(h, 256 - step * (side - 1));
    }
    for (uint32_t i = 0; i < num_pixels; i++) {
        const uint32_t place[] = {i % side, i / side % side, i / (side * side)};
        for (int c = 0; c < 3; c++) {
            rgba[4 * i + c] = (uint8_t)(base[c] + step * place[c]);
        }
        rgba[4 * i + 3] = 255;
    }
}

const char *palette_draw_extreme(int extreme, uint32_t num_pixels, uint8_t *rgba)
{
    if (extreme == PALETTE_TRANSPARENT) {
        palette_draw_one(0x123456, 0, num_pixels, rgba);
        return "transparent";
    }
    palette_draw_one(0xffffff, 255, num_pixels, rgba);
    if (extreme == PALETTE_TWO_COLORS) {
        memset(rgba, 0, 3);
        return "white and a black pixel";
    }
    for (uint32_t i = 0; i < num_pixels && extreme == PALETTE_GREY_RAMP; i++) {
        memset(rgba + 4 * i, i & 255, 3);
    }
    return extreme == PALETTE_GREY_RAMP ? "grey ramp" : "one colour";
}

float palette_draw_radius(struct harness *h)
{
    const float share = (float)harness_random_below(h, 1 << 20) / (1 << 20);
    switch (harness_random_below(h, 8)) {
    case 0:
        return share * 0.002f;
    case 1:
        return share * WEIR_PALETTE_MAX_RADIUS;
    default:
        return 0.005f + share * 0.12f;
    }
}
