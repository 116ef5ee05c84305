// SPDX-License-Identifier: MIT
// Decoder of BC1: FFmpeg's integer arithmetic. Decoders of exact fractions are in capture/files.
#include "tests/ref/bc1.h"
#include "tests/ref/bc1_line.h"

// Steps from the first endpoint to the second, by code.
static const int steps_of_four[] = {0, 3, 1, 2}, steps_of_three[] = {0, 2, 1};

void ref_bc1_decode_ffmpeg(const uint8_t block[REF_BC1_BLOCK_SIZE], uint8_t rgb[16][3])
{
    const int words[] = {block[0] | block[1] << 8, block[2] | block[3] << 8};
    const int num_steps = words[0] > words[1] ? 3 : 2;
    int codes[2][3];
    for (int end = 0; end < 2; end++) {
        codes[end][0] = words[end] >> 11;
        codes[end][1] = words[end] >> 5 & 63;
        codes[end][2] = words[end] & 31;
    }
    for (int t = 0; t < 16; t++) {
        const int code = block[4 + t / 4] >> (2 * (t % 4)) & 3;
        for (int c = 0; c < 3; c++) {
            const int start = ref_bc1_value_of(true, c, codes[0][c]) / 4;
            const int end = ref_bc1_value_of(true, c, codes[1][c]) / 4;
            const bool is_black = num_steps == 2 && code == 3;
            const int step = num_steps == 3 ? steps_of_four[code] : steps_of_three[code % 3];
            rgb[t][c] = (uint8_t)(is_black ? 0
                                           : ref_bc1_ffmpeg_between(start, end, step, num_steps));
        }
    }
}
