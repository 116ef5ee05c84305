// SPDX-License-Identifier: MIT
// Prints the PSNR of every codec and effort on every kind of picture, by the references, whose
// bytes the kernels give, decoded by exact fractions.
//
// usage: content_quality [--check [--all]] [--seed N] [--side N] [--blocks N] [--exhaustive]
//                        [--codec NAME,...] [photograph ...]
//
// The pictures are drawn here (content.h), but for photographs where some are given. At most so
// many blocks of a picture are encoded, spread over it. The last column is the time of the
// references on a core, over that of the codec's lowest effort. With --check it fails where an
// effort is worse than the one under it in the mean of a kind, or misses a bar; those are for the
// defaults of the other options. Without --all a check has 128 blocks of a picture, not 512, and
// bars of their own, which they are as far above as 512 are above theirs.
#include <math.h>
#include <stdio.h>

#include "tests/bench/quality/content_table.h"
#include "tests/bench/quality/frame.h"

static const char *const effort_names[CONTENT_NUM_EFFORTS] = {"fast", "default", "high",
                                                              "exhaustive"};

// Mean dB of drawn pictures, which the efforts had less than before they searched as they do.
static const struct bar {
    enum weir_codec codec;
    enum content_kind kind;
    int effort;
    double db, few_db;
} bars[] = {
    {WEIR_CODEC_YCOCG_BC3, CONTENT_SUBPIXEL_TEXT, 0, 29.38, 30.41},
    {WEIR_CODEC_YCOCG_BC3, CONTENT_INTERFACE, 0, 34.36, 35.26},
    {WEIR_CODEC_YCOCG_BC3, CONTENT_PIXEL_ART, 0, 27.27, 26.92},
    {WEIR_CODEC_YCOCG_BC3, CONTENT_NORMALS, 0, 32.82, 32.94},
    {WEIR_CODEC_YCOCG_BC3, CONTENT_NOISE, 0, 19.14, 19.27},
    {WEIR_CODEC_YCOCG_BC3, CONTENT_NOISE, 1, 19.38, 19.51},
    {WEIR_CODEC_YCOCG_BC3, CONTENT_SUBPIXEL_TEXT, 2, 30.28, 31.23},
    {WEIR_CODEC_YCOCG_BC3, CONTENT_INTERFACE, 2, 35.48, 35.79},
    {WEIR_CODEC_YCOCG_BC3, CONTENT_NORMALS, 2, 33.60, 33.74},
    {WEIR_CODEC_BC4, CONTENT_GRADIENTS, 0, 63.00, 63.07},
    {WEIR_CODEC_BC4, CONTENT_TEXT, 1, 41.05, 40.62},
    {WEIR_CODEC_BC4, CONTENT_INTERFACE, 1, 43.05, 42.85},
    {WEIR_CODEC_BC4, CONTENT_PIXEL_ART, 1, 46.40, 45.29},
    {WEIR_CODEC_BC4, CONTENT_GRADIENTS, 1, 63.55, 63.38},
    {WEIR_CODEC_BC4, CONTENT_SHADOWS, 1, 57.30, 57.72},
    {WEIR_CODEC_BC4, CONTENT_TEXT, 2, 41.75, 41.23},
    {WEIR_CODEC_BC4, CONTENT_SUBPIXEL_TEXT, 2, 41.70, 42.35},
    {WEIR_CODEC_BC4, CONTENT_INTERFACE, 2, 43.30, 43.23},
    {WEIR_CODEC_BC4, CONTENT_PIXEL_ART, 2, 47.05, 45.84},
    {WEIR_CODEC_BC4, CONTENT_SHADOWS, 2, 58.15, 58.48},
    {WEIR_CODEC_BC5, CONTENT_NORMALS, 2, 42.45, 42.60},
    {WEIR_CODEC_EAC_R11, CONTENT_TEXT, 0, 42.30, 41.80},
    {WEIR_CODEC_EAC_R11, CONTENT_TEXT, 1, 42.95, 42.50},
    {WEIR_CODEC_EAC_R11, CONTENT_PIXEL_ART, 1, 49.20, 49.00},
    {WEIR_CODEC_EAC_R11, CONTENT_GRADIENTS, 1, 57.95, 58.15},
    {WEIR_CODEC_ETC1, CONTENT_SUBPIXEL_TEXT, 2, 21.28, 21.98},
    {WEIR_CODEC_ETC1, CONTENT_INTERFACE, 2, 27.85, 28.51},
    {WEIR_CODEC_ETC1, CONTENT_PIXEL_ART, 2, 16.47, 16.25},
    {WEIR_CODEC_ETC1, CONTENT_GRADIENTS, 2, 44.87, 44.98},
};

// ---- What is printed ----

// Over fast, all kinds together. `row` is the first cell of a codec.
static double time_ratio(const struct content_cell *row, int effort)
{
    double fast = 0, seconds = 0;
    for (int kind = 0; kind < CONTENT_NUM_KINDS; kind++) {
        fast += row[kind].seconds[0];
        seconds += row[kind].seconds[effort];
    }
    return seconds / fast;
}

static void print_table(const struct content_table *table)
{
    printf("| codec | effort |");
    for (int kind = 0; kind < CONTENT_NUM_KINDS; kind++) {
        printf(" %s |", content_name((enum content_kind)kind));
    }
    printf(" time |\n| --- | --- |");
    for (int kind = 0; kind <= CONTENT_NUM_KINDS; kind++) {
        printf(" --- |");
    }
    printf("\n");
    for (int i = 0; i < table->num_cells; i += CONTENT_NUM_KINDS) {
        const struct content_cell *row = &table->cells[i];
        const struct weir_codec_info *info = weir_codec_get_info(row->codec);
        for (int e = 0; e < content_num_efforts(table->options, info->codec); e++) {
            printf("| %s%s%s | %s |", e ? "" : "`", e ? "" : info->name, e ? "" : "`",
                   effort_names[e]);
            for (int kind = 0; kind < CONTENT_NUM_KINDS; kind++) {
                printf(isinf(row[kind].db[e]) ? " exact |" : " %.2f |", row[kind].db[e]);
            }
            printf(" %.3g |\n", time_ratio(row, e));
        }
    }
}

// ---- Checks ----

// Returns how many efforts are worse than the one under them.
static int check_levels(const struct content_table *table)
{
    int num = 0;
    for (int i = 0; i < table->num_cells; i++) {
        const struct content_cell *cell = &table->cells[i];
        for (int e = 1; e < content_num_efforts(table->options, cell->codec); e++) {
            if (cell->db[e] < cell->db[e - 1]) {
                printf("missed: %s on %s: %s %.3f, %s %.3f\n",
                       weir_codec_get_info(cell->codec)->name, content_name(cell->kind),
                       effort_names[e - 1], cell->db[e - 1], effort_names[e], cell->db[e]);
                num++;
            }
        }
    }
    return num;
}

static int check_bars(const struct content_table *table)
{
    int num = 0;
    for (size_t b = 0; b < sizeof(bars) / sizeof(bars[0]); b++) {
        const double bar_db = table->options->all ? bars[b].db : bars[b].few_db;
        for (int i = 0; i < table->num_cells; i++) {
            const struct content_cell *cell = &table->cells[i];
            if (cell->codec == bars[b].codec && cell->kind == bars[b].kind &&
                cell->db[bars[b].effort] < bar_db) {
                printf("missed: %s %s on %s: %.3f, the bar is %.2f\n",
                       weir_codec_get_info(bars[b].codec)->name, effort_names[bars[b].effort],
                       content_name(cell->kind), cell->db[bars[b].effort], bar_db);
                num++;
            }
        }
    }
    return num;
}

// ---- Options ----

int main(int argc, char **argv)
{
    static const struct cli_option list[] = {
        {"seed", CLI_NUMBER, offsetof(struct content_options, seed), "N", .max = UINT64_MAX},
        {"side", CLI_NUMBER, offsetof(struct content_options, side), "N", .min = 64, .max = 4096},
        {"blocks", CLI_NUMBER, offsetof(struct content_options, blocks), "N", .min = 1,
         .max = 1 << 30},
        {"codec", CLI_TEXT, offsetof(struct content_options, codecs), "LIST",
         .help = "what is encoded"},
        {"exhaustive", CLI_FLAG, offsetof(struct content_options, exhaustive),
         .help = "that effort too"},
        QUALITY_CHECK_OPTIONS(struct content_options),
    };
    static struct content_table table;
    struct content_options options = {.seed = 1, .side = 256};
    options.num_photographs = quality_parse(list, sizeof(list) / sizeof(list[0]), argc, argv,
                                            &options);
    options.photographs = argv;
    if (options.blocks == 0) {
        options.blocks = options.check && !options.all ? 128 : 512;
    }
    table.options = &options;
    printf("seed %llu, pictures of %d x %d, %u blocks of each, %d photographs\n\n",
           (unsigned long long)options.seed, (int)options.side, (int)options.side,
           (unsigned)options.blocks, options.num_photographs);
    content_measure(&table);
    print_table(&table);
    return options.check && check_levels(&table) + check_bars(&table) > 0;
}
