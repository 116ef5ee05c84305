// SPDX-License-Identifier: MIT
// The lists of weir-bench: sizes, methods, numbers of colours and pictures fit where they are kept.
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/options.h"
#include "tests/bench/palette/palette.h"
#include "tests/bench/pyramid/pyramid.h"
#include "tests/fuzz/fuzz.h"

enum { NUM_WORDS = 3 };

// One size more than there is room for.
#define TEN "2x1,2x1,2x1,2x1,2x1,2x1,2x1,2x1,2x1,2x1,"

// Three lines: sizes or colours, methods, pictures.
static const char *const seeds[] = {
    "256x256,255x1x4,65535x65535x65535\nfast,general\n",
    "1x1\nauto\n",
    "1x2,,3x4\n\n",
    "4294967296x1x1\nfast\n",
    "1x65536\nfast\n",
    "2x2x0000000000000000000000000001\nfast\n",
    "2x2x2x2\nfast\n",
    TEN TEN TEN "2x1,2x1,2x1\n\n",
    "1,64,4096\nours,no_merge\na.png,b.png",
    "2097152\nno_merge\n,,,",
    "18446744073709551616\nours\n",
    "1,\nours\n",
    NULL,
};

// Words of a list once more: lists have limits.
static const char *const pieces[] = {"2x1,", "3x5x7,", "1,", "fast,", ",",
                                     "x",    "a.png,", "\n", NULL};

static void parse_pyramid(char *const *words)
{
    static struct bench_pyramid_result result;
    memset(&result, 0, sizeof(result));
    result.options = (struct bench_pyramid_options){.sizes = words[0], .methods = words[1]};
    if (!bench_pyramid_parse(&result)) {
        return;
    }
    fuzz_expect(result.num_sizes <= BENCH_PYRAMID_MAX_SIZES, "%u sizes", result.num_sizes);
    for (uint32_t i = 0; i < result.num_sizes; i++) {
        const struct bench_pyramid_size *size = &result.sizes[i];
        fuzz_expect(size->width >= 1 && size->width <= CLI_MAX_SIDE && size->height >= 1 &&
                        size->height <= CLI_MAX_SIDE && size->layers >= 1 &&
                        size->layers <= CLI_MAX_SIDE && size->levels >= 2 &&
                        size->levels <= BENCH_PYRAMID_MAX_LEVELS,
                    "%ux%ux%u, %u levels", size->width, size->height, size->layers, size->levels);
    }
}

static void parse_palette(char *const *words)
{
    static struct bench_palette_result result;
    const struct bench_palette_options options = {
        .colors = words[0], .methods = words[1], .pictures = words[2]};
    memset(&result, 0, sizeof(result));
    result.options = &options;
    if (!bench_palette_parse(&result)) {
        return;
    }
    fuzz_expect(result.num_rows >= 2 && result.num_rows <= BENCH_PALETTE_MAX_ROWS, "%u rows",
                result.num_rows);
    for (uint32_t i = 0; i < result.num_rows; i++) {
        const struct bench_palette_row *row = &result.rows[i];
        fuzz_expect(memchr(row->name, 0, sizeof(row->name)), "row %u has a name", i);
        fuzz_expect(
            row->source == BENCH_PALETTE_FILE ||
                (row->num_colors >= 1 && row->num_colors <= (uint64_t)row->width * row->height),
            "%u colours in %ux%u", row->num_colors, row->width, row->height);
    }
}

static void run(const uint8_t *data, size_t size)
{
    char *words[NUM_WORDS];
    for (int i = 0; i < NUM_WORDS; i++) {
        size_t length = 0;
        while (length < size && data[length] != '\n' && data[length] != 0) {
            length++;
        }
        words[i] = malloc(length + 1); // each ends where its memory does
        fuzz_expect(words[i], "memory");
        memcpy(words[i], data, length);
        words[i][length] = 0;
        const size_t taken = length < size ? length + 1 : length;
        data += taken;
        size -= taken;
    }
    parse_pyramid(words);
    parse_palette(words);
    for (int i = 0; i < NUM_WORDS; i++) {
        free(words[i]);
    }
}

const struct fuzz_target fuzz_target = {
    .name = "bench_options",
    .num_runs = 10000,
    .init = fuzz_silence_stderr,
    .texts = seeds,
    .pieces = pieces,
    .most_pieces = 80,
    .run = run,
};
