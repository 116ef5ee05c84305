// SPDX-License-Identifier: MIT
// The kernels of rate-distortion optimisation on the processor.
#include "tests/kernels/rdo.h"

#include <stdlib.h>
#include <string.h>

#include "shaders/color/constants.h"
#include "tests/kernels/run.h"

typedef void rdo_kernel(const struct rdo_call *call);
extern rdo_kernel rdo_bc1, rdo_bc3, rdo_bc4, rdo_bc5, rdo_bc7, rdo_ycocg_bc3;

static rdo_kernel *const kernels[] = {
    [WEIR_CODEC_YCOCG_BC3] = rdo_ycocg_bc3,
    [WEIR_CODEC_BC1] = rdo_bc1,
    [WEIR_CODEC_BC3] = rdo_bc3,
    [WEIR_CODEC_BC4] = rdo_bc4,
    [WEIR_CODEC_BC5] = rdo_bc5,
    [WEIR_CODEC_BC7] = rdo_bc7,
};

// As an image of R8G8B8A8_UNORM is fetched.
static void fetch(const struct kernel_picture *picture, float (*out)[4])
{
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++) {
        const uint8_t *texel = picture->texels + i / picture->width * picture->stride +
                               i % picture->width * picture->texel_size;
        for (uint32_t c = 0; c < 4; c++) {
            out[i][c] = c < picture->texel_size ? (float)texel[c] / 255 : 1;
        }
    }
}

struct weir_rdo_result kernel_rdo(const struct weir_rdo_params *params,
                                  const struct kernel_picture *picture, uint32_t lambda,
                                  uint8_t *history, uint8_t *blocks)
{
    const uint32_t width = picture->width, height = picture->height;
    const enum weir_codec codec = weir_codec_get_info(params->codec)->codec; // of the default too
    const size_t size = (size_t)weir_codec_image_size(codec, width, height);
    const uint32_t tile_side = 4 * WEIR_RDO_TILE_SIDE;
    const uint32_t num_tiles = ((width + tile_side - 1) / tile_side) *
                               ((height + tile_side - 1) / tile_side);
    uint32_t(*control)[4] = calloc(WEIR_RDO_CONTROL_HEAD + num_tiles, sizeof(*control));
    float(*texels)[4] = malloc((size_t)width * height * sizeof(*texels));
    struct rdo_call call = {
        .constants = {[WEIR_RDO_CONSTANT_SOURCE_KIND] = WEIR_SOURCE_CODES8,
                      [WEIR_RDO_CONSTANT_STEADY] = history != NULL,
                      [WEIR_RDO_CONSTANT_CONTROL] = true,
                      [WEIR_RDO_CONSTANT_BC4_ALPHA] = params->bc4_alpha,
                      [WEIR_RDO_CONSTANT_BC7_ALPHA_UNREAD] = params->bc7_alpha_unread,
                      [WEIR_RDO_CONSTANT_TEXTURE] = params->texture && !history &&
                                                    codec == WEIR_CODEC_BC1},
        .texels = (const float(*)[4])texels,
        .width = width,
        .height = height,
        .blocks = malloc(size), // aligned
        .history = malloc(size),
        .control = control,
    };
    fetch(picture, texels);
    memcpy(call.blocks, blocks, size);
    memcpy(call.history, history ? history : blocks, size);
    control[0][0] = lambda;
    kernels[codec](&call);
    memcpy(blocks, call.blocks, size);
    if (history) {
        memcpy(history, call.history, size);
    }
    struct weir_rdo_result result = {0};
    for (uint32_t i = WEIR_RDO_CONTROL_HEAD; i < WEIR_RDO_CONTROL_HEAD + num_tiles; i++) {
        result.squared_error += control[i][0] | (uint64_t)control[i][1] << 32;
        result.num_bytes += control[i][2];
    }
    free(control);
    free(call.history);
    free(call.blocks);
    free(texels);
    return result;
}
