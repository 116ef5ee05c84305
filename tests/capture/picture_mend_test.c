// SPDX-License-Identifier: MIT
// What PNG and TARGA files say and FFmpeg's decoders leave out is in the picture: the transparent
// grey of few bits, orientation, 16 bits with alpha.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "capture/files/picture/picture.h"
#include "testing.h"

enum { WIDTH = 11, HEIGHT = 3 };

// The parts of a PNG file of grey.
struct png {
    int depth, key;      // key: -1 without
    int orientation;     // 0: no EXIF
    bool is_big;         // the byte order of EXIF
    const char *profile; // the chunk iCCP of that many bytes; NULL: none
    size_t profile_size;
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
    png_write_info(png, info);
    if (file->profile) {
        png_write_chunk(png, (png_const_bytep) "iCCP", (png_const_bytep)file->profile,
                        file->profile_size);
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
    test_must(weir_picture_read(path, NULL, NULL, &test_log, &picture) == WEIR_OK, test_log_text());
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

// A profile that is damaged, in its stream or behind it, costs no more than its colours.
static void test_lost_profile(void)
{
    static const struct {
        const char *bytes;
        size_t size;
    } chunks[] = {
        {"a\0\0\x78\x9cnot a stream", 16},
        {"a\0\0\x78\x9c", 5},
        {"a\0\1nothing", 10},
        {"a", 1},
        {"", 0},
        {"a name of more than the 79 letters that it may have, and so of no use to anybody at all",
         88},
        {"a\0\0\x78\x9c\x03\0\0\0\0\1", 11}, // a stream of nothing
    };
    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        const struct png file = {
            .depth = 8, .key = -1, .profile = chunks[i].bytes, .profile_size = chunks[i].size};
        write_png("profile.png", &file);
        struct weir_picture picture = read_picture("profile.png");
        float row[4 * WIDTH];
        weir_picture_row(&picture, 1, row);
        for (int x = 0; x < WIDTH; x++) {
            test_expect(code(row[4 * x]) == grey_of(&file, x, 1), "profile %zu: %d", i,
                        code(row[4 * x]));
        }
        test_expect(strstr(test_log_text(), "its colour profile is damaged, and sRGB is assumed"),
                    "profile %zu: %s", i, test_log_text());
        weir_picture_free(&picture);
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

int main(void)
{
    test_transparent_grey();
    test_orientation();
    test_lost_profile();
    test_tga();
    return test_finish();
}
