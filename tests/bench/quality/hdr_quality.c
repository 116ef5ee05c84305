// SPDX-License-Identifier: MIT
// Prints what the efforts of BC6H make of pictures made here.
//
// usage: hdr_quality [--check [--all]]
//
// The error is the root mean square of differences of log(1 + value), as published figures of BC6H
// have it. With --check it fails where a bar is missed, and has one block of 43 only, with --all
// one of seven.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "capture/files/block/block.h"
#include "shaders/color/constants.h"
#include "tests/kernels/kernels.h"
#include "tests/ref/halves.h"
#include "tests/seeded.h"

enum { SIZE = 256, NUM_EFFORTS = 3, NUM_COLUMNS = 6 };

// The grain is a part of the pictures: it is the same in every run, as the bars are.
static uint64_t grain = 1;

static double uniform(void)
{
    return (seeded_next(&grain) >> 1) % (1 << 24) / (double)(1 << 24);
}

// Nearly normal, of variance 1.
static double normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += uniform();
    }
    return sum;
}

// Blue above, warm at the horizon, a sun with a glow.
static void draw_sky(int x, int y, double rgb[3])
{
    const double up = 1 - y / (double)SIZE;
    const double away = hypot(x - 180, y - 70);
    const double sun = away < 6 ? 6e4 : 40 * exp(-away / 9) + 3 * exp(-away / 60);
    rgb[0] = 0.9 - 0.65 * up + sun;
    rgb[1] = 0.85 - 0.4 * up + 0.95 * sun;
    rgb[2] = 0.8 + 0.3 * up + 0.8 * sun;
}

// Walls with texture and grain, and three lamps of different colours.
static void draw_interior(int x, int y, double rgb[3])
{
    static const double lamps[3][5] = {{60, 50, 8, 5, 2}, {190, 90, 2, 4, 9}, {120, 200, 6, 6, 6}};
    const double wall = ((x / 23 + y / 17) & 1 ? 0.3 : 0.12) *
                        (1 + 0.2 * sin(x * 0.7) * sin(y * 0.4));
    for (int c = 0; c < 3; c++) {
        rgb[c] = 0.002 * wall;
        for (int i = 0; i < 3; i++) {
            const double away = hypot(x - lamps[i][0], y - lamps[i][1]);
            rgb[c] += away < 4 ? 300 * lamps[i][2 + c]
                               : wall * lamps[i][2 + c] * 40 / (away * away);
        }
        rgb[c] *= exp(0.05 * normal());
    }
}

// Brightness and colours with noise of several scales.
static void draw_noise(int x, int y, double rgb[3])
{
    const double brightness = 3 * sin(x * 0.05) * cos(y * 0.07) + 0.4 * normal();
    for (int c = 0; c < 3; c++) {
        rgb[c] = exp(brightness + 0.3 * sin(x * 0.02 * (c + 1)) + 0.1 * normal());
    }
}

// Shapes of 1e-3 and of 1e3, and between, each of its own colour.
static void draw_edges(int x, int y, double rgb[3])
{
    static const double colors[5][3] = {
        {1e-3, 1.2e-3, 1e-3}, {1e3, 8e2, 5e2}, {0.5, 2, 0.3}, {30, 3, 40}, {0.02, 0.01, 0.05}};
    const double angle = atan2(y - 128, x - 128), away = hypot(x - 128, y - 128);
    const int shape = ((int)(angle * 7 + 30) * 3 + (int)(away / 19) * 2 + (x + 2 * y) / 61) % 5;
    for (int c = 0; c < 3; c++) {
        rgb[c] = colors[shape][c] * (1 + 0.1 * sin(x * 0.11 + c)) * exp(0.01 * normal());
    }
}

// Smooth in all channels, each its own way, over six powers of ten; the last rows are patches of
// one colour.
static void draw_gradients(int x, int y, double rgb[3])
{
    if (y >= 224) {
        x = x / 16 * 16;
        y = y / 16 * 16;
    }
    rgb[0] = pow(10, -3 + 6.0 * x / SIZE);
    rgb[1] = pow(10, 1 + 2 * sin((x + y) * 0.02));
    rgb[2] = pow(10, -2 + 4.0 * y / SIZE + 0.2 * sin(x * 0.05));
}

static const struct picture {
    const char *name;
    void (*draw)(int x, int y, double rgb[3]);
} pictures[] = {
    {"sky", draw_sky},     {"interior", draw_interior},   {"noise", draw_noise},
    {"edges", draw_edges}, {"gradients", draw_gradients},
};
enum { NUM_PICTURES = sizeof(pictures) / sizeof(pictures[0]) };

static int16_t texels[SIZE][SIZE][3];

static void draw(const struct picture *picture)
{
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            double rgb[3];
            picture->draw(x, y, rgb);
            for (int c = 0; c < 3; c++) {
                texels[y][x][c] = (int16_t)ref_half_of((float)rgb[c], false);
            }
        }
    }
}

static double value_of(int half)
{
    return half < 1024 ? ldexp(half, -24) : ldexp(1024 + half % 1024, half / 1024 - 25);
}

static int half_of(double value)
{
    return ref_half_of((float)value, false);
}

// Sums of squares; then roots of their means.
struct error {
    double octaves; // of differences of the bits of halves, over 1024
    double log;     // of differences of log(1 + value)
};

// The efforts, two of them by the metric log, and live.
enum { FAST, DEFAULT, HIGH, DEFAULT_LOG, HIGH_LOG, LIVE };
static const struct column {
    const char *name;
    struct weir_encoder_params params;
} columns[NUM_COLUMNS] = {
    {"fast", {.codec = WEIR_CODEC_BC6H_UF16, .effort = WEIR_EFFORT_FAST}},
    {"default", {.codec = WEIR_CODEC_BC6H_UF16}},
    {"high", {.codec = WEIR_CODEC_BC6H_UF16, .effort = WEIR_EFFORT_HIGH}},
    {"default, log", {.codec = WEIR_CODEC_BC6H_UF16, .bc6h_log = true}},
    {"high, log", {.codec = WEIR_CODEC_BC6H_UF16, .effort = WEIR_EFFORT_HIGH, .bc6h_log = true}},
    {"live", {.codec = WEIR_CODEC_BC6H_UF16, .effort = WEIR_EFFORT_LIVE}},
};

static struct error block_error(const int16_t halves[16][3], const struct column *column)
{
    uint8_t block[KERNEL_MAX_BLOCK_SIZE];
    float values[16][4] = {{0}}, decoded[16][4];
    for (int i = 0; i < 48; i++) {
        values[i / 3][i % 3] = (float)value_of(halves[i / 3][i % 3]);
    }
    kernel_encode_source(&column->params, WEIR_SOURCE_FLOAT, (const float(*)[4])values, block);
    weir_block_decode(weir_block_get_format(VK_FORMAT_BC6H_UFLOAT_BLOCK), block, decoded);
    struct error error = {0, 0};
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            const double value = (double)decoded[t][c];
            const double octaves = (halves[t][c] - half_of(value)) / 1024.0;
            const double log = log1p(value_of(halves[t][c])) - log1p(value);
            error.octaves += octaves * octaves;
            error.log += log * log;
        }
    }
    return error;
}

// Over every `every`th block.
static struct error picture_error(const struct column *column, int every)
{
    struct error sum = {0, 0};
    int num = 0;
    for (int i = 0; i < (SIZE / 4) * (SIZE / 4); i += every, num++) {
        int16_t halves[16][3];
        for (int t = 0; t < 16; t++) {
            memcpy(halves[t], texels[i / (SIZE / 4) * 4 + t / 4][i % (SIZE / 4) * 4 + t % 4], 6);
        }
        const struct error error = block_error((const int16_t(*)[3])halves, column);
        sum.octaves += error.octaves;
        sum.log += error.log;
    }
    return (struct error){sqrt(sum.octaves / (num * 48)), sqrt(sum.log / (num * 48))};
}

static bool meets_bars(const struct error sum[NUM_COLUMNS], bool all)
{
    // A search through all partitions and modes has 0.05459 and 0.01995, of more blocks 0.05263 and
    // 0.01928.
    static const struct error bars[2][NUM_EFFORTS] = {
        {{0.0586, 0.02234}, {0.05546, 0.02026}, {0.05516, 0.02016}},
        {{0.0573, 0.02101}, {0.0542, 0.01985}, {0.05315, 0.01947}},
    };
    static const double log_bars[2][2] = {{0.956, 0.832}, {0.95, 0.90}};
    static const double live_bars[2] = {0.0899, 0.0885};
    bool meets = true;
    for (int effort = FAST; effort <= HIGH; effort++) {
        if (sum[effort].octaves > bars[all][effort].octaves * NUM_PICTURES ||
            sum[effort].log > bars[all][effort].log * NUM_PICTURES) {
            printf("missed: %s\n", columns[effort].name);
            meets = false;
        }
    }
    // The metric is worth its name: of all blocks 6 and 12 % less.
    if (sum[DEFAULT_LOG].log > log_bars[all][0] * sum[DEFAULT].log ||
        sum[HIGH_LOG].log > log_bars[all][1] * sum[HIGH].log) {
        printf("missed: log\n");
        meets = false;
    }
    if (sum[LIVE].octaves > live_bars[all] * NUM_PICTURES) {
        printf("missed: live\n");
        meets = false;
    }
    return meets;
}

int main(int argc, char **argv)
{
    const bool check = argc > 1 && strcmp(argv[1], "--check") == 0;
    const bool all = check && argc > 2 && strcmp(argv[2], "--all") == 0;
    const int every = !check ? 1 : all ? 7 : 43;
    struct error sum[NUM_COLUMNS] = {{0, 0}};
    printf("%-10s", "octaves; log");
    for (int i = 0; i < NUM_COLUMNS; i++) {
        printf("  %16s", columns[i].name);
    }
    for (int i = 0; i < NUM_PICTURES; i++) {
        draw(&pictures[i]);
        printf("\n%-10s", pictures[i].name);
        for (int k = 0; k < NUM_COLUMNS; k++) {
            const struct error error = picture_error(&columns[k], every);
            printf("  %7.5f  %7.5f", error.octaves, error.log);
            sum[k].octaves += error.octaves;
            sum[k].log += error.log;
            fflush(stdout);
        }
    }
    printf("\n%-10s", "mean");
    for (int k = 0; k < NUM_COLUMNS; k++) {
        printf("  %7.5f  %7.5f", sum[k].octaves / NUM_PICTURES, sum[k].log / NUM_PICTURES);
    }
    printf("\n");
    return check && !meets_bars(sum, all);
}
