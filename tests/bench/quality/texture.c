// SPDX-License-Identifier: MIT
// Prints the PSNR of the encoders of textures, decoded by exact fractions; of "for ff", blocks for
// FFmpeg's decoder, by its arithmetic.
//
// The bars are for eight of Kodak's 24 pictures. Over all 24, pictures encode better: endpoints at
// the ends of R's range have 43.13 dB there and 42.31 here, FFmpeg's BC1 35.78 and 35.05. The bars
// over the 24 are 43.9 and 44.5 for BC4, 35.95 and 36.5 for BC1. Of every eighth block, all
// combinations of EAC have 44.90 dB here, and its default should be within 0.15 dB of them. The
// bars over the 24 are 36.9 for ETC1 and 37.4 for ETC2. Effort exhaustive has every 64th block,
// which is an easier lot: high has 45.90 there for EAC.
#include <stdio.h>

#include "tests/bench/quality/quality.h"

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
    {"default", WEIR_CODEC_BC1, WEIR_EFFORT_DEFAULT, PLAIN, 1, 35.77, 35.84},
    {"high", WEIR_CODEC_BC1, WEIR_EFFORT_HIGH, PLAIN, 1, 35.85, 35.94},
    {"black", WEIR_CODEC_BC1, WEIR_EFFORT_DEFAULT, BLACK, 1, 35.93, 36.06},
    {"high", WEIR_CODEC_BC1, WEIR_EFFORT_HIGH, BLACK, 1, 35.97, 36.11},
    {"bc1a", WEIR_CODEC_BC1A, WEIR_EFFORT_HIGH, PLAIN, 1, 35.85, 35.94},
    {"for ff", WEIR_CODEC_BC1, WEIR_EFFORT_FAST, FFMPEG, 8, 35.40, 35.41},
    {"default", WEIR_CODEC_BC1, WEIR_EFFORT_DEFAULT, FFMPEG, 8, 35.82, 35.80},
    {"high", WEIR_CODEC_BC1, WEIR_EFFORT_HIGH, FFMPEG, 8, 35.90, 35.90},
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
    {"default", WEIR_CODEC_BC7, WEIR_EFFORT_DEFAULT, PLAIN, 8, 45.3, 45.2},
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
    int num_worse = 0;
    return quality_measure(picture, &trial, &num_worse);
}

static void print_row(const char *name, const double values[NUM_COLUMNS])
{
    printf("%-13.13s", name);
    for (int k = 0; k < NUM_COLUMNS; k++) {
        printf("  %8.2f", values[k]);
    }
    printf("\n");
}

void quality_texture(const struct quality *quality)
{
    double mean[NUM_COLUMNS] = {0};
    printf("%-13s", "PSNR [dB]");
    for (int k = 0; k < NUM_COLUMNS; k++) {
        printf("  %8s", columns[k].name);
    }
    printf("\n");
    for (int i = 0; i < quality->num_pictures; i++) {
        const struct quality_picture *picture = &quality->pictures[i];
        double row[NUM_COLUMNS];
        for (int k = 0; k < NUM_COLUMNS; k++) {
            row[k] = psnr(&picture->texels, &columns[k], distance_of(&columns[k], quality->is_few));
            mean[k] += row[k] / quality->num_pictures;
        }
        print_row(picture->name, row);
    }
    print_row("mean", mean);
    for (int k = 0; quality->num_pictures == QUALITY_NUM_KODAK && k < NUM_COLUMNS; k++) {
        const double bar = quality->is_few ? columns[k].few_bar : columns[k].bar;
        test_expect(mean[k] >= bar, "%s %.2f", columns[k].name, bar);
    }
}
