// SPDX-License-Identifier: MIT
// Colours multiplied by alpha, and divided: every pair of codes, against the exact numbers.
#include "capture/files/source/alpha.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 256, PITCH = 4 * SIDE + 64 };

static int num_failures;

// Red is the column, green the column backwards, blue 255, and alpha the row.
static void fill(uint8_t *pixels)
{
    memset(pixels, 0xee, (size_t)PITCH * SIDE);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const uint8_t texel[] = {(uint8_t)x, (uint8_t)(255 - x), 255, (uint8_t)y};
            memcpy(pixels + y * PITCH + 4 * x, texel, 4);
        }
    }
}

static double multiplied(int code, int alpha)
{
    return floor(code * alpha / 255.0 + 0.5);
}

static double divided(int code, int alpha)
{
    return alpha == 0 ? code : fmin(floor(code * 255.0 / alpha + 0.5), 255);
}

static void check(const char *name, const uint8_t *pixels, double (*reference)(int code, int alpha))
{
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const uint8_t *texel = pixels + y * PITCH + 4 * x;
            const int codes[] = {x, 255 - x, 255};
            for (int c = 0; c < 3; c++) {
                if (texel[c] != (int)reference(codes[c], y)) {
                    printf("FAILED: %d %s by %d is %d\n", codes[c], name, y, texel[c]);
                    num_failures++;
                }
            }
            num_failures += texel[3] != y;
        }
        num_failures += pixels[y * PITCH + 4 * SIDE] != 0xee; // what is between the rows
    }
}

int main(void)
{
    static uint8_t pixels[PITCH * SIDE];
    fill(pixels);
    weir_alpha_multiply(pixels, PITCH, SIDE, SIDE);
    check("multiplied", pixels, multiplied);
    fill(pixels);
    weir_alpha_divide(pixels, PITCH, SIDE, SIDE);
    check("divided", pixels, divided);
    printf("%d failures\n", num_failures);
    return num_failures != 0;
}
