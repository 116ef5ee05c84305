// SPDX-License-Identifier: MIT
// The two endpoints of one subset of a BC7 block.
//
// They start at the ends of the texels along their principal axis, and are then fitted to indices
// by least squares: S. Brown, "DXT Compression Techniques" (2006).
#include "tests/ref/bc7_fit.h"

#include <limits.h>
#include <stdbool.h>

// Endpoints that are not codes yet, in quarters of 1/255.
struct ideal {
    int value[2][4];
};

static int clampi(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static int max_code(const struct ref_bc7_task *task, int c)
{
    return (1 << task->bits[c]) - 1;
}

int ref_bc7_expand(int code, int num_bits)
{
    return num_bits == 0 ? 0 : code << (8 - num_bits) | code >> (2 * num_bits - 8);
}

// 64 index / max_index, rounded.
static int weight_of(int max_index, int index)
{
    const int multiple = max_index == 15 ? 273 : max_index == 7 ? 585 : 1365;
    return (index * multiple + 32) >> 6;
}

int ref_bc7_interpolate(int first, int second, int max_index, int index)
{
    const int weight = weight_of(max_index, index);
    return ((64 - weight) * first + weight * second + 32) >> 6;
}

// The line from the first endpoint to the second.
struct line {
    int start[4], way[4];
    int square;     // of the way
    unsigned scale; // from the square to max_index, times 2^27
};

static struct line line_of(const struct ref_bc7_task *task, const struct ref_bc7_fit *f)
{
    struct line l = {.square = 0};
    for (int c = 0; c < 4; c++) {
        l.start[c] = ref_bc7_expand(f->code[0][c], task->bits[c]);
        l.way[c] = ref_bc7_expand(f->code[1][c], task->bits[c]) - l.start[c];
        l.square += l.way[c] * l.way[c];
    }
    l.scale = l.square ? ((unsigned)task->max_index << 27) / (unsigned)l.square : 0;
    return l;
}

// The index whose texel is nearest on the line, but for the rounding of weights and values.
static int nearest(const struct line *l, const uint8_t v[4])
{
    int along = 0;
    for (int c = 0; c < 4; c++) {
        along += l->way[c] * (v[c] - l->start[c]);
    }
    return (int)(((unsigned)clampi(along, 0, l->square) * l->scale + (1u << 26)) >> 27);
}

int ref_bc7_nearest(const int ends[2][4], int first, int last, int max_index, const uint8_t v[4])
{
    struct line l = {.square = 0};
    for (int c = first; c <= last; c++) {
        l.start[c] = ends[0][c];
        l.way[c] = ends[1][c] - ends[0][c];
        l.square += l.way[c] * l.way[c];
    }
    l.scale = l.square ? ((unsigned)max_index << 27) / (unsigned)l.square : 0;
    return nearest(&l, v);
}

static void set_error(const struct ref_bc7_task *task, struct ref_bc7_fit *f, int bound)
{
    const struct line l = line_of(task, f);
    f->error = 0;
    for (int t = 0; t < 16 && f->error < bound; t++) {
        if (!(task->subset >> t & 1)) {
            continue;
        }
        const int weight = weight_of(task->max_index, nearest(&l, task->texels[t]));
        for (int c = 0; c < 4; c++) {
            const int e = task->texels[t][c] - l.start[c] - ((weight * l.way[c] + 32) >> 6);
            f->error += task->bits[c] ? e * e : 0;
        }
    }
}

static void keep_better(const struct ref_bc7_task *task, struct ref_bc7_fit moved,
                        struct ref_bc7_fit *f)
{
    set_error(task, &moved, f->error);
    if (moved.error < f->error) {
        *f = moved;
    }
}

// The nearest code with that lowest bit, or the nearest of all.
static int code_of(const struct ref_bc7_task *task, int c, int value, int p)
{
    const int max = max_code(task, c);
    if (task->p_bits == REF_BC7_P_NONE) {
        return (value * max + 510) / 1020;
    }
    return 2 * clampi((value * max - 1020 * p + 1020) / 2040, 0, max >> 1) + p;
}

static int code_error(const struct ref_bc7_task *task, const struct ideal *ideal, int end, int p)
{
    int error = 0;
    for (int c = 0; c < 4; c++) {
        const int value = ideal->value[end][c];
        const int e = 4 * ref_bc7_expand(code_of(task, c, value, p), task->bits[c]) - value;
        error += task->bits[c] ? e * e : 0;
    }
    return error;
}

static struct ref_bc7_fit round_to(const struct ref_bc7_task *task, const struct ideal *ideal,
                                   int p_bits)
{
    struct ref_bc7_fit f = {.error = INT_MAX};
    for (int end = 0; end < 2; end++) {
        for (int c = 0; c < 4; c++) {
            if (task->bits[c]) {
                f.code[end][c] = code_of(task, c, ideal->value[end][c], p_bits >> end & 1);
            }
        }
    }
    return f;
}

// A bit an endpoint.
static int nearest_p_bits(const struct ref_bc7_task *task, const struct ideal *ideal)
{
    if (task->p_bits == REF_BC7_P_NONE) {
        return 0;
    }
    if (task->p_bits == REF_BC7_P_ONE) {
        return 3;
    }
    int error[2][2];
    for (int end = 0; end < 2; end++) {
        for (int p = 0; p < 2; p++) {
            error[end][p] = code_error(task, ideal, end, p);
        }
    }
    if (task->p_bits == REF_BC7_P_SHARED) {
        return error[0][1] + error[1][1] < error[0][0] + error[1][0] ? 3 : 0;
    }
    return (error[0][1] < error[0][0]) | (error[1][1] < error[1][0]) << 1;
}

static void keep_best_of(const struct ref_bc7_task *task, const struct ideal *ideal, bool all,
                         struct ref_bc7_fit *f)
{
    const int p_bits = nearest_p_bits(task, ideal);
    const bool has = task->p_bits == REF_BC7_P_EACH || task->p_bits == REF_BC7_P_SHARED;
    const int step = task->p_bits == REF_BC7_P_SHARED ? 3 : 1;
    for (int i = 0; i <= (all && has ? 3 : 0); i += step) {
        keep_better(task, round_to(task, ideal, p_bits ^ i), f);
    }
}

// n times / d in quarters, where it is between 0 and 255.
static int quarters_of(int n, int times, int d)
{
    if (n <= 0) {
        return 0;
    }
    unsigned whole = (unsigned)n * (unsigned)times;
    if (whole > 255u * (unsigned)d) {
        whole = 255u * (unsigned)d;
    }
    return (int)((4 * whole + (unsigned)d / 2) / (unsigned)d);
}

// An end of the line moves out by so many indices, or in: index k becomes k + first, of max_index +
// first + last, which is scaled to max_index again.
struct stretch {
    int first, last;
};

// The endpoints that fit the texels best as these are assigned now, or as they are once the indices
// are stretched: two normal equations a channel.
static bool solve(const struct ref_bc7_task *task, const struct ref_bc7_fit *f,
                  struct stretch stretch, struct ideal *ideal)
{
    const struct line l = line_of(task, f);
    const int max = task->max_index, length = max + stretch.first + stretch.last;
    if (length <= 0) {
        return false;
    }
    const int scale = (max << 16) / length;
    int n = 0, sk = 0, skk = 0, sv[4] = {0}, skv[4] = {0};
    for (int t = 0; t < 16; t++) {
        if (!(task->subset >> t & 1)) {
            continue;
        }
        const int stretched = (nearest(&l, task->texels[t]) + stretch.first) * scale + (1 << 15);
        const int k = clampi(stretched, 0, max << 16) >> 16;
        n++;
        sk += k;
        skk += k * k;
        for (int c = 0; c < 4; c++) {
            sv[c] += task->texels[t][c];
            skv[c] += k * task->texels[t][c];
        }
    }
    const int aa = n * max * max - 2 * max * sk + skk, ab = max * sk - skk, bb = skk;
    const int d = aa * bb - ab * ab;
    if (d == 0) {
        return false;
    }
    for (int c = 0; c < 4; c++) {
        const int av = max * sv[c] - skv[c], bv = skv[c];
        ideal->value[0][c] = quarters_of(av * bb - bv * ab, max, d);
        ideal->value[1][c] = quarters_of(bv * aa - av * ab, max, d);
    }
    return true;
}

static bool is_code(const struct ref_bc7_task *task, const struct ref_bc7_fit *f, int c)
{
    for (int end = 0; end < 2; end++) {
        if (f->code[end][c] < 0 || f->code[end][c] > max_code(task, c)) {
            return false;
        }
    }
    return true;
}

// Of each channel both ends at their neighbours, all nine pairs.
static void search(const struct ref_bc7_task *task, struct ref_bc7_fit *f)
{
    const int step = task->p_bits == REF_BC7_P_NONE ? 1 : 2;
    for (int c = 0; c < 4; c++) {
        if (!task->bits[c]) {
            continue;
        }
        const struct ref_bc7_fit center = *f;
        for (int i = 0; i < 9; i++) {
            struct ref_bc7_fit moved = center;
            moved.code[0][c] += step * (i / 3 - 1);
            moved.code[1][c] += step * (i % 3 - 1);
            if (is_code(task, &moved, c)) {
                keep_better(task, moved, f);
            }
        }
    }
}

static int highest_bit(unsigned v)
{
    int bit = -1;
    for (; v; v >>= 1) {
        bit++;
    }
    return bit;
}

// The largest magnitude becomes 2^bit or more, and less than twice that.
static void scale_to(int bit, int axis[4])
{
    unsigned bits = 0;
    for (int c = 0; c < 4; c++) {
        bits |= (unsigned)(axis[c] < 0 ? -axis[c] : axis[c]);
    }
    const int shift = highest_bit(bits) - bit;
    for (int c = 0; c < 4; c++) {
        axis[c] = shift < 0 ? axis[c] * (1 << -shift) : axis[c] >> shift;
    }
}

// The principal axis by power iteration, 256 at most. 0 where all texels are the same.
static void find_axis(const struct ref_bc7_task *task, const int sum[4], int n, int axis[4])
{
    int covariance[4][4], largest = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            int product = 0;
            for (int t = 0; t < 16; t++) {
                if (task->subset >> t & 1) {
                    product += task->texels[t][i] * task->texels[t][j];
                }
            }
            covariance[i][j] = task->bits[i] && task->bits[j] ? n * product - sum[i] * sum[j] : 0;
        }
        if (covariance[i][i] > covariance[largest][largest]) {
            largest = i;
        }
    }
    const int shift = highest_bit((unsigned)covariance[largest][largest]) - 13;
    for (int c = 0; c < 4; c++) {
        for (int i = 0; i < 4 && shift > 0; i++) {
            covariance[c][i] >>= shift;
        }
    }
    for (int c = 0; c < 4; c++) {
        axis[c] = covariance[largest][c];
    }
    if (axis[largest] == 0) {
        return;
    }
    for (int pass = 0; pass < 4; pass++) {
        scale_to(11, axis);
        const int old[4] = {axis[0], axis[1], axis[2], axis[3]};
        for (int c = 0; c < 4; c++) {
            axis[c] = 0;
            for (int i = 0; i < 4; i++) {
                axis[c] += covariance[c][i] * old[i];
            }
        }
    }
    scale_to(7, axis);
}

// a b / square, rounded, in quarters.
static int part_of(int a, int b, int square)
{
    const int n = a * b, magnitude = (4 * (n < 0 ? -n : n) + square / 2) / square;
    return n < 0 ? -magnitude : magnitude;
}

// The ends of the texels on the line through their mean.
static struct ideal start(const struct ref_bc7_task *task)
{
    int n = 0, sum[4] = {0}, axis[4];
    for (int t = 0; t < 16; t++) {
        if (task->subset >> t & 1) {
            n++;
            for (int c = 0; c < 4; c++) {
                sum[c] += task->bits[c] ? task->texels[t][c] : 0;
            }
        }
    }
    find_axis(task, sum, n, axis);
    int first = INT_MAX, last = -INT_MAX, square = 0, middle = 0;
    for (int t = 0; t < 16; t++) {
        if (!(task->subset >> t & 1)) {
            continue;
        }
        int along = 0;
        for (int c = 0; c < 4; c++) {
            along += axis[c] * task->texels[t][c];
        }
        first = along < first ? along : first;
        last = along > last ? along : last;
    }
    for (int c = 0; c < 4; c++) {
        square += axis[c] * axis[c];
        middle += axis[c] * sum[c];
    }
    square = square ? square : 1;
    // middle can be negative; a multiple of n makes the division that of a positive number.
    const int mean = (middle + (1 << 20) * n) / n - (1 << 20);
    struct ideal ideal;
    for (int c = 0; c < 4; c++) {
        const int center = 4 * sum[c] / n;
        ideal.value[0][c] = clampi(center + part_of(axis[c], first - mean, square), 0, 1020);
        ideal.value[1][c] = clampi(center + part_of(axis[c], last - mean, square), 0, 1020);
    }
    return ideal;
}

struct ref_bc7_fit ref_bc7_fit_subset(const struct ref_bc7_task *task,
                                      const struct ref_bc7_reach *reach)
{
    struct ideal ideal = start(task);
    struct ref_bc7_fit f = {.error = INT_MAX};
    keep_best_of(task, &ideal, reach->all_p_bits, &f);
    if (solve(task, &f, (struct stretch){0, 0}, &ideal)) {
        keep_best_of(task, &ideal, reach->all_p_bits, &f);
    }
    return f;
}

// Least squares settle where no texel changes its index. Stretched indices lead out of there.
static void solve_stretched(const struct ref_bc7_task *task, int most, struct ref_bc7_fit *fit)
{
    const struct ref_bc7_fit center = *fit;
    for (int first = -most; first <= most; first++) {
        for (int last = -most; last <= most; last++) {
            struct ideal ideal;
            if (solve(task, &center, (struct stretch){first, last}, &ideal)) {
                keep_best_of(task, &ideal, true, fit);
            }
        }
    }
}

void ref_bc7_polish_subset(const struct ref_bc7_task *task, const struct ref_bc7_reach *reach,
                           struct ref_bc7_fit *fit)
{
    const bool has_channels = task->bits[0] || task->bits[1] || task->bits[2] || task->bits[3];
    fit->error = has_channels ? INT_MAX : 0;
    for (int i = 0; i < reach->num_rounds && has_channels; i++) {
        const int before = fit->error;
        search(task, fit);
        solve_stretched(task, reach->stretch, fit);
        if (fit->error == before) {
            break;
        }
    }
}
