// SPDX-License-Identifier: MIT
// A part of a picture on the device: an image to encode from, and room for its blocks.
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
    weir_buffer *buffer; // the same
};

// What a tile is of.
struct cli_tile_params {
    enum weir_codec codec;
    VkFormat format;     // of the image
    uint32_t texel_size; // [bytes]
    uint32_t width, height;
};

// Make it, or make it anew where its size is another. Prints the reason of a failure. Finish it in
// every case; a zeroed one may be finished.
enum weir_result cli_tile_prepare(struct cli_tile *tile, struct cli_gpu *gpu,
                                  const struct cli_tile_params *params);
void cli_tile_finish(struct cli_tile *tile);

// A level of an image in VK_IMAGE_LAYOUT_GENERAL, and the place in it that a tile begins at.
struct cli_tile_source {
    VkImage image; // VK_NULL_HANDLE: the staging buffer
    uint32_t level, x, y;
};

// Record the copy of the source into the tile's image, which is read by kernels then.
void cli_tile_cmd_load(const struct cli_tile *tile, VkCommandBuffer commands,
                       const struct cli_tile_source *source);

// Record the copy of the blocks, which a kernel has written, into the staging buffer.
void cli_tile_cmd_store(const struct cli_tile *tile, VkCommandBuffer commands);

#endif
