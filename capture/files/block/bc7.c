// SPDX-License-Identifier: MIT
// BC7: Khronos Data Format Specification 1.3, section "BC7" of chapter "BPTC".
#include "capture/files/block/decode.h"

#include <string.h>

#include "capture/files/block/bptc.h"

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
static void take_endpoints(struct weir_bptc_bits *bits, const struct mode *mode,
                           uint8_t endpoints[6][4])
{
    const unsigned num_endpoints = 2u * mode->num_subsets;
    unsigned fields[4][6];
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned e = 0; e < num_endpoints; e++) {
            fields[c][e] = weir_bptc_take(bits, c < 3 ? mode->colour_bits : mode->alpha_bits);
        }
    }

    unsigned p_bits[6] = {0};
    for (unsigned e = 0; e < num_endpoints; e++) {
        if (mode->endpoint_p_bits || (mode->shared_p_bits && e % 2 == 0)) {
            p_bits[e] = weir_bptc_take(bits, 1);
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
    struct weir_bptc_bits bits = weir_bptc_bits(block);
    unsigned number = 0;
    while (weir_bptc_take(&bits, 1) == 0) {
        number++;
    }
    const struct mode *mode = &modes[number];
    const unsigned partition = weir_bptc_take(&bits, mode->partition_bits);
    const unsigned rotation = weir_bptc_take(&bits, mode->rotation_bits);
    const unsigned selection = weir_bptc_take(&bits, mode->selection_bits);
    uint8_t endpoints[6][4];
    take_endpoints(&bits, mode, endpoints);
    const unsigned index_bits[2] = {mode->index_bits, mode->index2_bits};
    uint8_t indices[2][16];
    for (unsigned i = 0; i < 2 && index_bits[i]; i++) {
        weir_bptc_take_indices(&bits, index_bits[i], mode->num_subsets, partition, indices[i]);
    }
    // The index sets of colour and of alpha.
    const unsigned colour = selection, alpha = mode->index2_bits ? 1 - selection : 0;

    for (unsigned t = 0; t < 16; t++) {
        const unsigned subset = weir_bptc_subset(mode->num_subsets, partition, t);
        const uint8_t *first = endpoints[2 * subset], *second = endpoints[2 * subset + 1];
        for (unsigned c = 0; c < 4; c++) {
            const unsigned i = c < 3 ? colour : alpha;
            texels[t][c] = (float)weir_bptc_interpolate(first[c], second[c], index_bits[i],
                                                        indices[i][t]) /
                           255.0f;
        }
        if (rotation) { // "BPTC rotation bits": alpha and a colour change places
            const float swapped = texels[t][3];
            texels[t][3] = texels[t][rotation - 1];
            texels[t][rotation - 1] = swapped;
        }
    }
}
