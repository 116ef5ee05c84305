// SPDX-License-Identifier: MIT
// Decoder of BC1: FFmpeg's integer arithmetic.
#include "tests/ref/bc1_decode.h"

#include <stdbool.h>

// Steps from the first endpoint to the second, by code.
static const int steps_of_four[] = {0, 3, 1, 2}, steps_of_three[] = {0, 2, 1};

// The expansion of 5 and 6 bits to 8, which is not always the nearest.
static int value_of(int channel, int code)
{
    const int num_bits = channel == 1 ? 6 : 5;
    const int v = code * 255 + (1 << (num_bits - 1));
    return ((v >> num_bits) + v) >> num_bits;
}

void ref_bc1_decode_ffmpeg(const uint8_t block[8], uint8_t rgb[16][3])
{
    const int words[] = {block[0] | block[1] << 8, block[2] | block[3] << 8};
    const int num_steps = words[0] > words[1] ? 3 : 2;
    int values[2][3];
    for (int end = 0; end < 2; end++) {
        values[end][0] = value_of(0, words[end] >> 11);
        values[end][1] = value_of(1, words[end] >> 5 & 63);
        values[end][2] = value_of(2, words[end] & 31);
    }
    for (int t = 0; t < 16; t++) {
        const int code = block[4 + t / 4] >> (2 * (t % 4)) & 3;
        const bool is_black = num_steps == 2 && code == 3;
        const int step = num_steps == 3 ? steps_of_four[code] : steps_of_three[code % 3];
        for (int c = 0; c < 3; c++) {
            const int sum = (num_steps - step) * values[0][c] + step * values[1][c];
            rgb[t][c] = (uint8_t)(is_black ? 0 : sum / num_steps);
        }
    }
}
