// SPDX-License-Identifier: MIT
// Judges levels that the processor has made, from level 0 on in 64-bit floats.
//
// cli_levels_check filter PREFIX FILTER EDGE mean|alpha_mean srgb|data BOUND
// cli_levels_check normals PREFIX BOUND
// cli_levels_check coverage PREFIX THRESHOLD BOUND
//
// BOUND: how far a value of 0 .. 1, a channel of a vector, or the share of texels that alpha tests
// keep may be from what is right.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/e2e/level_files.h"
#include "tests/expect.h"
#include "tests/ref/pyramid.h"
#include "tests/ref/texel.h"

static const double hidden_weight = 0x1p-84; // of colours under alpha 0

// The cubic of Mitchell and Netravali (1988) with B = C = 1/3.
static double mitchell(double x)
{
    return x < 1   ? (7 * x * x * x - 12 * x * x + 16.0 / 3) / 6
           : x < 2 ? (-7.0 / 3 * x * x * x + 12 * x * x - 20 * x + 32.0 / 3) / 6
                   : 0;
}

// I0 by its integral.
static double bessel(double x)
{
    double sum = 0;
    for (int i = 0; i < 64; i++) {
        sum += exp(x * cos(2 * M_PI * i / 64)) / 64;
    }
    return sum;
}

static double kaiser(double x)
{
    const double window = x < 3 ? bessel(4 * sqrt(1 - x * x / 9)) / bessel(4) : 0;
    return x > 0 ? window * sin(M_PI * x) / (M_PI * x) : 1;
}

static int64_t fold(int64_t at, int64_t size, const char *edge)
{
    while (at < 0 || at >= size) {
        at = edge[0] == 'c'   ? (at < 0 ? 0 : size - 1)
             : edge[0] == 'w' ? (at < 0 ? at + size : at - size)
             : at < 0         ? -1 - at
                              : 2 * size - 1 - at;
    }
    return at;
}

// The weight of each of `size` texels in texel `i` of `next` ones.
static void weigh(const char *filter, const char *edge, uint32_t size, uint32_t next, uint32_t i,
                  double *weights)
{
    const double ratio = (double)size / next, middle = (i + 0.5) * ratio;
    double total = 0;
    memset(weights, 0, size * sizeof(*weights));
    for (int64_t at = (int64_t)floor(middle - 4 * ratio); at <= (int64_t)ceil(middle + 4 * ratio);
         at++) {
        const double x = fabs((double)at + 0.5 - middle) / ratio;
        const double share = fmin((double)at + 1, (i + 1) * ratio) - fmax((double)at, i * ratio);
        const double weight = size == next       ? at == i
                              : filter[0] == 'b' ? fmax(share, 0)
                              : filter[0] == 'm' ? mitchell(x)
                                                 : kaiser(x);
        weights[fold(at, size, edge)] += weight;
        total += weight;
    }
    for (uint32_t k = 0; k < size; k++) {
        weights[k] /= total;
    }
}

// Reduce one axis: `stride` from texel to texel along it.
static void reduce_axis(const char *filter, const char *edge, struct level *level, bool vertical)
{
    const uint32_t size = vertical ? level->height : level->width;
    const uint32_t next = ref_pyramid_level_size(size, 1);
    struct level made = {vertical ? level->width : next, vertical ? next : level->height, NULL};
    made.texels = level_memory((size_t)made.width * made.height * sizeof(*made.texels));
    double *weights = level_memory(size * sizeof(*weights));
    for (uint32_t i = 0; i < next; i++) {
        weigh(filter, edge, size, next, i, weights);
        for (uint32_t line = 0; line < (vertical ? level->width : level->height); line++) {
            double *out = made.texels[vertical ? i * made.width + line : line * next + i];
            for (uint32_t k = 0; k < size; k++) {
                const double *in =
                    level->texels[vertical ? k * level->width + line : line * size + k];
                for (int c = 0; c < 4 && weights[k] != 0; c++) {
                    out[c] += weights[k] * in[c];
                }
            }
        }
    }
    free(weights);
    free(level->texels);
    *level = made;
}

// Compare what is summed up with a level of the files.
static void compare(const struct level *level, const char *prefix, uint32_t number, bool weighted,
                    bool srgb, double bound)
{
    const struct level file = level_read(prefix, number);
    test_must(file.texels && file.width == level->width && file.height == level->height,
              "a level of the right size");
    for (size_t i = 0; i < (size_t)level->width * level->height; i++) {
        for (int c = 0; c < 4; c++) {
            double wanted = level->texels[i][c];
            if (weighted && c < 3) {
                wanted /= level->texels[i][3] + hidden_weight;
            }
            wanted = fmin(fmax(wanted, 0), 1);
            wanted = srgb && c < 3 ? ref_srgb_encode(wanted) : wanted;
            const double got = fmin(fmax(file.texels[i][c], 0), 1);
            test_expect(fabs(got - wanted) <= bound, "%s: level %u, texel %zu,%zu: %.7f, not %.7f",
                        prefix, number, i % level->width, i / level->width, got, wanted);
        }
    }
    free(file.texels);
}

static void check_filter(char **words)
{
    const bool weighted = strcmp(words[3], "alpha_mean") == 0;
    const bool srgb = strcmp(words[4], "srgb") == 0;
    struct level level = level_read(words[0], 0);
    test_must(level.texels, "level 0");
    for (size_t i = 0; i < (size_t)level.width * level.height; i++) {
        for (int c = 0; c < 3; c++) {
            double *value = &level.texels[i][c];
            *value = srgb ? ref_srgb_decode(*value) : *value;
            *value *= weighted ? level.texels[i][3] + hidden_weight : 1;
        }
    }
    for (uint32_t number = 1; level.width > 1 || level.height > 1; number++) {
        reduce_axis(words[1], words[2], &level, false);
        reduce_axis(words[1], words[2], &level, true);
        compare(&level, words[0], number, weighted, srgb, atof(words[5]));
    }
    free(level.texels);
}

static void check_normals(const char *prefix, double bound)
{
    struct level level = level_read(prefix, 0), file = level;
    test_must(level.texels, "level 0");
    for (uint32_t number = 1; number == 1 || level.width > 1 || level.height > 1; number++) {
        double sum = 0;
        reduce_axis("box", "clamp", &level, false);
        reduce_axis("box", "clamp", &level, true);
        file = level_read(prefix, number);
        test_must(file.texels && file.width == level.width, "a level of the right size");
        const size_t num = (size_t)level.width * level.height;
        for (size_t i = 0; i < num; i++) {
            double wanted[3], got[3], length = 0, long_got = 0;
            for (int c = 0; c < 3; c++) {
                wanted[c] = 2 * level.texels[i][c] - 1;
                got[c] = 2 * file.texels[i][c] - 1;
                length += wanted[c] * wanted[c];
                long_got += got[c] * got[c];
            }
            for (int c = 0; c < 3; c++) {
                test_expect(fabs(got[c] - wanted[c] / sqrt(length)) <= bound,
                            "%s: level %u, texel %zu, channel %d: %.4f, not %.4f", prefix, number,
                            i, c, got[c], wanted[c] / sqrt(length));
            }
            sum += sqrt(long_got) / (double)num;
        }
        test_expect(sum > 0.999, "%s: level %u has a mean length of %g", prefix, number, sum);
        free(file.texels);
    }
    free(level.texels);
}

static double share_of(const struct level *level, double threshold)
{
    const size_t num = (size_t)level->width * level->height;
    double share = 0;
    for (size_t i = 0; i < num; i++) {
        share += (level->texels[i][3] >= threshold) / (double)num;
    }
    return share;
}

static void check_coverage(const char *prefix, double threshold, double bound)
{
    struct level level = level_read(prefix, 0);
    test_must(level.texels, "level 0");
    const double wanted = share_of(&level, threshold);
    test_expect(wanted > 0.05 && wanted < 0.95, "%s tests nothing: %g", prefix, wanted);
    for (uint32_t number = 1; level.texels; number++) {
        free(level.texels);
        level = level_read(prefix, number);
        const double half = 0.5 / fmax((double)level.width * level.height, 1);
        test_expect(!level.texels ||
                        fabs(share_of(&level, threshold) - wanted) <= fmax(bound, half * 1.001),
                    "%s: level %u keeps %g, and level 0 %g", prefix, number,
                    level.texels ? share_of(&level, threshold) : 0, wanted);
    }
}

int main(int argc, char **argv)
{
    if (argc == 8 && strcmp(argv[1], "filter") == 0) {
        check_filter(argv + 2);
    } else if (argc == 4 && strcmp(argv[1], "normals") == 0) {
        check_normals(argv[2], atof(argv[3]));
    } else {
        test_must(argc == 5 && strcmp(argv[1], "coverage") == 0, "what the first lines say");
        check_coverage(argv[2], atof(argv[3]), atof(argv[4]));
    }
    return test_finish();
}
