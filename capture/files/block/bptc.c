// SPDX-License-Identifier: MIT
// BC6H and BC7: Khronos Data Format Specification 1.3, chapter "BPTC".
#include "capture/files/block/block.h"

#include <string.h>

#include "capture/base/little_endian.h"
#include "capture/base/small_float.h"

// The bits of a block that are not yet taken, from the lowest bit of the first byte.
struct bits {
    uint64_t low, high;
};

// Get the subset of a texel, 0 .. num_subsets - 1. `num_subsets` is 1 .. 3. `partition`, which is
// for 2 or 3 subsets, is below 64.
static unsigned subset_of(unsigned num_subsets, unsigned partition, unsigned texel)
{
    if (num_subsets == 1) {
        return 0;
    }
    return (unsigned)((num_subsets == 2 ? weir_bptc_subsets_of_2
                                        : weir_bptc_subsets_of_3)[partition][texel] -
                      '0');
}

// True for an anchor texel: the highest bit of its index is 0 and is not stored.
static bool is_anchor(unsigned num_subsets, unsigned partition, unsigned texel)
{
    if (texel == 0) {
        return true;
    }
    if (num_subsets == 2) {
        return texel == weir_bptc_anchor_2[partition];
    }
    return num_subsets == 3 &&
           (texel == weir_bptc_anchor_3_2[partition] || texel == weir_bptc_anchor_3_3[partition]);
}

// "BPTC interpolation factors": the weight of the second endpoint, 0 .. 64, for an index of 2, 3 or
// 4 bits.
static int weight_of(unsigned num_bits, unsigned index)
{
    const unsigned most = (1u << num_bits) - 1;
    return (int)((64 * index + most / 2) / most);
}

static struct bits bits_of(const uint8_t *block)
{
    return (struct bits){weir_get_u64(block), weir_get_u64(block + 8)};
}

// Take the next num_bits bits, 0 .. 16.
static unsigned take(struct bits *bits, unsigned num_bits)
{
    if (num_bits == 0) {
        return 0; // a shift by 64 is undefined
    }
    const unsigned value = (unsigned)(bits->low & ((UINT64_C(1) << num_bits) - 1));
    bits->low = bits->low >> num_bits | bits->high << (64 - num_bits);
    bits->high >>= num_bits;
    return value;
}

// Take the next 16 indices of num_bits bits each; those of anchors have one bit less.
static void take_indices(struct bits *bits, unsigned num_bits, unsigned num_subsets,
                         unsigned partition, uint8_t indices[16])
{
    for (unsigned t = 0; t < 16; t++) {
        const unsigned unstored = is_anchor(num_subsets, partition, t);
        indices[t] = (uint8_t)take(bits, num_bits - unstored);
    }
}

static int interpolate(int first, int second, unsigned num_bits, unsigned index)
{
    const int weight = weight_of(num_bits, index);
    // Signed endpoints of BC6H: the shift of a negative sum rounds down, as all compilers in use do
    // it.
    return ((64 - weight) * first + weight * second + 32) >> 6;
}

static int sign_extend(int value, unsigned num_bits)
{
    const int sign = 1 << (num_bits - 1);
    return ((value & (2 * sign - 1)) ^ sign) - sign;
}

static void take_fields(struct bits *bits, const struct weir_bc6h_mode *mode, int endpoints[4][3])
{
    memset(endpoints, 0, 4 * sizeof(*endpoints));
    for (unsigned i = 0; i < mode->num_runs; i++) {
        const struct weir_bc6h_run *run = &mode->runs[i];
        const int step = run->high < run->low ? -1 : 1;
        for (int bit = run->low; bit != run->high + step; bit += step) {
            endpoints[run->endpoint][run->channel] |= (int)take(bits, 1) << bit;
        }
    }
}

// Differences are added to the first endpoint, which wraps within the endpoints' bits.
static void resolve(const struct weir_bc6h_mode *mode, bool is_signed, int endpoints[4][3])
{
    const unsigned num_bits = mode->endpoint_bits;
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned e = 1; e < 4; e++) {
            int *value = &endpoints[e][c];
            if (mode->is_transformed) {
                *value = (sign_extend(*value, mode->delta_bits[c]) + endpoints[0][c]) &
                         ((1 << num_bits) - 1);
            }
            if (is_signed) {
                *value = sign_extend(*value, num_bits);
            }
        }
        if (is_signed) {
            endpoints[0][c] = sign_extend(endpoints[0][c], num_bits);
        }
    }
}

// Widen an endpoint to the range of 16 bits, or of 15 bits and a sign.
static int unquantise(int value, unsigned num_bits, bool is_signed)
{
    const int magnitude = value < 0 ? -value : value;
    const int largest = (1 << (is_signed ? num_bits - 1 : num_bits)) - 1;
    if (num_bits >= (is_signed ? 16u : 15u) || value == 0) {
        return value;
    }
    const int wide = magnitude >= largest ? (is_signed ? 0x7fff : 0xffff)
                                          : ((magnitude << 15) + 0x4000) >> (num_bits - 1);
    return value < 0 ? -wide : wide;
}

// Scale a value to the bits of a half float, and get the float. It is never NaN. The only infinity
// is minus infinity, from -0x8000.
static float finish(int value, bool is_signed)
{
    const int half = !is_signed  ? value * 31 >> 6
                     : value < 0 ? -value * 31 >> 5 | 0x8000
                                 : value * 31 >> 5;
    return weir_half_value((uint16_t)half);
}

void weir_decode_bc6h(const uint8_t *block, bool is_signed, float (*texels)[4])
{
    unsigned num_mode_bits;
    const struct weir_bc6h_mode *mode = weir_bc6h_get_mode(block[0] & 31, &num_mode_bits);
    if (!mode) {
        return; // reserved: black
    }
    struct bits bits = bits_of(block);
    take(&bits, num_mode_bits);
    int endpoints[4][3];
    take_fields(&bits, mode, endpoints);
    resolve(mode, is_signed, endpoints);
    const unsigned num_subsets = mode->num_subsets;
    const unsigned partition = take(&bits, num_subsets == 2 ? 5 : 0);
    const unsigned index_bits = num_subsets == 2 ? 3 : 4;
    uint8_t indices[16];
    take_indices(&bits, index_bits, num_subsets, partition, indices);
    for (unsigned t = 0; t < 16; t++) {
        const unsigned subset = subset_of(num_subsets, partition, t);
        for (unsigned c = 0; c < 3; c++) {
            const int first = unquantise(endpoints[2 * subset][c], mode->endpoint_bits, is_signed);
            const int second = unquantise(endpoints[2 * subset + 1][c], mode->endpoint_bits,
                                          is_signed);
            texels[t][c] = finish(interpolate(first, second, index_bits, indices[t]), is_signed);
        }
    }
}

// Table "Mode-dependent BPTC parameters"; the fields are in the block in this order, after the
// mode.
struct mode {
    uint8_t num_subsets;
    uint8_t partition_bits, rotation_bits, selection_bits;
    uint8_t colour_bits, alpha_bits; // bits of a channel of an endpoint
    uint8_t endpoint_p_bits;         // p-bits of each endpoint
    uint8_t shared_p_bits;           // p-bits of each subset
    uint8_t index_bits, index2_bits; // bits of each texel's two indices
};

static const struct mode modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, // 0
    {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, // 1
    {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, // 2
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, // 3
    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, // 4
    {1, 0, 2, 0, 7, 8, 0, 0, 2, 2}, // 5
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, // 6
    {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}, // 7
};

// Widen a field of at least 4 bits to a byte by repeating its highest bits below its lowest.
static uint8_t replicate(unsigned value, unsigned num_bits)
{
    value <<= 8 - num_bits;
    return (uint8_t)(value | value >> num_bits);
}

// The two endpoints of each subset, R G B A.
static void take_endpoints(struct bits *bits, const struct mode *mode, uint8_t endpoints[6][4])
{
    const unsigned num_endpoints = 2u * mode->num_subsets;
    unsigned fields[4][6];
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned e = 0; e < num_endpoints; e++) {
            fields[c][e] = take(bits, c < 3 ? mode->colour_bits : mode->alpha_bits);
        }
    }

    unsigned p_bits[6] = {0};
    for (unsigned e = 0; e < num_endpoints; e++) {
        if (mode->endpoint_p_bits || (mode->shared_p_bits && e % 2 == 0)) {
            p_bits[e] = take(bits, 1);
        } else if (mode->shared_p_bits) {
            p_bits[e] = p_bits[e - 1];
        }
    }
    const unsigned has_p_bit = mode->endpoint_p_bits || mode->shared_p_bits;
    for (unsigned e = 0; e < num_endpoints; e++) {
        for (unsigned c = 0; c < 4; c++) {
            const unsigned num_bits = c < 3 ? mode->colour_bits : mode->alpha_bits;
            endpoints[e][c] = num_bits == 0 ? 255
                                            : replicate(fields[c][e] << has_p_bit | p_bits[e],
                                                        num_bits + has_p_bit);
        }
    }
}

void weir_decode_bc7(const uint8_t *block, float (*texels)[4])
{
    memset(texels, 0, 16 * sizeof(*texels));
    if (block[0] == 0) {
        return; // reserved: 0 in all channels
    }
    struct bits bits = bits_of(block);
    unsigned number = 0;
    while (take(&bits, 1) == 0) {
        number++;
    }
    const struct mode *mode = &modes[number];
    const unsigned partition = take(&bits, mode->partition_bits);
    const unsigned rotation = take(&bits, mode->rotation_bits);
    const unsigned selection = take(&bits, mode->selection_bits);
    uint8_t endpoints[6][4];
    take_endpoints(&bits, mode, endpoints);
    const unsigned index_bits[2] = {mode->index_bits, mode->index2_bits};
    uint8_t indices[2][16];
    for (unsigned i = 0; i < 2 && index_bits[i]; i++) {
        take_indices(&bits, index_bits[i], mode->num_subsets, partition, indices[i]);
    }
    // The index sets of colour and of alpha.
    const unsigned colour = selection, alpha = mode->index2_bits ? 1 - selection : 0;

    for (unsigned t = 0; t < 16; t++) {
        const unsigned subset = subset_of(mode->num_subsets, partition, t);
        const uint8_t *first = endpoints[2 * subset], *second = endpoints[2 * subset + 1];
        for (unsigned c = 0; c < 4; c++) {
            const unsigned i = c < 3 ? colour : alpha;
            texels[t][c] = (float)interpolate(first[c], second[c], index_bits[i], indices[i][t]) /
                           255.0f;
        }
        if (rotation) { // "BPTC rotation bits": alpha and a colour change places
            const float swapped = texels[t][3];
            texels[t][3] = texels[t][rotation - 1];
            texels[t][rotation - 1] = swapped;
        }
    }
}
