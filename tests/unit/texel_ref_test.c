// SPDX-License-Identifier: MIT
// The reference of texel formats against its definitions, over every code of up to 16 bits.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/ref/texel.h"
#include "tests/seeded.h"

#define EXPECT(is_so, what, value) test_expect(is_so, "%s at %.17g", what, (double)(value))

// To nearest, by the definition: what lies between two codes goes to the nearer, the middle to the
// even.
static void check_small_float(uint32_t bits, double largest)
{
    const bool has_sign = bits == 16;
    const uint32_t infinity = bits == 10 ? 0x3e0 : bits == 11 ? 0x7c0 : 0x7c00;
    for (uint32_t code = 0; code < infinity; code++) {
        const double low = ref_float_unpack(code, bits);
        EXPECT(ref_float_pack(low, bits) == code, "a small float does not come back", low);
        if (code + 1 == infinity) {
            EXPECT(low == largest, "the largest finite value", low);
            break;
        }
        const double high = ref_float_unpack(code + 1, bits), middle = (low + high) / 2;
        EXPECT(high > low, "codes are not ordered", low);
        EXPECT(ref_float_pack(middle, bits) == code + (code & 1), "a tie", middle);
        EXPECT(ref_float_pack(nextafter(middle, 0), bits) == code, "below a tie", middle);
        EXPECT(ref_float_pack(nextafter(middle, 1e9), bits) == code + 1, "above a tie", middle);
        if (has_sign) {
            EXPECT(ref_float_pack(-low, bits) == (code | 0x8000), "a sign", low);
            EXPECT(ref_float_unpack(code | 0x8000, bits) == -low, "a sign", low);
        } else {
            EXPECT(ref_float_pack(-low, bits) == 0, "a negative value without a sign", low);
        }
    }
    for (uint32_t code = infinity; code < 1u << (bits - has_sign); code++) {
        const double value = ref_float_unpack(code, bits);
        EXPECT(code == infinity ? isinf(value) : isnan(value), "infinity and NaN", code);
    }
    EXPECT(ref_float_pack(INFINITY, bits) == infinity, "infinity", bits);
    EXPECT(ref_float_pack(-INFINITY, bits) == (has_sign ? infinity | 0x8000 : 0), "-infinity",
           bits);
    EXPECT(isnan(ref_float_unpack(ref_float_pack(NAN, bits), bits)), "NaN", bits);
    EXPECT(isnan(ref_float_unpack(ref_float_pack(-(double)NAN, bits), bits)), "-NaN", bits);
    for (double huge = largest * 1.04; huge < 1e300; huge *= 1e20) {
        EXPECT(ref_float_pack(huge, bits) == (has_sign ? infinity : infinity - 1), "overflow",
               huge);
    }
}

static void check_floats(void)
{
    check_small_float(16, 65504);
    check_small_float(11, 65024);
    check_small_float(10, 64512);
    EXPECT(ref_float_pack(65519.999, 16) == 0x7bff, "below half's overflow", 65519.999);
    EXPECT(ref_float_pack(65520, 16) == 0x7c00, "half's overflow", 65520);
    for (int i = 0; i < 2000000; i++) { // 32 bits against the compiler's conversion
        const uint64_t random = seeded_bits();
        const double value = ldexp((double)(int64_t)(random | 1), seeded_below(300) - 220);
        const float single = (float)value;
        uint32_t code;
        memcpy(&code, &single, sizeof(code));
        EXPECT(ref_float_pack(value, 32) == code, "float32", value);
        EXPECT(ref_float_unpack(code, 32) == (double)single, "float32 back", value);
    }
}

static void check_unorm_and_srgb(void)
{
    static const uint32_t widths[] = {2, 8, 10, 16};
    for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
        const uint32_t bits = widths[w], max = (1u << bits) - 1;
        for (uint32_t code = 0; code <= max; code++) {
            EXPECT(ref_unorm_pack(ref_unorm_unpack(code, bits), bits) == code, "UNORM", code);
            EXPECT(code == max || ref_unorm_pack((code + 0.499) / max, bits) == code, "UNORM down",
                   code);
            EXPECT(code == 0 || ref_unorm_pack((code - 0.499) / max, bits) == code, "UNORM up",
                   code);
        }
        EXPECT(ref_unorm_pack(-1, bits) == 0 && ref_unorm_pack(NAN, bits) == 0 &&
                   ref_unorm_pack(2, bits) == max && ref_unorm_pack(INFINITY, bits) == max,
               "UNORM beyond its range", bits);
    }
    // Values that are published widely: middle grey of light is code 188, code 128 is 0.2158605.
    EXPECT(ref_unorm_pack(ref_srgb_encode(0.5), 8) == 188, "sRGB of 0.5", 188);
    EXPECT(fabs(ref_srgb_decode(128 / 255.0) - 0.2158605) < 1e-7, "sRGB code 128", 128);
    EXPECT(fabs(ref_srgb_decode(10 / 255.0) - 0.003035270) < 1e-9, "sRGB code 10", 10);
    EXPECT(ref_srgb_encode(0) == 0 && fabs(ref_srgb_encode(1) - 1) < 1e-15, "sRGB ends", 0);
    for (uint32_t code = 0; code < 256; code++) {
        const double linear = ref_srgb_decode(code / 255.0);
        EXPECT(ref_unorm_pack(ref_srgb_encode(linear), 8) == code, "sRGB", code);
        EXPECT(code == 0 || linear > ref_srgb_decode((code - 1) / 255.0), "sRGB order", code);
        // The threshold between two codes lies in the middle of them as code values.
        const double above = ref_srgb_decode((code + 0.5) / 255);
        EXPECT(code == 255 || (ref_unorm_pack(ref_srgb_encode(above * (1 - 1e-9)), 8) == code &&
                               ref_unorm_pack(ref_srgb_encode(above * (1 + 1e-9)), 8) == code + 1),
               "sRGB threshold", code);
    }
}

// Check the places of the channels against bytes taken from the specification's tables.
static void check_layouts(void)
{
    static const struct {
        VkFormat format;
        double texel[4];
        uint8_t bytes[16];
    } cases[] = {
        {VK_FORMAT_R8_SRGB, {0.5}, {188}},
        {VK_FORMAT_R8G8_SRGB, {0.5, 1}, {188, 255}},
        {VK_FORMAT_R8G8B8A8_UNORM, {0, 1, 0.2, 0.6}, {0, 255, 51, 153}},
        {VK_FORMAT_R8G8B8A8_SRGB, {0, 1, 0.5, 0.6}, {0, 255, 188, 153}},
        {VK_FORMAT_B8G8R8A8_UNORM, {0, 1, 0.2, 0.6}, {51, 255, 0, 153}},
        {VK_FORMAT_B8G8R8A8_SRGB, {0, 1, 0.5, 0.6}, {188, 255, 0, 153}},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {1, 0, 0, 0}, {0xff, 0x03, 0, 0}},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {0, 1, 0, 1}, {0, 0xfc, 0x0f, 0xc0}},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {0, 0, 1, 1.0 / 3}, {0, 0, 0xf0, 0x7f}},
        {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {1, 0, 0}, {0xc0, 0x03, 0, 0}},
        {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {0, 1, 0}, {0, 0, 0x1e, 0}},
        {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {0, 0, 1}, {0, 0, 0, 0x78}},
        {VK_FORMAT_R16G16_UNORM, {1, 0.5}, {0xff, 0xff, 0, 0x80}},
        {VK_FORMAT_R16G16B16A16_SFLOAT,
         {1, -2, 65504, 0.5},
         {0, 0x3c, 0, 0xc0, 0xff, 0x7b, 0, 0x38}},
        {VK_FORMAT_R32G32_SFLOAT, {1, -2}, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}},
        {VK_FORMAT_D16_UNORM, {1}, {0xff, 0xff}},
        {VK_FORMAT_D32_SFLOAT, {0.5}, {0, 0, 0, 0x3f}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct ref_texel_format *format = ref_texel_get_format(cases[i].format);
        uint8_t packed[16] = {0};
        ref_texel_pack(format, &cases[i].texel, 1, packed);
        EXPECT(memcmp(packed, cases[i].bytes, 16) == 0, format->name, (double)i);
    }
}

static void check_formats(void)
{
    size_t num_formats;
    const struct ref_texel_format *formats = ref_texel_formats(&num_formats);
    for (size_t i = 0; i < num_formats; i++) {
        const struct ref_texel_format *f = &formats[i];
        for (int n = 0; n < 20000; n++) {
            const uint64_t random[2] = {seeded_bits(), seeded_bits()};
            uint8_t packed[16], again[16];
            double texel[1][4];
            memcpy(packed, random, sizeof(packed));
            ref_texel_unpack(f, packed, 1, texel);
            memcpy(again, packed, sizeof(again));
            ref_texel_pack(f, (const double(*)[4])texel, 1, again);
            bool is_number = true;
            for (int c = 0; c < 4; c++) {
                is_number = is_number && !isnan(texel[0][c]);
            }
            EXPECT(!is_number || memcmp(packed, again, sizeof(packed)) == 0, f->name, n);
            EXPECT(ref_texel_distance(f, packed, again) == 0, f->name, n);
            EXPECT(f->num_channels == 4 || texel[0][3] == 1, "alpha that is not there", n);
            EXPECT(f->num_channels > 2 || texel[0][2] == 0, "blue that is not there", n);
        }
    }
}

static uint32_t distance(VkFormat format, double a, double b)
{
    const struct ref_texel_format *f = ref_texel_get_format(format);
    const double texels[2][4] = {{0, a}, {0, b}};
    uint8_t packed[2][16];
    ref_texel_pack(f, &texels[0], 1, packed[0]);
    ref_texel_pack(f, &texels[1], 1, packed[1]);
    return ref_texel_distance(f, packed[0], packed[1]);
}

static void check_distances(void)
{
    const VkFormat half = VK_FORMAT_R16G16_SFLOAT, single = VK_FORMAT_R32G32_SFLOAT;
    EXPECT(distance(half, 0.0, -0.0) == 0, "zeros", 0);
    EXPECT(distance(half, 0x1p-24, -0x1p-24) == 2, "around zero", 2);
    EXPECT(distance(half, 1, 1 + 0x1p-10) == 1, "an ulp of half", 1);
    EXPECT(distance(half, 65504, INFINITY) == 1, "infinity follows", 1);
    EXPECT(distance(half, NAN, NAN) == 0, "NaN and NaN", 0);
    EXPECT(distance(half, NAN, INFINITY) == UINT32_MAX, "NaN and infinity", 0);
    EXPECT(distance(single, 1, 1 + 0x1p-22) == 2, "ulps of float32", 2);
    EXPECT(distance(single, -INFINITY, INFINITY) == 0xff000000, "both infinities", 0);
    EXPECT(distance(single, NAN, 1) == UINT32_MAX, "NaN and one", 0);
    EXPECT(distance(VK_FORMAT_R8G8_UNORM, 0, 1) == 255, "black and white", 255);
    EXPECT(distance(VK_FORMAT_B10G11R11_UFLOAT_PACK32, 1, 1 + 0x1p-6) == 1, "11 bits", 1);
}

int main(void)
{
    seeded_start();
    check_floats();
    check_unorm_and_srgb();
    check_layouts();
    check_formats();
    check_distances();
    return test_finish();
}
