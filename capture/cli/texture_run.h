// SPDX-License-Identifier: MIT
// A picture on the device: it goes up as 8-bit codes, is encoded, and its blocks come back.
#ifndef WEIR_CAPTURE_CLI_TEXTURE_RUN_H
#define WEIR_CAPTURE_CLI_TEXTURE_RUN_H

#include <stdint.h>

#include <weir/encode.h>

#include "capture/cli/gpu.h"
#include "capture/source/picture.h"

struct texture_run_params {
    const struct weir_picture *picture; // integers
    enum weir_codec codec;
    enum weir_level level;
};

struct texture_run {
    struct cli_gpu *gpu;
    struct texture_run_params params;
    weir_encoder *encoder;
    struct cli_image image;
    struct cli_buffer staging; // the texels, and then the blocks
    struct cli_buffer blocks;
    weir_buffer *target;
    VkCommandBuffer commands;
};

// A row of the picture as 8-bit codes, RGBA. `values` has room for weir_picture_row().
void texture_run_row(const struct weir_picture *picture, uint32_t y, float *values, uint8_t *codes);

// Prints the reason of a failure. Finish it in every case.
enum weir_result texture_run_init(struct texture_run *run, struct cli_gpu *gpu,
                                  const struct texture_run_params *params);
void texture_run_finish(struct texture_run *run);

// The first run->blocks.size bytes of run->staging.mapped are the blocks then.
enum weir_result texture_run_execute(struct texture_run *run);

#endif
