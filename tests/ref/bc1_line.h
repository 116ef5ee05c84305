// SPDX-License-Identifier: MIT
// Scalar reference of BC1: the colours of a block on their line, as either decoder has them.
#ifndef WEIR_TESTS_REF_BC1_LINE_H
#define WEIR_TESTS_REF_BC1_LINE_H

#include <stdbool.h>
#include <stdint.h>

// The value of a code, in quarters of 1/255. FFmpeg's decoder has whole ones.
int ref_bc1_value_of(bool ffmpeg_model, int channel, int code);

// The value at `step` of `steps` between two values of FFmpeg's decoder, which drops the fraction;
// in whole ones.
int ref_bc1_ffmpeg_between(int start, int end, int step, int steps);

// The line from the first endpoint to the second, in quarters; and in whole ones, of which a float
// holds the products.
struct ref_bc1_line {
    bool ffmpeg_model;
    int start[3], way[3];
    int whole_start[3], whole_way[3];
    int square; // of the whole way
    int steps;  // 3: four colours, 2: three
    int ffmpeg_color[4][3];
    int ffmpeg_border[3]; // dot product with the whole way half way between colours, times 2
};

struct ref_bc1_line ref_bc1_line_of(bool ffmpeg_model, const int code[2][3], int steps);

// How many steps of the whole way are nearest to a texel, of two the farther from the start.
int ref_bc1_nearest(const struct ref_bc1_line *l, const uint8_t v[3]);

// (4 * steps * difference)^2 of a texel and the colour at `step`, over its channels.
int ref_bc1_error(const struct ref_bc1_line *l, const uint8_t v[3], int step);

#endif
