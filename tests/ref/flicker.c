// SPDX-License-Identifier: MIT
// How much a movie flickers: the temporal deviation of the means of 4x4 texels.
#include "flicker.h"

#include <math.h>
#include <stdlib.h>

#include "tests/seeded.h"

void ref_flicker_init(struct ref_flicker *flicker, size_t num_blocks, int num_channels)
{
    *flicker = (struct ref_flicker){
        .num_blocks = num_blocks,
        .num_channels = num_channels,
        .means = calloc((size_t)num_channels * num_blocks, sizeof(struct ref_flicker_mean)),
    };
}

void ref_flicker_finish(struct ref_flicker *flicker)
{
    free(flicker->means);
}

void ref_flicker_begin(struct ref_flicker *flicker)
{
    flicker->num_frames++;
    flicker->offset = 0;
}

void ref_flicker_add(struct ref_flicker *flicker, size_t number, const uint8_t texels[16][4],
                     const double decoded[16][4])
{
    for (int c = 0; c < flicker->num_channels; c++) {
        double mean[2] = {0, 0};
        for (int t = 0; t < 16; t++) {
            const double value = fmin(fmax(decoded[t][c], 0), 255);
            flicker->error += (value - texels[t][c]) * (value - texels[t][c]);
            mean[0] += texels[t][c] / 16.0;
            mean[1] += value / 16;
        }
        flicker->offset += mean[1] - mean[0];
        struct ref_flicker_mean *sums =
            &flicker->means[number * (size_t)flicker->num_channels + (size_t)c];
        for (int i = 0; i < 2; i++) {
            sums->sum[i] += mean[i];
            sums->squares[i] += mean[i] * mean[i];
        }
    }
}

static size_t num_means(const struct ref_flicker *flicker)
{
    return (size_t)flicker->num_channels * flicker->num_blocks;
}

static double deviation(const struct ref_flicker *flicker, int which)
{
    const double n = flicker->num_frames;
    const size_t num = num_means(flicker);
    double variance = 0;
    for (size_t i = 0; i < num; i++) {
        const double mean = flicker->means[i].sum[which] / n;
        variance += flicker->means[i].squares[which] / n - mean * mean;
    }
    return sqrt(variance / (double)num);
}

double ref_flicker_of_source(const struct ref_flicker *flicker)
{
    return deviation(flicker, 0);
}

double ref_flicker_of_blocks(const struct ref_flicker *flicker)
{
    return deviation(flicker, 1);
}

double ref_flicker_psnr(const struct ref_flicker *flicker)
{
    const double num_values = 16.0 * (double)num_means(flicker) * flicker->num_frames;
    return 10 * log10(255.0 * 255 * num_values / flicker->error);
}

double ref_flicker_offset(const struct ref_flicker *flicker)
{
    return flicker->offset / (double)num_means(flicker);
}

// Above 0 and below 1.
static double uniform(uint64_t *random)
{
    return (seeded_next(random) + 0.5) / 4294967296.0;
}

double ref_flicker_noise(uint64_t *random) // Box and Muller
{
    const double radius = sqrt(-2 * log(uniform(random)));
    return radius * cos(6.283185307179586 * uniform(random));
}
