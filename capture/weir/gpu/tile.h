// SPDX-License-Identifier: MIT
// Parts of pictures on the device become blocks: an encoder with an optimiser behind it, and tiles,
// which are an image and buffers for its blocks.
#pragma once

#include <weir/encode.h>
#include <weir/rdo.h>

#include "capture/weir/gpu/gpu.h"

enum { CLI_QUALITY_UNCHANGED = 100 }; // leaves blocks as the encoder makes them

// A zeroed one may be finished.
struct cli_coder {
    struct cli_gpu *gpu;
    enum weir_codec codec;
    VkFormat format; // of the images
    weir_encoder *encoder;
    weir_rdo *rdo;   // with `control`; NULL: blocks stay as the encoder makes them
    uint32_t lambda; // for the optimiser, see struct weir_rdo_control
};

// Make those of images of that format, as cli_image_init() makes them. `params`: of the encoder,
// without `like`. `quality` and `texture`: see weir_rdo_params; at CLI_QUALITY_UNCHANGED there is
// no optimiser. Finish them in every case.
enum weir_result cli_coder_init(struct cli_gpu *gpu, VkFormat format,
                                const struct weir_encoder_params *params, uint32_t quality,
                                bool texture, struct cli_coder *coder);
void cli_coder_finish(struct cli_coder *coder);

struct cli_tile {
    struct cli_gpu *gpu;
    const struct cli_coder *coder;
    struct cli_image image;
    struct weir_gpu_buffer staging; // the texels, rows without space between, and then the blocks
    struct weir_gpu_buffer blocks;
    struct weir_gpu_buffer control; // of the optimiser; nothing where there is none
    weir_buffer *buffer;            // the wrapper of `blocks`
    weir_buffer *control_buffer;
};

// Make a tile, or make it anew if its size differs from the last one. The coder is always the same
// one, and outlives the tile. Prints the reason of a failure. Finish it in every case; a zeroed one
// may be finished.
enum weir_result cli_tile_prepare(struct cli_tile *tile, const struct cli_coder *coder,
                                  uint32_t width, uint32_t height);
void cli_tile_finish(struct cli_tile *tile);

// The source of a tile's texels: a level of an image in VK_IMAGE_LAYOUT_GENERAL, and the texel in
// it at which the tile begins.
struct cli_tile_source {
    VkImage image; // VK_NULL_HANDLE: the staging buffer
    uint32_t level, x, y;
};

// Copy the source into the tile's image, encode it, optimise its blocks where the coder does so,
// copy them into the staging buffer, and wait until all that is done.
enum weir_result cli_tile_encode(const struct cli_tile *tile, const struct cli_tile_source *source);

// Get what the optimiser made of the blocks. All zero where there is none.
struct weir_rdo_result cli_tile_result(const struct cli_tile *tile);
