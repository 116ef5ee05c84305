// SPDX-License-Identifier: MIT
// How much a movie flickers: the temporal deviation of the means of 4x4 texels, of its source and
// of its blocks.

#pragma once

#include <stddef.h>
#include <stdint.h>

// The sums of a mean over the frames: that of a channel of a block of the source, and decoded.
struct ref_flicker_mean {
    double sum[2], squares[2];
};

struct ref_flicker {
    size_t num_blocks;
    int num_channels;               // of the texels, the first ones count
    struct ref_flicker_mean *means; // one a channel of a block
    int num_frames;
    double error;  // squared, of the channels of all texels of all frames
    double offset; // of the decoded means of this frame, their sum
};

void ref_flicker_init(struct ref_flicker *flicker, size_t num_blocks, int num_channels);
void ref_flicker_finish(struct ref_flicker *flicker);

// Begin a frame, and add each of its blocks: the texels, and what a decoder with exact fractions
// makes of the block [codes].
void ref_flicker_begin(struct ref_flicker *flicker);
void ref_flicker_add(struct ref_flicker *flicker, size_t number, const uint8_t texels[16][4],
                     const double decoded[16][4]);

// The temporal deviation: the root of the mean, over all channels of all blocks, of the variance
// of the block's mean over the frames [codes].
double ref_flicker_of_source(const struct ref_flicker *flicker);
double ref_flicker_of_blocks(const struct ref_flicker *flicker);

double ref_flicker_psnr(const struct ref_flicker *flicker);   // [dB]
double ref_flicker_offset(const struct ref_flicker *flicker); // of a mean, on average [codes]

// A number of normal noise of deviation 1, of random numbers that the caller keeps the state of.
double ref_flicker_noise(uint64_t *random);
