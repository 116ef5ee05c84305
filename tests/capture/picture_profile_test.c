// SPDX-License-Identifier: MIT
// Colours that are not sRGB's become so, as a computation in float64 has it: by profiles, which are
// written here, and by gamma and primaries of PNG files. Data and other profiles are left, and it
// is said.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "capture/files/picture/picture.h"
#include "testing.h"

enum { SIDE = 32, PROFILE_SIZE = 128 + 4 + 7 * 12 + 4 * 20 + 16 };

// Colours of three primaries: their XYZ by the white of D50, and the exponent of the codes.
struct colours {
    const char *name;
    double xyz[3][3], gamma;
};

// As the profiles of Adobe (1998) and of Apple (Display P3) have them; the latter with gamma 2.2.
static const struct colours adobe = {
    "Adobe RGB",
    {{0.60974, 0.31111, 0.01947}, {0.20528, 0.62567, 0.06087}, {0.14919, 0.06322, 0.74457}},
    2.19921875};
static const struct colours p3 = {
    "Display P3",
    {{0.51512, 0.24120, -0.00105}, {0.29198, 0.69225, 0.04189}, {0.15710, 0.06657, 0.78407}},
    2.19921875};

static uint8_t *put_u32(uint8_t *at, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                              (uint8_t)value};
    memcpy(at, bytes, sizeof(bytes));
    return at + sizeof(bytes);
}

static uint8_t *put_xyz(uint8_t *at, const double xyz[3])
{
    at = put_u32(put_u32(at, 0x58595a20), 0); // 'XYZ '
    for (int i = 0; i < 3; i++) {
        at = put_u32(at, (uint32_t)(int32_t)lround(xyz[i] * 65536));
    }
    return at;
}

// Write a profile of a matrix and a curve (ICC.1:2001-04).
static void write_profile(const struct colours *colours, uint8_t bytes[PROFILE_SIZE])
{
    static const double white[3] = {0.9642, 1, 0.8249};
    static const uint32_t tags[7] = {0x77747074, 0x7258595a, 0x6758595a, 0x6258595a,
                                     0x72545243, 0x67545243, 0x62545243}; // wtpt, rXYZ … bTRC
    memset(bytes, 0, PROFILE_SIZE);
    put_u32(bytes, PROFILE_SIZE);
    put_u32(bytes + 8, 0x02400000);
    put_u32(put_u32(put_u32(bytes + 12, 0x6d6e7472), 0x52474220), 0x58595a20); // mntr RGB XYZ
    put_u32(bytes + 36, 0x61637370);                                           // acsp
    put_xyz(bytes + 60, white); // of which the signature is overwritten
    put_u32(put_u32(bytes + 60, 0), 0);
    put_u32(put_u32(put_u32(bytes + 68, 0xf6d6), 0x10000), 0xd32d);
    uint8_t *at = put_u32(bytes + 128, 7);
    for (uint32_t i = 0; i < 7; i++) {
        const uint32_t place = 128 + 4 + 7 * 12 + 20 * (i < 4 ? i : 4);
        at = put_u32(put_u32(put_u32(at, tags[i]), place), i < 4 ? 20 : 14);
    }
    at = put_xyz(at, white);
    for (int i = 0; i < 3; i++) {
        at = put_xyz(at, colours->xyz[i]);
    }
    at = put_u32(put_u32(put_u32(at, 0x63757276), 0), 1); // curv
    put_u32(at, (uint32_t)lround(colours->gamma * 256) << 16);
}

static double srgb_code(double light)
{
    const double inside = fmin(fmax(light, 0), 1);
    return inside <= 0.0031308 ? 12.92 * inside : 1.055 * pow(inside, 1 / 2.4) - 0.055;
}

// Get the codes of sRGB of codes.
static void convert(const struct colours *colours, const double codes[3], double own[3])
{
    // The inverse of the colorants of sRGB, adapted to D50 by Bradford's matrix (ICC.1, annex E).
    static const double to_srgb[3][3] = {{3.13418636, -1.61720896, -0.49069406},
                                         {-0.97874850, 1.91613010, 0.03343340},
                                         {0.07196393, -0.22899387, 1.40575373}};
    double xyz[3] = {0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            xyz[k] += pow(codes[i], colours->gamma) * lround(colours->xyz[i][k] * 65536) / 65536;
        }
    }
    for (int i = 0; i < 3; i++) {
        own[i] = srgb_code(to_srgb[i][0] * xyz[0] + to_srgb[i][1] * xyz[1] +
                           to_srgb[i][2] * xyz[2]);
    }
}

// A PNG file of RGBA.
struct png {
    int depth;
    const uint8_t *profile; // NULL: none
    uint32_t profile_size;
    double gamma; // 0: none
    bool has_p3;  // primaries
};

static uint32_t code_at(const struct png *file, int x, int y, int channel)
{
    const int value = channel == 0   ? x
                      : channel == 1 ? y
                      : channel == 2 ? (x * 7 + y * 3) % SIDE
                                     : SIDE - 1 - x / 2;
    return (uint32_t)(value * (file->depth == 16 ? 65535 : 255) / (SIDE - 1));
}

static void write_png(const struct png *file)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    FILE *out = fopen("in.png", "wb");
    test_must(out && setjmp(png_jmpbuf(png)) == 0, "in.png");
    png_init_io(png, out);
    png_set_benign_errors(png, 1);
    png_set_IHDR(png, info, SIDE, SIDE, file->depth, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (file->profile) {
        png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
        png_set_iCCP(png, info, "profile", 0, file->profile, file->profile_size);
    }
    if (file->gamma != 0) {
        png_set_gAMA(png, info, file->gamma);
    }
    if (file->has_p3) {
        png_set_cHRM(png, info, 0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06);
    }
    png_write_info(png, info);
    for (int y = 0; y < SIDE; y++) {
        uint8_t row[SIDE * 8], *at = row;
        for (int i = 0; i < SIDE * 4; i++) {
            const uint32_t code = code_at(file, i / 4, y, i % 4);
            if (file->depth == 16) {
                *at++ = (uint8_t)(code >> 8);
            }
            *at++ = (uint8_t)code;
        }
        png_write_row(png, row);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(out);
}

// Read the file and compare it: with its own codes without `colours`.
static void expect(const struct png *file, const struct colours *colours, enum weir_profile use,
                   const char *words, double tolerance)
{
    const struct weir_still_params still = {.profile = use};
    const int before = test_log_count(WEIR_LOG_CODE_FALLBACK);
    const double max = file->depth == 16 ? 65535 : 255;
    struct weir_picture picture;
    double worst = 0, worst_alpha = 0;
    write_png(file);
    test_must(weir_picture_read("in.png", NULL, &still, &test_log, &picture) == WEIR_OK,
              test_log_text());
    const bool is_said = test_log_count(WEIR_LOG_CODE_FALLBACK) > before;
    test_expect(words ? is_said && strstr(test_log_text(), words) : !is_said, "not said: %s",
                words);
    test_expect(picture.type == (file->depth == 16 ? WEIR_PICTURE_16 : WEIR_PICTURE_8), "type");
    for (int y = 0; y < SIDE; y++) {
        float row[SIDE * 4];
        weir_picture_row(&picture, (uint32_t)y, row);
        for (int x = 0; x < SIDE; x++) {
            double codes[4], own[3];
            for (int c = 0; c < 4; c++) {
                codes[c] = code_at(file, x, y, c) / max;
            }
            memcpy(own, codes, sizeof(own));
            if (colours) {
                convert(colours, codes, own);
            }
            for (int c = 0; c < 3; c++) {
                worst = fmax(worst, fabs((double)row[4 * x + c] - own[c]) * max);
            }
            worst_alpha = fmax(worst_alpha, fabs((double)row[4 * x + 3] - codes[3]) * max);
        }
    }
    test_expect(worst <= tolerance && worst_alpha < 0.01, "%s, %d bits: %.2f codes off, alpha %.2f",
                colours ? colours->name : "kept", file->depth, worst, worst_alpha);
    weir_picture_free(&picture);
}

// Half a code is rounding. Of 16 bits a profile has its numbers to 1/65536 of the light.
static void test_profiles(int depth)
{
    static const struct colours *const all[] = {&adobe, &p3};
    const double tolerance = depth == 16 ? 12 : 1;
    for (size_t i = 0; i < 2; i++) {
        uint8_t profile[PROFILE_SIZE];
        write_profile(all[i], profile);
        const struct png file = {.depth = depth, .profile = profile, .profile_size = PROFILE_SIZE};
        expect(&file, all[i], WEIR_PROFILE_CONVERT, "are converted to sRGB", tolerance);
        expect(&file, NULL, WEIR_PROFILE_IGNORE, NULL, 0.01);
        expect(&file, NULL, WEIR_PROFILE_DATA, "is ignored", 0.01);
    }
}

static void test_facts(int depth)
{
    struct colours gamma = p3;
    const double tolerance = depth == 16 ? 12 : 1;
    expect(&(const struct png){.depth = depth, .gamma = 0.45455, .has_p3 = true}, NULL,
           WEIR_PROFILE_IGNORE, NULL, 0.01);
    gamma.gamma = 1 / 0.55;
    expect(&(const struct png){.depth = depth, .gamma = 0.55, .has_p3 = true}, &gamma,
           WEIR_PROFILE_CONVERT, "are converted to sRGB", tolerance);
    expect(&(const struct png){.depth = depth, .gamma = 0.45455}, NULL, WEIR_PROFILE_CONVERT, NULL,
           0.01);
    expect(&(const struct png){.depth = depth}, NULL, WEIR_PROFILE_CONVERT, NULL, 0.01);
}

// Of sRGB itself nothing is said, whatever its name; of what is no profile, that it is none.
static void test_others(void)
{
    static const struct colours wide = {
        "sRGB of another curve",
        {{0.43607, 0.22249, 0.01392}, {0.38515, 0.71687, 0.09708}, {0.14307, 0.06061, 0.71410}},
        1};
    uint8_t profile[PROFILE_SIZE];
    write_profile(&wide, profile);
    struct png file = {.depth = 8, .profile = profile, .profile_size = PROFILE_SIZE};
    expect(&file, &wide, WEIR_PROFILE_CONVERT, "are converted", 1);
    put_u32(profile + 128 + 4 + 7 * 12 + 20, 0x62726f6b); // the type of red
    expect(&file, NULL, WEIR_PROFILE_CONVERT, "is damaged, and sRGB is assumed", 0.01);
}

int main(void)
{
    for (int depth = 8; depth <= 16; depth += 8) {
        test_profiles(depth);
        test_facts(depth);
    }
    test_others();
    return test_finish();
}
