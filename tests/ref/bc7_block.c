// SPDX-License-Identifier: MIT
// The modes of BC7, and how their blocks are written: Khronos Data Format Specification 1.3,
// chapter "BPTC".
#include "tests/ref/bc7_block.h"

#include <limits.h>
#include <string.h>

#include "tests/ref/bc7_tables.h"

// "Mode-dependent BPTC parameters".
const struct ref_bc7_mode ref_bc7_modes[8] = {
    {3, 4, 0, 0, 4, 0, REF_BC7_P_EACH, 3, 0},   // 0
    {2, 6, 0, 0, 6, 0, REF_BC7_P_SHARED, 3, 0}, // 1
    {3, 6, 0, 0, 5, 0, REF_BC7_P_NONE, 2, 0},   // 2
    {2, 6, 0, 0, 7, 0, REF_BC7_P_EACH, 2, 0},   // 3
    {1, 0, 2, 1, 5, 6, REF_BC7_P_NONE, 2, 3},   // 4
    {1, 0, 2, 0, 7, 8, REF_BC7_P_NONE, 2, 2},   // 5
    {1, 0, 0, 0, 7, 7, REF_BC7_P_EACH, 4, 0},   // 6
    {2, 6, 0, 0, 5, 5, REF_BC7_P_EACH, 2, 0},   // 7
};

int ref_bc7_code_bits(const struct ref_bc7_mode *mode, int channel)
{
    const int bits = channel < 3 ? mode->color_bits : mode->alpha_bits;
    return bits && mode->p_bits != REF_BC7_P_NONE ? bits + 1 : bits;
}

void ref_bc7_rotate(int rotation, const uint8_t texels[16][4], uint8_t rotated[16][4])
{
    memcpy(rotated, texels, 64);
    for (int t = 0; rotation && t < 16; t++) {
        rotated[t][3] = texels[t][rotation - 1];
        rotated[t][rotation - 1] = texels[t][3];
    }
}

struct writer {
    uint8_t *bytes;
    int num_bits;
};

static void put(struct writer *w, int num_bits, int value)
{
    for (int i = 0; i < num_bits; i++, w->num_bits++) {
        w->bytes[w->num_bits / 8] |= (uint8_t)((value >> i & 1) << (w->num_bits % 8));
    }
}

// Of the channels first to last; what is left of them is added to the error. The best index is the
// one by projection or next to that, as rounding moves values by less than a step.
static int best_index(const int ends[2][4], const uint8_t texel[4], int first, int last,
                      int max_index, int *error)
{
    const int center = ref_bc7_nearest(ends, first, last, max_index, texel);
    const int end = center < max_index ? center + 1 : max_index;
    int best = 0, least = INT_MAX;
    for (int k = center > 0 ? center - 1 : 0; k <= end; k++) {
        int sum = 0;
        for (int c = first; c <= last; c++) {
            const int e = texel[c] - ref_bc7_interpolate(ends[0][c], ends[1][c], max_index, k);
            sum += e * e;
        }
        if (sum < least) {
            least = sum;
            best = k;
        }
    }
    *error += least;
    return best;
}

static int subset_of(const struct ref_bc7_block *b, int t)
{
    const int num_subsets = ref_bc7_modes[b->mode].num_subsets;
    int subset = 0;
    while (!(ref_bc7_subset(num_subsets, b->partition, subset) >> t & 1)) {
        subset++;
    }
    return subset;
}

// Channels first to last have their ends exchanged where an anchor's index is in the upper half.
static int choose_indices(struct ref_bc7_block *b, const uint8_t texels[16][4], int first, int last,
                          int index_bits, int indices[16])
{
    const struct ref_bc7_mode *m = &ref_bc7_modes[b->mode];
    const int max_index = (1 << index_bits) - 1;
    int error = 0, is_swapped[3] = {0};
    for (int t = 0; t < 16; t++) {
        const int s = subset_of(b, t);
        int ends[2][4];
        for (int end = 0; end < 2; end++) {
            for (int c = 0; c < 4; c++) {
                const int bits = ref_bc7_code_bits(m, c);
                ends[end][c] = bits ? ref_bc7_expand(b->code[2 * s + end][c], bits) : 255;
            }
        }
        indices[t] = best_index((const int(*)[4])ends, texels[t], first, last, max_index, &error);
    }
    for (int s = 0; s < m->num_subsets; s++) {
        is_swapped[s] = indices[ref_bc7_anchor(m->num_subsets, b->partition, s)] > max_index / 2;
        for (int c = first; c <= last && is_swapped[s]; c++) {
            const int code = b->code[2 * s][c];
            b->code[2 * s][c] = b->code[2 * s + 1][c];
            b->code[2 * s + 1][c] = code;
        }
    }
    for (int t = 0; t < 16; t++) {
        if (is_swapped[subset_of(b, t)]) {
            indices[t] = max_index - indices[t];
        }
    }
    return error;
}

static void put_endpoints(struct writer *w, const struct ref_bc7_block *b)
{
    const struct ref_bc7_mode *m = &ref_bc7_modes[b->mode];
    const int has_p_bit = m->p_bits != REF_BC7_P_NONE;
    for (int c = 0; c < 4; c++) {
        for (int e = 0; e < 2 * m->num_subsets; e++) {
            put(w, c < 3 ? m->color_bits : m->alpha_bits, b->code[e][c] >> has_p_bit);
        }
    }
    for (int e = 0; has_p_bit && e < 2 * m->num_subsets; e++) {
        if (m->p_bits == REF_BC7_P_EACH || e % 2 == 0) {
            put(w, 1, b->code[e][0] & 1);
        }
    }
}

static void put_indices(struct writer *w, const struct ref_bc7_block *b, int index_bits,
                        const int indices[16])
{
    const int num_subsets = ref_bc7_modes[b->mode].num_subsets;
    for (int t = 0; t < 16; t++) {
        const int is_anchor = t == ref_bc7_anchor(num_subsets, b->partition, subset_of(b, t));
        put(w, index_bits - is_anchor, indices[t]);
    }
}

int ref_bc7_write(struct ref_bc7_block *block, const uint8_t texels[16][4], bool alpha_unread,
                  uint8_t out[16])
{
    const struct ref_bc7_mode *m = &ref_bc7_modes[block->mode];
    uint8_t rotated[16][4];
    ref_bc7_rotate(block->rotation, texels, rotated);
    const uint8_t(*v)[4] = (const uint8_t(*)[4])rotated;
    int indices[2][16], error;
    if (m->index2_bits) {
        const int color = block->selection, alpha = 1 - color;
        const int bits[2] = {m->index_bits, m->index2_bits};
        error = choose_indices(block, v, 0, 2, bits[color], indices[color]) +
                choose_indices(block, v, 3, 3, bits[alpha], indices[alpha]);
    } else {
        error = choose_indices(block, v, 0, alpha_unread ? 2 : 3, m->index_bits, indices[0]);
    }
    memset(out, 0, 16);
    struct writer w = {.bytes = out};
    put(&w, block->mode + 1, 1 << block->mode);
    put(&w, m->partition_bits, block->partition);
    put(&w, m->rotation_bits, block->rotation);
    put(&w, m->selection_bits, block->selection);
    put_endpoints(&w, block);
    put_indices(&w, block, m->index_bits, indices[0]);
    if (m->index2_bits) {
        put_indices(&w, block, m->index2_bits, indices[1]);
    }
    return error;
}
