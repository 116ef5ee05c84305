// SPDX-License-Identifier: MIT
// One image through an encoder, and its blocks beside the reference's.
#include "tests/gpu/encode_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

weir_encoder *encode_create(struct harness *h, const struct weir_encoder_params *params)
{
    weir_encoder *encoder = NULL;
    const enum weir_result result = weir_encoder_create(h->context, params, &encoder);
    test_expect(result == WEIR_OK, "codec %d, format %d: %s", (int)params->codec,
                (int)weir_image_get_params(params->like).format, weir_result_name(result));
    return encoder;
}

void encode_expect_none(struct harness *h, weir_context *context,
                        const struct weir_encoder_params *params, enum weir_result want,
                        enum weir_log_code code)
{
    const int before = h->log_codes[code];
    weir_encoder *encoder = NULL;
    const enum weir_result result = weir_encoder_create(context, params, &encoder);
    test_expect(result == want && !encoder && h->log_codes[code] == before + 1,
                "codec %d, format %d: %s without code %d", (int)params->codec,
                (int)weir_image_get_params(params->like).format, weir_result_name(result),
                (int)code);
    weir_encoder_destroy(&encoder);
}

bool encode_frame(struct harness *h, weir_readback *readback, const weir_encoder *encoder,
                  struct weir_encode encode, VkImageLayout layout, bool keep, uint8_t *bytes,
                  uint64_t size)
{
    const struct weir_frame frame = {
        .image = encode.source, .layout = layout, .queue_family = h->host.family};
    harness_release(h, &frame);
    struct weir_slot slot;
    struct weir_point released;
    struct weir_readback_data data = {0};
    TEST_OK(weir_readback_begin(readback, &frame, &slot));
    encode.buffer = weir_slot_buffer(readback, &slot);
    enum weir_result result = WEIR_OK;
    if (!slot.is_recorded) {
        result = weir_cmd_encode(encoder, slot.cmd, &encode);
        test_expect(result == WEIR_OK, "weir_cmd_encode: %s", weir_result_name(result));
    }
    slot.keep = keep;
    result = weir_readback_submit(readback, &slot, &released);
    test_expect(result == WEIR_OK, "submit: %s", weir_result_name(result));
    harness_acquire(h, &frame, &released);
    result = weir_readback_wait(readback, slot.index, UINT64_MAX, &data);
    if (test_expect(result == WEIR_OK && data.size == size, "wait: %s", weir_result_name(result))) {
        memcpy(bytes, data.data, size);
    }
    weir_readback_release(readback, slot.index);
    return slot.is_recorded;
}

void encode_compare(const char *name, uint32_t width, uint32_t height, uint32_t block_size,
                    const uint8_t *got, const uint8_t *want, uint64_t size)
{
    for (uint64_t i = 0; i < size; i += block_size) {
        if (memcmp(got + i, want + i, block_size) != 0) {
            char text[2][33];
            for (uint32_t b = 0; b < block_size; b++) {
                snprintf(text[0] + 2 * b, 3, "%02x", got[i + b]);
                snprintf(text[1] + 2 * b, 3, "%02x", want[i + b]);
            }
            test_expect(false, "%s %ux%u: block %llu is %s, reference %s", name, width, height,
                        (unsigned long long)(i / block_size), text[0], text[1]);
            return;
        }
    }
}

void encode_check(struct harness *h, const weir_encoder *encoder,
                  const struct weir_encoder_params *params, VkImageUsageFlags usage,
                  uint32_t texel_size, uint32_t width, uint32_t height, const void *texels,
                  const uint8_t *want)
{
    const struct weir_image_params like = weir_image_get_params(params->like);
    const struct weir_codec_info *info = weir_codec_get_info(params->codec);
    const uint64_t size = weir_codec_image_size(info->codec, width, height);
    const VkImageLayout layout = harness_random_below(h, 2) ? VK_IMAGE_LAYOUT_GENERAL
                                                            : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    struct weir_gpu_image image;
    harness_image_init(h, like.format, width, height, usage, like.flags, texels, texel_size, layout,
                       &image);
    weir_image *source = harness_wrap(h, &image, like.transfer);
    uint8_t *got = malloc(size);
    memset(got, 0xa5, size);
    weir_readback *readback = NULL;
    TEST_MUST(weir_readback_create(h->context, weir_readback_params(.size = size, .num_slots = 2),
                                   &readback));
    encode_frame(h, readback, encoder, (struct weir_encode){.source = source}, layout, false, got,
                 size);
    weir_readback_destroy(&readback);
    char name[64];
    snprintf(name, sizeof(name), "%s of VkFormat %d", info->name, (int)like.format);
    encode_compare(name, width, height, info->block_size, got, want, size);
    free(got);
    weir_image_destroy(&source);
    harness_image_finish(h, &image);
}

void encode_expect_refused(struct harness *h, const weir_encoder *encoder,
                           const struct weir_encode *encode, enum weir_log_code code)
{
    const int before = h->log_codes[code];
    VkCommandBuffer cmd = harness_begin(h);
    const enum weir_result result = weir_cmd_encode(encoder, cmd, encode);
    const struct weir_block_copy copy = {.image = encode->source};
    const enum weir_result copied = weir_cmd_copy_blocks(encoder, cmd, encode, &copy);
    harness_submit(h, cmd, NULL, 0);
    test_expect(result == WEIR_ERROR_INVALID && copied == result &&
                    h->log_codes[code] == before + 2,
                "%s without code %d", weir_result_name(result), (int)code);
}

void encode_image_init(struct harness *h, VkFormat format, uint32_t width, uint32_t height,
                       VkImageUsageFlags usage, const uint8_t *texels, struct encode_image *out)
{
    const bool is_srgb = format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_B8G8R8A8_SRGB;
    const VkImageCreateFlags is_mutable = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                                          VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    const VkImageLayout layout = usage & VK_IMAGE_USAGE_STORAGE_BIT
                                     ? VK_IMAGE_LAYOUT_GENERAL
                                     : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    uint8_t *poison = malloc((size_t)width * height * 4);
    memset(poison, 0x5a, (size_t)width * height * 4);
    harness_image_init(h, format, width, height, usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                       is_srgb ? is_mutable : 0, texels ? texels : poison, 4, layout, &out->image);
    free(poison);
    out->wrapped = harness_wrap(h, &out->image, WEIR_TRANSFER_DEFAULT);
}

void encode_image_finish(struct harness *h, struct encode_image *image)
{
    weir_image_destroy(&image->wrapped);
    harness_image_finish(h, &image->image);
}
