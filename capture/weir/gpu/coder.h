// SPDX-License-Identifier: MIT
// What makes the blocks of images: an encoder, and an optimiser behind it.
#ifndef WEIR_CAPTURE_WEIR_GPU_CODER_H
#define WEIR_CAPTURE_WEIR_GPU_CODER_H

#include <stdint.h>

#include <weir/encode.h>
#include <weir/rdo.h>

#include "capture/weir/gpu/gpu.h"

enum { CLI_QUALITY_UNCHANGED = 100 }; // leaves blocks as the encoder makes them

// A zeroed one may be finished.
struct cli_coder {
    enum weir_codec codec;
    weir_encoder *encoder;
    weir_rdo *rdo;   // with `control`; NULL: blocks stay as the encoder makes them
    uint32_t lambda; // for the optimiser, see struct weir_rdo_control
};

// Make those of images of that format, as cli_image_init() makes them. `params`: of the encoder,
// without `like`. `quality`: 1 .. 100, see weir_rdo_params; at CLI_QUALITY_UNCHANGED there is no
// optimiser. Finish them in every case.
enum weir_result cli_coder_init(struct cli_gpu *gpu, VkFormat format,
                                const struct weir_encoder_params *params, uint32_t quality,
                                struct cli_coder *coder);
void cli_coder_finish(struct cli_coder *coder);

#endif
