// SPDX-License-Identifier: MIT
// Scalar reference of the ETC1 encoder, whose modes ETC2 has too.
//
// Format: Khronos Data Format Specification 1.3, "ETC1" and "ETC2"; Strom and Akenine-Moller,
// iPACKMAN, 2005. The correction of a base by the mean of the modifiers is the step of k-means for
// these palettes. The search is Weir's.
#include "tests/ref/etc1.h"

#include <stdlib.h>

static const int modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                    {18, 60}, {24, 80}, {33, 106}, {47, 183}};

// The search of each effort in each table: num_starts first guesses, or num_near ones where the
// base has to be near another one and the block may have bases of 4 bits in place of both, each
// corrected until it has given num_bases bases; and num_passes passes over the neighbours of the
// best base of each table, or of the best of all.
static const struct search {
    int num_starts, num_near, num_bases, num_passes;
    bool finishes_tables;
} searches[] = {
    [REF_ETC_FAST] = {1, 1, 2, 0, false},
    [REF_ETC_DEFAULT] = {3, 1, 2, 1, false},
    [REF_ETC_HIGH] = {7, 7, 2, 8, true},
};

// Half a block, and the bases that it may have.
struct half {
    int rgb[8][3];
    bool is_opaque[8];
    bool all_opaque; // the block
    int count;       // of opaque texels
    int sum[3];
    bool is_flat;   // the opaque texels are equal
    bool has_rival; // lo and hi are near the other half's base; bases of 4 bits are free of that
    int size;       // of a code [bits]
    int lo[3], hi[3];
};

struct base {
    int code[3];
    int table;
    int error;
    int shift; // the sum of the modifiers of the texels
};

// Modifier of a code: without transparency 0 to 3 are small, large, -small and -large; with it,
// small is 0.
static int modifier_of(int table, int code, bool all_opaque)
{
    const int m = code & 1 || all_opaque ? modifiers[table][code & 1] : 0;
    return code & 2 ? -m : m;
}

static struct ref_etc_palette palette_of(const int code[3], int size, int table, bool all_opaque)
{
    struct ref_etc_palette palette = {.lacks_2 = !all_opaque};
    int color[3];
    for (int c = 0; c < 3; c++) {
        color[c] = ref_etc_value_of(code[c], size);
    }
    for (int k = 0; k < 4; k++) {
        ref_etc_shift_color(color, modifier_of(table, k, all_opaque), palette.color[k]);
    }
    return palette;
}

static void set_error(const struct half *half, struct base *base)
{
    const struct ref_etc_palette palette = palette_of(base->code, half->size, base->table,
                                                      half->all_opaque);
    base->error = base->shift = 0;
    for (int i = 0; i < 8; i++) {
        if (half->is_opaque[i]) {
            int error;
            const int code = ref_etc_nearest(&palette, half->rgb[i], &error);
            base->error += error;
            base->shift += modifier_of(base->table, code, half->all_opaque);
        }
    }
}

// One colour: each modifier of each table, and of each channel the base that gives it best. Where
// it clamps, that can be a code beside the nearest.
static void search_color(const struct half *half, struct base *best)
{
    for (int i = 0; i < 32; i++) {
        const int m = modifier_of(i / 4, i % 4, half->all_opaque);
        struct base base = {.table = i / 4};
        for (int c = 0; c < 3; c++) {
            const int nearest = ref_etc_code_of(half->sum[c] - half->count * m, half->count,
                                                half->size, half->lo[c], half->hi[c]);
            int least = REF_ETC_NO_FIT;
            for (int way = -1; way <= 1; way++) {
                const int code = ref_etc_clamp(nearest + way, half->lo[c], half->hi[c]);
                const int v = ref_etc_clamp(ref_etc_value_of(code, half->size) + m, 0, 255);
                if (abs(half->count * v - half->sum[c]) < least) {
                    least = abs(half->count * v - half->sum[c]);
                    base.code[c] = code;
                }
            }
        }
        set_error(half, &base);
        if (base.error < best->error) {
            *best = base;
        }
    }
}

// The first guesses: the texels lie about their base, or about the small modifier, or half way to
// the large one, or about that.
static int shift_of_start(const struct half *half, int table, int start)
{
    const int small = half->count * modifiers[table][0], large = half->count * modifiers[table][1];
    const int shift = start <= 2 ? small : start <= 4 ? large >> 1 : large;
    return start == 0 ? 0 : start & 1 ? shift : -shift;
}

static void search_table(const struct half *half, int table, const struct search *search,
                         struct base *best)
{
    const int num_starts = half->has_rival ? search->num_near : search->num_starts;
    for (int start = 0; start < num_starts; start++) {
        int shift = shift_of_start(half, table, start);
        for (int i = 0; i < search->num_bases; i++) {
            struct base base = {.table = table};
            for (int c = 0; c < 3; c++) {
                base.code[c] = ref_etc_code_of(half->sum[c] - shift, half->count, half->size,
                                               half->lo[c], half->hi[c]);
            }
            set_error(half, &base);
            if (base.error < best->error) {
                *best = base;
            }
            shift = base.shift;
        }
    }
}

// One channel or all, a code less or more.
static void search_neighbors(const struct half *half, struct base *best)
{
    const struct base center = *best;
    for (int i = 0; i < 8; i++) {
        struct base base = center;
        bool is_inside = true;
        for (int c = 0; c < 3; c++) {
            base.code[c] += i / 2 == c || i / 2 == 3 ? 2 * (i & 1) - 1 : 0;
            is_inside = is_inside && base.code[c] >= half->lo[c] && base.code[c] <= half->hi[c];
        }
        if (is_inside) {
            set_error(half, &base);
            if (base.error < best->error) {
                *best = base;
            }
        }
    }
}

static void search_passes(const struct half *half, int num_passes, struct base *best)
{
    for (int pass = 0, before = REF_ETC_NO_FIT; pass < num_passes && best->error < before; pass++) {
        before = best->error;
        search_neighbors(half, best);
    }
}

static struct base search_half(const struct half *half, enum ref_etc_effort effort)
{
    const struct search *search = &searches[effort];
    struct base best = {.error = REF_ETC_NO_FIT};
    if (half->count == 0) {
        for (int c = 0; c < 3; c++) {
            best.code[c] = half->lo[c];
        }
        best.error = 0;
        return best;
    }
    if (half->is_flat) {
        search_color(half, &best);
        return best;
    }
    for (int table = 0; table < 8; table++) {
        struct base found = {.error = REF_ETC_NO_FIT};
        search_table(half, table, search, &found);
        if (search->finishes_tables) {
            search_passes(half, search->num_passes, &found);
        }
        if (found.error < best.error) {
            best = found;
        }
    }
    if (!search->finishes_tables) {
        search_passes(half, search->num_passes, &best);
    }
    return best;
}

static struct half half_of(const struct ref_etc_texels *texels, bool is_flipped, int subblock,
                           int size)
{
    struct half half = {.all_opaque = texels->all_opaque, .size = size};
    int i = 0;
    for (int t = 0; t < 16; t++) {
        if (ref_etc_subblock(is_flipped, t) == subblock) {
            for (int c = 0; c < 3; c++) {
                half.rgb[i][c] = texels->rgb[t][c];
                half.sum[c] += texels->rgb[t][c];
            }
            half.count += texels->is_opaque[t];
            half.is_opaque[i++] = texels->is_opaque[t];
        }
    }
    half.is_flat = true;
    for (int c = 0; c < 3; c++) {
        half.hi[c] = (1 << size) - 1;
        for (i = 0; i < 8; i++) {
            half.is_flat = half.is_flat &&
                           (!half.is_opaque[i] || half.count * half.rgb[i][c] == half.sum[c]);
        }
    }
    return half;
}

static void keep_better(const struct base *first, const struct base *second, bool is_flipped,
                        bool is_individual, struct ref_etc1_fit *fit)
{
    const int error = first->error + second->error;
    if (error < fit->error) {
        *fit = (struct ref_etc1_fit){.is_flipped = is_flipped,
                                     .is_individual = is_individual,
                                     .table = {first->table, second->table},
                                     .error = error};
        for (int c = 0; c < 3; c++) {
            fit->code[0][c] = first->code[c];
            fit->code[1][c] = second->code[c];
        }
    }
}

static void search_individual(const struct ref_etc_texels *texels, bool is_flipped,
                              enum ref_etc_effort effort, struct ref_etc1_fit *fit)
{
    const struct half first = half_of(texels, is_flipped, 0, 4);
    const struct half second = half_of(texels, is_flipped, 1, 4);
    const struct base a = search_half(&first, effort), b = search_half(&second, effort);
    keep_better(&a, &b, is_flipped, true, fit);
}

static bool is_difference(const struct base *first, const struct base *second)
{
    for (int c = 0; c < 3; c++) {
        if (second->code[c] - first->code[c] < -4 || second->code[c] - first->code[c] > 3) {
            return false;
        }
    }
    return true;
}

// Allow bases that are from `least` to `most` more than `base`.
static void limit(struct half *half, const struct base *base, int least, int most)
{
    for (int c = 0; c < 3; c++) {
        half->lo[c] = ref_etc_clamp(base->code[c] + least, 0, 31);
        half->hi[c] = ref_etc_clamp(base->code[c] + most, 0, 31);
    }
}

// Both halves on their own; where the difference is too large, either again, near the other.
static void search_differential(const struct ref_etc_texels *texels, bool is_flipped,
                                bool has_individual, enum ref_etc_effort effort,
                                struct ref_etc1_fit *fit)
{
    struct half first = half_of(texels, is_flipped, 0, 5);
    struct half second = half_of(texels, is_flipped, 1, 5);
    const struct base a = search_half(&first, effort), b = search_half(&second, effort);
    if (is_difference(&a, &b)) {
        keep_better(&a, &b, is_flipped, false, fit);
        return;
    }
    first.has_rival = second.has_rival = has_individual;
    limit(&second, &a, -4, 3);
    const struct base near_a = search_half(&second, effort);
    keep_better(&a, &near_a, is_flipped, false, fit);
    limit(&first, &b, -3, 4);
    const struct base near_b = search_half(&first, effort);
    keep_better(&near_b, &b, is_flipped, false, fit);
}

struct ref_etc1_fit ref_etc1_fit_texels(const struct ref_etc_texels *texels, bool has_individual,
                                        enum ref_etc_effort effort)
{
    struct ref_etc1_fit fit = {.error = REF_ETC_NO_FIT};
    for (int is_flipped = 0; is_flipped < 2; is_flipped++) {
        if (has_individual) {
            search_individual(texels, is_flipped, effort, &fit);
        }
        search_differential(texels, is_flipped, has_individual, effort, &fit);
    }
    return fit;
}

void ref_etc1_pack(const struct ref_etc_texels *texels, const struct ref_etc1_fit *fit,
                   uint8_t out[REF_ETC_BLOCK_SIZE])
{
    // Bit 33, "differential", stands for "opaque" where a block can be transparent.
    uint32_t head = (uint32_t)(fit->table[0] << 5 | fit->table[1] << 2 | fit->is_flipped) |
                    (uint32_t)(!fit->is_individual && texels->all_opaque) << 1;
    struct ref_etc_palette palettes[2];
    for (int c = 0; c < 3; c++) {
        const int a = fit->code[0][c], b = fit->code[1][c];
        head |= (uint32_t)(fit->is_individual ? a << 4 | b : a << 3 | ((b - a) & 7))
                << (24 - 8 * c);
    }
    for (int s = 0; s < 2; s++) {
        palettes[s] = palette_of(fit->code[s], fit->is_individual ? 4 : 5, fit->table[s],
                                 texels->all_opaque);
    }
    ref_etc_pack(texels, head, fit->is_flipped, palettes, out);
}

void ref_etc1_encode_block(const uint8_t rgb[16][3], enum ref_etc_effort effort,
                           uint8_t out[REF_ETC_BLOCK_SIZE])
{
    struct ref_etc_texels texels;
    ref_etc_opaque_texels(rgb, &texels);
    const struct ref_etc1_fit fit = ref_etc1_fit_texels(&texels, true, effort);
    ref_etc1_pack(&texels, &fit, out);
}
