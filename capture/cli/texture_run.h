// SPDX-License-Identifier: MIT
// A picture on the device: it goes up as 8-bit codes or half floats, is encoded, and its blocks come back.
#ifndef WEIR_CAPTURE_CLI_TEXTURE_RUN_H
#define WEIR_CAPTURE_CLI_TEXTURE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/encode.h>

#include "capture/cli/gpu.h"
#include "capture/source/picture.h"

struct texture_run_params {
    const struct weir_picture *picture; // integers, but for is_float
    enum weir_codec codec;
    enum weir_level level;
    bool is_float;               // the codec takes R16G16B16A16_SFLOAT, not R8G8B8A8_UNORM
    const weir_encoder *encoder; // of that codec, level and format; borrowed. NULL: one is made
};

struct texture_run {
    struct cli_gpu *gpu;
    struct texture_run_params params;
    weir_encoder *encoder; // NULL where it is borrowed
    struct cli_image image;
    struct cli_buffer staging; // the texels, and then the blocks
    struct cli_buffer blocks;
    weir_buffer *target;
    VkCommandBuffer commands;
};

// A row of the picture as 8-bit codes, RGBA. `values` has room for weir_picture_row().
void texture_run_row(const struct weir_picture *picture, uint32_t y, float *values, uint8_t *codes);
// The same as half floats, RGBA.
void texture_run_row_halves(const struct weir_picture *picture, uint32_t y, float *values,
                            uint8_t *halves);

// Prints the reason of a failure. Finish it in every case.
enum weir_result texture_run_init(struct texture_run *run, struct cli_gpu *gpu,
                                  const struct texture_run_params *params);
void texture_run_finish(struct texture_run *run);

// The first run->blocks.size bytes of run->staging.mapped are the blocks then.
enum weir_result texture_run_execute(struct texture_run *run);

#endif
