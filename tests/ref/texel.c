// SPDX-License-Identifier: MIT
// Scalar reference of texel formats: packing, unpacking and distances by the Vulkan definitions.
#include "tests/ref/texel.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

// Vulkan specification, "Representation and Texel Block Size" and the format definitions before it.
// clang-format off
#define BYTES_1 {0}, {8}
#define BYTES_2 {0, 8}, {8, 8}
#define BYTES_RGBA {0, 8, 16, 24}, {8, 8, 8, 8}
#define BYTES_BGRA {16, 8, 0, 24}, {8, 8, 8, 8}
#define HALVES {0, 16, 32, 48}, {16, 16, 16, 16}
#define WORDS {0, 32, 64, 96}, {32, 32, 32, 32}
// clang-format on
static const struct ref_texel_format formats[] = {
    {VK_FORMAT_R8_UNORM, "r8_unorm", 1, 1, REF_TEXEL_UNORM, BYTES_1},
    {VK_FORMAT_R8_SRGB, "r8_srgb", 1, 1, REF_TEXEL_SRGB, BYTES_1},
    {VK_FORMAT_R8G8_UNORM, "rg8_unorm", 2, 2, REF_TEXEL_UNORM, BYTES_2},
    {VK_FORMAT_R8G8_SRGB, "rg8_srgb", 2, 2, REF_TEXEL_SRGB, BYTES_2},
    {VK_FORMAT_R8G8B8A8_UNORM, "rgba8_unorm", 4, 4, REF_TEXEL_UNORM, BYTES_RGBA},
    {VK_FORMAT_R8G8B8A8_SRGB, "rgba8_srgb", 4, 4, REF_TEXEL_SRGB, BYTES_RGBA},
    {VK_FORMAT_B8G8R8A8_UNORM, "bgra8_unorm", 4, 4, REF_TEXEL_UNORM, BYTES_BGRA},
    {VK_FORMAT_B8G8R8A8_SRGB, "bgra8_srgb", 4, 4, REF_TEXEL_SRGB, BYTES_BGRA},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32,
     "a2b10g10r10_unorm",
     4,
     4,
     REF_TEXEL_UNORM,
     {0, 10, 20, 30},
     {10, 10, 10, 2}},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32,
     "b10g11r11_ufloat",
     4,
     3,
     REF_TEXEL_FLOAT,
     {0, 11, 22},
     {11, 11, 10}},
    {VK_FORMAT_R16_UNORM, "r16_unorm", 2, 1, REF_TEXEL_UNORM, HALVES},
    {VK_FORMAT_R16G16_UNORM, "rg16_unorm", 4, 2, REF_TEXEL_UNORM, HALVES},
    {VK_FORMAT_R16G16B16A16_UNORM, "rgba16_unorm", 8, 4, REF_TEXEL_UNORM, HALVES},
    {VK_FORMAT_R16_SFLOAT, "r16_sfloat", 2, 1, REF_TEXEL_FLOAT, HALVES},
    {VK_FORMAT_R16G16_SFLOAT, "rg16_sfloat", 4, 2, REF_TEXEL_FLOAT, HALVES},
    {VK_FORMAT_R16G16B16A16_SFLOAT, "rgba16_sfloat", 8, 4, REF_TEXEL_FLOAT, HALVES},
    {VK_FORMAT_R32_SFLOAT, "r32_sfloat", 4, 1, REF_TEXEL_FLOAT, WORDS},
    {VK_FORMAT_R32G32_SFLOAT, "rg32_sfloat", 8, 2, REF_TEXEL_FLOAT, WORDS},
    {VK_FORMAT_R32G32B32A32_SFLOAT, "rgba32_sfloat", 16, 4, REF_TEXEL_FLOAT, WORDS},
    {VK_FORMAT_D16_UNORM, "d16_unorm", 2, 1, REF_TEXEL_UNORM, HALVES},
    {VK_FORMAT_D32_SFLOAT, "d32_sfloat", 4, 1, REF_TEXEL_FLOAT, WORDS},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, "d32_sfloat_s8", 4, 1, REF_TEXEL_FLOAT, WORDS},
};

const struct ref_texel_format *ref_texel_formats(size_t *num_formats)
{
    *num_formats = sizeof(formats) / sizeof(formats[0]);
    return formats;
}

const struct ref_texel_format *ref_texel_get_format(VkFormat format)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (formats[i].format == format) {
            return &formats[i];
        }
    }
    return NULL;
}

bool ref_texel_is_depth(VkFormat format)
{
    return format >= VK_FORMAT_D16_UNORM && format <= VK_FORMAT_D32_SFLOAT_S8_UINT;
}

uint32_t ref_unorm_pack(double value, uint32_t bits)
{
    const double max = (double)((1u << bits) - 1);
    return value > 0 ? (uint32_t)(fmin(value, 1) * max + 0.5) : 0; // NaN is not > 0
}

double ref_unorm_unpack(uint32_t code, uint32_t bits)
{
    return code / (double)((1u << bits) - 1);
}

// sign, exponent and mantissa: 1 8 23, 1 5 10, 0 5 6, 0 5 5. The bias is half of the exponents.
static uint32_t exponent_bits(uint32_t bits)
{
    return bits == 32 ? 8 : 5;
}

static bool has_sign(uint32_t bits)
{
    return bits >= 16;
}

static uint32_t mantissa_bits(uint32_t bits)
{
    return bits - exponent_bits(bits) - has_sign(bits);
}

// The code of infinity; those above it are NaN.
static uint32_t infinity_code(uint32_t bits)
{
    return ((1u << exponent_bits(bits)) - 1) << mantissa_bits(bits);
}

uint32_t ref_float_pack(double value, uint32_t bits)
{
    const uint32_t mantissa = mantissa_bits(bits), infinity = infinity_code(bits);
    if (isnan(value)) {
        return infinity | 1u << (mantissa - 1);
    }
    if (signbit(value) && !has_sign(bits)) {
        return 0;
    }
    const uint32_t sign = signbit(value) ? 1u << (bits - 1) : 0;
    const double magnitude = fabs(value);
    if (magnitude == 0) {
        return sign;
    }
    if (isinf(value)) {
        return sign | infinity;
    }
    // A binade below the smallest normal one has the spacing of that one. A mantissa that rounds up
    // to the next power of two carries into the exponent, as codes are ordered as their values.
    const int bias = (1 << (exponent_bits(bits) - 1)) - 1;
    int exponent;
    frexp(magnitude, &exponent); // magnitude < 2^exponent
    const int binade = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
    if (binade > bias) {
        return sign | (has_sign(bits) ? infinity : infinity - 1);
    }
    const double steps = nearbyint(ldexp(magnitude, (int)mantissa - binade)); // to nearest even
    const uint32_t code = ((uint32_t)(binade + bias - 1) << mantissa) + (uint32_t)steps;
    return sign | (code >= infinity && !has_sign(bits) ? infinity - 1 : code);
}

double ref_float_unpack(uint32_t code, uint32_t bits)
{
    const uint32_t mantissa = mantissa_bits(bits), infinity = infinity_code(bits);
    const bool negative = has_sign(bits) && code >> (bits - 1) != 0;
    const uint32_t magnitude = has_sign(bits) ? code & ((1u << (bits - 1)) - 1) : code;
    if (magnitude > infinity) {
        return NAN;
    }
    double value = INFINITY;
    if (magnitude < infinity) {
        const int bias = (1 << (exponent_bits(bits) - 1)) - 1;
        const uint32_t exponent = magnitude >> mantissa;
        const uint32_t one = exponent ? 1u << mantissa : 0; // the leading one of a normal value
        const int binade = exponent ? (int)exponent - bias : 1 - bias;
        value = ldexp((magnitude & ((1u << mantissa) - 1)) + (double)one, binade - (int)mantissa);
    }
    return negative ? -value : value;
}

// IEC 61966-2-1; its two ends of the linear part differ by 5e-9, below any code.
double ref_srgb_encode(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

double ref_srgb_decode(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

// pow() for each texel of a large image would be most of the time of a test.
static double srgb_table[256];

static void fill_srgb_table(void)
{
    for (int code = 0; code < 256; code++) {
        srgb_table[code] = ref_srgb_decode(code / 255.0);
    }
}

static bool is_srgb_channel(const struct ref_texel_format *format, uint32_t channel)
{
    return format->kind == REF_TEXEL_SRGB && channel < 3;
}

double ref_texel_real_code(const struct ref_texel_format *format, double value, uint32_t channel)
{
    return (is_srgb_channel(format, channel) ? ref_srgb_encode(value) : value) *
           ((1u << format->bits[channel]) - 1);
}

void ref_texel_pack(const struct ref_texel_format *format, const double (*texels)[4],
                    size_t num_texels, void *packed)
{
    uint8_t *out = packed;
    for (size_t i = 0; i < num_texels; i++, out += format->texel_size) {
        uint32_t words[4] = {0};
        for (uint32_t c = 0; c < format->num_channels; c++) {
            const double value = texels[i][c];
            uint32_t code;
            if (is_srgb_channel(format, c)) {
                code = ref_unorm_pack(ref_srgb_encode(value), 8);
            } else if (format->kind != REF_TEXEL_FLOAT) {
                code = ref_unorm_pack(value, format->bits[c]);
            } else {
                code = ref_float_pack(value, format->bits[c]);
            }
            words[format->shift[c] / 32] |= code << format->shift[c] % 32;
        }
        memcpy(out, words, format->texel_size);
    }
}

static uint32_t channel_code(const struct ref_texel_format *format, const uint32_t words[4],
                             uint32_t channel)
{
    const uint32_t code = words[format->shift[channel] / 32] >> format->shift[channel] % 32;
    return format->bits[channel] < 32 ? code & ((1u << format->bits[channel]) - 1) : code;
}

void ref_texel_unpack(const struct ref_texel_format *format, const void *packed, size_t num_texels,
                      double (*texels)[4])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_srgb_table);
    const uint8_t *in = packed;
    for (size_t i = 0; i < num_texels; i++, in += format->texel_size) {
        uint32_t words[4] = {0};
        memcpy(words, in, format->texel_size);
        texels[i][1] = texels[i][2] = 0;
        texels[i][3] = 1;
        for (uint32_t c = 0; c < format->num_channels; c++) {
            const uint32_t code = channel_code(format, words, c);
            if (is_srgb_channel(format, c)) {
                texels[i][c] = srgb_table[code];
            } else if (format->kind != REF_TEXEL_FLOAT) {
                texels[i][c] = ref_unorm_unpack(code, format->bits[c]);
            } else {
                texels[i][c] = ref_float_unpack(code, format->bits[c]);
            }
        }
    }
}

int64_t ref_texel_order(const struct ref_texel_format *format, const void *packed, uint32_t channel)
{
    uint32_t words[4] = {0};
    memcpy(words, packed, format->texel_size);
    const uint32_t code = channel_code(format, words, channel), bits = format->bits[channel];
    if (format->kind != REF_TEXEL_FLOAT || !has_sign(bits) || code >> (bits - 1) == 0) {
        return code;
    }
    return -(int64_t)(code & ((1u << (bits - 1)) - 1));
}

uint32_t ref_texel_distance(const struct ref_texel_format *format, const void *a, const void *b)
{
    int64_t worst = 0;
    for (uint32_t c = 0; c < format->num_channels; c++) {
        const int64_t x = ref_texel_order(format, a, c), y = ref_texel_order(format, b, c);
        int64_t distance = x > y ? x - y : y - x;
        if (format->kind == REF_TEXEL_FLOAT) {
            const int64_t infinity = infinity_code(format->bits[c]);
            const bool x_is_nan = x > infinity || x < -infinity;
            const bool y_is_nan = y > infinity || y < -infinity;
            if (x_is_nan || y_is_nan) {
                distance = x_is_nan && y_is_nan ? 0 : UINT32_MAX;
            }
        }
        worst = distance > worst ? distance : worst;
    }
    return worst < UINT32_MAX ? (uint32_t)worst : UINT32_MAX;
}
