// SPDX-License-Identifier: MIT
// Scalar reference of the BC7 encoder: which modes and partitions are tried.
//
// The format: Khronos Data Format Specification 1.3, chapter "BPTC".
#include "tests/ref/bc7.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "tests/ref/bc7_block.h"
#include "tests/ref/bc7_fit.h"
#include "tests/ref/bc7_partition.h"
#include "tests/ref/bc7_tables.h"

enum { NUM_EFFORTS = REF_BC7_HIGH + 1 };

struct search {
    struct ref_bc7_reach fit;
    int num_rounds; // of polishing
};
static const struct search searches[NUM_EFFORTS] = {
    [REF_BC7_FAST] = {{1, false}, 1},
    [REF_BC7_DEFAULT] = {{1, false}, 1},
    [REF_BC7_HIGH] = {{2, true}, 4},
};

// How many blocks of a mode are tried, opaque ones and others: the likeliest partitions, or the
// first pairs of rotation and selection.
static const struct {
    int mode;
    int num_opaque[NUM_EFFORTS], num_others[NUM_EFFORTS];
} trials[] = {
    {6, {1, 1, 1}, {1, 1, 1}},  {1, {0, 6, 12}, {0, 0, 0}}, {3, {0, 3, 12}, {0, 0, 0}},
    {7, {0, 0, 0}, {0, 4, 12}}, {0, {0, 0, 8}, {0, 0, 0}},  {2, {0, 0, 8}, {0, 0, 0}},
    {4, {0, 0, 8}, {2, 8, 8}},  {5, {0, 0, 4}, {1, 4, 4}},
};
enum { NUM_TRIALS = sizeof(trials) / sizeof(trials[0]) };

struct source {
    const uint8_t (*texels)[4];
    bool is_opaque;
    enum ref_bc7_effort effort;
};

struct choice {
    struct ref_bc7_block block;
    int error; // of indices found by projection
};

static bool is_opaque(const uint8_t texels[16][4])
{
    for (int t = 0; t < 16; t++) {
        if (texels[t][3] != 255) {
            return false;
        }
    }
    return true;
}

// A part of a block that has endpoints of its own: a subset, or the colour or alpha.
static struct ref_bc7_task task_of(const struct source *source, const struct ref_bc7_block *block,
                                   int part)
{
    const struct ref_bc7_mode *m = &ref_bc7_modes[block->mode];
    const bool is_second = m->index2_bits && block->selection != part;
    struct ref_bc7_task task = {
        .subset = ref_bc7_subset(m->num_subsets, block->partition, m->index2_bits ? 0 : part),
        .p_bits = m->p_bits,
        .max_index = (1 << (is_second ? m->index2_bits : m->index_bits)) - 1,
    };
    for (int c = 0; c < 4; c++) {
        if (!m->index2_bits || (c == 3) == part) {
            task.bits[c] = ref_bc7_code_bits(m, c);
        }
    }
    if (source->is_opaque) { // alpha has the highest code, where the rotation puts it
        task.bits[block->rotation ? block->rotation - 1 : 3] = 0;
        task.p_bits = block->mode == 6 ? REF_BC7_P_ONE : m->p_bits;
    }
    return task;
}

// Fits all parts, or polishes them where the block is the best one.
static void try_block(const struct source *source, struct ref_bc7_block block, bool polish,
                      struct choice *best)
{
    const struct ref_bc7_mode *m = &ref_bc7_modes[block.mode];
    const struct search *search = &searches[source->effort];
    uint8_t rotated[16][4];
    ref_bc7_rotate(block.rotation, source->texels, rotated);
    int error = 0;
    for (int part = 0; part < (m->index2_bits ? 2 : m->num_subsets); part++) {
        struct ref_bc7_task task = task_of(source, &block, part);
        task.texels = (const uint8_t(*)[4])rotated;
        struct ref_bc7_fit fit = {.error = 0};
        int(*codes)[4] = block.code + (m->index2_bits ? 0 : 2 * part);
        for (int end = 0; end < 2; end++) {
            for (int c = 0; c < 4; c++) {
                fit.code[end][c] = task.bits[c] ? codes[end][c] : 0;
            }
        }
        if (polish) {
            ref_bc7_polish_subset(&task, search->num_rounds, &fit);
        } else {
            fit = ref_bc7_fit_subset(&task, search->fit);
        }
        for (int end = 0; end < 2; end++) {
            for (int c = 0; c < 4; c++) {
                codes[end][c] = task.bits[c] ? fit.code[end][c] : codes[end][c];
            }
        }
        // A part without channels to fit keeps INT_MAX when it is polished. The sum wraps, as that
        // of the kernel: the block, which is no worse than before, is taken unless it has no error.
        error = (int)((unsigned)error + (unsigned)fit.error);
    }
    if (error < best->error) {
        *best = (struct choice){block, error};
    }
}

static void try_mode(const struct source *source, int mode, int num_blocks,
                     const struct ref_bc7_ranks *ranks, struct choice *best)
{
    for (int i = 0; i < num_blocks; i++) {
        struct ref_bc7_block block = {.mode = mode};
        if (ref_bc7_modes[mode].num_subsets > 1) {
            block.partition = ranks->partition[i];
        }
        block.rotation = mode == 4 ? i >> 1 : mode == 5 ? i : 0;
        block.selection = mode == 4 ? i & 1 : 0;
        for (int e = 0; e < 6; e++) {
            for (int c = 0; c < 4; c++) {
                block.code[e][c] = (1 << ref_bc7_code_bits(&ref_bc7_modes[mode], c)) - 1;
            }
        }
        try_block(source, block, false, best);
    }
}

// A third of the way between two codes of 7 bits there is every value of 8.
static struct ref_bc7_block one_color(const uint8_t texel[4])
{
    struct ref_bc7_block block = {.mode = 5};
    for (int c = 0; c < 3; c++) {
        block.code[0][c] = texel[c] >> 1;
        block.code[1][c] = (texel[c] + (texel[c] < 128 ? 1 : -1)) >> 1;
    }
    block.code[0][3] = block.code[1][3] = texel[3];
    return block;
}

int ref_bc7_encode_block(const uint8_t texels[16][4], enum ref_bc7_effort effort,
                         uint8_t out[REF_BC7_BLOCK_SIZE])
{
    if (memcmp(texels, texels + 1, 60) == 0) {
        const struct ref_bc7_block block = one_color(texels[0]);
        return ref_bc7_write(&block, texels, out);
    }
    const struct source source = {texels, is_opaque(texels), effort};
    struct choice best = {.error = INT_MAX};
    struct ref_bc7_ranks ranks;
    for (int i = 0; i < NUM_TRIALS; i++) {
        const int mode = trials[i].mode;
        const int num = (source.is_opaque ? trials[i].num_opaque : trials[i].num_others)[effort];
        // Mode 3 has the partitions of mode 1, which are ranked before.
        if (num > 0 && ref_bc7_modes[mode].num_subsets > 1 && mode != 3) {
            ref_bc7_rank_partitions(texels, mode, &ranks);
        }
        try_mode(&source, mode, num, &ranks, &best);
    }
    try_block(&source, best.block, true, &best);
    return ref_bc7_write(&best.block, texels, out);
}
