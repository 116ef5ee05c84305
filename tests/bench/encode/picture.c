// SPDX-License-Identifier: MIT
// The test picture, like a rendered frame, and as many images of a picture as leave no cache warm.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "capture/files/picture/texel.h"
#include "capture/weir/gpu/commands.h"
#include "tests/bench/encode/encode.h"

// More than twice the last level cache of any GPU of 2026, so that a rotation finds nothing in it.
static const uint64_t rotation_size = (uint64_t)256 << 20;

// Integer hash of a texel (lowbias32, C. Wellons, 2018).
static uint32_t hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

struct color {
    int r, g, b, alpha;
};

static struct color sky(uint32_t y, uint32_t height)
{
    int t = (int)((uint64_t)y * 256 / height);
    return (struct color){40 + t * 150 / 256, 90 + t * 120 / 256, 170 + t * 60 / 256, 255};
}

static struct color ground(uint32_t x, uint32_t y, uint32_t height)
{
    int grain = (int)(hash(x * 7919u + y * 104729u) & 63);
    int patch = (int)(hash((x / 24) * 31u + (y / 24) * 17u) & 63);
    int light = 60 + (int)((uint64_t)y * 80 / height);
    return (struct color){light + grain / 2 + patch / 2, light + grain + patch / 4,
                          light / 2 + grain / 4, 255 - 2 * grain - patch / 2};
}

// A lit ball in each cell of a grid, in one of eight colours.
static void add_ball(struct color *color, uint32_t x, uint32_t y, uint32_t cell)
{
    int u = (int)(x % cell) - (int)(cell / 2), v = (int)(y % cell) - (int)(cell / 2);
    int radius = (int)(cell * 3 / 8), distance = u * u + v * v;
    if (cell < 8 || distance > radius * radius) {
        return;
    }
    uint32_t kind = hash(x / cell + 977u * (y / cell));
    int light = 255 - 200 * distance / (radius * radius) - (u + v) * 60 / radius;
    light = light < 20 ? 20 : light > 255 ? 255 : light;
    *color = (struct color){(kind & 1) != 0 ? light : light / 4,
                            (kind & 2) != 0 ? light : light / 3,
                            (kind & 4) != 0 ? light : light / 5, 255};
}

static uint8_t clamp(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

void bench_picture_codes(uint32_t width, uint32_t height, uint32_t y, uint8_t *codes)
{
    const uint32_t cell = (width < height ? width : height) / 6 + 1;
    for (uint32_t x = 0; x < width; x++) {
        struct color color = y < height / 2 ? sky(y, height) : ground(x, y, height);
        if (hash(x / cell + 57u * (y / cell)) % 3 == 0) {
            add_ball(&color, x, y, cell);
        }
        uint8_t *texel = codes + 4 * (size_t)x;
        texel[0] = clamp(color.r);
        texel[1] = clamp(color.g);
        texel[2] = clamp(color.b);
        texel[3] = clamp(color.alpha);
    }
}

void bench_picture_light(uint32_t width, uint32_t height, uint32_t y, float *light)
{
    // The codes first, in the last quarter of the row: no value is written over a code that is
    // still to be read.
    uint8_t *codes = (uint8_t *)(light + 3 * (size_t)width);
    bench_picture_codes(width, height, y, codes);
    for (uint32_t x = 0; x < width; x++, codes += 4, light += 4) {
        const float exposure = exp2f(8 * (float)x / (float)width - 4);
        for (int c = 0; c < 4; c++) {
            const float value = (float)codes[c] / UINT8_MAX;
            light[c] = c == 3 ? value : exposure * powf(value, 2.2f);
        }
    }
}

// Get a row of an image as its source has it. `values`: 4 * width, for what is in between.
static void write_row(const struct bench_images *images, const struct bench_mosaic *mosaic,
                      uint32_t y, float *values, uint8_t *row)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        bench_source_format(images->source));
    if (mosaic->num > 0) {
        bench_mosaic_row(mosaic, images->width, y, values);
        weir_texel_pack(format, values, images->width, row);
    } else if (images->source == BENCH_CODES) {
        bench_picture_codes(images->width, images->height, y, row);
    } else {
        bench_picture_light(images->width, images->height, y, values);
        weir_texel_pack(format, values, images->width, row);
    }
}

static enum weir_result fill_staging(const struct bench_images *images,
                                     const struct bench_mosaic *mosaic, uint32_t staging_width,
                                     uint8_t *texels)
{
    float *values = malloc((size_t)images->width * 4 * sizeof(*values));
    if (!values) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t y = 0; y < images->height; y++) {
        write_row(images, mosaic, y, values, texels + y * cli_staging_pitch(staging_width));
    }
    free(values);
    return WEIR_OK;
}

static enum weir_result upload(struct cli_gpu *gpu, const struct bench_mosaic *mosaic,
                               struct bench_images *images)
{
    struct cli_buffer staging;
    VkCommandBuffer commands;
    const VkFormat format = bench_source_format(images->source);
    const uint32_t width = images->width * cli_texel_size(format) / 4; // as texels of RGBA8
    enum weir_result result = cli_buffer_init(gpu, cli_staging_size(width, images->height),
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT, true, &staging);
    if (result != WEIR_OK) {
        return result;
    }
    result = fill_staging(images, mosaic, width, staging.mapped);
    if (result == WEIR_OK) {
        result = cli_once_begin(gpu, &commands);
    }
    if (result == WEIR_OK) {
        for (uint32_t i = 0; i < images->num; i++) {
            cli_cmd_upload(commands, &staging, &images->images[i]);
        }
        result = cli_once_run(gpu, commands);
    }
    cli_buffer_finish(gpu, &staging);
    return result;
}

enum weir_result bench_images_init(struct cli_gpu *gpu, const struct bench_result *bench,
                                   enum bench_source source, uint32_t width, uint32_t height,
                                   struct bench_images *images)
{
    const VkFormat format = bench_source_format(source);
    struct bench_mosaic mosaic;
    *images = (struct bench_images){.source = source, .width = width, .height = height};
    if (!bench_mosaic_init(bench, source, &mosaic)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    images->generated = mosaic.num == 0;
    uint64_t num = rotation_size / (4 * (uint64_t)width * height) + 1;
    const uint64_t wanted = bench->options->images; // of the streams
    num = num < wanted ? wanted : num > BENCH_MAX_IMAGES ? BENCH_MAX_IMAGES : num;
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < num && result == WEIR_OK; i++) {
        result = cli_image_init_mutable(gpu, format, width, height, &images->images[i]);
        images->num += result == WEIR_OK;
    }
    if (result == WEIR_OK) {
        result = upload(gpu, &mosaic, images);
    }
    bench_mosaic_finish(&mosaic);
    if (result != WEIR_OK) {
        bench_images_finish(gpu, images);
    }
    return result;
}

void bench_images_finish(struct cli_gpu *gpu, struct bench_images *images)
{
    for (uint32_t i = 0; i < images->num; i++) {
        cli_image_finish(gpu, &images->images[i]);
    }
    *images = (struct bench_images){0};
}
