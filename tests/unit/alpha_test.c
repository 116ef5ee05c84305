// SPDX-License-Identifier: MIT
// Colours multiplied by alpha, and divided, against the exact numbers: every pair of codes of 8
// bits, and of 16 bits those near multiples of 257.
#include "capture/files/source/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/expect.h"

enum { SIDE = 256, PITCH = 4 * SIDE + 64 };

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

static double multiplied(double code, double alpha, double max)
{
    return floor(code * alpha / max + 0.5);
}

static double divided(double code, double alpha, double max)
{
    return alpha == 0 ? code : fmin(floor(code * max / alpha + 0.5), max);
}

typedef double reference_function(double code, double alpha, double max);

static void check(const char *name, const uint8_t *pixels, reference_function *reference)
{
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const uint8_t *texel = pixels + y * PITCH + 4 * x;
            const int codes[] = {x, 255 - x, 255};
            for (int c = 0; c < 3; c++) {
                test_expect(texel[c] == (int)reference(codes[c], y, 255), "%d %s by %d is %d",
                            codes[c], name, y, texel[c]);
            }
            test_expect(texel[3] == y, "alpha %d is kept", y);
        }
        test_expect(pixels[y * PITCH + 4 * SIDE] == 0xee, "what is between the rows is kept");
    }
}

// The code of 16 bits in column x, and the alpha of row y: multiples of 257 and those beside them.
static uint16_t code_16(int i)
{
    return (uint16_t)(i == 0 ? 0 : i == SIDE - 1 ? 65535 : 257 * i + i % 3 - 1);
}

static void check_16(const char *name, bool divides, reference_function *reference)
{
    static uint16_t pixels[SIDE][4 * SIDE + 8];
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const uint16_t texel[] = {code_16(x), code_16(SIDE - 1 - x), 65535, code_16(y)};
            memcpy(&pixels[y][4 * (size_t)x], texel, sizeof(texel));
        }
    }
    const struct weir_rows rows = {(uint8_t *)pixels, sizeof(pixels[0]), SIDE, SIDE, 8};
    weir_alpha_change(&rows, divides);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const uint16_t *texel = &pixels[y][4 * (size_t)x];
            const uint16_t codes[] = {code_16(x), code_16(SIDE - 1 - x), 65535};
            for (int c = 0; c < 3; c++) {
                test_expect(texel[c] == (int)reference(codes[c], code_16(y), 65535),
                            "%d of 16 bits %s by %d is %d", codes[c], name, code_16(y), texel[c]);
            }
            test_expect(texel[3] == code_16(y), "alpha %d is kept", code_16(y));
        }
        test_expect(pixels[y][4 * SIDE] == 0, "what is between the rows is kept");
    }
}

int main(void)
{
    static uint8_t pixels[PITCH * SIDE];
    const struct weir_rows rows = {pixels, PITCH, SIDE, SIDE, 4};
    fill(pixels);
    weir_alpha_change(&rows, false);
    check("multiplied", pixels, multiplied);
    fill(pixels);
    weir_alpha_change(&rows, true);
    check("divided", pixels, divided);
    check_16("multiplied", false, multiplied);
    check_16("divided", true, divided);
    return test_finish();
}
