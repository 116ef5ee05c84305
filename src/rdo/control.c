// SPDX-License-Identifier: MIT
// The control of an optimiser: lambda for the kernel, and what the kernel reports of a
// frame.
#include <weir/rdo.h>

#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "base/size.h"
#include "shaders/rdo/constants.h"

#define MAX_PSNR 100.0
#define BLOCK_SIDE 4 // [texels]

// What a tile has come to, as the kernel writes it.
struct tile {
    uint32_t error_low, error_high, num_bytes, reserved;
};
WEIR_ASSERT_SIZE(struct tile, WEIR_RDO_VECTOR_SIZE);
WEIR_ASSERT_SIZE(struct weir_rdo_control, WEIR_RDO_CONTROL_HEAD *WEIR_RDO_VECTOR_SIZE);

uint32_t weir_rdo_lambda(double quality)
{
    const double lost = fmin(fmax(100 - quality, 0), 99);
    return (uint32_t)(lost * lost * 16 / 40);
}

static uint64_t num_tiles(uint32_t width, uint32_t height)
{
    const uint32_t side = BLOCK_SIDE * WEIR_RDO_TILE_SIDE;
    return weir_divide_up(width, side) * weir_divide_up(height, side);
}

uint64_t weir_rdo_control_size(uint32_t width, uint32_t height)
{
    const uint64_t num = num_tiles(width, height);
    return num > 0 ? sizeof(struct weir_rdo_control) + num * sizeof(struct tile) : 0;
}

struct weir_rdo_result weir_rdo_get_result(const void *control, uint32_t width, uint32_t height)
{
    struct weir_rdo_result result = {0, 0};
    const uint8_t *tiles = control ? (const uint8_t *)control + sizeof(struct weir_rdo_control)
                                   : NULL;
    const uint64_t num = control ? num_tiles(width, height) : 0;
    for (uint64_t i = 0; i < num; i++) {
        struct tile tile;
        memcpy(&tile, tiles + i * sizeof(tile), sizeof(tile));
        result.squared_error += tile.error_low + ((uint64_t)tile.error_high << 32);
        result.num_bytes += tile.num_bytes;
    }
    return result;
}

double weir_rdo_psnr(const struct weir_rdo_result *result, uint64_t num_samples)
{
    if (!result || result->squared_error == 0) {
        return MAX_PSNR;
    }
    const double peak = 255.0 * 255.0 * 16;
    const double psnr = 10 * log10(peak * (double)num_samples / (double)result->squared_error);
    return fmin(psnr, MAX_PSNR);
}
