// SPDX-License-Identifier: MIT
// Decodes blocks of BC7: Khronos Data Format Specification 1.3, chapter "BPTC".
#include "tests/ref/bc7_decode.h"

#include <string.h>

#include "tests/ref/bc7_tables.h"

// The lowest bit of all of an endpoint's channels, which some modes have.
enum p_bits {
    P_NONE,
    P_EACH,   // one an endpoint
    P_SHARED, // one for both
};

// "Mode-dependent BPTC parameters".
struct mode {
    int num_subsets;
    int partition_bits, rotation_bits, selection_bits;
    int color_bits, alpha_bits; // of an endpoint's channel, without the p-bit
    enum p_bits p_bits;
    int index_bits, index2_bits; // a texel
};
static const struct mode modes[8] = {
    {3, 4, 0, 0, 4, 0, P_EACH, 3, 0},   // 0
    {2, 6, 0, 0, 6, 0, P_SHARED, 3, 0}, // 1
    {3, 6, 0, 0, 5, 0, P_NONE, 2, 0},   // 2
    {2, 6, 0, 0, 7, 0, P_EACH, 2, 0},   // 3
    {1, 0, 2, 1, 5, 6, P_NONE, 2, 3},   // 4
    {1, 0, 2, 0, 7, 8, P_NONE, 2, 2},   // 5
    {1, 0, 0, 0, 7, 7, P_EACH, 4, 0},   // 6
    {2, 6, 0, 0, 5, 5, P_EACH, 2, 0},   // 7
};

// Widen a code to 8 bits.
static int expand(int code, int num_bits)
{
    return code << (8 - num_bits) | code >> (2 * num_bits - 8);
}

static int interpolate(int first, int second, int max_index, int index)
{
    const int multiple = max_index == 15 ? 273 : max_index == 7 ? 585 : 1365;
    const int weight = (index * multiple + 32) >> 6; // 64 index / max_index, rounded
    return ((64 - weight) * first + weight * second + 32) >> 6;
}

// What is left of a block, the next bit lowest.
struct reader {
    uint64_t low, high;
};

static int take(struct reader *r, int num_bits)
{
    int value = 0;
    if (num_bits > 0) { // a shift by 64 is undefined
        value = (int)(r->low & ((UINT64_C(1) << num_bits) - 1));
        r->low = r->low >> num_bits | r->high << (64 - num_bits);
        r->high >>= num_bits;
    }
    return value;
}

static struct reader reader_of(const uint8_t block[16])
{
    struct reader r = {0, 0};
    for (int i = 0; i < 8; i++) {
        r.low |= (uint64_t)block[i] << (8 * i);
        r.high |= (uint64_t)block[8 + i] << (8 * i);
    }
    return r;
}

// Read the endpoints' codes, and widen them to 8 bits.
static void take_endpoints(struct reader *r, const struct mode *m, int ends[6][4])
{
    const int num = 2 * m->num_subsets, has_p_bit = m->p_bits != P_NONE;
    for (int c = 0; c < 4; c++) {
        for (int e = 0; e < num; e++) {
            ends[e][c] = take(r, c < 3 ? m->color_bits : m->alpha_bits) << has_p_bit;
        }
    }
    int p = 0;
    for (int e = 0; e < num; e++) {
        p = m->p_bits == P_EACH || (has_p_bit && e % 2 == 0) ? take(r, 1) : p;
        for (int c = 0; c < 4; c++) {
            const int bits = c < 3 ? m->color_bits : m->alpha_bits;
            ends[e][c] = bits ? expand(ends[e][c] | p, bits + has_p_bit) : 255;
        }
    }
}

static void take_indices(struct reader *r, const int subsets[16], const int anchors[3],
                         int index_bits, int indices[16])
{
    for (int t = 0; t < 16; t++) {
        indices[t] = take(r, index_bits - (anchors[subsets[t]] == t));
    }
}

void ref_bc7_decode_block(const uint8_t block[16], uint8_t texels[16][4])
{
    int mode = 0;
    while (mode < 8 && !(block[0] >> mode & 1)) {
        mode++;
    }
    memset(texels, 0, 64);
    if (mode == 8) {
        return; // reserved: 0 in all channels
    }
    const struct mode *m = &modes[mode];
    struct reader r = reader_of(block);
    take(&r, mode + 1);
    const int partition = take(&r, m->partition_bits), rotation = take(&r, m->rotation_bits);
    const int selection = take(&r, m->selection_bits);
    int ends[6][4], anchors[3], subsets[16] = {0}, indices[2][16];
    take_endpoints(&r, m, ends);
    for (int s = 0; s < m->num_subsets; s++) {
        const uint32_t texels_of = ref_bc7_subset(m->num_subsets, partition, s);
        anchors[s] = ref_bc7_anchor(m->num_subsets, partition, s);
        for (int t = 0; t < 16; t++) {
            subsets[t] = texels_of >> t & 1 ? s : subsets[t];
        }
    }
    const int bits[2] = {m->index_bits, m->index2_bits ? m->index2_bits : m->index_bits};
    take_indices(&r, subsets, anchors, bits[0], indices[0]);
    if (m->index2_bits) {
        take_indices(&r, subsets, anchors, bits[1], indices[1]);
    } else {
        memcpy(indices[1], indices[0], sizeof(indices[0]));
    }
    uint8_t values[16][4];
    for (int i = 0; i < 64; i++) {
        const int t = i / 4, c = i % 4, set = c < 3 ? selection : 1 - selection;
        values[t][c] = (uint8_t)interpolate(ends[2 * subsets[t]][c], ends[2 * subsets[t] + 1][c],
                                            (1 << bits[set]) - 1, indices[set][t]);
    }
    memcpy(texels, values, sizeof(values));
    for (int t = 0; rotation && t < 16; t++) { // alpha changes places with R, G or B
        texels[t][3] = values[t][rotation - 1];
        texels[t][rotation - 1] = values[t][3];
    }
}
