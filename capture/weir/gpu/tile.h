// SPDX-License-Identifier: MIT
// A part of a picture on the device: an image that is encoded, and buffers for its blocks.
#ifndef WEIR_CAPTURE_WEIR_GPU_TILE_H
#define WEIR_CAPTURE_WEIR_GPU_TILE_H

#include <stdint.h>

#include <weir/encode.h>

#include "capture/weir/gpu/gpu.h"

struct cli_tile {
    struct cli_gpu *gpu;
    struct cli_image image;
    struct cli_buffer staging; // the texels, rows without space between, and then the blocks
    struct cli_buffer blocks;
    weir_buffer *buffer; // the wrapper of `blocks`
};

// The codec, format and size of a tile.
struct cli_tile_params {
    enum weir_codec codec;
    VkFormat format;     // of the image
    uint32_t texel_size; // [bytes]
    uint32_t width, height;
};

// Make a tile, or make it anew if its size differs from the last one. Prints the reason of a
// failure. Finish it in every case; a zeroed one may be finished.
enum weir_result cli_tile_prepare(struct cli_tile *tile, struct cli_gpu *gpu,
                                  const struct cli_tile_params *params);
void cli_tile_finish(struct cli_tile *tile);

// The source of a tile's texels: a level of an image in VK_IMAGE_LAYOUT_GENERAL, and the texel in
// it at which the tile begins.
struct cli_tile_source {
    VkImage image; // VK_NULL_HANDLE: the staging buffer
    uint32_t level, x, y;
};

// Copy the source into the tile's image, encode it, copy the blocks into the staging buffer, and
// wait until all that is done.
enum weir_result cli_tile_encode(const struct cli_tile *tile, VkCommandBuffer commands,
                                 const weir_encoder *encoder, const struct cli_tile_source *source);

#endif
