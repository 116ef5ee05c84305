// SPDX-License-Identifier: MIT
// The parts of gpu_encode, what they share, and an image through an encoder beside the kernels on
// the processor.
#pragma once

#include <weir/encode.h>
#include <weir/readback.h>

#include "tests/gpu/harness.h"

// The parts. `has_all`: nothing is left to the seed.
void encode_test_bc(struct harness *h, bool has_all);
void encode_test_etc(struct harness *h, bool has_all);
void encode_test_hdr(struct harness *h, bool has_all);
void encode_test_options(struct harness *h, bool has_all);
void encode_test_proxy(struct harness *h, bool has_all);
void encode_test_proxy_calls(struct harness *h, bool has_all);
void encode_test_regions(struct harness *h, bool has_all);
void encode_test_sources(struct harness *h, bool has_all);
void encode_test_steady(struct harness *h, bool has_all);
void encode_test_ycocg(struct harness *h, bool has_all);

// Make an encoder. NULL after a failure, which is counted.
weir_encoder *encode_create(struct harness *h, const struct weir_encoder_params *params);

// Fails unless an encoder of these params is refused, as `want` and with one message of this code.
void encode_expect_none(struct harness *h, weir_context *context,
                        const struct weir_encoder_params *params, enum weir_result want,
                        enum weir_log_code code);

// Fails with the first of the blocks that differs.
void encode_compare(const char *name, uint32_t width, uint32_t height, uint32_t block_size,
                    const uint8_t *got, const uint8_t *want, uint64_t size);

// Encode `encode.source` as a frame of a ring, whose commands are kept or not, and get the bytes of
// its slot, which are `size`. Returns true if commands that were kept have been used.
bool encode_frame(struct harness *h, weir_readback *readback, const weir_encoder *encoder,
                  struct weir_encode encode, VkImageLayout layout, bool keep, uint8_t *bytes,
                  uint64_t size);

// Encode texels of the kind that `params` read. Fails with the first of the blocks that is not the
// wanted one.
void encode_check(struct harness *h, const weir_encoder *encoder,
                  const struct weir_encoder_params *params, VkImageUsageFlags usage,
                  uint32_t texel_size, uint32_t width, uint32_t height, const void *texels,
                  const uint8_t *want);

// Fails unless the encode, and a copy of its blocks, are refused with a message of this code each.
void encode_expect_refused(struct harness *h, const weir_encoder *encoder,
                           const struct weir_encode *encode, enum weir_log_code code);

// An image in the layout in which kernels write or read it, whose `usage` has a store or not, and
// which may be copied from. Without `texels` it is poisoned.
struct encode_image {
    struct weir_gpu_image image;
    weir_image *wrapped;
};
void encode_image_init(struct harness *h, VkFormat format, uint32_t width, uint32_t height,
                       VkImageUsageFlags usage, const uint8_t *texels, struct encode_image *out);
void encode_image_finish(struct harness *h, struct encode_image *image);
