// SPDX-License-Identifier: MIT
// Encodes pictures on the device: uploads a picture, makes its mip levels, encodes them, and reads
// the blocks back.
#ifndef WEIR_CAPTURE_WEIR_TEXTURE_RUN_H
#define WEIR_CAPTURE_WEIR_TEXTURE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/encode.h>

#include "capture/files/picture/picture.h"
#include "capture/files/texture/texture.h"
#include "capture/weir/common/texture_codec.h"
#include "capture/weir/gpu/gpu.h"
#include "capture/weir/gpu/pyramid.h"
#include "capture/weir/gpu/tile.h"

// The treatment of a picture's alpha.
enum texture_alpha {
    TEXTURE_ALPHA_STRAIGHT, // colours stay unchanged
    TEXTURE_ALPHA_MULTIPLY, // colours are multiplied by alpha
    TEXTURE_ALPHA_IGNORE,   // alpha is replaced by 1
    TEXTURE_ALPHA_UNREAD,   // nobody reads it: the encoder may give it any value
};

struct texture_run_params {
    const struct weir_codec_info *codec;
    enum weir_effort effort;
    enum weir_decoder_model decoder;
    bool bc6h_log;
    bool srgb; // the texture has an sRGB format, and levels are averaged in linear light
    bool mips; // make all mip levels; else level 0 only
    bool bc1_black, bc1_dither; // see weir_encoder_params
    enum texture_alpha alpha;
    uint32_t quality; // 1 .. 100, see weir_rdo_params; 100: blocks stay as the encoder makes them
};

// An encoder for any number of pictures. It stays where it is.
struct texture_run {
    struct cli_gpu *gpu;
    struct texture_run_params params;
    const struct weir_pyramid_format_info *format; // of the images that are encoded
    struct cli_coder coder;
    struct cli_tile tile;       // the last one
    struct weir_rdo_result sum; // of the tiles of the level that is being encoded

    const struct weir_picture *picture; // the one that is being encoded
    float *row;                         // of it
    struct cli_pyramid mips;            // the levels of the last that has several
};

// The blocks of a picture. A zeroed struct may be freed.
struct texture_blocks {
    struct weir_texture texture;
    uint8_t *memory; // the blocks of all levels
    double psnr;     // of level 0, see weir_rdo_psnr(); 0 where nothing is optimised
};

// Prints the reason of a failure. Finish it in every case.
enum weir_result texture_run_init(struct texture_run *run, struct cli_gpu *gpu,
                                  const struct texture_run_params *params);
void texture_run_finish(struct texture_run *run);

// Encode one picture: in tiles, where it is larger than an image may be. All of its levels together
// must fit into one image, though. Colours of levels are weighted by straight alpha where the
// picture has one and the codec too. Prints the reason of a failure; `name` is the picture's. Free
// the blocks in every case.
enum weir_result texture_run_encode(struct texture_run *run, const char *name,
                                    const struct weir_picture *picture,
                                    struct texture_blocks *blocks);
void texture_blocks_free(struct texture_blocks *blocks);

#endif
