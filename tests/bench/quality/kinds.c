// SPDX-License-Identifier: MIT
// Prints the PSNR of every codec and effort on every kind of picture, encoded by the kernels on the
// processor and decoded by exact fractions.
//
// The pictures are drawn (content.h), but for photographs where some are given. At most --blocks of
// a picture are encoded, spread over it: 512, of a part 128. The last column is the time of the
// kernels on a core, over that of the codec's lowest effort. An effort is to be as good as the one
// under it in the mean of a kind; the bars are for the defaults of the other options.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "capture/files/block/block.h"
#include "tests/bench/quality/content.h"
#include "tests/bench/quality/quality.h"
#include "tests/kernels/kernels.h"

enum { NUM_EFFORTS = 4, SEED = 1, SIDE = 256 };

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

// One codec on one kind of picture.
struct cell {
    double db[NUM_EFFORTS];      // mean of the pictures; infinite: exact
    double seconds[NUM_EFFORTS]; // of a core
};
static struct cell cells[KERNEL_NUM_CODECS][CONTENT_NUM_KINDS];

static const char *name_of(int codec)
{
    return weir_codec_get_info(kernel_codecs[codec])->name;
}

// 0 of a codec that is not asked for; exhaustive only with the option.
static int num_efforts(const struct quality *quality, int codec)
{
    const bool has_all = weir_codec_get_info(kernel_codecs[codec])->max_effort ==
                         WEIR_EFFORT_EXHAUSTIVE;
    const bool is_asked = !quality->codec || strcmp(quality->codec, name_of(codec)) == 0;
    return !is_asked ? 0 : has_all && quality->exhaustive ? NUM_EFFORTS : NUM_EFFORTS - 1;
}

// Those that are compared: alpha where the picture has some.
static int channels_of(enum weir_codec codec, int kind)
{
    const VkFormat format = weir_codec_get_info(codec)->format;
    const int num = (int)weir_block_get_format(format)->num_channels;
    const bool has_alpha = kind == CONTENT_SHADOWS && codec != WEIR_CODEC_YCOCG_BC3 &&
                           codec != WEIR_CODEC_BC1A && codec != WEIR_CODEC_ETC2_RGB8A1;
    return num == 4 && !has_alpha ? 3 : num;
}

static void measure_picture(const struct quality *quality, int kind,
                            const struct weir_picture *picture, int num_pictures)
{
    const uint32_t num = picture->width / 4 * (picture->height / 4);
    const uint32_t most = quality->blocks > 0 ? (uint32_t)quality->blocks
                          : quality->is_few   ? 128
                                              : 512;
    for (int i = 0; i < KERNEL_NUM_CODECS; i++) {
        struct cell *cell = &cells[i][kind];
        for (int e = 0; e < num_efforts(quality, i); e++) {
            const struct quality_trial trial = {
                .params = {.codec = kernel_codecs[i], .effort = kernel_efforts[e]},
                .num_channels = channels_of(kernel_codecs[i], kind),
                // An odd distance comes to all columns.
                .every = num <= most ? 1 : num / most | 1,
                .rounds = kernel_codecs[i] == WEIR_CODEC_YCOCG_BC3,
            };
            cell->db[e] += quality_measure(picture, &trial, &cell->seconds[e]) / num_pictures;
        }
    }
}

static void measure(const struct quality *quality)
{
    static uint8_t texels[SIDE * SIDE * 4];
    const struct weir_picture drawn = {
        .width = SIDE, .height = SIDE, .pitch = 4 * SIDE, .texels = texels};
    const int num = quality->num_pictures;
    for (int i = 0; i < num; i++) {
        measure_picture(quality, CONTENT_PHOTOGRAPH, &quality->pictures[i].texels, num);
    }
    for (int kind = num > 0; kind < CONTENT_NUM_KINDS; kind++) {
        content_draw((enum content_kind)kind, SEED, SIDE, texels);
        measure_picture(quality, kind, &drawn, 1);
    }
}

// Over fast, all kinds together.
static double time_ratio(int codec, int effort)
{
    double fast = 0, seconds = 0;
    for (int kind = 0; kind < CONTENT_NUM_KINDS; kind++) {
        fast += cells[codec][kind].seconds[0];
        seconds += cells[codec][kind].seconds[effort];
    }
    return seconds / fast;
}

static void print_table(const struct quality *quality)
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
    for (int i = 0; i < KERNEL_NUM_CODECS; i++) {
        for (int e = 0; e < num_efforts(quality, i); e++) {
            printf("| %s%s%s | %s |", e ? "" : "`", e ? "" : name_of(i), e ? "" : "`",
                   quality_effort_names[e]);
            for (int kind = 0; kind < CONTENT_NUM_KINDS; kind++) {
                const double db = cells[i][kind].db[e];
                printf(isinf(db) ? " exact |" : " %.2f |", db);
            }
            printf(" %.3g |\n", time_ratio(i, e));
        }
    }
}

static void expect(int codec, int kind, int effort, double least)
{
    const double db = cells[codec][kind].db[effort];
    test_expect(db >= least, "%s %s on %s: %.3f, the bar is %.3f", name_of(codec),
                quality_effort_names[effort], content_name((enum content_kind)kind), db, least);
}

void quality_content(const struct quality *quality)
{
    measure(quality);
    print_table(quality);
    for (int i = 0; i < KERNEL_NUM_CODECS; i++) {
        for (int kind = 0; kind < CONTENT_NUM_KINDS; kind++) {
            for (int e = 1; e < num_efforts(quality, i); e++) {
                expect(i, kind, e, cells[i][kind].db[e - 1]);
            }
        }
        for (size_t b = 0; b < sizeof(bars) / sizeof(bars[0]); b++) {
            if (bars[b].codec == kernel_codecs[i] && num_efforts(quality, i) > 0) {
                expect(i, bars[b].kind, bars[b].effort, quality->all ? bars[b].db : bars[b].few_db);
            }
        }
    }
}
