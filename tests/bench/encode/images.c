// SPDX-License-Identifier: MIT
// The test picture, and images of it, or of pictures side by side.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/picture/picture.h"
#include "tests/bench/encode/encode.h"

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

enum weir_result bench_generate(enum bench_source source, uint32_t width, uint32_t height,
                                struct weir_picture *picture)
{
    const bool light = source == BENCH_LIGHT;
    *picture = (struct weir_picture){
        .width = width,
        .height = height,
        .type = light ? WEIR_PICTURE_FLOAT : WEIR_PICTURE_8,
        .has_alpha = true,
        .is_linear = light,
        .pitch = (size_t)width * 4 * (light ? sizeof(float) : 1),
    };
    picture->texels = malloc(picture->pitch * height);
    if (!picture->texels) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *row = picture->texels + y * picture->pitch;
        if (light) {
            draw_light(width, height, y, (float *)(void *)row);
        } else {
            draw_codes(width, height, y, row);
        }
    }
    return WEIR_OK;
}

bool bench_picture_suits(const struct weir_picture *picture, enum bench_source source)
{
    const bool is_light = picture->is_linear || picture->type == WEIR_PICTURE_FLOAT;
    return is_light == (source == BENCH_LIGHT);
}

bool bench_is_generated(const struct bench_result *result, enum bench_source source)
{
    uint32_t i = 0;
    while (i < result->num_pictures && !bench_picture_suits(&result->pictures[i], source)) {
        i++;
    }
    return i == result->num_pictures;
}

// The pictures that suit a source, laid out side by side in cells as large as the first.
struct mosaic {
    const struct weir_picture *pictures[BENCH_MAX_PICTURES];
    uint32_t num;
    struct weir_picture generated; // the one that there is if none suits
    float *row, *cell;             // of the mosaic, and of one of them
};

static enum weir_result mosaic_init(struct mosaic *mosaic, const struct bench_result *result,
                                    enum bench_source source, uint32_t width, uint32_t height)
{
    uint32_t most = width;
    *mosaic = (struct mosaic){.num = 0};
    for (uint32_t i = 0; i < result->num_pictures; i++) {
        const struct weir_picture *picture = &result->pictures[i];
        if (bench_picture_suits(picture, source)) {
            mosaic->pictures[mosaic->num++] = picture;
            most = picture->width > most ? picture->width : most;
        }
    }
    if (mosaic->num == 0) {
        WEIR_TRY(bench_generate(source, width, height, &mosaic->generated));
        mosaic->pictures[mosaic->num++] = &mosaic->generated;
    }
    mosaic->row = malloc(4 * (size_t)width * sizeof(*mosaic->row));
    mosaic->cell = malloc(4 * (size_t)most * sizeof(*mosaic->cell));
    return mosaic->row && mosaic->cell ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

static void mosaic_finish(struct mosaic *mosaic)
{
    weir_picture_free(&mosaic->generated);
    free(mosaic->row);
    free(mosaic->cell);
}

// Each row of cells begins with the next picture.
static void draw_mosaic(void *user, const struct bench_images *images, uint32_t y, uint8_t *texels)
{
    const struct mosaic *mosaic = user;
    const uint32_t width = images->params.width, cell_width = mosaic->pictures[0]->width;
    const uint32_t cell_height = mosaic->pictures[0]->height;
    for (uint32_t x = 0; x < width; x += cell_width) {
        const uint32_t index = (x / cell_width + y / cell_height) % mosaic->num;
        const struct weir_picture *picture = mosaic->pictures[index];
        const uint32_t end = width - x < cell_width ? width - x : cell_width;
        weir_picture_row(picture, y % cell_height % picture->height, mosaic->cell);
        for (uint32_t i = 0; i < end; i++) {
            memcpy(mosaic->row + 4 * (size_t)(x + i),
                   mosaic->cell + 4 * (size_t)(i % picture->width), 4 * sizeof(*mosaic->row));
        }
    }
    weir_texel_pack(images->format, mosaic->row, width, texels);
}

enum weir_result bench_images_of_pictures(struct cli_gpu *gpu, const struct bench_result *bench,
                                          enum bench_source source, uint32_t width, uint32_t height,
                                          struct bench_images *images)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        bench_source_format(source));
    // The streams want some.
    const uint32_t num = bench_rotation(4.0 * width * height, (uint32_t)bench->options->images);
    struct mosaic mosaic;
    *images = (struct bench_images){
        .gpu = gpu,
        .format = format,
        .params = {.format = format->format,
                   .width = width,
                   .height = height,
                   .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT},
    };
    enum weir_result result = mosaic_init(&mosaic, bench, source, width, height);
    if (result == WEIR_OK) {
        result = bench_images_init(images, num, num);
    }
    if (result == WEIR_OK) {
        const struct bench_fill fill = {height, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                                        draw_mosaic, &mosaic};
        result = bench_images_fill(images, &fill);
    }
    mosaic_finish(&mosaic);
    return result;
}
