// SPDX-License-Identifier: MIT
// Changes to pictures, of every type of values and orientation: swizzles, normals, and colours
// under alpha 0, which are judged by looking at every texel.
#include "capture/files/picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/seeded.h"

enum { MAX_SIDE = 24 };

static const enum weir_picture_type types[] = {WEIR_PICTURE_8, WEIR_PICTURE_16, WEIR_PICTURE_FLOAT};

static float texels[MAX_SIDE * MAX_SIDE][4], rows[MAX_SIDE * MAX_SIDE][4];

static float max_code(enum weir_picture_type type)
{
    return type == WEIR_PICTURE_8 ? UINT8_MAX : UINT16_MAX;
}

// Round a value to what a picture can hold.
static float held(enum weir_picture_type type, float value)
{
    const float most = max_code(type);
    return type == WEIR_PICTURE_FLOAT ? value : rintf(fminf(fmaxf(value, 0), 1) * most) / most;
}

static void put(struct weir_picture *picture, size_t value, float number)
{
    if (picture->type == WEIR_PICTURE_FLOAT) {
        ((float *)(void *)picture->texels)[value] = number;
    } else if (picture->type == WEIR_PICTURE_16) {
        ((uint16_t *)(void *)picture->texels)[value] = (uint16_t)lrintf(number * UINT16_MAX);
    } else {
        picture->texels[value] = (uint8_t)lrintf(number * UINT8_MAX);
    }
}

// A picture that holds `texels`, which are rounded to what it can hold.
static struct weir_picture make(enum weir_picture_type type, uint32_t width, uint32_t height)
{
    struct weir_picture picture = {.width = width,
                                   .height = height,
                                   .type = type,
                                   .has_alpha = true,
                                   .pitch = width * 4 * (size_t)type};
    picture.texels = malloc(picture.pitch * height);
    test_must(picture.texels, "memory");
    for (size_t i = 0; i < (size_t)width * height * 4; i++) {
        texels[i / 4][i % 4] = held(type, texels[i / 4][i % 4]);
        put(&picture, i, texels[i / 4][i % 4]);
    }
    return picture;
}

// Change a picture, and read it into `rows`.
static void change(struct weir_picture *picture, const struct weir_picture_changes *changes)
{
    test_expect(weir_picture_change(picture, changes) == WEIR_OK, "no change");
    for (uint32_t y = 0; y < picture->height; y++) {
        weir_picture_row(picture, y, rows[y * picture->width]);
    }
}

static void fill(uint32_t num)
{
    for (uint32_t i = 0; i < 4 * num; i++) {
        texels[i / 4][i % 4] = (float)seeded_below(1001) / 1000;
    }
}

static void check_channels(enum weir_picture_type type, const char *letters, bool flip,
                           bool has_alpha)
{
    fill(6);
    struct weir_picture picture = make(type, 3, 2);
    change(&picture, &(struct weir_picture_changes){.swizzle = letters, .flip_green = flip});
    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            const char letter = !letters ? "rgba"[c] : c < strlen(letters) ? letters[c] : "0001"[c];
            const float source = letter == '0'   ? 0
                                 : letter == '1' ? 1
                                                 : texels[i][strchr("rgba", letter) - "rgba"];
            const float wanted = flip && c == 1 ? 1 - source : source;
            test_expect(rows[i][c] == wanted, "%s of type %d: channel %u is %g, not %g",
                        letters ? letters : "flip", type, c, (double)rows[i][c], (double)wanted);
        }
    }
    test_expect(picture.has_alpha == has_alpha, "%s: alpha", letters ? letters : "flip");
    weir_picture_free(&picture);
}

static double length_of(const float *texel)
{
    const double x = 2 * (double)texel[0] - 1, y = 2 * (double)texel[1] - 1;
    const double z = 2 * (double)texel[2] - 1;
    return sqrt(x * x + y * y + z * z);
}

// Vectors of any length, of length 0, and with no Z.
static void check_normals(enum weir_picture_type type, bool lacks_z)
{
    const uint32_t num = MAX_SIDE * MAX_SIDE;
    fill(num);
    for (uint32_t i = 0; i < num; i++) {
        texels[i][2] = lacks_z ? 0 : texels[i][2];
    }
    for (int c = 0; c < 3; c++) {
        texels[7][c] = lacks_z && c == 2 ? 0 : 0.5f;
    }
    struct weir_picture picture = make(type, MAX_SIDE, MAX_SIDE);
    change(&picture, &(struct weir_picture_changes){.normals = true});
    for (uint32_t i = 0; i < num; i++) {
        const double length = length_of(rows[i]), before = length_of(texels[i]);
        test_expect(fabs(length - 1) < 0.017, "a vector is %g long, and was %g", length, before);
        test_expect(lacks_z || fabs(before - 1) > 0.0099 ||
                        memcmp(rows[i], texels[i], sizeof(rows[i])) == 0,
                    "a vector of length %g has changed", before);
        test_expect(!lacks_z || rows[i][2] >= 0.498f, "Z is %g", (double)rows[i][2]);
    }
    test_expect(rows[7][2] > 0.99f, "a vector of length 0 does not point upwards");
    weir_picture_free(&picture);
}

static int64_t steps(uint32_t a, uint32_t b, uint32_t width)
{
    return llabs((int64_t)(a % width) - b % width) + llabs((int64_t)(a / width) - b / width);
}

// Each visible texel has its number for a colour.
static void check_bleed(enum weir_picture_type type)
{
    const uint32_t width = 1 + (uint32_t)seeded_below(15), height = 1 + (uint32_t)seeded_below(15);
    const uint32_t num = width * height;
    for (uint32_t i = 0; i < num; i++) {
        texels[i][0] = (float)i / 255;
        texels[i][1] = texels[i][2] = 0.2f;
        texels[i][3] = seeded_below(10) == 0 ? 0.01f : 0;
    }
    struct weir_picture picture = make(type, width, height);
    change(&picture, &(struct weir_picture_changes){.bleed = true});
    for (uint32_t i = 0; i < num; i++) {
        const uint32_t from = (uint32_t)lrintf(rows[i][0] * 255);
        int64_t least = INT64_MAX;
        for (uint32_t j = 0; j < num; j++) {
            if (texels[j][3] > 0 && steps(i, j, width) < least) {
                least = steps(i, j, width);
            }
        }
        test_expect(rows[i][3] == texels[i][3], "alpha has changed");
        test_expect(least == INT64_MAX ? from == i
                                       : texels[from][3] > 0 && steps(i, from, width) == least,
                    "texel %u of %ux%u has the colour of %u", i, width, height, from);
    }
    weir_picture_free(&picture);
}

int main(void)
{
    seeded_start();
    for (int t = 0; t < 3; t++) {
        check_channels(types[t], NULL, true, true);
        check_channels(types[t], "bgra", false, true);
        check_channels(types[t], "ag", true, false);
        check_channels(types[t], "rrr1", false, false);
        check_channels(types[t], "01ar", false, true);
        check_normals(types[t], false);
        check_normals(types[t], true);
        for (int i = 0; i < 200; i++) {
            check_bleed(types[t]);
        }
    }
    test_expect(weir_swizzle_is_valid("r") && weir_swizzle_is_valid("01ab") &&
                    !weir_swizzle_is_valid("") && !weir_swizzle_is_valid("rgbar") &&
                    !weir_swizzle_is_valid("rgx"),
                "which letters are a swizzle");
    return test_finish();
}
