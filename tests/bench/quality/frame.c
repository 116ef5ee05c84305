// SPDX-License-Identifier: MIT
// What the bars of quality share: command lines, pictures, and blocks that are decoded and
// compared. Every failure ends the program.
#include "tests/bench/quality/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/block/block.h"
#include "tests/ref/ycocg_bc3_decode.h"

void die(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

void *need(void *p)
{
    if (!p) {
        die("out of memory", "allocation");
    }
    return p;
}

int quality_parse(const struct cli_option *options, size_t num_options, int argc, char **argv,
                  void *values)
{
    const int num = cli_options_parse(quality_base_name(argv[0]), options, num_options, argc - 1,
                                      argv + 1, values, argv);
    if (num < 0) {
        exit(2);
    }
    return num;
}

const char *quality_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct weir_picture quality_read(const char *path)
{
    struct weir_picture picture;
    if (weir_picture_read(path, NULL, NULL, &picture) != WEIR_OK ||
        picture.type != WEIR_PICTURE_8) {
        die("is no picture of 8 bits", path);
    }
    return picture;
}

struct picture picture_new(int width, int height)
{
    struct picture p = {width, height, NULL};
    p.rgb = need(calloc((size_t)width * (size_t)height, 3));
    return p;
}

struct picture picture_load(const char *path)
{
    struct weir_picture read = quality_read(path);
    struct picture p = picture_new((int)read.width, (int)read.height);
    for (size_t i = 0; i < (size_t)read.width * read.height; i++) {
        const size_t x = i % read.width, y = i / read.width;
        memcpy(p.rgb + 3 * i, read.texels + y * read.pitch + 4 * x, 3);
    }
    weir_picture_free(&read);
    return p;
}

void picture_thin(struct picture *p, int height, int every, int first)
{
    const int num = p->height / (height * every);
    const size_t size = (size_t)(3 * p->width * height);
    if (num == 0) {
        die("has too few rows to leave out some", "picture");
    }
    for (int i = 0; i < num; i++) {
        memmove(p->rgb + size * (size_t)i, p->rgb + size * (size_t)(i * every + first), size);
    }
    p->height = num * height;
}

void quality_fetch(const struct weir_picture *picture, uint32_t block, uint8_t texels[16][4])
{
    const uint32_t columns = picture->width / 4;
    for (uint32_t y = 0; y < 4; y++) {
        const size_t row = 4 * (block / columns) + y, column = block % columns;
        memcpy(texels[4 * y], picture->texels + row * picture->pitch + 16 * column, 16);
    }
}

void quality_decode(enum weir_codec codec, const uint8_t *block, double texels[16][4])
{
    float values[16][4];
    double rgb[16][3];
    if (codec == WEIR_CODEC_YCOCG_BC3) {
        ref_ycocg_bc3_decode_block_exact(block, rgb);
        for (int i = 0; i < 48; i++) {
            texels[i / 3][i % 3] = rgb[i / 3][i % 3];
        }
        return;
    }
    weir_block_get_format(weir_codec_get_info(codec)->format)->decode(block, values);
    for (int i = 0; i < 64; i++) {
        texels[i / 4][i % 4] = 255 * (double)values[i / 4][i % 4];
    }
}

double quality_error(const uint8_t texels[16][4], const double decoded[16][4], int num_channels)
{
    double error = 0;
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < num_channels; c++) {
            const double e = texels[t][c] - decoded[t][c];
            error += e * e;
        }
    }
    return error;
}

double quality_psnr(double error, double num_values)
{
    return error > 0 ? 10 * log10(255.0 * 255.0 * num_values / error) : (double)INFINITY;
}
