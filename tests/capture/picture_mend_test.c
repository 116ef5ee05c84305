// SPDX-License-Identifier: MIT
// What PNG and TARGA files say and FFmpeg's decoders leave out is in the picture, or is said: the
// transparent grey of few bits, orientation, colours that are not sRGB's, 16 bits with alpha.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "capture/files/picture/picture.h"
#include "testing.h"

enum { WIDTH = 11, HEIGHT = 3 };

// The parts of a PNG file of grey.
struct png {
    int depth, key;           // key: -1 without
    int orientation;          // 0: no EXIF
    bool is_big, has_srgb;    // the byte order of EXIF
    double gamma, red_x;      // 0: not in the file
    const char *profile_name; // NULL: none
};

static int grey_of(const struct png *file, int x, int y)
{
    return (x + 3 * y) & ((1 << file->depth) - 1);
}

static void put_exif(const struct png *file, png_structp png, png_infop info)
{
    uint8_t little[] = {'I', 'I', '*', 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    uint8_t big[] = {'M', 'M', 0, '*', 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0};
    little[18] = big[19] = (uint8_t)file->orientation;
    png_set_eXIf_1(png, info, sizeof(little), file->is_big ? big : little);
}

static void put_colours(const struct png *file, png_structp png, png_infop info)
{
    if (file->has_srgb) {
        png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    }
    if (file->gamma != 0) {
        png_set_gAMA(png, info, file->gamma);
    }
    if (file->red_x != 0) {
        png_set_cHRM(png, info, 0.3127, 0.329, file->red_x, 0.33, 0.3, 0.6, 0.15, 0.06);
    }
}

static void write_png(const char *path, const struct png *file)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    FILE *out = fopen(path, "wb");
    test_must(out && setjmp(png_jmpbuf(png)) == 0, path);
    png_init_io(png, out);
    png_set_IHDR(png, info, WIDTH, HEIGHT, file->depth, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (file->key >= 0) {
        const png_color_16 key = {.gray = (png_uint_16)file->key};
        png_set_tRNS(png, info, NULL, 0, &key);
    }
    if (file->orientation != 0) {
        put_exif(file, png, info);
    }
    put_colours(file, png, info);
    png_write_info(png, info);
    if (file->profile_name) { // of no content, as zlib has it: only the name is read
        static const uint8_t nothing[] = {0, 0, 0x78, 0x9c, 3, 0, 0, 0, 0, 1};
        const size_t length = strlen(file->profile_name);
        uint8_t chunk[64];
        memcpy(chunk, file->profile_name, length);
        memcpy(chunk + length, nothing, sizeof(nothing));
        png_write_chunk(png, (png_const_bytep) "iCCP", chunk, length + sizeof(nothing));
    }
    png_set_packing(png);
    for (int y = 0; y < HEIGHT; y++) {
        uint8_t row[WIDTH];
        for (int x = 0; x < WIDTH; x++) {
            row[x] = (uint8_t)grey_of(file, x, y);
        }
        png_write_row(png, row);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    fclose(out);
}

static struct weir_picture read_picture(const char *path)
{
    struct weir_picture picture;
    test_must(weir_picture_read(path, NULL, &test_log, &picture) == WEIR_OK, test_log_text());
    return picture;
}

static int code(float value)
{
    return (int)(value * 255 + 0.5f);
}

static void test_transparent_grey(void)
{
    for (int depth = 1; depth <= 8; depth *= 2) {
        for (int key = -1; key < 1 << depth; key += depth == 8 ? 64 : 1) {
            const struct png file = {.depth = depth, .key = key};
            write_png("grey.png", &file);
            struct weir_picture picture = read_picture("grey.png");
            test_expect(picture.has_alpha == (key >= 0), "%d bits, key %d: has alpha", depth, key);
            for (int y = 0; y < HEIGHT; y++) {
                float row[4 * WIDTH];
                weir_picture_row(&picture, (uint32_t)y, row);
                for (int x = 0; x < WIDTH; x++) {
                    const int grey = grey_of(&file, x, y);
                    test_expect(code(row[4 * x]) == grey * 255 / ((1 << depth) - 1) &&
                                    code(row[4 * x + 3]) == (grey == key ? 0 : 255),
                                "%d bits, key %d: %d has alpha %d", depth, key, code(row[4 * x]),
                                code(row[4 * x + 3]));
                }
            }
            weir_picture_free(&picture);
        }
    }
}

// Orientation 6: the top row of the picture is the left column of what is stored, from below.
static void test_orientation(void)
{
    for (int orientation = 0; orientation <= 8; orientation++) {
        const struct png file = {
            .depth = 4, .key = -1, .orientation = orientation, .is_big = orientation % 2 != 0};
        write_png("turned.png", &file);
        struct weir_picture picture = read_picture("turned.png");
        float row[4 * WIDTH];
        const bool is_turned = orientation >= 5;
        test_expect(picture.width == (is_turned ? HEIGHT : WIDTH) &&
                        picture.height == (is_turned ? WIDTH : HEIGHT),
                    "orientation %d: %ux%u", orientation, picture.width, picture.height);
        weir_picture_row(&picture, 0, row);
        static const int corners[9][2] = {
            {0, 0},          {0, 0}, {WIDTH - 1, 0},  {WIDTH - 1, HEIGHT - 1},
            {0, HEIGHT - 1}, {0, 0}, {0, HEIGHT - 1}, {WIDTH - 1, HEIGHT - 1},
            {WIDTH - 1, 0}};
        const int want = grey_of(&file, corners[orientation][0], corners[orientation][1]) * 17;
        test_expect(code(row[0]) == want, "orientation %d: the corner is %d, not %d", orientation,
                    code(row[0]), want);
        weir_picture_free(&picture);
    }
}

static void test_colours(void)
{
    static const struct {
        struct png file;
        const char *words; // NULL: nothing is said
    } files[] = {
        {{.depth = 8, .key = -1}, NULL},
        {{.depth = 8, .key = -1, .has_srgb = true}, NULL},
        {{.depth = 8, .key = -1, .gamma = 0.45455, .red_x = 0.64}, NULL},
        {{.depth = 8, .key = -1, .gamma = 1}, "gamma of 1.000"},
        {{.depth = 8, .key = -1, .red_x = 0.66}, "primaries"},
        {{.depth = 8, .key = -1, .profile_name = "Display P3"}, "profile Display P3"},
        {{.depth = 8, .key = -1, .profile_name = "sRGB IEC61966-2.1"}, NULL},
        {{.depth = 8, .key = -1, .profile_name = "Adobe RGB", .gamma = 1}, "profile Adobe RGB"},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        write_png("colours.png", &files[i].file);
        const int before = test_log_count(WEIR_LOG_CODE_FALLBACK);
        struct weir_picture picture = read_picture("colours.png");
        weir_picture_free(&picture);
        const bool is_said = test_log_count(WEIR_LOG_CODE_FALLBACK) > before;
        test_expect(files[i].words ? is_said && strstr(test_log_text(), files[i].words) : !is_said,
                    "file %zu says: %s", i, is_said ? test_log_text() : "nothing");
    }
}

// A file of three words, plain or as runs.
static void write_tga(const char *path, int type, int attributes, const uint16_t words[3])
{
    const uint8_t head[18] = {
        [2] = (uint8_t)type, [12] = 3, [14] = 1, [16] = 16, [17] = (uint8_t)(0x20 | attributes)};
    FILE *out = fopen(path, "wb");
    test_must(out && fwrite(head, sizeof(head), 1, out) == 1, path);
    for (int i = 0; i < 3; i++) {
        if (type > 8) {
            fputc(0x80, out);
        }
        fputc(words[i] & 255, out);
        fputc(words[i] >> 8, out);
    }
    fclose(out);
}

static void test_tga(void)
{
    static const uint16_t words[3] = {0xfc00, 0x001f, 0x83e0};
    static const struct {
        int type, attributes;
        bool has_alpha;
        int texels[3][4];
    } files[] = {
        {3, 8, true, {{0, 0, 0, 252}, {31, 31, 31, 0}, {224, 224, 224, 131}}},
        {11, 8, true, {{0, 0, 0, 252}, {31, 31, 31, 0}, {224, 224, 224, 131}}},
        {2, 1, true, {{255, 0, 0, 255}, {0, 0, 255, 0}, {0, 255, 0, 255}}},
        {10, 1, true, {{255, 0, 0, 255}, {0, 0, 255, 0}, {0, 255, 0, 255}}},
        {2, 0, false, {{255, 0, 0, 255}, {0, 0, 255, 255}, {0, 255, 0, 255}}},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        write_tga("words.tga", files[i].type, files[i].attributes, words);
        struct weir_picture picture = read_picture("words.tga");
        float row[3 * 4];
        weir_picture_row(&picture, 0, row);
        test_expect(picture.has_alpha == files[i].has_alpha, "TARGA file %zu: alpha", i);
        for (int k = 0; k < 12; k++) {
            test_expect(code(row[k]) == files[i].texels[k / 4][k % 4],
                        "TARGA file %zu: channel %d of texel %d is %d", i, k % 4, k / 4,
                        code(row[k]));
        }
        weir_picture_free(&picture);
    }
}

// A display window elsewhere, whose picture FFmpeg writes to another place, is named as a reason.
static void test_exr(void)
{
    static const char head[] = "\x76\x2f\x31\x01\x02\0\0\0compression\0compression\0\1\0\0\0\0"
                               "displayWindow\0box2i\0\x10\0\0\0\5\0\0\0\5\0\0\0\x8\0\0\0\x8\0\0\0";
    struct weir_picture picture;
    FILE *out = fopen("far.exr", "wb");
    test_must(out && fwrite(head, sizeof(head), 1, out) == 1 && fclose(out) == 0, "far.exr");
    test_expect(weir_picture_read("far.exr", NULL, &test_log, &picture) == WEIR_ERROR_DATA &&
                    strstr(test_log_text(), "display window at 0,0") &&
                    !strstr(test_log_text(), "cut short"),
                "far.exr: %s", test_log_text());
    weir_picture_free(&picture);
}

int main(void)
{
    test_transparent_grey();
    test_orientation();
    test_colours();
    test_tga();
    test_exr();
    return test_finish();
}
