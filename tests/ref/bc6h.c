// SPDX-License-Identifier: MIT
// Scalar reference of the BC6H encoder, unsigned and signed.
//
// The format interpolates the bits of half floats, so all is done with these as integers:
// differences are then about those of logarithms. Lines start on a principal axis and are fitted by
// least squares: S. Brown, "DXT Compression Techniques" (2006). That partitions are ranked first,
// and few are tried: K. Narkowicz, "Real-Time BC6H Compression on GPU" (GPU Pro 7, 2016).
#include "tests/ref/bc6h.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ref/bc6h_block.h"
#include "tests/ref/bc6h_line.h"
#include "tests/ref/bc6h_live.h"

// How far the search of an effort goes.
struct search {
    int num_partitions; // of 32
    int num_modes;      // for each of them, and for one subset
    int num_steps;      // of least squares before endpoints are rounded
    int num_refines;    // and after, for each partition
    int num_last;       // and for the best
    // passes over the neighbours of the endpoints that were found, for each partition
    int num_early;
    int num_passes;    // and for the best
    bool finishes_all; // refines, and looks at neighbours, in every mode of every partition
};

static const struct search searches[] = {
    [REF_BC6H_FAST] = {1, 1, 1, 0, 1, 0, 0, false},
    [REF_BC6H_DEFAULT] = {4, 1, 1, 0, 1, 0, 1, false},
    [REF_BC6H_HIGH] = {8, 2, 2, 1, 0, 1, 4, false},
    [REF_BC6H_EXHAUSTIVE] = {32, 14, 4, 4, 0, 0, 8, true},
};

// Endpoints: the first and the second of the first subset, and of the second one. There is one
// subset where the partition is -1.
struct fit {
    int mode, partition;
    int codes[4][3];
    uint64_t error;
};

// The codes of a mode that are nearest to endpoints, differences clamped to what they have bits
// for.
static void quantise(const struct bc6h_texels *b, const int ends[4][3], struct fit *f)
{
    const struct bc6h_mode *mode = &bc6h_modes[f->mode];
    for (int e = 0; e < 4; e++) {
        for (int c = 0; c < 3; c++) {
            int code = bc6h_quantise(ends[e][c], mode->bits, b->is_signed);
            const int reach = 1 << (mode->delta_bits[c] - 1);
            if (e > 0 && mode->is_transformed) {
                code = bc6h_clamp(code, f->codes[0][c] - reach, f->codes[0][c] + reach - 1);
            }
            f->codes[e][c] = code;
        }
    }
}

static void set_ends(const struct bc6h_texels *b, const struct fit *f, int ends[4][3])
{
    for (int e = 0; e < 4; e++) {
        for (int c = 0; c < 3; c++) {
            ends[e][c] = bc6h_unquantise(f->codes[e][c], bc6h_modes[f->mode].bits, b->is_signed);
        }
    }
}

static void set_lines(const struct bc6h_texels *b, const struct fit *f, struct bc6h_line lines[2])
{
    int ends[4][3];
    set_ends(b, f, ends);
    bc6h_lines_between(ends, bc6h_largest_index(f->partition), lines);
}

// The exponent of 1 + value, and its mantissa m where log2(1 + m) is m + 0.346 m (1 - m).
int ref_bc6h_level_of(int half)
{
    // Halves below 2^-14 are taken for others there: all are level 0.
    const uint32_t bits = ((uint32_t)abs(half) << 13) + 0x38000000;
    float value;
    memcpy(&value, &bits, sizeof(value));
    const float sum = 1 + value;
    uint32_t sum_bits;
    memcpy(&sum_bits, &sum, sizeof(sum_bits));
    const int line = (int)((sum_bits - 0x3f800000) >> 12), mantissa = line & 2047;
    const int level = line + (mantissa * (2048 - mantissa) * 11 >> 16);
    return half < 0 ? -level : level;
}

static int measure_of(const struct bc6h_texels *b, int half)
{
    return b->by_log ? ref_bc6h_level_of(half) : half;
}

static void set_indices(const struct bc6h_texels *b, const struct fit *f, uint8_t indices[16])
{
    struct bc6h_line lines[2];
    set_lines(b, f, lines);
    for (int t = 0; t < 16; t++) {
        indices[t] = (uint8_t)bc6h_index_of(lines, f->partition, b->values[t], t);
    }
}

static void set_error_with(const struct bc6h_texels *b, const uint8_t indices[16], struct fit *f)
{
    struct bc6h_line lines[2];
    set_lines(b, f, lines);
    f->error = 0;
    for (int t = 0; t < 16; t++) {
        const struct bc6h_line *l = &lines[bc6h_mask_of(f->partition) >> t & 1];
        const int weight = bc6h_weight(bc6h_largest_index(f->partition), indices[t]);
        for (int c = 0; c < 3; c++) {
            const int value = (64 * l->start[c] + weight * l->way[c] + 32) >> 6;
            const int64_t e = measure_of(b, b->halves[t][c]) -
                              measure_of(b, bc6h_half_of(value, b->is_signed));
            f->error += (uint64_t)(e * e);
        }
    }
}

static void set_error(const struct bc6h_texels *b, struct fit *f)
{
    uint8_t indices[16];
    set_indices(b, f, indices);
    set_error_with(b, indices, f);
}

static bool keep_better(const struct bc6h_texels *b, struct fit moved, struct fit *best)
{
    set_error(b, &moved);
    if (moved.error >= best->error) {
        return false;
    }
    *best = moved;
    return true;
}

// How far codes of a mode are likely to be from endpoints: a square of a step, which is what
// rounding costs all of two subsets in the mean, and the squares by which differences are clamped.
static unsigned rounding_cost(const int ends[4][3], int num_ends, const struct bc6h_mode *mode)
{
    const int shift = 16 - mode->bits;
    unsigned cost = num_ends == 2 ? 1u << 2 * shift >> 1 : 1u << 2 * shift;
    for (int e = 1; e < num_ends && mode->is_transformed; e++) {
        for (int c = 0; c < 3; c++) {
            const int reach = 1 << (mode->delta_bits[c] - 1 + shift);
            const int excess = bc6h_clamp(abs(ends[e][c] - ends[0][c]) - reach, 0, 4095);
            cost += (unsigned)(excess * excess);
        }
    }
    return cost;
}

// The modes that are likely to round endpoints least, best first. Returns how many.
static int choose_modes(int num_modes, int partition, const int ends[4][3],
                        int modes[BC6H_NUM_MODES])
{
    const int first = partition < 0 ? BC6H_NUM_TWO_SUBSET_MODES : 0;
    const int end = partition < 0 ? BC6H_NUM_MODES : BC6H_NUM_TWO_SUBSET_MODES;
    const int num = num_modes < end - first ? num_modes : end - first;
    unsigned keys[BC6H_NUM_MODES];
    for (int i = 0; i < num; i++) {
        keys[i] = UINT32_MAX;
    }
    for (int mode = first; mode < end; mode++) {
        unsigned key = rounding_cost(ends, partition < 0 ? 2 : 4, &bc6h_modes[mode]) << 4 |
                       (unsigned)mode;
        for (int i = 0; i < num; i++) {
            const unsigned greater = key > keys[i] ? key : keys[i];
            keys[i] = key < keys[i] ? key : keys[i];
            key = greater;
        }
    }
    for (int i = 0; i < num; i++) {
        modes[i] = (int)(keys[i] & 15);
    }
    return num;
}

// Least squares again, from what the rounded endpoints have made of the texels.
static void refine(const struct bc6h_texels *b, int num_refines, struct fit *f)
{
    for (int i = 0; i < num_refines; i++) {
        struct fit moved = *f;
        int ends[4][3];
        struct bc6h_line lines[2];
        set_ends(b, f, ends);
        set_lines(b, f, lines);
        bc6h_solve(b, f->partition, lines, ends);
        bc6h_orient(b, f->partition, ends);
        quantise(b, (const int(*)[3])ends, &moved);
        keep_better(b, moved, f);
    }
}

static bool fits(const struct bc6h_texels *b, const struct fit *f)
{
    const struct bc6h_mode *mode = &bc6h_modes[f->mode];
    const int most = (1 << (b->is_signed ? mode->bits - 1 : mode->bits)) - 1;
    for (int e = 0; e < 4; e++) {
        for (int c = 0; c < 3; c++) {
            const int code = f->codes[e][c], delta = code - f->codes[0][c];
            const int reach = 1 << (mode->delta_bits[c] - 1);
            if (code > most || code < (b->is_signed ? -most : 0)) {
                return false;
            }
            if (mode->is_transformed && e > 0 && (delta < -reach || delta >= reach)) {
                return false;
            }
        }
    }
    return true;
}

// Each channel of each endpoint one code lower and higher.
static void search_neighbours(const struct bc6h_texels *b, int num_passes, struct fit *f)
{
    const int num_ends = f->partition < 0 ? 2 : 4;
    for (int pass = 0; pass < num_passes; pass++) {
        const uint64_t before = f->error;
        for (int i = 0; i < 6 * num_ends; i++) {
            struct fit moved = *f;
            moved.codes[i / 6][i / 2 % 3] += 2 * (i & 1) - 1;
            if (fits(b, &moved)) {
                keep_better(b, moved, f);
            }
        }
        if (f->error == before) {
            break;
        }
    }
}

static void try_partition(const struct bc6h_texels *b, const struct search *search, int partition,
                          struct fit *best)
{
    int ends[4][3] = {{0}}, modes[BC6H_NUM_MODES];
    bc6h_set_extremes(b, ~bc6h_mask_of(partition) & 0xffff, ends);
    if (partition >= 0) {
        bc6h_set_extremes(b, bc6h_mask_of(partition), ends + 2);
    }
    for (int i = 0; i < search->num_steps; i++) {
        struct bc6h_line lines[2];
        bc6h_lines_between(ends, bc6h_largest_index(partition), lines);
        bc6h_solve(b, partition, lines, ends);
    }
    bc6h_orient(b, partition, ends);
    const int num_modes = choose_modes(search->num_modes, partition, (const int(*)[3])ends, modes);
    struct fit kept = {.error = UINT64_MAX};
    for (int i = 0; i < num_modes; i++) {
        struct fit f = {.mode = modes[i], .partition = partition};
        quantise(b, (const int(*)[3])ends, &f);
        set_error(b, &f);
        if (search->finishes_all) {
            refine(b, search->num_refines, &f);
            search_neighbours(b, search->num_passes, &f);
        }
        if (f.error < kept.error) {
            kept = f;
        }
    }
    refine(b, search->num_refines, &kept);
    search_neighbours(b, search->num_early, &kept);
    if (kept.error < best->error) {
        *best = kept;
    }
}

static struct fit search_for(const struct bc6h_texels *b, const struct search *search)
{
    struct fit f = {.error = UINT64_MAX};
    try_partition(b, search, -1, &f);
    int ranked[BC6H_NUM_PARTITIONS];
    if (search->num_partitions > 0) {
        bc6h_rank_partitions(b, search->num_partitions, ranked);
    }
    for (int i = 0; i < search->num_partitions; i++) {
        try_partition(b, search, ranked[i], &f);
    }
    refine(b, search->num_last, &f);
    search_neighbours(b, search->num_passes, &f);
    return f;
}

static uint64_t encode(const int16_t halves[16][3], bool is_signed, bool by_log,
                       enum ref_bc6h_effort effort, uint8_t out[REF_BC6H_BLOCK_SIZE])
{
    struct bc6h_texels b = {.is_signed = is_signed, .by_log = by_log};
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            b.halves[t][c] = halves[t][c];
            b.values[t][c] = bc6h_value_of(halves[t][c], is_signed);
        }
    }
    struct fit f = {.partition = -1};
    uint8_t indices[16];
    if (effort == REF_BC6H_LIVE) {
        bc6h_fit_live((const int(*)[3])b.halves, is_signed, &f.mode, f.codes, indices);
        set_error_with(&b, indices, &f);
    } else {
        f = search_for(&b, &searches[effort]);
        set_indices(&b, &f, indices);
    }
    bc6h_pack(f.mode, f.partition, f.codes, indices, out);
    return f.error;
}

uint64_t ref_bc6h_encode_block(const int16_t halves[16][3], bool is_signed,
                               enum ref_bc6h_effort effort, uint8_t out[REF_BC6H_BLOCK_SIZE])
{
    return encode(halves, is_signed, false, effort, out);
}

uint64_t ref_bc6h_encode_block_log(const int16_t halves[16][3], bool is_signed,
                                   enum ref_bc6h_effort effort, uint8_t out[REF_BC6H_BLOCK_SIZE])
{
    return encode(halves, is_signed, true, effort, out);
}
