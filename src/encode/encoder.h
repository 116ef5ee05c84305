// SPDX-License-Identifier: MIT
// The inside of an encoder.
#pragma once

#include <weir/encode.h>

#include "base/layout.h"
#include "frame/image.h"
#include "shaders/encode/constants.h"
#include "vk/context.h"
#include "vk/pipeline.h"

struct weir_encode_push {
#include "shaders/encode/push.glsl"
    uint first_in_history; // as first_block, in the history of a kernel that is steady
    uint proxy_row;        // row of blocks of the encode that the region begins with
};
WEIR_ASSERT_OFFSET(struct weir_encode_push, first_in_history, WEIR_ENCODE_PUSH_HISTORY);
WEIR_ASSERT_OFFSET(struct weir_encode_push, proxy_row, WEIR_ENCODE_PUSH_PROXY_ROW);

// The kernels of a codec.
struct weir_encode_kernel {
    const struct weir_vk_kernel *efforts[WEIR_EFFORT_LIVE + 1]; // NULL where it has none
    uint32_t num_parts;  // most parts of a block that are encoded separately: workgroups along z
    uint32_t max_blocks; // most blocks of a dispatch at effort default: it takes some milliseconds
};

struct weir_encoder {
    weir_context *context;
    struct weir_encoder_params params;
    const struct weir_codec_info *codec;
    const struct weir_encode_kernel *kernel;
    uint32_t proxy; // WEIR_ENCODE_PROXY_*: what it writes beside the blocks
    struct weir_source_format source;
    struct weir_vk_pipeline pipeline;
};

// The descriptor sets of its kernel: the first ones.
static inline uint32_t weir_encoder_num_sets(const weir_encoder *encoder)
{
    return encoder->params.steady || encoder->proxy != WEIR_ENCODE_PROXY_NONE
               ? WEIR_ENCODE_NUM_SETS
               : WEIR_ENCODE_SET_HISTORY;
}

// In proxy.c.

// Check what the encoder's params say of proxies.
enum weir_result weir_encoder_check_proxy(const weir_encoder *encoder);

// Set what an encoder whose params are right writes as a proxy, and the level where it is left out.
void weir_encoder_resolve_proxy(weir_encoder *encoder);

// Check that an encode has the proxy that its encoder needs.
enum weir_result weir_encode_check_proxy(const weir_encoder *encoder,
                                         const struct weir_encode *encode);
