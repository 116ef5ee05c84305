// SPDX-License-Identifier: MIT
// A device and an object of each kind on it, whose context has a log that is heard.
#pragma once

#include <weir/weir.h>

#include "tests/gpu/harness.h"
#include "tests/gpu/heard.h"

struct nulls {
    struct harness harness;
    struct heard heard;
    struct weir_log log;
    weir_context *context;
    VkCommandBuffer cmd; // that is begun
    struct weir_gpu_image texels, written;
    struct weir_gpu_buffer raw;
    weir_image *image, *output;
    weir_buffer *buffer;
    weir_encoder *encoder;
    weir_rdo *rdo;
    weir_snappy *snappy;
    weir_palette *palette;
    weir_pyramid *pyramid;
    weir_pyramid_target *target;
    weir_mips *mips;
    weir_preview *preview;
    weir_readback *readback;
    weir_capture *capture;
};

void nulls_init(struct nulls *n);
// Submits the command buffer, and returns what harness_finish() does.
int nulls_finish(struct nulls *n);
