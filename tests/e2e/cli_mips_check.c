// SPDX-License-Identifier: MIT
// Judges the files of weir mips: every level against the scalar reference, computed from level 0.
//
// cli_mips_check PREFIX FORMAT REDUCTION quantised|continuous [exact]
//
// PREFIX_level00.png (or .pfm) and so on hold what the levels store: codes of SRGB formats, data of
// UNORM ones, floats. "quantised": the method made each level from the stored texels of the one
// before. "exact": kernels decoded sRGB.
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "tests/ref/pyramid_compare.h"
#include "tests/ref/texel.h"

struct picture {
    uint32_t width, height;
    double (*texels)[4]; // numbers as the file has them, integers as 0 .. 1
};

static void fail(const char *path, const char *what)
{
    fprintf(stderr, "FAILED: %s: %s\n", path, what);
    exit(1);
}

static void *get_memory(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory) {
        fail("memory", "there is none");
    }
    return memory;
}

static struct picture read_png(const char *path, FILE *file)
{
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_read_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
    const uint32_t channels = png_get_channels(png, info), bits = png_get_bit_depth(png, info);
    struct picture picture = {.width = png_get_image_width(png, info),
                              .height = png_get_image_height(png, info)};
    if ((channels != 1 && channels != 3 && channels != 4) || (bits != 8 && bits != 16)) {
        fail(path, "neither 1, 3 or 4 channels nor 8 or 16 bits");
    }
    picture.texels = get_memory((size_t)picture.width * picture.height * sizeof(*picture.texels));
    png_bytepp rows = png_get_rows(png, info);
    for (size_t i = 0; i < (size_t)picture.width * picture.height; i++) {
        const png_bytep texel = rows[i / picture.width] + i % picture.width * channels * bits / 8;
        picture.texels[i][3] = 1;
        for (uint32_t c = 0; c < channels; c++) {
            picture.texels[i][c] = bits == 8 ? texel[c] / 255.0
                                             : (256 * texel[2 * c] + texel[2 * c + 1]) / 65535.0;
        }
    }
    png_destroy_read_struct(&png, &info, NULL);
    return picture;
}

static struct picture read_pfm(const char *path, FILE *file)
{
    char kind = 0;
    struct picture picture = {0};
    if (fscanf(file, "P%c %" SCNu32 " %" SCNu32 " -1.0", &kind, &picture.width, &picture.height) !=
            3 ||
        (kind != 'F' && kind != 'f') || fgetc(file) != '\n') {
        fail(path, "no PFM head with a scale of -1.0");
    }
    const size_t channels = kind == 'F' ? 3 : 1;
    picture.texels = get_memory((size_t)picture.width * picture.height * sizeof(*picture.texels));
    for (uint32_t y = picture.height; y-- > 0;) {
        for (uint32_t x = 0; x < picture.width; x++) {
            double *texel = picture.texels[(size_t)y * picture.width + x];
            texel[3] = 1;
            for (size_t c = 0; c < channels; c++) {
                unsigned char bytes[4];
                if (fread(bytes, 1, 4, file) != 4) {
                    fail(path, "ends too early");
                }
                const uint32_t bits = bytes[0] | (uint32_t)bytes[1] << 8 |
                                      (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
                float value;
                memcpy(&value, &bits, sizeof(value));
                texel[c] = value;
            }
        }
    }
    if (fgetc(file) != EOF) {
        fail(path, "more bytes than texels");
    }
    return picture;
}

// A level, and its alpha from a file of its own where there is one. No texels: there is no such
// level.
static struct picture read_level(const char *prefix, uint32_t level)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s_level%02u.png", prefix, level);
    FILE *file = fopen(path, "rb");
    if (file) {
        struct picture picture = read_png(path, file);
        fclose(file);
        return picture;
    }
    snprintf(path, sizeof(path), "%s_level%02u.pfm", prefix, level);
    file = fopen(path, "rb");
    if (!file) {
        return (struct picture){0};
    }
    struct picture picture = read_pfm(path, file);
    fclose(file);
    snprintf(path, sizeof(path), "%s_level%02u_alpha.pfm", prefix, level);
    file = fopen(path, "rb");
    if (file) {
        struct picture alpha = read_pfm(path, file);
        fclose(file);
        if (alpha.width != picture.width || alpha.height != picture.height) {
            fail(path, "not of the size of its level");
        }
        for (size_t i = 0; i < (size_t)alpha.width * alpha.height; i++) {
            picture.texels[i][3] = alpha.texels[i][0];
        }
        free(alpha.texels);
    }
    return picture;
}

// sRGB formats store what the file has; the reference packs light.
static void to_light(struct picture *picture)
{
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++) {
        for (int c = 0; c < 3; c++) {
            picture->texels[i][c] = ref_srgb_decode(picture->texels[i][c]);
        }
    }
}

static void put_level(const struct ref_pyramid *pyramid, const struct ref_texel_format *format,
                      uint32_t level, struct picture *picture, uint8_t *memory)
{
    const uint32_t width = ref_pyramid_level_size(pyramid->width, level);
    const uint32_t height = ref_pyramid_level_size(pyramid->height, level);
    if (!picture->texels || picture->width != width || picture->height != height) {
        fprintf(stderr, "FAILED: level %u is %ux%u and should be %ux%u\n", level, picture->width,
                picture->height, width, height);
        exit(1);
    }
    if (format->kind == REF_TEXEL_SRGB) {
        to_light(picture);
    }
    ref_texel_pack(format, (const double(*)[4])picture->texels, (size_t)width * height,
                   memory + ref_pyramid_offset(pyramid, level));
    free(picture->texels);
}

int main(int argc, char **argv)
{
    size_t num_formats;
    const struct weir_pyramid_format_info *entry = weir_pyramid_format_list(&num_formats);
    struct ref_pyramid pyramid = {.layers = 1,
                                  .exact_srgb = argc > 5 && strcmp(argv[5], "exact") == 0};
    if (argc < 5 || !weir_pyramid_reduction_by_name(argv[3], &pyramid.reduction)) {
        fail("usage", "cli_mips_check PREFIX FORMAT REDUCTION quantised|continuous");
    }
    for (size_t i = 0; i < num_formats; i++) {
        if (strcmp(entry[i].name, argv[2]) == 0) {
            pyramid.format = entry[i].format;
        }
    }
    const struct ref_texel_format *format = ref_texel_get_format(pyramid.format);
    if (!format) {
        fail(argv[2], "no such format");
    }
    pyramid.read_back = strcmp(argv[4], "quantised") == 0 ? REF_PYRAMID_QUANTISED
                                                          : REF_PYRAMID_CONTINUOUS;
    struct picture picture = read_level(argv[1], 0);
    if (!picture.texels) {
        fail(argv[1], "no level 0");
    }
    pyramid.width = picture.width;
    pyramid.height = picture.height;
    pyramid = ref_pyramid_resolve(&pyramid);
    uint8_t *memory = get_memory(ref_pyramid_size(&pyramid));
    put_level(&pyramid, format, 0, &picture, memory);
    for (uint32_t level = 1; level < pyramid.levels; level++) {
        picture = read_level(argv[1], level);
        put_level(&pyramid, format, level, &picture, memory);
    }
    if (read_level(argv[1], pyramid.levels).texels) {
        fail(argv[1], "a level after the one of 1x1");
    }
    struct ref_pyramid_difference far;
    if (ref_pyramid_compare(&pyramid, memory, &far) != REF_PYRAMID_SAME) {
        fprintf(stderr, "FAILED: %s: level %u, texel %u,%u, channel %u: %.9g instead of %.9g\n",
                argv[1], far.level, far.x, far.y, far.channel, far.actual, far.expected);
        return 1;
    }
    printf("%s: %ux%u, %u levels of %s by %s agree with the reference\n", argv[1], pyramid.width,
           pyramid.height, pyramid.levels, argv[2], argv[3]);
    free(memory);
    return 0;
}
