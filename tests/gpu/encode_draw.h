// SPDX-License-Identifier: MIT
// Pictures of every format that encoders read, drawn so that blocks are encoded in different ways,
// on a device and on the processor.
#pragma once

#include <weir/encode.h>

#include "tests/gpu/harness.h"

enum { ENCODE_NUM_PICTURES = 9 };

uint32_t encode_texel_size(VkFormat format);

// Draw a picture of the kind 0 .. ENCODE_NUM_PICTURES - 1, as the format of `like` stores it, and
// as a kernel fetches it.
void encode_draw(struct harness *h, const struct weir_encoder_params *params, int kind,
                 uint32_t width, uint32_t height, uint8_t *texels, float (*values)[4]);

// Encode pictures of each kind and of many sizes, and of sides that are powers of two
// (harness_random_side()): of both sides, or of one too. Fails unless the blocks are those of the
// kernel on the processor. Where a device has no such image, or `like` is NULL, nothing is done.
enum encode_powers { ENCODE_NO_POWERS, ENCODE_BOTH_POWERS, ENCODE_ALL_POWERS };
void encode_pictures(struct harness *h, const struct weir_encoder_params *params,
                     VkImageUsageFlags usage, enum encode_powers powers);
