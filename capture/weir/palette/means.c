// SPDX-License-Identifier: MIT
// Colours of a dithered picture by least squares: each of its pixels counts by the mean around it.
//
// K-means puts colours into the middle of what they stand for, so that a mixture of them never
// reaches what lies outside. Where a picture is dithered it is the mixture that counts. With the
// indices held, its blurred error is a sum of squares of the colours: G is the blur applied twice,
// S says which pixel has which colour, and S'GS colors = S'G source has the best ones.
#include "capture/weir/palette/means.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Binomial weights, a blur of four pixels applied twice: in integers, so that sums do not depend on
// their order.
enum { REACH = 3, TAPS = 2 * REACH + 1 };
static const int32_t taps[TAPS] = {1, 6, 15, 20, 15, 6, 1};

static size_t num_pixels(const struct palette_means *means)
{
    return (size_t)means->width * means->height;
}

static bool counts(const struct palette_means *means, size_t pixel)
{
    return means->source[4 * pixel + 3] > 0;
}

static void find_kept(struct palette_means *means)
{
    uint64_t num[WEIR_PALETTE_MAX_NUM_COLORS] = {0}, num_exact[WEIR_PALETTE_MAX_NUM_COLORS] = {0};
    for (size_t i = 0; i < num_pixels(means); i++) {
        const uint32_t index = means->indices[i];
        num[index]++;
        num_exact[index] += memcmp(means->source + 4 * i, means->colors[index], 3) == 0;
    }
    for (uint32_t k = 0; k < means->num_colors; k++) {
        means->is_kept[k] = 2 * num_exact[k] >= num[k];
    }
}

// Blur along a line of `num` values that are `step` apart.
static void blur_line(const int32_t *line, size_t num, size_t step, int32_t *out)
{
    for (size_t i = 0; i < num; i++) {
        int32_t sum = 0;
        for (size_t t = 0; t < TAPS; t++) {
            sum += i + t >= REACH && i + t < num + REACH ? taps[t] * line[(i + t - REACH) * step]
                                                         : 0;
        }
        out[i * step] = sum;
    }
}

static void blur_channel(const struct palette_means *means, int channel, int32_t *work,
                         int32_t *out)
{
    const size_t width = means->width, height = means->height;
    for (size_t i = 0; i < num_pixels(means); i++) {
        out[i] = counts(means, i) ? means->source[4 * i + (size_t)channel] : 0;
    }
    for (size_t y = 0; y < height; y++) {
        blur_line(out + y * width, width, 1, work + y * width);
    }
    for (size_t x = 0; x < width; x++) {
        blur_line(work + x, height, width, out + x);
    }
}

bool palette_means_init(struct palette_means *means)
{
    const size_t num = num_pixels(means);
    int32_t *work = malloc(num * sizeof(*work));
    means->blurred = malloc(3 * num * sizeof(*means->blurred));
    const bool has_memory = work && means->blurred;
    for (int c = 0; has_memory && c < 3; c++) {
        blur_channel(means, c, work, means->blurred + (size_t)c * num);
    }
    free(work);
    find_kept(means);
    return has_memory;
}

void palette_means_finish(struct palette_means *means)
{
    free(means->blurred);
    means->blurred = NULL;
}

// The matrix and the three right sides, of doubles, which hold these integers exactly.
struct system {
    uint32_t num;
    double *matrix; // num rows, of which the solution reads the lower left half
    double sides[3][WEIR_PALETTE_MAX_NUM_COLORS];
};

static void add_pixel(struct system *system, const struct palette_means *means, uint32_t x,
                      uint32_t y)
{
    const size_t at = (size_t)y * means->width + x, num = num_pixels(means);
    const uint32_t index = means->indices[at];
    double *row = system->matrix + (size_t)index * system->num;
    for (int c = 0; c < 3; c++) {
        system->sides[c][index] += means->blurred[(size_t)c * num + at];
    }
    const uint32_t left = x < REACH ? 0 : x - REACH, top = y < REACH ? 0 : y - REACH;
    for (uint32_t v = top; v <= y + REACH && v < means->height; v++) {
        for (uint32_t u = left; u <= x + REACH && u < means->width; u++) {
            const size_t near = (size_t)v * means->width + u;
            const int32_t weight = taps[v + REACH - y] * taps[u + REACH - x];
            row[means->indices[near]] += counts(means, near) ? weight : 0;
        }
    }
}

// Hold colours near to what they are: those to be kept with a weight beside which no other counts,
// the rest with so little that it decides only where the picture says nothing.
static void hold_colors(struct system *system, const struct palette_means *means)
{
    const double total = 4096.0 * (double)num_pixels(means);
    for (uint32_t k = 0; k < system->num; k++) {
        double *diagonal = system->matrix + (size_t)k * system->num + k;
        const double weight = means->is_kept[k] ? 1e6 * total : 0.02 * *diagonal + 1;
        *diagonal += weight;
        for (int c = 0; c < 3; c++) {
            system->sides[c][k] += weight * means->colors[k][c];
        }
    }
}

// A. L. Cholesky's decomposition: the matrix is symmetric and positive definite.
static void decompose(struct system *system)
{
    for (uint32_t i = 0; i < system->num; i++) {
        double *row = system->matrix + (size_t)i * system->num;
        for (uint32_t j = 0; j <= i; j++) {
            const double *other = system->matrix + (size_t)j * system->num;
            double rest = row[j];
            for (uint32_t k = 0; k < j; k++) {
                rest -= row[k] * other[k];
            }
            row[j] = i == j ? sqrt(fmax(rest, 1)) : rest / other[j];
        }
    }
}

static void solve(const struct system *system, double *side)
{
    for (uint32_t i = 0; i < system->num; i++) {
        const double *row = system->matrix + (size_t)i * system->num;
        for (uint32_t k = 0; k < i; k++) {
            side[i] -= row[k] * side[k];
        }
        side[i] /= row[i];
    }
    for (uint32_t i = system->num; i-- > 0;) {
        for (uint32_t k = i + 1; k < system->num; k++) {
            side[i] -= system->matrix[(size_t)k * system->num + i] * side[k];
        }
        side[i] /= system->matrix[(size_t)i * system->num + i];
    }
}

bool palette_means_fit(struct palette_means *means)
{
    struct system system = {.num = means->num_colors};
    system.matrix = calloc((size_t)system.num * system.num, sizeof(*system.matrix));
    if (!system.matrix) {
        return false;
    }
    for (uint32_t y = 0; y < means->height; y++) {
        for (uint32_t x = 0; x < means->width; x++) {
            if (counts(means, (size_t)y * means->width + x)) {
                add_pixel(&system, means, x, y);
            }
        }
    }
    hold_colors(&system, means);
    decompose(&system);
    for (int c = 0; c < 3; c++) {
        solve(&system, system.sides[c]);
        for (uint32_t k = 0; k < system.num; k++) {
            means->colors[k][c] = (uint8_t)lrint(fmin(fmax(system.sides[c][k], 0), UINT8_MAX));
        }
    }
    free(system.matrix);
    return true;
}
