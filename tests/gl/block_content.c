// SPDX-License-Identifier: MIT
// Blocks that decoders are tested with.
#include "tests/gl/block_content.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/ref/texel.h"
#include "tests/seeded.h"

static uint32_t draw_below(uint32_t limit)
{
    return (uint32_t)seeded_below((int)limit);
}

static uint8_t draw_byte(void)
{
    return (uint8_t)seeded_below(256);
}

void block_content_draw_any(uint32_t block_size, uint8_t *block)
{
    for (uint32_t i = 0; i < block_size; i++) {
        block[i] = draw_byte();
    }
}

// The colours of BC1 .. BC3: ordered, equal or nearly.
static void draw_colors(uint8_t *block)
{
    block_content_draw_any(8, block);
    if (draw_below(2) == 0) {
        memcpy(block + 2, block, 2);
        block[draw_below(4)] ^= (uint8_t)draw_below(2);
    }
}

// BC4, and alpha in BC3: ordered, equal or nearly, and the first and last codes with and without a
// sign.
static void draw_channel(uint8_t *block)
{
    static const uint8_t codes[] = {0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff};
    block_content_draw_any(8, block);
    for (int i = 0; i < 2; i++) {
        if (draw_below(2) == 0) {
            block[i] = codes[draw_below(sizeof(codes))];
        }
    }
    if (draw_below(4) == 0) {
        block[1] = (uint8_t)(block[0] + (int)draw_below(3) - 1);
    }
}

// BPTC's fields are scattered: few bits, or nearly all, are what makes them their first and last
// codes.
static void draw_sparse(uint8_t *block)
{
    block_content_draw_any(16, block);
    const uint32_t kind = draw_below(4);
    for (int i = 0; i < 16 && kind < 2; i++) {
        const uint8_t other = draw_byte(), another = draw_byte();
        block[i] = kind == 0 ? block[i] & other & another : block[i] | other | another;
    }
}

// Two and five bits of mode, reserved ones too.
static void draw_bc6h(uint8_t *block)
{
    draw_sparse(block);
    block[0] = (uint8_t)((block[0] & 0xe0) | draw_below(32));
}

// The mode is the number of zeros before the first one; eight are reserved.
static void draw_bc7(uint8_t *block)
{
    draw_sparse(block);
    const uint32_t mode = draw_below(9);
    block[0] = mode < 8 ? (uint8_t)((unsigned)block[0] << (mode + 1) | 1u << mode) : 0;
}

// Five bits and a delta of three, whose sum is outside of 0 .. 31 or not.
static bool overflows(uint8_t code)
{
    const int delta = code & 7, sum = (code >> 3) + (delta < 4 ? delta : delta - 8);
    return sum < 0 || sum > 31;
}

static uint8_t draw_sum(bool overflow)
{
    // Deltas of -4 and +3 to the last sums within, and to the first beyond.
    static const uint8_t edges[] = {4 << 3 | 4, 28 << 3 | 3, 3 << 3 | 4, 29 << 3 | 3};
    uint8_t code;
    do {
        code = draw_byte();
        if (draw_below(2) == 0) {
            code = edges[draw_below(sizeof(edges))];
        } else if (draw_below(2) == 0) {
            code = (uint8_t)((code & 0xf8) | edges[draw_below(sizeof(edges))] % 8);
        }
    } while (overflows(code) != overflow);
    return code;
}

// Make the second colour of an H block the first, or differ from it in the last bit of blue: their
// order is a bit of the distance. The first is in bits 62 .. 56, 52, 51, 49 .. 47 of the block, the
// second in 46 .. 35.
static void equate_h_colors(uint8_t *block)
{
    uint32_t high = 0;
    for (int i = 0; i < 4; i++) {
        high = high << 8 | block[i];
    }
    const uint32_t first = (high >> 24 & 0x7f) << 5 | (high >> 19 & 3) << 3 | (high >> 15 & 7);
    high = (high & ~(0xfffu << 3)) | (first ^ draw_below(2)) << 3;
    for (int i = 3; i >= 0; i--, high >>= 8) {
        block[i] = (uint8_t)high;
    }
}

static void draw_etc2(uint8_t *block)
{
    enum { INDIVIDUAL, DIFFERENTIAL, T, H, H_EQUAL, PLANAR, NUM_KINDS };
    const uint32_t kind = draw_below(NUM_KINDS);
    block_content_draw_any(8, block);
    if (kind == INDIVIDUAL) { // with one bit of alpha: any mode that is not opaque
        block[3] &= (uint8_t)~2u;
        return;
    }
    if (draw_below(4) > 0) {
        block[3] |= 2; // else individual again, or transparent texels
    }
    block[0] = draw_sum(kind == T);
    if (kind != T) {
        block[1] = draw_sum(kind == H || kind == H_EQUAL);
    }
    if (kind == DIFFERENTIAL || kind == PLANAR) {
        block[2] = draw_sum(kind == PLANAR);
    }
    if (kind == H_EQUAL) {
        equate_h_colors(block);
    }
}

// Alpha, or a channel of 11 bits: a multiplier of 0, bases at the ends of both ranges.
static void draw_eac(uint8_t *block)
{
    static const uint8_t bases[] = {0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff};
    block_content_draw_any(8, block);
    if (draw_below(2) == 0) {
        block[0] = bases[draw_below(sizeof(bases))];
    }
    if (draw_below(3) == 0) {
        block[1] &= 0x0f;
    } else if (draw_below(3) == 0) {
        block[1] |= 0xf0;
    }
}

static void draw_half(VkFormat format, int half, uint8_t *block)
{
    switch (format) {
    case VK_FORMAT_BC1_RGB_UNORM_BLOCK:
    case VK_FORMAT_BC1_RGB_SRGB_BLOCK:
    case VK_FORMAT_BC1_RGBA_UNORM_BLOCK:
    case VK_FORMAT_BC1_RGBA_SRGB_BLOCK:
        draw_colors(block);
        return;
    case VK_FORMAT_BC2_UNORM_BLOCK:
    case VK_FORMAT_BC2_SRGB_BLOCK:
        half ? draw_colors(block) : block_content_draw_any(8, block);
        return;
    case VK_FORMAT_BC3_UNORM_BLOCK:
    case VK_FORMAT_BC3_SRGB_BLOCK:
        half ? draw_colors(block) : draw_channel(block);
        return;
    case VK_FORMAT_BC4_UNORM_BLOCK:
    case VK_FORMAT_BC5_UNORM_BLOCK:
        draw_channel(block);
        return;
    case VK_FORMAT_BC4_SNORM_BLOCK:
    case VK_FORMAT_BC5_SNORM_BLOCK:
        draw_channel(block);
        // The result for the endpoints -127 and -128 is left open: Khronos Data Format
        // Specification 1.3, "BC4 signed".
        block[0] = block[0] == 0x81 && block[1] == 0x80 ? 0x80 : block[0];
        return;
    case VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK:
    case VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK:
    case VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK:
    case VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK:
        draw_etc2(block);
        return;
    case VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK:
    case VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK:
        half ? draw_etc2(block) : draw_eac(block);
        return;
    default:
        draw_eac(block);
        return;
    }
}

void block_content_draw(VkFormat format, uint32_t block_size, uint8_t *block)
{
    if (format == VK_FORMAT_BC6H_UFLOAT_BLOCK || format == VK_FORMAT_BC6H_SFLOAT_BLOCK) {
        draw_bc6h(block);
    } else if (format == VK_FORMAT_BC7_UNORM_BLOCK || format == VK_FORMAT_BC7_SRGB_BLOCK) {
        draw_bc7(block);
    } else {
        for (uint32_t i = 0; i < block_size / 8; i++) {
            draw_half(format, (int)i, block + 8 * i);
        }
    }
}

// Codes are compared, since a tolerance of light that fits bright codes hides wrong dark ones.
// INFINITY if the decoder's value is out of the format's range, as a tolerance would hide -128 /
// 127, and if the difference is NaN.
static double deviation(const struct weir_block_format *format, int channel, float sampled,
                        float want)
{
    const float least = format->values == WEIR_BLOCK_SNORM ? -1.0f : 0.0f;
    if (format->values != WEIR_BLOCK_FLOAT && !(want >= least && want <= 1)) {
        return INFINITY;
    }
    if (sampled == want) {
        return 0; // infinities too: signed BC6H makes -infinity of an endpoint of -2^15
    }
    const bool is_light = format->values == WEIR_BLOCK_SRGB && channel < 3;
    const double difference = fabs((is_light ? ref_srgb_encode(sampled) : (double)sampled) -
                                   (double)want);
    return difference >= 0 ? difference : INFINITY;
}

static void fail(const struct weir_block_format *format, const uint8_t *block, int texel,
                 const float sampled[4], const float want[4])
{
    char bytes[33] = "";
    for (uint32_t i = 0; i < format->block_size; i++) {
        snprintf(bytes + 2 * i, 3, "%02x", block[i]);
    }
    test_expect(
        false, "%s: block %s, texel %d is %.9g %.9g %.9g %.9g%s, decoder %.9g %.9g %.9g %.9g",
        format->name, bytes, texel, (double)sampled[0], (double)sampled[1], (double)sampled[2],
        (double)sampled[3], format->values == WEIR_BLOCK_SRGB ? " (light)" : "", (double)want[0],
        (double)want[1], (double)want[2], (double)want[3]);
}

double block_content_compare(const struct weir_block_format *format, const uint8_t *block,
                             const float (*sampled)[4], size_t pitch, double tolerance)
{
    float want[16][4];
    double largest = 0;
    weir_block_decode(format, block, want);
    for (size_t t = 0; t < 16 && largest <= tolerance; t++) {
        const float *texel = sampled[t / 4 * pitch + t % 4];
        for (int c = 0; c < 4; c++) {
            largest = fmax(largest, deviation(format, c, texel[c], want[t][c]));
        }
        if (largest > tolerance) {
            fail(format, block, (int)t, texel, want[t]);
        }
    }
    return largest;
}
