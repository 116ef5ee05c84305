// SPDX-License-Identifier: MIT
// The T and H modes of ETC2: two clusters of colours, and a local search about them.
#include "tests/ref/etc2.h"

static const int distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

enum { NUM_MEANS_STEPS = 4 };

// The search of each effort: num_bases pairs of bases for each mode and distance, each pair the
// means of the texels that chose the pair before; num_passes passes over the neighbours of the best
// of them; and num_last_passes passes over the neighbours of the best of all modes and distances.
static const struct search {
    int num_bases, num_passes, num_last_passes;
} searches[] = {
    [REF_ETC_FAST] = {1, 0, 0},
    [REF_ETC_DEFAULT] = {1, 0, 2},
    [REF_ETC_HIGH] = {2, 3, 0},
};

// Which base a code has, and how many distances it adds.
static int base_of(bool is_h, int code)
{
    return is_h ? code / 2 : code > 0;
}

static int sign_of(bool is_h, int code)
{
    static const int signs[2][4] = {{0, 1, 0, -1}, {1, -1, 1, -1}};
    return signs[is_h][code];
}

static struct ref_etc_palette palette_of(const struct ref_etc2_paint *fit, bool all_opaque)
{
    struct ref_etc_palette palette = {.lacks_2 = !all_opaque};
    for (int k = 0; k < 4; k++) {
        int color[3];
        for (int c = 0; c < 3; c++) {
            color[c] = ref_etc_value_of(fit->code[base_of(fit->is_h, k)][c], 4);
        }
        ref_etc_shift_color(color, sign_of(fit->is_h, k) * distances[fit->distance],
                            palette.color[k]);
    }
    return palette;
}

static int word_of(const int code[3])
{
    return code[0] << 8 | code[1] << 4 | code[2];
}

// The order of H's bases is the last bit of its distance. False where they are equal and have none.
static bool put_in_order(struct ref_etc2_paint *fit)
{
    const int a = word_of(fit->code[0]), b = word_of(fit->code[1]);
    if (!fit->is_h || (a >= b) == (fit->distance & 1)) {
        return true;
    }
    for (int c = 0; c < 3; c++) {
        const int code = fit->code[0][c];
        fit->code[0][c] = fit->code[1][c];
        fit->code[1][c] = code;
    }
    return a != b;
}

void ref_etc2_set_paint_error(const struct ref_etc_texels *texels, struct ref_etc2_paint *fit)
{
    fit->error = put_in_order(fit) ? 0 : REF_ETC_NO_FIT;
    const struct ref_etc_palette palette = palette_of(fit, texels->all_opaque);
    for (int t = 0; t < 16; t++) {
        if (texels->is_opaque[t]) {
            int error;
            ref_etc_nearest(&palette, texels->rgb[t], &error);
            fit->error += error;
        }
    }
}

// The bases that fit the texels best while each keeps its code.
static void set_bases(const struct ref_etc_texels *texels, struct ref_etc2_paint *fit)
{
    const struct ref_etc_palette palette = palette_of(fit, texels->all_opaque);
    int sum[2][3] = {{0}}, count[2] = {0};
    for (int t = 0; t < 16; t++) {
        if (texels->is_opaque[t]) {
            int error;
            const int code = ref_etc_nearest(&palette, texels->rgb[t], &error);
            const int s = base_of(fit->is_h, code);
            count[s]++;
            for (int c = 0; c < 3; c++) {
                sum[s][c] += texels->rgb[t][c] -
                             sign_of(fit->is_h, code) * distances[fit->distance];
            }
        }
    }
    for (int s = 0; s < 2; s++) {
        for (int c = 0; c < 3 && count[s] > 0; c++) {
            fit->code[s][c] = ref_etc_code_of(sum[s][c], count[s], 4, 0, 15);
        }
    }
}

static int square_distance(const int a[3], int scale, const int b[3])
{
    int sum = 0;
    for (int c = 0; c < 3; c++) {
        sum += (scale * a[c] - b[c]) * (scale * a[c] - b[c]);
    }
    return sum;
}

// The texel farthest from color / scale.
static int farthest(const struct ref_etc_texels *texels, int scale, const int color[3])
{
    int best = 0, most = -1;
    for (int t = 0; t < 16; t++) {
        const int distance = texels->is_opaque[t] ? square_distance(texels->rgb[t], scale, color)
                                                  : -1;
        if (distance > most) {
            most = distance;
            best = t;
        }
    }
    return best;
}

// Each texel to the nearer of two means, in 1/16, which then are those of what came to them.
static void step_means(const struct ref_etc_texels *texels, int mean[2][3])
{
    int sum[2][3] = {{0}}, count[2] = {0};
    for (int t = 0; t < 16; t++) {
        if (texels->is_opaque[t]) {
            const int s = square_distance(texels->rgb[t], 16, mean[1]) <
                          square_distance(texels->rgb[t], 16, mean[0]);
            count[s]++;
            for (int c = 0; c < 3; c++) {
                sum[s][c] += texels->rgb[t][c];
            }
        }
    }
    for (int s = 0; s < 2; s++) {
        for (int c = 0; c < 3 && count[s] > 0; c++) {
            mean[s][c] = 16 * sum[s][c] / count[s];
        }
    }
}

// Two clusters, from the texel that is farthest from the mean and the one farthest from that: their
// means' codes.
static void find_clusters(const struct ref_etc_texels *texels, int code[2][3])
{
    int sum[3] = {0}, count = 0, mean[2][3];
    for (int t = 0; t < 16; t++) {
        count += texels->is_opaque[t];
        for (int c = 0; c < 3; c++) {
            sum[c] += texels->rgb[t][c];
        }
    }
    const int a = farthest(texels, count, sum), b = farthest(texels, 1, texels->rgb[a]);
    for (int c = 0; c < 3; c++) {
        mean[0][c] = 16 * texels->rgb[a][c];
        mean[1][c] = 16 * texels->rgb[b][c];
    }
    for (int i = 0; i < NUM_MEANS_STEPS; i++) {
        step_means(texels, mean);
    }
    for (int s = 0; s < 2; s++) {
        for (int c = 0; c < 3; c++) {
            code[s][c] = ref_etc_code_of(mean[s][c], 16, 4, 0, 15);
        }
    }
}

// Of the bases' channels one or all, or the distance, less or more by one.
static bool move(struct ref_etc2_paint *fit, int i)
{
    const int way = 2 * (i & 1) - 1, what = i / 2;
    if (what == 8) {
        fit->distance += way;
        return fit->distance >= 0 && fit->distance <= 7;
    }
    int *code = fit->code[what / 4];
    bool is_inside = true;
    for (int c = 0; c < 3; c++) {
        code[c] += what % 4 == c || what % 4 == 3 ? way : 0;
        is_inside = is_inside && code[c] >= 0 && code[c] <= 15;
    }
    return is_inside;
}

static void search_neighbors(const struct ref_etc_texels *texels, int num_passes,
                             struct ref_etc2_paint *fit)
{
    for (int pass = 0, before = REF_ETC_NO_FIT; pass < num_passes && fit->error < before; pass++) {
        const struct ref_etc2_paint center = *fit;
        before = fit->error;
        for (int i = 0; i < 18; i++) {
            struct ref_etc2_paint moved = center;
            if (move(&moved, i)) {
                ref_etc2_set_paint_error(texels, &moved);
                if (moved.error < fit->error) {
                    *fit = moved;
                }
            }
        }
    }
}

static struct ref_etc2_paint search_bases(const struct ref_etc_texels *texels,
                                          struct ref_etc2_paint start, const struct search *search)
{
    struct ref_etc2_paint best = start;
    ref_etc2_set_paint_error(texels, &best);
    for (int i = 1; i < search->num_bases; i++) {
        struct ref_etc2_paint moved = best;
        set_bases(texels, &moved);
        ref_etc2_set_paint_error(texels, &moved);
        if (moved.error < best.error) {
            best = moved;
        }
    }
    search_neighbors(texels, search->num_passes, &best);
    return best;
}

struct ref_etc2_paint ref_etc2_fit_paint(const struct ref_etc_texels *texels,
                                         enum ref_etc_effort effort)
{
    const struct search *search = &searches[effort];
    struct ref_etc2_paint best = {.error = REF_ETC_NO_FIT};
    int code[2][3];
    find_clusters(texels, code);
    for (int i = 0; i < 24; i++) { // T, T with the clusters the other way round, H
        struct ref_etc2_paint start = {.is_h = i / 8 == 2, .distance = i % 8};
        for (int c = 0; c < 3; c++) {
            start.code[0][c] = code[i / 8 == 1][c];
            start.code[1][c] = code[i / 8 != 1][c];
        }
        start = search_bases(texels, start, search);
        if (start.error < best.error) {
            best = start;
        }
    }
    search_neighbors(texels, search->num_last_passes, &best);
    return best;
}

// Bits `from` and up of a code, so many.
static uint32_t part(int code, int from, int size)
{
    return (uint32_t)(code >> from & ((1 << size) - 1));
}

// The filler that makes a channel overflow whose base ends in `base` and whose difference in
// `difference`: bits of the channel's byte.
static uint32_t overflow(uint32_t base, uint32_t difference)
{
    return base + difference >= 4 ? 0xe0 : 0x04;
}

static uint32_t t_head(const struct ref_etc2_paint *fit)
{
    const int *a = fit->code[0], *b = fit->code[1];
    return overflow(part(a[0], 2, 2), part(a[0], 0, 2)) << 24 | part(a[0], 2, 2) << 27 |
           part(a[0], 0, 2) << 24 | part(a[1], 0, 4) << 20 | part(a[2], 0, 4) << 16 |
           part(b[0], 0, 4) << 12 | part(b[1], 0, 4) << 8 | part(b[2], 0, 4) << 4 |
           part(fit->distance, 1, 2) << 2 | 2 | part(fit->distance, 0, 1);
}

// R must not overflow: a negative difference has the upper half of the bases before it.
static uint32_t h_head(const struct ref_etc2_paint *fit)
{
    const int *a = fit->code[0], *b = fit->code[1];
    return part(a[1], 3, 1) << 31 | part(a[0], 0, 4) << 27 | part(a[1], 1, 3) << 24 |
           overflow(part(a[1], 0, 1) << 1 | part(a[2], 3, 1), part(a[2], 1, 2)) << 16 |
           part(a[1], 0, 1) << 20 | part(a[2], 3, 1) << 19 | part(a[2], 0, 3) << 15 |
           part(b[0], 0, 4) << 11 | part(b[1], 0, 4) << 7 | part(b[2], 0, 4) << 3 |
           part(fit->distance, 2, 1) << 2 | 2 | part(fit->distance, 1, 1);
}

void ref_etc2_pack_paint(const struct ref_etc_texels *texels, const struct ref_etc2_paint *fit,
                         uint8_t out[REF_ETC_BLOCK_SIZE])
{
    const struct ref_etc_palette palette = palette_of(fit, texels->all_opaque);
    const struct ref_etc_palette palettes[2] = {palette, palette};
    uint32_t head = fit->is_h ? h_head(fit) : t_head(fit);
    if (!texels->all_opaque) {
        head &= ~UINT32_C(2);
    }
    ref_etc_pack(texels, head, false, palettes, out);
}
