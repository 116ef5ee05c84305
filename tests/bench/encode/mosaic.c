// SPDX-License-Identifier: MIT
// An image of any size that is laid out with pictures, so that encoders are timed on these.
#include <stdlib.h>
#include <string.h>

#include "tests/bench/encode/encode.h"

bool bench_picture_is_light(const struct weir_picture *picture)
{
    return picture->is_linear || picture->type == WEIR_PICTURE_FLOAT;
}

bool bench_mosaic_init(const struct bench_result *result, enum bench_source source,
                       struct bench_mosaic *mosaic)
{
    uint32_t most = 0;
    *mosaic = (struct bench_mosaic){0};
    for (uint32_t i = 0; i < result->num_pictures; i++) {
        const struct weir_picture *picture = &result->pictures[i];
        if (bench_picture_is_light(picture) == (source != BENCH_CODES)) {
            mosaic->pictures[mosaic->num++] = picture;
            most = picture->width > most ? picture->width : most;
        }
    }
    mosaic->row = mosaic->num > 0 ? malloc(4 * (size_t)most * sizeof(*mosaic->row)) : NULL;
    return mosaic->row || mosaic->num == 0;
}

void bench_mosaic_finish(struct bench_mosaic *mosaic)
{
    free(mosaic->row);
    *mosaic = (struct bench_mosaic){0};
}

// Cells are as large as the first picture. Each row of them begins with the next picture.
void bench_mosaic_row(const struct bench_mosaic *mosaic, uint32_t width, uint32_t y, float *texels)
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
