// SPDX-License-Identifier: MIT
// How much a movie flickers: the temporal deviation of the means of 4x4 texels.
#include "flicker.h"

#include <math.h>
#include <stdlib.h>

#include "tests/seeded.h"
#include "ycocg_bc3.h"

void ref_flicker_init(struct ref_flicker *flicker, size_t num_blocks)
{
    *flicker = (struct ref_flicker){
        .num_blocks = num_blocks,
        .means = calloc(3 * num_blocks, sizeof(struct ref_flicker_mean)),
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

void ref_flicker_add(struct ref_flicker *flicker, size_t number, const uint8_t rgb[16][3],
                     const uint8_t block[16])
{
    double decoded[16][3];
    ref_ycocg_bc3_decode_block_exact(block, decoded);
    for (int c = 0; c < 3; c++) {
        double mean[2] = {0, 0};
        for (int t = 0; t < 16; t++) {
            const double value = fmin(fmax(decoded[t][c], 0), 255);
            flicker->error += (value - rgb[t][c]) * (value - rgb[t][c]);
            mean[0] += rgb[t][c] / 16.0;
            mean[1] += value / 16;
        }
        flicker->offset += mean[1] - mean[0];
        struct ref_flicker_mean *sums = &flicker->means[3 * number + (size_t)c];
        for (int i = 0; i < 2; i++) {
            sums->sum[i] += mean[i];
            sums->squares[i] += mean[i] * mean[i];
        }
    }
}

static double deviation(const struct ref_flicker *flicker, int which)
{
    const double n = flicker->num_frames;
    const size_t num_means = 3 * flicker->num_blocks;
    double variance = 0;
    for (size_t i = 0; i < num_means; i++) {
        const double mean = flicker->means[i].sum[which] / n;
        variance += flicker->means[i].squares[which] / n - mean * mean;
    }
    return sqrt(variance / (double)num_means);
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
    const double num_values = 48.0 * (double)flicker->num_blocks * flicker->num_frames;
    return 10 * log10(255.0 * 255 * num_values / flicker->error);
}

double ref_flicker_offset(const struct ref_flicker *flicker)
{
    return flicker->offset / (3.0 * (double)flicker->num_blocks);
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
