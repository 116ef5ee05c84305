// SPDX-License-Identifier: MIT
// Lines through texels of a block of BC6H.
#include "tests/ref/bc6h_line.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tests/ref/rounding.h"

static int maxi(int a, int b)
{
    return a > b ? a : b;
}

// floor(n / d), d > 0
static int div_floor(int n, int d)
{
    return n / d - (n % d < 0);
}

// By how much to shift a value, not below 0, so that it has at most so many bits.
static int shift_to(int value, int num_bits)
{
    int shift = 0;
    while (value >> shift >> num_bits) {
        shift++;
    }
    return shift;
}

int bc6h_mask_of(int partition)
{
    return partition < 0 ? 0 : bc6h_partitions[partition].mask;
}

// The step is the way times the largest index over the way's square, with 13 bits.
static void set_step(const int short_way[3], int largest, struct bc6h_line *l)
{
    int square = 0, num_bits = 0, most = 0;
    for (int c = 0; c < 3; c++) {
        square += short_way[c] * short_way[c];
    }
    while (square >> num_bits) {
        num_bits++;
    }
    l->step_shift = 1;
    if (square == 0) {
        return;
    }
    // 2^30 over the square with 15 bits
    const int inverse = (1 << 30) /
                        (num_bits > 15 ? square >> (num_bits - 15) : square << (15 - num_bits));
    for (int c = 0; c < 3; c++) {
        l->step[c] = (short_way[c] * inverse >> 4) * largest;
        most = maxi(most, l->step[c] < 0 ? -l->step[c] : l->step[c]);
    }
    const int shift = shift_to(most, 13);
    for (int c = 0; c < 3; c++) {
        l->step[c] >>= shift;
    }
    l->step_shift = l->shift + 11 + num_bits - shift;
}

static struct bc6h_line line_between(const int first[3], const int second[3], int largest)
{
    struct bc6h_line l = {.shift = 0};
    int longest = 0, short_way[3];
    for (int c = 0; c < 3; c++) {
        l.start[c] = first[c];
        l.way[c] = second[c] - first[c];
        longest = maxi(longest, l.way[c] < 0 ? -l.way[c] : l.way[c]);
    }
    l.shift = shift_to(longest, 12);
    for (int c = 0; c < 3; c++) {
        short_way[c] = l.way[c] >> l.shift;
    }
    set_step(short_way, largest, &l);
    return l;
}

void bc6h_lines_between(int ends[4][3], int largest, struct bc6h_line lines[2])
{
    for (int s = 0; s < 2; s++) {
        lines[s] = line_between(ends[2 * s], ends[2 * s + 1], largest);
    }
}

// The nearest of the values at equal distances along a line, 0 .. largest.
static int index_on(const struct bc6h_line *l, const int value[3], int largest)
{
    int along = 1 << (l->step_shift - 1);
    for (int c = 0; c < 3; c++) {
        along += l->step[c] * (value[c] - l->start[c]);
    }
    return bc6h_clamp(along >> l->step_shift, 0, largest);
}

int bc6h_largest_index(int partition)
{
    return partition < 0 ? 15 : 7;
}

// Indices of anchors are in the lower half: ends are such that this costs nothing or nearly
// nothing.
int bc6h_index_of(const struct bc6h_line lines[2], int partition, const int value[3], int t)
{
    const int largest = bc6h_largest_index(partition);
    const int index = index_on(&lines[bc6h_mask_of(partition) >> t & 1], value, largest);
    const bool is_anchor = t == 0 || (partition >= 0 && t == bc6h_partitions[partition].anchor);
    return is_anchor && index > largest / 2 ? largest / 2 : index;
}

// Of a subset's texels with 10 bits a channel.
struct moments {
    int num, sum[3], product[6]; // xx, yy, zz, xy, xz, yz
};

static void add_moments(struct moments *m, const int v[3], int sign)
{
    m->num += sign;
    for (int c = 0; c < 3; c++) {
        m->sum[c] += sign * v[c];
        m->product[c] += sign * v[c] * v[c];
    }
    m->product[3] += sign * v[0] * v[1];
    m->product[4] += sign * v[0] * v[2];
    m->product[5] += sign * v[1] * v[2];
}

// num^2 times the covariance, under 2^28.
static void set_covariance(const struct moments *m, int covariance[6])
{
    static const int of[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < 6; i++) {
        covariance[i] = m->num * m->product[i] - m->sum[of[i][0]] * m->sum[of[i][1]];
    }
}

// `mask`: of the texels that count.
static void set_reduced(const struct bc6h_texels *b, int mask, int reduced[16][3])
{
    int lo[3] = {1 << 16, 1 << 16, 1 << 16}, hi[3] = {-(1 << 16), -(1 << 16), -(1 << 16)};
    int range = 0;
    for (int c = 0; c < 3; c++) {
        for (int t = 0; t < 16; t++) {
            if (mask >> t & 1) {
                lo[c] = b->values[t][c] < lo[c] ? b->values[t][c] : lo[c];
                hi[c] = maxi(hi[c], b->values[t][c]);
            }
        }
        range = maxi(range, hi[c] - lo[c]);
    }
    const int shift = shift_to(range, 10);
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            reduced[t][c] = mask >> t & 1 ? (b->values[t][c] - lo[c]) >> shift : 0;
        }
    }
}

// How badly a line with eight values would fit: with T the sum of the covariance's eigenvalues and
// r that of the lesser two, 48 r + T, for the mean square of a 49th of a step along. r(T - r) is
// the sum M of the principal minors, if the least eigenvalue is 0, so r is nearly M / (T - M / T).
static float line_cost(const struct moments *m)
{
    static const int of[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const float inverse = 1 / (float)m->num;
    float v[6];
    for (int i = 0; i < 6; i++) {
        const float mean = (float)m->sum[of[i][0]] * inverse;
        const float of_mean = mean * (float)m->sum[of[i][1]];
        v[i] = (float)m->product[i] - of_mean;
    }
    const float total = v[0] + v[1] + v[2];
    const float squares[6] = {v[0] * v[1], v[0] * v[2], v[1] * v[2],
                              v[3] * v[3], v[4] * v[4], v[5] * v[5]};
    const float minors = squares[0] + squares[1] + squares[2] - squares[3] - squares[4] -
                         squares[5];
    const float bounded = minors > 0 ? minors : 0;
    const float square = total * total;
    const float rest = bounded * total *
                       ref_reciprocal(square - bounded > 1 ? square - bounded : 1);
    const float weighted = 48 * rest;
    return weighted + total;
}

// The likeliest partitions, best first. Of those that cost nearly the same the first ones are
// better.
void bc6h_rank_partitions(const struct bc6h_texels *b, int num, int ranked[BC6H_NUM_PARTITIONS])
{
    int reduced[16][3];
    uint32_t keys[BC6H_NUM_PARTITIONS];
    set_reduced(b, 0xffff, reduced);
    struct moments all = {0};
    for (int t = 0; t < 16; t++) {
        add_moments(&all, reduced[t], 1);
    }
    for (int i = 0; i < num; i++) {
        keys[i] = UINT32_MAX;
    }
    for (int p = 0; p < BC6H_NUM_PARTITIONS; p++) {
        struct moments first = all, second = {0};
        for (int t = 0; t < 16; t++) {
            if (bc6h_mask_of(p) >> t & 1) {
                add_moments(&first, reduced[t], -1);
                add_moments(&second, reduced[t], 1);
            }
        }
        const float cost = line_cost(&first) + line_cost(&second);
        uint32_t key = (uint32_t)rintf(cost / 32768) << 5 | (uint32_t)p;
        for (int i = 0; i < num; i++) {
            const uint32_t greater = key > keys[i] ? key : keys[i];
            keys[i] = key < keys[i] ? key : keys[i];
            key = greater;
        }
    }
    for (int i = 0; i < num; i++) {
        ranked[i] = (int)(keys[i] & 31);
    }
}

// The direction in which texels differ most, by three steps of the power method.
static void set_axis(const int covariance[6], int axis[3])
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    int longest = 0;
    for (int c = 1; c < 3; c++) {
        if (covariance[c] > covariance[longest]) {
            longest = c;
        }
    }
    const int shift = shift_to(covariance[longest], 14);
    for (int c = 0; c < 3; c++) {
        axis[c] = covariance[at[longest][c]] >> shift;
    }
    for (int step = 0; step < 3; step++) {
        int next[3] = {0}, largest = 0;
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) {
                next[c] += (covariance[at[c][k]] >> shift) * axis[k];
            }
            largest = maxi(largest, next[c] < 0 ? -next[c] : next[c]);
        }
        for (int c = 0; c < 3; c++) {
            axis[c] = next[c] >> shift_to(largest, 14);
        }
    }
}

// The texels that are farthest apart along the principal axis.
void bc6h_set_extremes(const struct bc6h_texels *b, int mask, int ends[2][3])
{
    int reduced[16][3], covariance[6], axis[3];
    struct moments m = {0};
    set_reduced(b, mask, reduced);
    for (int t = 0; t < 16; t++) {
        if (mask >> t & 1) {
            add_moments(&m, reduced[t], 1);
        }
    }
    set_covariance(&m, covariance);
    set_axis(covariance, axis);
    int least = 0x7fffffff, greatest = -0x7fffffff;
    for (int t = 0; t < 16; t++) {
        if (!(mask >> t & 1)) {
            continue;
        }
        const int along = (axis[0] * reduced[t][0] + axis[1] * reduced[t][1] +
                           axis[2] * reduced[t][2]);
        if (along < least) {
            least = along;
            memcpy(ends[0], b->values[t], sizeof(ends[0]));
        }
        if (along > greatest) {
            greatest = along;
            memcpy(ends[1], b->values[t], sizeof(ends[1]));
        }
    }
}

// Sums for least squares over a subset: of indices and of offsets from the line's start.
struct sums {
    int n, k, kk, v[3], kv[3];
};

// The endpoints that fit best as the texels are assigned to `lines` now.
void bc6h_solve(const struct bc6h_texels *b, int partition, const struct bc6h_line lines[2],
                int ends[4][3])
{
    const int largest = bc6h_largest_index(partition);
    for (int s = 0; s < (partition < 0 ? 1 : 2); s++) {
        const struct bc6h_line *l = &lines[s];
        struct sums sums = {0};
        for (int t = 0; t < 16; t++) {
            if ((bc6h_mask_of(partition) >> t & 1) != s) {
                continue;
            }
            const int k = index_on(l, b->values[t], largest);
            sums.n++;
            sums.k += k;
            sums.kk += k * k;
            for (int c = 0; c < 3; c++) {
                const int v = bc6h_clamp((b->values[t][c] - l->start[c]) >> l->shift, -8191, 8191);
                sums.v[c] += v;
                sums.kv[c] += k * v;
            }
        }
        const int d = sums.n * sums.kk - sums.k * sums.k;
        for (int c = 0; c < 3 && d != 0; c++) {
            const int first = sums.kk * sums.v[c] - sums.k * sums.kv[c] + d / 2;
            const int second = first + largest * (sums.n * sums.kv[c] - sums.k * sums.v[c]);
            const int half = 1 << l->shift >> 1, least = b->is_signed ? -0x7fff : 0;
            const int most = b->is_signed ? 0x7fff : 0xffff;
            ends[2 * s][c] = bc6h_clamp(l->start[c] + half + div_floor(first, d) * (1 << l->shift),
                                        least, most);
            ends[2 * s + 1][c] = bc6h_clamp(
                l->start[c] + half + div_floor(second, d) * (1 << l->shift), least, most);
        }
    }
}

void bc6h_orient(const struct bc6h_texels *b, int partition, int ends[4][3])
{
    const int largest = bc6h_largest_index(partition);
    struct bc6h_line lines[2];
    bc6h_lines_between(ends, largest, lines);
    for (int s = 0; s < (partition < 0 ? 1 : 2); s++) {
        const int anchor = s == 0 ? 0 : bc6h_partitions[partition].anchor;
        if (index_on(&lines[s], b->values[anchor], largest) > largest / 2) {
            for (int c = 0; c < 3; c++) {
                const int first = ends[2 * s][c];
                ends[2 * s][c] = ends[2 * s + 1][c];
                ends[2 * s + 1][c] = first;
            }
        }
    }
}
