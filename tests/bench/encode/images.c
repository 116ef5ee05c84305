// SPDX-License-Identifier: MIT
// The test picture, and as many images of it, or of pictures side by side, as leave no cache warm.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/picture/texel.h"
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

static void draw_codes(uint32_t width, uint32_t height, uint32_t y, uint8_t *codes)
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

static void draw_light(uint32_t width, uint32_t height, uint32_t y, float *light)
{
    // The codes first, in the last quarter of the row: no value is written over a code that is
    // still to be read.
    uint8_t *codes = (uint8_t *)(light + 3 * (size_t)width);
    draw_codes(width, height, y, codes);
    for (uint32_t x = 0; x < width; x++, codes += 4, light += 4) {
        const float exposure = exp2f(8 * (float)x / (float)width - 4);
        for (int c = 0; c < 4; c++) {
            const float value = (float)codes[c] / UINT8_MAX;
            light[c] = c == 3 ? value : exposure * powf(value, 2.2f);
        }
    }
}

void bench_draw_row(enum bench_source source, uint32_t width, uint32_t height, uint32_t y,
                    void *row)
{
    if (source == BENCH_CODES) {
        draw_codes(width, height, y, row);
    } else {
        draw_light(width, height, y, row);
    }
}

bool bench_picture_suits(const struct weir_picture *picture, enum bench_source source)
{
    const bool is_light = picture->is_linear || picture->type == WEIR_PICTURE_FLOAT;
    return is_light == (source == BENCH_LIGHT);
}

// The pictures that suit a source, laid out side by side in cells as large as the first.
struct mosaic {
    const struct weir_picture *pictures[BENCH_MAX_PICTURES];
    uint32_t num; // 0: none suits
    float *row;   // of one of them
};

static bool mosaic_init(struct mosaic *mosaic, const struct bench_result *result,
                        enum bench_source source)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < result->num_pictures; i++) {
        const struct weir_picture *picture = &result->pictures[i];
        if (bench_picture_suits(picture, source)) {
            mosaic->pictures[mosaic->num++] = picture;
            most = picture->width > most ? picture->width : most;
        }
    }
    mosaic->row = malloc(4 * (size_t)most * sizeof(*mosaic->row) + 1);
    return mosaic->row;
}

// Each row of cells begins with the next picture.
static void mosaic_row(const struct mosaic *mosaic, uint32_t width, uint32_t y, float *texels)
{
    const uint32_t cell_width = mosaic->pictures[0]->width;
    const uint32_t cell_height = mosaic->pictures[0]->height;
    for (uint32_t x = 0; x < width; x += cell_width) {
        const uint32_t index = (x / cell_width + y / cell_height) % mosaic->num;
        const struct weir_picture *picture = mosaic->pictures[index];
        const uint32_t end = width - x < cell_width ? width - x : cell_width;
        weir_picture_row(picture, y % cell_height % picture->height, mosaic->row);
        for (uint32_t i = 0; i < end; i++) {
            memcpy(texels + 4 * (size_t)(x + i), mosaic->row + 4 * (size_t)(i % picture->width),
                   4 * sizeof(*texels));
        }
    }
}

// Rows as the source has them.
static enum weir_result fill_staging(const struct bench_images *images, const struct mosaic *mosaic,
                                     size_t pitch, uint8_t *texels)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        bench_source_format(images->source));
    float *values = malloc((size_t)images->width * 4 * sizeof(*values));
    if (!values) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t y = 0; y < images->height; y++, texels += pitch) {
        if (mosaic->num > 0) {
            mosaic_row(mosaic, images->width, y, values);
        } else {
            bench_draw_row(images->source, images->width, images->height, y, values);
        }
        if (mosaic->num > 0 || images->source == BENCH_LIGHT) {
            weir_texel_pack(format, values, images->width, texels);
        } else {
            memcpy(texels, values, 4 * (size_t)images->width);
        }
    }
    free(values);
    return WEIR_OK;
}

static enum weir_result upload(struct cli_gpu *gpu, const struct mosaic *mosaic,
                               struct bench_images *images)
{
    struct weir_gpu_buffer staging;
    VkCommandBuffer commands;
    const VkFormat format = bench_source_format(images->source);
    const uint32_t width = images->width * cli_texel_size(format) / 4; // as texels of RGBA8
    WEIR_TRY(cli_buffer_init(gpu, cli_staging_size(width, images->height),
                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT, true, &staging));
    enum weir_result result = fill_staging(images, mosaic, cli_staging_pitch(width),
                                           staging.mapped);
    if (result == WEIR_OK) {
        result = weir_gpu_begin(gpu->work, &commands);
    }
    if (result == WEIR_OK) {
        for (uint32_t i = 0; i < images->num; i++) {
            cli_cmd_upload(gpu, commands, &staging, &images->images[i]);
        }
        result = weir_gpu_run(gpu->work, commands);
    }
    weir_gpu_buffer_finish(gpu->work, &staging);
    return result;
}

enum weir_result bench_images_init(struct cli_gpu *gpu, const struct bench_result *bench,
                                   enum bench_source source, uint32_t width, uint32_t height,
                                   struct bench_images *images)
{
    struct mosaic mosaic = {.num = 0};
    *images = (struct bench_images){.source = source, .width = width, .height = height};
    if (!mosaic_init(&mosaic, bench, source)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    images->generated = mosaic.num == 0;
    uint64_t num = rotation_size / (4 * (uint64_t)width * height) + 1;
    const uint64_t wanted = bench->options->images; // of the streams
    num = num < wanted ? wanted : num > BENCH_MAX_IMAGES ? BENCH_MAX_IMAGES : num;
    enum weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < num && result == WEIR_OK; i++) {
        result = cli_image_init(gpu,
                                weir_image_params(.format = bench_source_format(source),
                                                  .width = width, .height = height,
                                                  .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT),
                                &images->images[i]);
        images->num += result == WEIR_OK;
    }
    if (result == WEIR_OK) {
        result = upload(gpu, &mosaic, images);
    }
    free(mosaic.row);
    return result;
}

void bench_images_finish(struct cli_gpu *gpu, struct bench_images *images)
{
    for (uint32_t i = 0; i < images->num; i++) {
        cli_image_finish(gpu, &images->images[i]);
    }
    *images = (struct bench_images){0};
}
