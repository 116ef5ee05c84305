// SPDX-License-Identifier: MIT
// Which pictures and which methods weir-bench palette measures.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/choice.h"
#include "capture/weir/common/report.h"
#include "tests/bench/palette/palette.h"

const char *const bench_palette_method_names[BENCH_PALETTE_NUM_CHOICES + 1] = {
    [BENCH_PALETTE_OURS] = "ours",
    [BENCH_PALETTE_NO_MERGE] = "no_merge",
    [BENCH_PALETTE_GRID] = "grid",
    [BENCH_PALETTE_LIVE] = "live",
};

enum { PICTURE_WIDTH = 2048, PICTURE_HEIGHT = 1024, QUICK_WIDTH = 512, QUICK_HEIGHT = 256 };
enum { FLAT_WIDTH = 3840, FLAT_HEIGHT = 2160, QUICK_FLAT_WIDTH = 640, QUICK_FLAT_HEIGHT = 360 };
enum { NUM_FLAT_COLORS = 64 };

static struct bench_palette_row *add_row(struct bench_palette_result *result,
                                         enum bench_palette_kind kind)
{
    struct bench_palette_row *row = &result->rows[result->num_rows++];
    row->kind = kind;
    return row;
}

static bool has_room(const struct bench_palette_result *result)
{
    return result->num_rows < BENCH_PALETTE_MAX_ROWS - 1; // the flat art comes last
}

static void add_generated(struct bench_palette_result *result, uint32_t num_colors)
{
    const bool small = result->options->quick && num_colors <= QUICK_WIDTH * QUICK_HEIGHT;
    struct bench_palette_row *row = add_row(result, BENCH_PALETTE_GENERATED);
    snprintf(row->name, sizeof(row->name), "%u colours", num_colors);
    row->num_colors = num_colors;
    row->width = small ? QUICK_WIDTH : PICTURE_WIDTH;
    row->height = small ? QUICK_HEIGHT : PICTURE_HEIGHT;
}

static bool parse_colors(struct bench_palette_result *result)
{
    const char *list = result->options->colors;
    do {
        char *end = NULL;
        const unsigned long num = isdigit((unsigned char)*list) ? strtoul(list, &end, 10) : 0;
        if (num < 1 || num > PICTURE_WIDTH * PICTURE_HEIGHT || (*end != ',' && *end != 0) ||
            !has_room(result)) {
            cli_print(stderr,
                      "weir-bench palette: --colors %.*s: numbers of colours from 1 to %d with "
                      "commas between them are wanted, at most %d of them\n",
                      (int)strcspn(list, ","), list, PICTURE_WIDTH * PICTURE_HEIGHT,
                      BENCH_PALETTE_MAX_ROWS - 1);
            return false;
        }
        add_generated(result, (uint32_t)num);
        list = end;
    } while (*list++ != 0);
    return true;
}

static bool parse_pictures(struct bench_palette_result *result)
{
    const char *list = result->options->pictures;
    while (list && *list != 0) {
        const size_t length = strcspn(list, ",");
        if (!has_room(result) || length >= sizeof(result->rows[0].name)) {
            cli_print(
                stderr,
                "weir-bench palette: --picture %.*s: too many, or too long a name; at most %d "
                "rows with those of --colors are wanted\n",
                (int)length, list, BENCH_PALETTE_MAX_ROWS - 1);
            return false;
        }
        struct bench_palette_row *row = add_row(result, BENCH_PALETTE_FILE);
        memcpy(row->name, list, length);
        list += length + (list[length] == ',');
    }
    return true;
}

static void parse_methods(struct bench_palette_result *result)
{
    const struct cli_option option = {.choices = bench_palette_method_names};
    for (const char *list = result->options->methods; *list != 0;) {
        const size_t length = strcspn(list, ",");
        const int index = cli_choice_find(&option, list, length);
        if (index >= 0) {
            result->methods[index] = true;
        }
        list += length + (list[length] == ',');
    }
}

bool bench_palette_parse(struct bench_palette_result *result)
{
    parse_methods(result);
    if (!parse_colors(result) || !parse_pictures(result)) {
        return false;
    }
    const bool quick = result->options->quick;
    struct bench_palette_row *row = add_row(result, BENCH_PALETTE_FLAT);
    snprintf(row->name, sizeof(row->name), "flat art");
    row->num_colors = NUM_FLAT_COLORS;
    row->width = quick ? QUICK_FLAT_WIDTH : FLAT_WIDTH;
    row->height = quick ? QUICK_FLAT_HEIGHT : FLAT_HEIGHT;
    return true;
}
