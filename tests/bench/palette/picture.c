// SPDX-License-Identifier: MIT
// The pictures of weir-bench palette: generated, read, or flat art; and the colours that they have.
#include <stdlib.h>

#include "capture/weir/common/report.h"
#include "capture/weir/palette/palette.h"
#include "tests/bench/palette/palette.h"
#include "tests/ref/palette.h"
#include "tests/ref/palette_picture.h"

enum { GENERATOR_SEED = 2025, FLAT_AREAS = 16 };

// Areas of one colour: 16 colours that a palette keeps, each in four tones that lie close together.
static void draw_flat(uint32_t width, uint32_t height, uint8_t *rgba)
{
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++, rgba += 4) {
            const uint32_t area = (y * FLAT_AREAS / height) * FLAT_AREAS + x * FLAT_AREAS / width;
            // 37 is odd: every 64 areas in a row have every colour once.
            const uint32_t color = 37 * area & 63, tone = 2 * (color >> 4);
            rgba[0] = (uint8_t)(((color & 1) != 0 ? 208 : 64) + tone);
            rgba[1] = (uint8_t)(((color & 2) != 0 ? 208 : 64) + tone);
            rgba[2] = (uint8_t)(60 * (color >> 2 & 3) + 40 + tone);
            rgba[3] = 255;
        }
    }
}

static enum weir_result make(struct bench_palette_picture *picture,
                             const struct bench_palette_row *row)
{
    if (row->source == BENCH_PALETTE_FILE) {
        struct palette_pixels pixels;
        struct cli_pictures pictures = {.path = row->name};
        const enum weir_result result = palette_pixels_read(&pixels, row->name, &pictures);
        cli_pictures_finish(&pictures);
        picture->width = pixels.width;
        picture->height = pixels.height;
        picture->rgba = pixels.rgba;
        return result;
    }
    picture->width = row->width;
    picture->height = row->height;
    picture->rgba = malloc(4 * (size_t)row->width * row->height);
    if (!picture->rgba) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (row->source == BENCH_PALETTE_FLAT) {
        draw_flat(row->width, row->height, picture->rgba);
    } else if (!ref_palette_picture(row->width, row->height, row->num_colors, GENERATOR_SEED,
                                    picture->rgba)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return WEIR_OK;
}

enum weir_result bench_palette_picture_init(struct bench_palette_picture *picture,
                                            const struct bench_palette_row *row)
{
    *picture = (struct bench_palette_picture){0};
    enum weir_result result = make(picture, row);
    if (result == WEIR_OK &&
        !ref_palette_count(picture->rgba, (size_t)picture->width * picture->height,
                           &picture->num_colors, &picture->colors, &picture->counts)) {
        result = WEIR_ERROR_OUT_OF_MEMORY;
    }
    if (result == WEIR_OK && picture->num_colors == 0) {
        cli_report_error("%s: every pixel is transparent; give a picture with colours", row->name);
        result = WEIR_ERROR_DATA;
    }
    return result;
}

void bench_palette_picture_finish(struct bench_palette_picture *picture)
{
    free(picture->rgba);
    free(picture->colors);
    free(picture->counts);
    *picture = (struct bench_palette_picture){0};
}
