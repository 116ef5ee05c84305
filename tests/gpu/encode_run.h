// SPDX-License-Identifier: MIT
// One image through an encoder, and its blocks beside the reference's.
#ifndef WEIR_TESTS_GPU_ENCODE_RUN_H
#define WEIR_TESTS_GPU_ENCODE_RUN_H

#include <weir/encode.h>

#include "tests/gpu/harness.h"

// Make an encoder. NULL after a failure, which is counted.
weir_encoder *encode_create(struct harness *h, const struct weir_encoder_params *params);

// Fails unless an encoder of these params is refused, as `want` and with one message of this code.
void encode_expect_none(struct harness *h, weir_context *context,
                        const struct weir_encoder_params *params, enum weir_result want,
                        enum weir_log_code code);

// Encode `source` once through a readback ring; returns true if `bytes` were filled.
bool encode_run(struct harness *h, const weir_encoder *encoder, const weir_image *source,
                VkImageLayout layout, uint8_t *bytes, uint64_t size);

// Get the params of the images that an encoder of these params reads, from `like`.
static inline struct weir_image_params encode_kind(const struct weir_encoder_params *params)
{
    return weir_image_get_params(params->like);
}

// Fails with the first of the blocks that differs.
void encode_compare(const char *name, uint32_t width, uint32_t height, uint32_t block_size,
                    const uint8_t *got, const uint8_t *want, uint64_t size);

// Encode sampled texels of the kind that `params` read. Fails with the first of the blocks that is
// not the wanted one.
void encode_check(struct harness *h, const weir_encoder *encoder,
                  const struct weir_encoder_params *params, uint32_t texel_size, uint32_t width,
                  uint32_t height, const void *texels, const uint8_t *want);

// Fails unless the encode, and a copy of its blocks, are refused with a message of this code each.
void encode_expect_refused(struct harness *h, const weir_encoder *encoder,
                           const struct weir_encode *encode, enum weir_log_code code);

#endif
