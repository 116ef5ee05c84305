// SPDX-License-Identifier: MIT
// Which pictures and which methods weir-bench palette measures.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/report.h"
#include "tests/bench/bench.h"
#include "tests/bench/palette/palette.h"

const char *const bench_palette_method_names[] = {
    [BENCH_PALETTE_OURS] = "ours",
    [BENCH_PALETTE_LIVE] = "live",
    [BENCH_PALETTE_NUM_METHODS] = NULL,
};
// By enum weir_palette_weight and enum weir_palette_light.
const char *const bench_palette_weight_names[] = {"equal", "frequency", NULL};
const char *const bench_palette_light_names[] = {"raw", "srgb", NULL};

enum { NUM_FLAT_COLORS = 64, MAX_COLORS = 2048 * 1024 };
static const VkExtent2D generated_size = {2048, 1024}, quick_size = {512, 256};
static const VkExtent2D flat_size = {3840, 2160}, quick_flat_size = {640, 360};

static void set_row(struct bench_palette_row *row, int source, VkExtent2D size, uint32_t num_colors)
{
    row->source = source;
    row->width = size.width;
    row->height = size.height;
    row->num_colors = num_colors;
}

// NULL where there is no room. The flat art comes last, which has some.
static struct bench_palette_row *add_row(struct bench_palette_result *result, bool is_last)
{
    const uint32_t most = is_last ? BENCH_PALETTE_MAX_ROWS : BENCH_PALETTE_MAX_ROWS - 1;
    return result->num_rows < most ? &result->rows[result->num_rows++] : NULL;
}

static bool add_generated(struct bench_palette_result *result, const char *word)
{
    char *end = NULL;
    const unsigned long num = isdigit((unsigned char)*word) ? strtoul(word, &end, 10) : 0;
    struct bench_palette_row *row = NULL;
    if (num >= 1 && num <= MAX_COLORS && *end == 0) {
        row = add_row(result, false);
    }
    if (row) {
        const bool small = result->options->quick && num <= quick_size.width * quick_size.height;
        set_row(row, BENCH_PALETTE_GENERATED, small ? quick_size : generated_size, (uint32_t)num);
        snprintf(row->name, sizeof(row->name), "%lu colours", num);
    }
    return row;
}

static bool parse_colors(struct bench_palette_result *result)
{
    const char *list = result->options->colors, *start;
    bool is_open; // a comma was read, behind which a number must stand
    do {
        char word[32];
        start = list;
        if (!bench_next_word(&list, word, sizeof(word)) || !add_generated(result, word)) {
            cli_print(stderr,
                      "weir-bench palette: --colors %.*s: numbers of colours from 1 to %d with "
                      "commas between them are wanted, at most %d of them\n",
                      (int)strcspn(start, ","), start, MAX_COLORS, BENCH_PALETTE_MAX_ROWS - 1);
            return false;
        }
        is_open = list > start && list[-1] == ',';
    } while (is_open);
    return true;
}

static bool parse_pictures(struct bench_palette_result *result)
{
    const char *list = result->options->pictures;
    while (list && *list != 0) {
        struct bench_palette_row *row = add_row(result, false);
        if (!row || !bench_next_word(&list, row->name, sizeof(row->name))) {
            cli_print(
                stderr,
                "weir-bench palette: --picture %.*s: too many, or too long a name; at most %d "
                "rows with those of --colors are wanted\n",
                (int)strcspn(list, ","), list, BENCH_PALETTE_MAX_ROWS - 1);
            return false;
        }
        row->source = BENCH_PALETTE_FILE;
    }
    return true;
}

bool bench_palette_parse(struct bench_palette_result *result)
{
    const struct cli_option methods = {.choices = bench_palette_method_names};
    bench_choose(&methods, result->options->methods, result->methods);
    if (!parse_colors(result) || !parse_pictures(result)) {
        return false;
    }
    struct bench_palette_row *row = add_row(result, true);
    set_row(row, BENCH_PALETTE_FLAT, result->options->quick ? quick_flat_size : flat_size,
            NUM_FLAT_COLORS);
    snprintf(row->name, sizeof(row->name), "flat art");
    return true;
}
