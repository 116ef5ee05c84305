// SPDX-License-Identifier: MIT
// Scalar reference of BC1: what an opaque block keeps of the one in the frame before.
#include "tests/ref/bc1_steady.h"

#include "tests/ref/bc1_line.h"
#include "tests/ref/steady.h"

enum { STEPS = 3 };

static uint32_t read_word(const uint8_t bytes[4])
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void write_word(uint32_t word, uint8_t bytes[4])
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(word >> (8 * i));
    }
}

static struct ref_bc1_line line_of(bool ffmpeg_model, uint32_t ends)
{
    int code[2][3];
    for (int end = 0; end < 2; end++) {
        const uint32_t word = ends >> (16 * end) & 0xffff;
        code[end][0] = (int)(word >> 11);
        code[end][1] = (int)(word >> 5 & 63);
        code[end][2] = (int)(word & 31);
    }
    return ref_bc1_line_of(ffmpeg_model, (const int(*)[3])code, STEPS);
}

// Get the error of the steps that the texels of this frame keep or get, which `codes` has then.
static uint32_t keep_codes(const uint8_t rgb[16][3], bool ffmpeg_model, uint32_t ends,
                           uint32_t *codes)
{
    static const int step_of[4] = {0, 3, 1, 2};
    static const uint32_t code_of[4] = {0, 2, 3, 1};
    const struct ref_bc1_line l = line_of(ffmpeg_model, ends);
    const int squared_step = l.way[0] * l.way[0] + l.way[1] * l.way[1] + l.way[2] * l.way[2];
    const uint32_t slack = ref_steady_slack((uint32_t)squared_step);
    uint32_t kept = 0, sum = 0;
    for (int t = 0; t < 16; t++) {
        const int nearest = ref_bc1_nearest(&l, rgb[t]);
        const uint32_t least = (uint32_t)ref_bc1_error(&l, rgb[t], nearest);
        int step = step_of[*codes >> (2 * t) & 3];
        uint32_t error = (uint32_t)ref_bc1_error(&l, rgb[t], step);
        if (error > least + slack) {
            step = nearest;
            error = least;
        }
        sum += error;
        kept |= code_of[step] << (2 * t);
    }
    *codes = kept;
    return sum;
}

void ref_bc1_keep(const uint8_t rgb[16][3], bool ffmpeg_model,
                  const uint8_t previous[REF_BC1_BLOCK_SIZE], uint8_t block[REF_BC1_BLOCK_SIZE])
{
    const uint32_t ends_before = read_word(previous), ends = read_word(block);
    const bool has_four = (ends_before & 0xffff) > ends_before >> 16;
    if (!has_four) {
        return;
    }
    uint32_t codes_before = read_word(previous + 4), codes = read_word(block + 4);
    const uint32_t error = keep_codes(rgb, ffmpeg_model, ends, &codes);
    const uint32_t error_before = keep_codes(rgb, ffmpeg_model, ends_before, &codes_before);
    if (ref_steady_keeps(error_before, error)) {
        write_word(ends_before, block);
        write_word(codes_before, block + 4);
    }
}
