// SPDX-License-Identifier: MIT
// Prints the PSNR of the reference encoders of textures, decoded by exact fractions; of "for ff",
// blocks for FFmpeg's decoder, by its arithmetic. BC1 for GPUs has 35.67 dB by that at default.
//
// usage: texture_quality [--check [--all]] picture ...
//
// With --check it fails where a bar is missed, if the pictures are the eight of Kodak's 24 that
// these bars are for. Over all 24, pictures encode better: endpoints at the ends of R's range have
// 43.13 dB there and 42.31 here, FFmpeg's BC1 35.78 and 35.05. The bars over the 24 are 43.9 and
// 44.5 for BC4, 35.95 and 36.5 for BC1. Of every eighth block, all combinations of EAC have 44.90
// dB here, and its default should be within 0.15 dB of them. The bars over the 24 are 36.9 for ETC1
// and 37.4 for ETC2. Effort exhaustive has every 64th block, which is an easier lot: high has
// 45.90 there for EAC. Without --all a check has far fewer blocks, and bars of their own, which
// they are as far above as the others are above theirs.
#include <stdio.h>

#include "tests/bench/quality/frame.h"

enum { NUM_PICTURES_OF_BARS = 8 };

// What an encoder is asked for besides its codec and effort: BC1 with black, for FFmpeg's decoder,
// BC7 whose alpha is not read.
enum option { PLAIN, BLACK, FFMPEG, UNREAD };

static const struct column {
    const char *name;
    enum weir_codec codec;
    enum weir_effort effort;
    enum option option;
    uint32_t every; // of so many blocks one is encoded: kernels can be slow
    double bar;     // mean PSNR [dB]
    double few_bar; // of few blocks
} columns[] = {
    {"bc1 fast", WEIR_CODEC_BC1, WEIR_EFFORT_FAST, PLAIN, 1, 35.22, 35.31},
    {"default", WEIR_CODEC_BC1, WEIR_EFFORT_DEFAULT, PLAIN, 1, 35.60, 35.68},
    {"high", WEIR_CODEC_BC1, WEIR_EFFORT_HIGH, PLAIN, 1, 35.77, 35.87},
    {"black", WEIR_CODEC_BC1, WEIR_EFFORT_DEFAULT, BLACK, 1, 35.78, 35.92},
    {"high", WEIR_CODEC_BC1, WEIR_EFFORT_HIGH, BLACK, 1, 35.90, 36.06},
    {"bc1a", WEIR_CODEC_BC1A, WEIR_EFFORT_HIGH, PLAIN, 1, 35.80, 35.89},
    {"for ff", WEIR_CODEC_BC1, WEIR_EFFORT_FAST, FFMPEG, 8, 35.40, 35.41},
    {"default", WEIR_CODEC_BC1, WEIR_EFFORT_DEFAULT, FFMPEG, 8, 35.71, 35.70},
    {"high", WEIR_CODEC_BC1, WEIR_EFFORT_HIGH, FFMPEG, 8, 35.83, 35.84},
    {"bc4 fast", WEIR_CODEC_BC4, WEIR_EFFORT_FAST, PLAIN, 1, 43.11, 43.14},
    {"default", WEIR_CODEC_BC4, WEIR_EFFORT_DEFAULT, PLAIN, 1, 43.72, 43.76},
    {"high", WEIR_CODEC_BC4, WEIR_EFFORT_HIGH, PLAIN, 1, 44.20, 44.23},
    {"all", WEIR_CODEC_BC4, WEIR_EFFORT_EXHAUSTIVE, PLAIN, 64, 45.50, 45.29},
    {"eac fast", WEIR_CODEC_EAC_R11, WEIR_EFFORT_FAST, PLAIN, 8, 44.50, 44.45},
    {"default", WEIR_CODEC_EAC_R11, WEIR_EFFORT_DEFAULT, PLAIN, 8, 44.75, 44.69},
    {"high", WEIR_CODEC_EAC_R11, WEIR_EFFORT_HIGH, PLAIN, 8, 44.86, 44.82},
    {"all", WEIR_CODEC_EAC_R11, WEIR_EFFORT_EXHAUSTIVE, PLAIN, 64, 45.90, 45.47},
    {"etc1 fast", WEIR_CODEC_ETC1, WEIR_EFFORT_FAST, PLAIN, 8, 36.12, 36.11},
    {"default", WEIR_CODEC_ETC1, WEIR_EFFORT_DEFAULT, PLAIN, 8, 36.74, 36.72},
    {"high", WEIR_CODEC_ETC1, WEIR_EFFORT_HIGH, PLAIN, 8, 36.81, 36.81},
    {"etc2 fast", WEIR_CODEC_ETC2_RGB, WEIR_EFFORT_FAST, PLAIN, 8, 36.53, 36.54},
    {"default", WEIR_CODEC_ETC2_RGB, WEIR_EFFORT_DEFAULT, PLAIN, 8, 37.09, 37.07},
    {"high", WEIR_CODEC_ETC2_RGB, WEIR_EFFORT_HIGH, PLAIN, 8, 37.17, 37.14},
    {"bc7 live", WEIR_CODEC_BC7, WEIR_EFFORT_LIVE, PLAIN, 8, 43.58, 43.4},
    {"fast", WEIR_CODEC_BC7, WEIR_EFFORT_FAST, PLAIN, 8, 44.73, 44.65},
    {"default", WEIR_CODEC_BC7, WEIR_EFFORT_DEFAULT, PLAIN, 8, 45.15, 45.14},
    {"high", WEIR_CODEC_BC7, WEIR_EFFORT_HIGH, PLAIN, 8, 45.73, 45.68},
    {"unread", WEIR_CODEC_BC7, WEIR_EFFORT_HIGH, UNREAD, 8, 45.78, 45.73},
};
enum { NUM_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

// An odd distance comes to all columns of blocks.
static uint32_t distance_of(const struct column *column, bool is_few)
{
    return !is_few ? column->every : column->every < 64 ? 65 : 513;
}

// Alpha is 1 everywhere.
static double psnr(const struct weir_picture *picture, const struct column *column, uint32_t every)
{
    const struct quality_trial trial = {
        .params = {.codec = column->codec,
                   .effort = column->effort,
                   .decoder = column->option == FFMPEG ? WEIR_DECODER_FFMPEG : WEIR_DECODER_GPU,
                   .bc1_black = column->option == BLACK,
                   .bc7_alpha_unread = column->option == UNREAD},
        .num_channels = weir_codec_get_info(column->codec)->num_channels == 1 ? 1 : 3,
        .every = every,
    };
    double seconds = 0;
    return quality_measure(picture, &trial, &seconds);
}

static void print_picture(const char *path, bool is_few, double sum[NUM_COLUMNS])
{
    struct weir_picture picture = quality_read(path);
    printf("%-13.13s", quality_base_name(path));
    for (int k = 0; k < NUM_COLUMNS; k++) {
        const double db = psnr(&picture, &columns[k], distance_of(&columns[k], is_few));
        printf("  %8.2f", db);
        sum[k] += db;
    }
    printf("\n");
    weir_picture_free(&picture);
}

struct options {
    bool check, all;
};

int main(int argc, char **argv)
{
    static const struct cli_option table[] = {
        QUALITY_CHECK_OPTIONS(struct options),
    };
    struct options options = {0};
    const int num = quality_parse(table, sizeof(table) / sizeof(table[0]), argc, argv, &options);
    const bool is_few = options.check && !options.all;
    if (num <= 0) {
        printf("no pictures given\n");
        return options.check ? 77 : 1;
    }
    double sum[NUM_COLUMNS] = {0};
    printf("%-13s", "PSNR [dB]");
    for (int k = 0; k < NUM_COLUMNS; k++) {
        printf("  %8s", columns[k].name);
    }
    printf("\n");
    for (int i = 0; i < num; i++) {
        print_picture(argv[i], is_few, sum);
    }
    printf("%-13s", "mean");
    for (int k = 0; k < NUM_COLUMNS; k++) {
        printf("  %8.2f", sum[k] / num);
    }
    printf("\n");
    int num_missed = 0;
    for (int k = 0; options.check && num == NUM_PICTURES_OF_BARS && k < NUM_COLUMNS; k++) {
        const double bar = is_few ? columns[k].few_bar : columns[k].bar;
        if (sum[k] / num < bar) {
            printf("missed: %s %.2f\n", columns[k].name, bar);
            num_missed++;
        }
    }
    return num_missed != 0;
}
