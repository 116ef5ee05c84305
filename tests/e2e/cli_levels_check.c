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

#include "capture/weir/gpu/taps.h"
#include "tests/e2e/level_files.h"
#include "tests/expect.h"
#include "tests/ref/pyramid.h"
#include "tests/ref/texel.h"

static const double hidden_weight = 0x1p-84; // of colours under alpha 0

static enum cli_filter filter_of(const char *name)
{
    return name[0] == 'b'   ? CLI_FILTER_BOX
           : name[0] == 'm' ? CLI_FILTER_MITCHELL
                            : CLI_FILTER_KAISER;
}

static enum cli_edge edge_of(const char *name)
{
    return name[0] == 'c' ? CLI_EDGE_CLAMP : name[0] == 'w' ? CLI_EDGE_WRAP : CLI_EDGE_MIRROR;
}

// Reduce one axis, by taps that unit_taps holds to the definitions of the filters.
static void reduce_axis(const char *filter, const char *edge, struct level *level, bool vertical)
{
    const uint32_t size = vertical ? level->height : level->width;
    const uint32_t next = ref_pyramid_level_size(size, 1);
    const uint32_t lines = vertical ? level->width : level->height;
    struct level made = {vertical ? level->width : next, vertical ? next : level->height, NULL};
    struct cli_taps taps;
    made.texels = level_memory((size_t)made.width * made.height * sizeof(*made.texels));
    test_must(cli_taps_init(&taps, size, next, filter_of(filter), edge_of(edge)), "memory");
    for (uint32_t i = 0; i < next * taps.num; i++) {
        const uint32_t to = i / taps.num, from = (taps.first[to] + i % taps.num) % size;
        for (uint32_t line = 0; line < lines; line++) {
            double *out = made.texels[vertical ? to * made.width + line : line * next + to];
            const double *in =
                level->texels[vertical ? from * level->width + line : line * size + from];
            for (int c = 0; c < 4; c++) {
                out[c] += (double)taps.weights[i] * in[c];
            }
        }
    }
    cli_taps_finish(&taps);
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
