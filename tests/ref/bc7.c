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
#include "tests/ref/bc7_lines.h"
#include "tests/ref/bc7_partition.h"
#include "tests/ref/bc7_tables.h"

// One search for a block. An encoder runs the stages of its effort and of those below in turn, and
// keeps the best block: high is never worse than default. Live, and opaque blocks at fast, have a
// way of their own (bc7_lines.c).
struct stage {
    enum ref_bc7_effort effort;
    bool goes_on; // with the best block of the stage before, which has tried the first ones
    struct ref_bc7_reach reach;
    // How many blocks of each mode are tried, of opaque texels and of others: the likeliest
    // partitions, or the first pairs of rotation and selection.
    int num_opaque[8], num_others[8];
};
static const struct stage stages[] = {
    {REF_BC7_FAST, false, {false, 0, 0}, {[6] = 1, [1] = 2}, {[6] = 1, [7] = 1, [5] = 1, [4] = 2}},
    {REF_BC7_DEFAULT, true, {false, 1, 0}, {[1] = 6, [3] = 3}, {[7] = 4, [4] = 8, [5] = 4}},
    {REF_BC7_HIGH, false, {true, 2, 1}, {[6] = 1}, {[6] = 1}},
    {REF_BC7_HIGH, false, {true, 2, 1}, {[1] = 12}, {[7] = 12}},
    {REF_BC7_HIGH, false, {true, 2, 1}, {[3] = 12}, {0}},
    {REF_BC7_HIGH, false, {true, 2, 1}, {[0] = 8}, {0}},
    {REF_BC7_HIGH, false, {true, 2, 1}, {[2] = 8}, {0}},
    {REF_BC7_HIGH, false, {true, 2, 1}, {[4] = 8}, {[4] = 8}},
    {REF_BC7_HIGH, false, {true, 2, 1}, {[5] = 4}, {[5] = 4}},
};
enum { NUM_STAGES = sizeof(stages) / sizeof(stages[0]) };

// Mode 3 has the partitions of mode 1, which are ranked before.
static const int order_of_trials[] = {6, 1, 3, 7, 0, 2, 4, 5};

struct source {
    const uint8_t (*texels)[4];
    bool is_opaque; // alpha is 255, or is not read
    bool alpha_unread;
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
        task.p_bits = block->mode == 6 && !source->alpha_unread ? REF_BC7_P_ONE : m->p_bits;
    }
    return task;
}

// Fits all parts, or polishes them where the block is the best one.
static void try_block(const struct source *source, const struct ref_bc7_reach *reach,
                      struct ref_bc7_block block, bool polish, struct choice *best)
{
    const struct ref_bc7_mode *m = &ref_bc7_modes[block.mode];
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
            ref_bc7_polish_subset(&task, reach, &fit);
        } else {
            fit = ref_bc7_fit_subset(&task, reach);
        }
        for (int end = 0; end < 2; end++) {
            for (int c = 0; c < 4; c++) {
                codes[end][c] = task.bits[c] ? fit.code[end][c] : codes[end][c];
            }
        }
        error += fit.error;
    }
    if (error < best->error) {
        *best = (struct choice){block, error};
    }
}

static void try_mode(const struct source *source, const struct ref_bc7_reach *reach, int mode,
                     int first, int end, const struct ref_bc7_ranks *ranks, struct choice *best)
{
    for (int i = first; i < end; i++) {
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
        try_block(source, reach, block, false, best);
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

static int num_of(const struct source *source, const struct stage *stage, int mode)
{
    return source->is_opaque ? stage->num_opaque[mode] : stage->num_others[mode];
}

// The best fit of a stage, polished if the stage does so, unless its error is above the bound.
static void run_stage(const struct source *source, const struct stage *stage, int bound,
                      struct ref_bc7_ranks *ranks, struct choice *best)
{
    if (!stage->goes_on) {
        best->error = INT_MAX;
    }
    for (int i = 0; i < 8; i++) {
        const int mode = order_of_trials[i];
        const int first = stage->goes_on ? num_of(source, stage - 1, mode) : 0;
        const int end = num_of(source, stage, mode);
        if (first == 0 && end > 0 && ref_bc7_modes[mode].num_subsets > 1 && mode != 3) {
            ref_bc7_rank_partitions(source->texels, mode, ranks);
        }
        try_mode(source, &stage->reach, mode, first, end, ranks, best);
    }
    if (stage->reach.num_rounds > 0 && best->error <= bound) {
        try_block(source, &stage->reach, best->block, true, best);
    }
}

int ref_bc7_encode_block(const uint8_t texels[16][4], const struct ref_bc7_params *params,
                         uint8_t out[REF_BC7_BLOCK_SIZE])
{
    uint8_t read[16][4];
    memcpy(read, texels, sizeof(read));
    for (int t = 0; params->alpha_unread && t < 16; t++) {
        read[t][3] = 255;
    }
    const struct source source = {(const uint8_t(*)[4])read, is_opaque((const uint8_t(*)[4])read),
                                  params->alpha_unread};
    if (memcmp(read, read + 1, 60) == 0) {
        struct ref_bc7_block block = one_color(read[0]);
        return ref_bc7_write(&block, source.texels, params->alpha_unread, out);
    }
    const bool is_fast = params->effort == REF_BC7_FAST && source.is_opaque;
    if (params->effort == REF_BC7_LIVE || is_fast) {
        struct ref_bc7_block block;
        ref_bc7_fit_lines(source.texels, source.is_opaque, params->alpha_unread, is_fast ? 3 : 0,
                          &block);
        return ref_bc7_write(&block, source.texels, params->alpha_unread, out);
    }
    int least = INT_MAX;
    struct ref_bc7_ranks ranks;
    struct choice choice;
    for (int i = 0; i < NUM_STAGES && stages[i].effort <= params->effort && least > 0; i++) {
        const int bound = stages[i].effort == REF_BC7_HIGH ? 2 * least : INT_MAX;
        run_stage(&source, &stages[i], bound, &ranks, &choice);
        uint8_t block[REF_BC7_BLOCK_SIZE];
        if (choice.error > bound || choice.error == INT_MAX) {
            continue;
        }
        const int error = ref_bc7_write(&choice.block, source.texels, params->alpha_unread, block);
        if (error < least) {
            least = error;
            memcpy(out, block, sizeof(block));
        }
    }
    return least;
}
