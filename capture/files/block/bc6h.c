// SPDX-License-Identifier: MIT
// BC6H: Khronos Data Format Specification 1.3, section "BC6H" of chapter "BPTC".
#include "capture/files/block/decode.h"

#include <string.h>

#include "capture/base/small_float.h"
#include "capture/files/block/bc6h_tables.h"
#include "capture/files/block/bptc.h"

static int sign_extend(int value, unsigned num_bits)
{
    const int sign = 1 << (num_bits - 1);
    return ((value & (2 * sign - 1)) ^ sign) - sign;
}

static void take_fields(struct weir_bptc_bits *bits, const struct weir_bc6h_mode *mode,
                        int endpoints[4][3])
{
    memset(endpoints, 0, 4 * sizeof(*endpoints));
    for (unsigned i = 0; i < mode->num_runs; i++) {
        const struct weir_bc6h_run *run = &mode->runs[i];
        const int step = run->high < run->low ? -1 : 1;
        for (int bit = run->low; bit != run->high + step; bit += step) {
            endpoints[run->endpoint][run->channel] |= (int)weir_bptc_take(bits, 1) << bit;
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

static void decode(const uint8_t *block, bool is_signed, float (*texels)[4])
{
    memset(texels, 0, 16 * sizeof(*texels));
    for (unsigned t = 0; t < 16; t++) {
        texels[t][3] = 1;
    }
    unsigned num_mode_bits;
    const struct weir_bc6h_mode *mode = weir_bc6h_get_mode(block[0] & 31, &num_mode_bits);
    if (!mode) {
        return; // reserved: black
    }
    struct weir_bptc_bits bits = weir_bptc_bits(block);
    weir_bptc_take(&bits, num_mode_bits);
    int endpoints[4][3];
    take_fields(&bits, mode, endpoints);
    resolve(mode, is_signed, endpoints);
    const unsigned num_subsets = mode->num_subsets;
    const unsigned partition = weir_bptc_take(&bits, num_subsets == 2 ? 5 : 0);
    const unsigned index_bits = num_subsets == 2 ? 3 : 4;
    uint8_t indices[16];
    weir_bptc_take_indices(&bits, index_bits, num_subsets, partition, indices);
    for (unsigned t = 0; t < 16; t++) {
        const unsigned subset = weir_bptc_subset(num_subsets, partition, t);
        for (unsigned c = 0; c < 3; c++) {
            const int first = unquantise(endpoints[2 * subset][c], mode->endpoint_bits, is_signed);
            const int second = unquantise(endpoints[2 * subset + 1][c], mode->endpoint_bits,
                                          is_signed);
            texels[t][c] = finish(weir_bptc_interpolate(first, second, index_bits, indices[t]),
                                  is_signed);
        }
    }
}

void weir_decode_bc6h_ufloat(const uint8_t *block, float (*texels)[4])
{
    decode(block, false, texels);
}

void weir_decode_bc6h_sfloat(const uint8_t *block, float (*texels)[4])
{
    decode(block, true, texels);
}
