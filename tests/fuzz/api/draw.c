// SPDX-License-Identifier: MIT
// Draws the numbers of the calls from the bytes of an input, and says what must hold of every
// answer.
#include "tests/fuzz/api/api.h"

#include <string.h>

static struct fuzz_bytes bytes;

void draw_from(const uint8_t *data, size_t size)
{
    bytes = (struct fuzz_bytes){data, size};
}

bool draw_is_over(void)
{
    return bytes.size == 0;
}

uint8_t draw_u8(void)
{
    return fuzz_take_u8(&bytes);
}

uint32_t draw_u32(void)
{
    return fuzz_take_u32(&bytes);
}

uint32_t draw_number(void)
{
    static const uint32_t edges[] = {
        31,         32,        33,       64,       255,        256,        257,
        4095,       4096,      16384,    16385,    65535,      65536,      65537,
        0x7ffffffc, INT32_MAX, 1u << 31, 1u << 24, UINT32_MAX, 0xfffffffc, 1u << 30};
    const uint8_t kind = draw_u8();
    return kind < 160   ? kind % 20
           : kind < 224 ? edges[kind % (sizeof(edges) / sizeof(edges[0]))]
                        : draw_u32();
}

uint64_t draw_large(void)
{
    const uint64_t low = draw_number();
    return draw_u8() < 224 ? low : low << 32 | draw_number();
}

uint32_t draw_mostly(uint32_t usual)
{
    return draw_u8() < 244 ? usual : draw_number();
}

uint32_t draw_side(void)
{
    const uint8_t kind = draw_u8();
    return kind < 160 ? 16 : kind < 244 ? 1u + kind % 64 : draw_number();
}

VkFormat draw_format(void)
{
    static const VkFormat known[] = {
        VK_FORMAT_R8G8B8A8_UNORM,      VK_FORMAT_R8G8B8A8_SRGB,       VK_FORMAT_B8G8R8A8_SRGB,
        VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32_SFLOAT,          VK_FORMAT_R8G8B8A8_SNORM,
        VK_FORMAT_BC3_UNORM_BLOCK,     VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_D32_SFLOAT};
    const uint8_t kind = draw_u8();
    return kind < 160   ? VK_FORMAT_R8G8B8A8_UNORM
           : kind < 248 ? known[kind % (sizeof(known) / sizeof(known[0]))]
                        : (VkFormat)draw_number();
}

VkImageUsageFlags draw_usage(void)
{
    const VkImageUsageFlags most = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                   VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                   VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    const uint8_t kind = draw_u8();
    return kind < 240 ? most : kind;
}

VkRect2D draw_rect(void)
{
    if (draw_u8() < 200) {
        return (VkRect2D){0};
    }
    return (VkRect2D){{(int32_t)draw_number(), (int32_t)draw_number()},
                      {draw_number(), draw_number()}};
}

float draw_radius(void)
{
    float value;
    const uint32_t bits = draw_u32();
    memcpy(&value, &bits, sizeof(value));
    return draw_u8() < 160 ? 0.02f : value;
}

void expect_known(enum weir_result result)
{
    fuzz_expect(strcmp(weir_result_name(result), "unknown weir_result") != 0, "result %d is known",
                (int)result);
}

void expect_made(enum weir_result result, const void *object, unsigned errors_before)
{
    expect_known(result);
    fuzz_expect((result == WEIR_OK) == (object != NULL), "an object or an error: %s",
                weir_result_name(result));
    fuzz_expect(result == WEIR_OK || result == WEIR_ERROR_DEVICE_LOST ||
                    fuzz_num_errors() > errors_before,
                "%s has a reason in the log", weir_result_name(result));
}
