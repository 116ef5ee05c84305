// SPDX-License-Identifier: MIT
// Prints the PSNR of every codec and effort on every kind of picture, encoded by the kernels on the
// processor and decoded by exact fractions.
//
// usage: content_quality [--check [--all]] [--blocks N] [--exhaustive] [--codec NAME]
//                        [photograph ...]
//
// The pictures are drawn here (content.h), but for photographs where some are given. At most so
// many blocks of a picture are encoded, spread over it. The last column is the time of the kernels
// on a core, over that of the codec's lowest effort. With --check it fails where an effort is worse
// than the one under it in the mean of a kind, or misses a bar; those are for the defaults of the
// other options. Without --all a check has 128 blocks of a picture, not 512, and bars of their own,
// which they are as far above as 512 are above theirs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/block/block.h"
#include "tests/bench/quality/content.h"
#include "tests/bench/quality/frame.h"
#include "tests/kernels/kernels.h"

enum { NUM_EFFORTS = 4, SEED = 1, SIDE = 256 };
static const char *const effort_names[NUM_EFFORTS] = {"fast", "default", "high", "exhaustive"};

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

static struct options {
    uint64_t blocks; // of a picture, at most
    const char *codec;
    bool check, all, exhaustive;
} options;

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

static bool is_asked(int codec)
{
    return !options.codec || strcmp(options.codec, name_of(codec)) == 0;
}

// Of a codec that is asked for: exhaustive only with the option.
static int num_efforts(int codec)
{
    const bool has_all = weir_codec_get_info(kernel_codecs[codec])->max_effort ==
                         WEIR_EFFORT_EXHAUSTIVE;
    return !is_asked(codec) ? 0 : has_all && options.exhaustive ? NUM_EFFORTS : NUM_EFFORTS - 1;
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

static void measure_picture(int kind, const struct weir_picture *picture, int num_pictures)
{
    const uint32_t num = picture->width / 4 * (picture->height / 4);
    for (int i = 0; i < KERNEL_NUM_CODECS; i++) {
        struct cell *cell = &cells[i][kind];
        for (int e = 0; e < num_efforts(i); e++) {
            const struct quality_trial trial = {
                .params = {.codec = kernel_codecs[i], .effort = kernel_efforts[e]},
                .num_channels = channels_of(kernel_codecs[i], kind),
                // An odd distance comes to all columns.
                .every = num <= options.blocks ? 1 : num / (uint32_t)options.blocks | 1,
                .rounds = kernel_codecs[i] == WEIR_CODEC_YCOCG_BC3,
            };
            cell->db[e] += quality_measure(picture, &trial, &cell->seconds[e]) / num_pictures;
        }
    }
}

static void measure(char **photographs, int num)
{
    for (int i = 0; i < num; i++) {
        struct weir_picture picture = quality_read(photographs[i]);
        measure_picture(CONTENT_PHOTOGRAPH, &picture, num);
        weir_picture_free(&picture);
    }
    static uint8_t texels[SIDE * SIDE * 4];
    for (int kind = num > 0; kind < CONTENT_NUM_KINDS; kind++) {
        content_draw((enum content_kind)kind, SEED, SIDE, texels);
        measure_picture(kind,
                        &(const struct weir_picture){
                            .width = SIDE, .height = SIDE, .pitch = 4 * SIDE, .texels = texels},
                        1);
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

static void print_table(void)
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
        for (int e = 0; e < num_efforts(i); e++) {
            printf("| %s%s%s | %s |", e ? "" : "`", e ? "" : name_of(i), e ? "" : "`",
                   effort_names[e]);
            for (int kind = 0; kind < CONTENT_NUM_KINDS; kind++) {
                const double db = cells[i][kind].db[e];
                printf(isinf(db) ? " exact |" : " %.2f |", db);
            }
            printf(" %.3g |\n", time_ratio(i, e));
        }
    }
}

// Expect an effort to have so many dB. Returns 1 where it has fewer.
static int check(int codec, int kind, int effort, double least)
{
    const double db = cells[codec][kind].db[effort];
    if (db >= least) {
        return 0;
    }
    printf("missed: %s %s on %s: %.3f, the bar is %.3f\n", name_of(codec), effort_names[effort],
           content_name((enum content_kind)kind), db, least);
    return 1;
}

// Every effort is as good as the one under it, and as the bars. Returns how many are not.
static int check_all(void)
{
    int num = 0;
    for (int i = 0; i < KERNEL_NUM_CODECS; i++) {
        for (int kind = 0; kind < CONTENT_NUM_KINDS; kind++) {
            for (int e = 1; e < num_efforts(i); e++) {
                num += check(i, kind, e, cells[i][kind].db[e - 1]);
            }
        }
        for (size_t b = 0; b < sizeof(bars) / sizeof(bars[0]) && is_asked(i); b++) {
            if (bars[b].codec == kernel_codecs[i]) {
                num += check(i, bars[b].kind, bars[b].effort,
                             options.all ? bars[b].db : bars[b].few_db);
            }
        }
    }
    return num;
}

int main(int argc, char **argv)
{
    static const struct cli_option list[] = {
        {"blocks", CLI_NUMBER, offsetof(struct options, blocks), "N", .min = 1, .max = 1 << 30},
        {"codec", CLI_TEXT, offsetof(struct options, codec), "NAME", .help = "what is encoded"},
        {"exhaustive", CLI_FLAG, offsetof(struct options, exhaustive), .help = "that effort too"},
        QUALITY_CHECK_OPTIONS(struct options),
    };
    const int num = quality_parse(list, sizeof(list) / sizeof(list[0]), argc, argv, &options);
    if (options.blocks == 0) {
        options.blocks = options.check && !options.all ? 128 : 512;
    }
    printf("%u blocks of each picture, %d photographs\n\n", (unsigned)options.blocks, num);
    measure(argv, num);
    print_table();
    return options.check && check_all() > 0;
}
