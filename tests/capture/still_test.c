// SPDX-License-Identifier: MIT
// PNG and PFM files: decoded by FFmpeg to the same bytes; written whole or not at all.
#include <weir/still.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "testing.h"

// FFmpeg's name for `still` as it lies in memory here.
static const char *pixel_format(const struct weir_still *still)
{
    const uint16_t one = 1;
    const bool little = *(const uint8_t *)&one == 1, deep = still->num_bits == 16;
    switch (still->num_channels) {
    case 1:
        return !deep ? "gray" : little ? "gray16le" : "gray16be";
    case 3:
        return !deep ? "rgb24" : little ? "rgb48le" : "rgb48be";
    default:
        return !deep ? "rgba" : little ? "rgba64le" : "rgba64be";
    }
}

// Decode `path` with FFmpeg. Returns `size` bytes; free them.
static uint8_t *decode(const char *path, const char *filter, const char *format, size_t size)
{
    char command[512];
    snprintf(command, sizeof(command),
             "ffmpeg -nostdin -v error -i '%s' -vf %s -f rawvideo -pix_fmt %s - </dev/null", path,
             filter, format);
    FILE *pipe = popen(command, "r");
    uint8_t *got = malloc(size + 1);
    test_expect(fread(got, 1, size + 1, pipe) == size && pclose(pipe) == 0, "%s: %zu bytes of %s",
                path, size, format);
    return got;
}

static void expect_pixels(const char *path, const struct weir_still *still)
{
    const size_t row = (size_t)still->width * still->num_channels * (still->num_bits == 16 ? 2 : 1);
    uint8_t *got = decode(path, "null", pixel_format(still), row * still->height);
    for (uint32_t y = 0; y < still->height; y++) {
        const size_t stride = still->stride ? still->stride : row;
        if (!test_expect(memcmp(got + y * row, still->pixels + y * stride, row) == 0,
                         "%ux%ux%u: row %u differs", still->width, still->height,
                         still->num_channels, y)) {
            break;
        }
    }
    free(got);
}

enum { HEAD_SIZE = 2048 }; // all that comes before the pixels, where there are at most 256 colours

static void read_head(const char *path, uint8_t head[HEAD_SIZE])
{
    memset(head, 0, HEAD_SIZE);
    FILE *file = fopen(path, "rb");
    test_expect(file && fread(head, 1, HEAD_SIZE, file) > 0, "cannot read %s", path);
    if (file) {
        fclose(file);
    }
}

// Find the beginning of a chunk, which is its four bytes of length. NULL if there is none before
// the pixels.
static const uint8_t *find_chunk(const uint8_t head[HEAD_SIZE], const char *name)
{
    const uint8_t *chunk = head + 8;
    while (chunk + 8 <= head + HEAD_SIZE && memcmp(chunk + 4, "IDAT", 4) != 0) {
        if (memcmp(chunk + 4, name, 4) == 0) {
            return chunk;
        }
        chunk += 12 + (chunk[2] << 8 | chunk[3]);
    }
    return NULL;
}

static bool has_srgb_mark(const char *path)
{
    uint8_t head[HEAD_SIZE];
    read_head(path, head);
    return find_chunk(head, "sRGB");
}

// Every number of channels with every number of bits.
static void test_pictures(void)
{
    static const uint32_t channels[] = {1, 3, 4}, bits[] = {0, 8, 16};
    for (int i = 0; i < 12; i++) {
        struct weir_still still = {
            .width = (uint32_t)(test_random() % 70 + 1),
            .height = (uint32_t)(test_random() % 50 + 1),
            .num_channels = channels[i % 3],
            .num_bits = bits[i / 3 % 3],
            .is_data = i % 4 == 3,
        };
        const size_t row = (size_t)still.width * still.num_channels *
                           (still.num_bits == 16 ? 2 : 1);
        still.stride = i % 2 == 0 ? 0 : row + test_random() % 9;
        const size_t size = (still.stride ? still.stride : row) * still.height;
        uint8_t *pixels = malloc(size);
        test_random_bytes(pixels, size);
        still.pixels = pixels;
        const char *path = test_path("picture.png");
        test_expect(weir_still_write_png(path, &still, &test_log) == WEIR_OK, "write: %s",
                    test_log_text());
        expect_pixels(path, &still);
        test_expect(has_srgb_mark(path) == !still.is_data, "the sRGB mark of picture %d", i);
        free(pixels);
    }
}

// Bit depth, colour type, and how many alphas there are: as many as the last that is not opaque
// needs.
static void expect_indexed_head(const char *path, const struct weir_still *still)
{
    uint8_t head[HEAD_SIZE];
    read_head(path, head);
    const uint32_t num = still->num_colors;
    const int depth = num <= 2 ? 1 : num <= 4 ? 2 : num <= 16 ? 4 : 8;
    test_expect(head[24] == depth && head[25] == 3, "%u colours: depth %d, type %d", num, head[24],
                head[25]);
    const uint8_t *colors = find_chunk(head, "PLTE"), *alphas = find_chunk(head, "tRNS");
    uint32_t num_alphas = 0;
    for (uint32_t i = 0; i < num; i++) {
        num_alphas = still->colors[4 * i + 3] != UINT8_MAX ? i + 1 : num_alphas;
    }
    test_expect(colors && (uint32_t)(colors[2] << 8 | colors[3]) == 3 * num, "PLTE of %u", num);
    test_expect(num_alphas == 0 ? !alphas
                                : alphas && (uint32_t)(alphas[2] << 8 | alphas[3]) == num_alphas,
                "tRNS of %u colours, %u alphas", num, num_alphas);
}

// Every number of colours, with alpha of one of three kinds, by the seed.
static void test_indexed(void)
{
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 16, 17, 255, 256};
    const int first = (int)(test_random() % 3);
    for (int i = 0; i < 9; i++) {
        const int kind = (first + i) % 3;
        const uint32_t num = counts[i], width = (uint32_t)(test_random() % 70 + 1),
                       height = (uint32_t)(test_random() % 50 + 1);
        uint8_t colors[4 * 256], indices[70 * 50], wanted[4 * 70 * 50];
        test_random_bytes(colors, sizeof(colors));
        test_random_bytes(indices, sizeof(indices));
        for (uint32_t k = kind == 0 ? 0 : num / 2; k < num && kind < 2; k++) {
            colors[4 * k + 3] = UINT8_MAX; // all, the second half, none
        }
        for (uint32_t k = 0; k < width * height; k++) {
            indices[k] = (uint8_t)(indices[k] % num);
            memcpy(wanted + 4 * (size_t)k, colors + 4 * (size_t)indices[k], 4);
        }
        const struct weir_still still = TEST_LIST(.width = width, .height = height,
                                                  .num_channels = 1, .pixels = indices,
                                                  .colors = colors, .num_colors = num);
        const struct weir_still plain = {
            .width = width, .height = height, .num_channels = 4, .pixels = wanted};
        const char *path = test_path("indexed.png");
        test_expect(weir_still_write_png(path, &still, &test_log) == WEIR_OK, "write: %s",
                    test_log_text());
        expect_pixels(path, &plain);
        expect_indexed_head(path, &still);
    }
}

// Planes of FFmpeg's gbrpf32: green, blue, red.
static float decoded_value(const float *got, const struct weir_still_float *still, uint32_t x,
                           uint32_t y, uint32_t channel)
{
    static const size_t planes[] = {2, 0, 1};
    const size_t plane = still->num_channels == 3 ? planes[channel] : 0;
    return got[(plane * still->height + y) * still->width + x];
}

// FFmpeg 5.1 takes the first row of a PFM file, which is the bottom one, for the top one.
static const char *pfm_filter(void)
{
    static const char by_hand[] = "Pf\n1 2\n-1.0\n\0\0\x80\x3f\0\0\0"; // 1x2: 1 at the bottom
    const char *path = test_path("by_hand.pfm");
    FILE *file = fopen(path, "wb");
    test_expect(file && fwrite(by_hand, sizeof(by_hand), 1, file) == 1 && fclose(file) == 0, "%s",
                path);
    uint8_t *bytes = decode(path, "null", "grayf32le", 2 * sizeof(float));
    float first;
    memcpy(&first, bytes, sizeof(first));
    free(bytes);
    return first == 1 ? "vflip" : "null";
}

static void test_floats(void)
{
    const char *filter = pfm_filter();
    for (int i = 0; i < 6; i++) {
        struct weir_still_float still = {
            .width = (uint32_t)(test_random() % 40 + 1),
            .height = (uint32_t)(test_random() % 30 + 1),
            .num_channels = i % 2 == 0 ? 1 : 3,
        };
        const size_t row = (size_t)still.width * still.num_channels;
        still.stride = i % 3 == 0 ? 0 : sizeof(float) * (row + test_random() % 5);
        const size_t stride = still.stride ? still.stride / sizeof(float) : row;
        float *pixels = malloc(stride * still.height * sizeof(float));
        for (size_t k = 0; k < stride * still.height; k++) {
            pixels[k] = ldexpf((float)(test_random() % 20001) - 10000,
                               (int)(test_random() % 40) - 30);
        }
        still.pixels = pixels;
        const char *path = test_path("picture.pfm");
        test_expect(weir_still_write_pfm(path, &still, &test_log) == WEIR_OK, "write: %s",
                    test_log_text());
        uint8_t *bytes = decode(path, filter, still.num_channels == 1 ? "grayf32le" : "gbrpf32le",
                                row * still.height * sizeof(float));
        float *got = malloc(row * still.height * sizeof(float));
        memcpy(got, bytes, row * still.height * sizeof(float));
        size_t num_wrong = 0;
        for (uint32_t y = 0; y < still.height; y++) {
            for (size_t k = 0; k < row; k++) {
                const uint32_t x = (uint32_t)(k / still.num_channels);
                const uint32_t channel = (uint32_t)(k % still.num_channels);
                num_wrong += decoded_value(got, &still, x, y, channel) != pixels[y * stride + k];
            }
        }
        test_expect(num_wrong == 0, "%ux%ux%u: %zu floats differ", still.width, still.height,
                    still.num_channels, num_wrong);
        free(got);
        free(bytes);
        free(pixels);
    }
}

static const uint8_t any[64], table[4 * 257], below3[16] = {[15] = 2};
static const float floats[16];

static void expect_refused(enum weir_result got, enum weir_result want, const char *what, size_t i)
{
    test_expect(got == want, "%s %zu: %s (%s)", what, i, weir_result_name(got), test_log_text());
}

static void test_float_refusals(void)
{
    static const struct weir_still_float good = {4, 4, 1, floats, 0};
    static const struct weir_still_float bad[] = {
        {4, 4, 4, floats, 0},  // channels
        {4, 0, 1, floats, 0},  // no row
        {4, 4, 1, floats, 12}, // a short stride
        {4, 4, 1, floats, 18}, // half a float
    };
    const char *path = test_path("bad.pfm");
    expect_refused(weir_still_write_pfm(test_path("missing/x.pfm"), &good, NULL), WEIR_ERROR_IO,
                   "no folder", 0);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        expect_refused(weir_still_write_pfm(path, &bad[i], NULL), WEIR_ERROR_INVALID, "floats", i);
    }
    test_expect(!test_file_exists(path), "nothing was left");
}

static void refuse(const char *path, const struct weir_still *still, enum weir_result want,
                   size_t i)
{
    expect_refused(weir_still_write_png(path, still, &test_log), want, "picture", i);
    expect_refused(weir_still_write_png(path, still, NULL), want, "without a log, picture", i);
}

static void test_refusals(void)
{
    static const struct weir_still good = {
        .width = 4, .height = 4, .num_channels = 4, .pixels = any};
    static const struct weir_still bad[] = {
        TEST_LIST(.height = 4, .num_channels = 4, .pixels = any),
        TEST_LIST(.width = 4, .height = 65536, .num_channels = 4, .pixels = any),
        TEST_LIST(.width = 4, .height = 4, .num_channels = 2, .pixels = any),
        TEST_LIST(.width = 4, .height = 4, .num_channels = 4, .pixels = any, .stride = 15),
        TEST_LIST(.width = 4, .height = 4, .num_channels = 4, .pixels = any, .num_bits = 12),
        TEST_LIST(.width = 4, .height = 4, .num_channels = 4, .pixels = any, .num_bits = 16,
                  .stride = 31),
        // With colours: an index without one, none, too many, no array, other channels, other bits.
        TEST_LIST(.width = 4, .height = 4, .num_channels = 1, .pixels = below3, .colors = table,
                  .num_colors = 2),
        TEST_LIST(.width = 4, .height = 4, .num_channels = 1, .pixels = below3, .colors = table),
        TEST_LIST(.width = 4, .height = 4, .num_channels = 1, .pixels = below3, .colors = table,
                  .num_colors = 257),
        TEST_LIST(.width = 4, .height = 4, .num_channels = 1, .pixels = below3, .num_colors = 3),
        TEST_LIST(.width = 1, .height = 4, .num_channels = 3, .pixels = below3, .colors = table,
                  .num_colors = 3),
        TEST_LIST(.width = 2, .height = 4, .num_channels = 1, .num_bits = 16, .pixels = below3,
                  .colors = table, .num_colors = 3),
    };
    const char *path = test_path("bad.png");
    refuse("", &good, WEIR_ERROR_IO, 0);
    refuse(test_path("missing/picture.png"), &good, WEIR_ERROR_IO, 0);
    refuse(test_path("."), &good, WEIR_ERROR_IO, 0);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        refuse(path, &bad[i], WEIR_ERROR_INVALID, i);
    }
    test_expect(!test_file_exists(path), "nothing was left");
}

static void test_full_disk(void)
{
    const char *folder = test_path("full");
    mkdir(folder, 0777);
    char path[300];
    snprintf(path, sizeof(path), "%s/picture.png", folder);
    const size_t size = 256 * 256 * 3;
    uint8_t *pixels = malloc(size);
    test_random_bytes(pixels, size);
    struct weir_still still = {.width = 8, .height = 8, .num_channels = 3, .pixels = pixels};
    test_expect(weir_still_write_png(path, &still, &test_log) == WEIR_OK, "a small one");
    const struct weir_still large = {
        .width = 256, .height = 256, .num_channels = 3, .pixels = pixels};
    test_limit_files(50000);
    test_expect(weir_still_write_png(path, &large, &test_log) == WEIR_ERROR_DISK_FULL, "full");
    test_limit_files(0);
    expect_pixels(path, &still);
    test_expect(test_num_entries(folder) == 1, "the one before stays, alone");
    free(pixels);
}

int main(void)
{
    test_pictures();
    test_indexed();
    test_floats();
    test_refusals();
    test_float_refusals();
    test_full_disk();
    return test_finish();
}
