// SPDX-License-Identifier: MIT
// PNG files: decoded by FFmpeg to the same bytes; written whole or not at all.
#include <weir/still.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "testing.h"

static void expect_pixels(const char *path, const struct weir_still *still)
{
    const size_t row = (size_t)still->width * still->num_channels, size = row * still->height;
    char command[512];
    snprintf(command, sizeof(command),
             "ffmpeg -nostdin -v error -i '%s' -f rawvideo -pix_fmt %s - </dev/null", path,
             still->num_channels == 4 ? "rgba" : "rgb24");
    FILE *pipe = popen(command, "r");
    uint8_t *got = malloc(size + 1);
    test_expect(fread(got, 1, size + 1, pipe) == size && pclose(pipe) == 0, "%ux%ux%u: decoded",
                still->width, still->height, still->num_channels);
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

static void test_pictures(void)
{
    for (int i = 0; i < 24; i++) {
        struct weir_still still = {
            .width = (uint32_t)(test_random() % 70 + 1),
            .height = (uint32_t)(test_random() % 50 + 1),
            .num_channels = 3 + (uint32_t)i % 2,
        };
        const size_t row = (size_t)still.width * still.num_channels;
        still.stride = i % 3 == 0 ? 0 : row + test_random() % 9;
        const size_t size = (still.stride ? still.stride : row) * still.height;
        uint8_t *pixels = malloc(size);
        test_random_bytes(pixels, size);
        still.pixels = pixels;
        const char *path = test_path("picture.png");
        test_expect(weir_still_write_png(path, &still, &test_log) == WEIR_OK, "write: %s",
                    test_log_text());
        expect_pixels(path, &still);
        free(pixels);
    }
}

static void refuse(const char *path, const struct weir_still *still, enum weir_result want)
{
    const enum weir_result result = weir_still_write_png(path, still, &test_log);
    test_expect(result == want, "'%s': %s (%s)", path ? path : "NULL", weir_result_name(result),
                test_log_text());
    test_expect(weir_still_write_png(path, still, NULL) == want, "the same without a log");
}

static void test_refusals(void)
{
    static const uint8_t pixels[64];
    const struct weir_still good = {.width = 4, .height = 4, .num_channels = 4, .pixels = pixels};
    struct weir_still bad = good;
    const char *path = test_path("bad.png");
    refuse(NULL, &good, WEIR_ERROR_INVALID);
    refuse(path, NULL, WEIR_ERROR_INVALID);
    bad.pixels = NULL;
    refuse(path, &bad, WEIR_ERROR_INVALID);
    bad = good;
    bad.width = 0;
    refuse(path, &bad, WEIR_ERROR_INVALID);
    bad = good;
    bad.height = 65536;
    refuse(path, &bad, WEIR_ERROR_INVALID);
    bad = good;
    bad.num_channels = 1;
    refuse(path, &bad, WEIR_ERROR_INVALID);
    bad = good;
    bad.stride = 15;
    refuse(path, &bad, WEIR_ERROR_INVALID);
    refuse("", &good, WEIR_ERROR_IO);
    refuse(test_path("missing/picture.png"), &good, WEIR_ERROR_IO);
    refuse(test_path("."), &good, WEIR_ERROR_IO);
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
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 50000; // SIGXFSZ is not ignored: it must not end the program
    setrlimit(RLIMIT_FSIZE, &limit);
    test_expect(weir_still_write_png(path, &large, &test_log) == WEIR_ERROR_DISK_FULL, "full");
    setrlimit(RLIMIT_FSIZE, &before);
    expect_pixels(path, &still);
    test_expect(test_num_entries(folder) == 1, "the one before stays, alone");
    free(pixels);
}

int main(void)
{
    test_pictures();
    test_refusals();
    test_full_disk();
    return test_finish();
}
