// SPDX-License-Identifier: MIT
// Scalar reference of BC1: the colours of a block on their line, as either decoder has them.
#include "tests/ref/bc1_line.h"

// The expansion of 5 and 6 bits to 8 that FFmpeg uses, which is not always the nearest.
static int ffmpeg_value_of(int channel, int code)
{
    const int num_bits = channel == 1 ? 6 : 5;
    const int v = code * 255 + (1 << (num_bits - 1));
    return ((v >> num_bits) + v) >> num_bits;
}

// The factors are code * 4 * 255 / 31, or / 63 for green, times 2^8.
int ref_bc1_value_of(bool ffmpeg_model, int channel, int code)
{
    return ffmpeg_model ? 4 * ffmpeg_value_of(channel, code)
                        : (code * (channel == 1 ? 4145 : 8423) + 128) >> 8;
}

int ref_bc1_ffmpeg_between(int start, int end, int step, int steps)
{
    return ((steps - step) * start + step * end) / steps;
}

static void set_ffmpeg_colors(struct ref_bc1_line *l)
{
    for (int k = 0; k <= l->steps; k++) {
        for (int c = 0; c < 3; c++) {
            const int start = l->whole_start[c];
            l->ffmpeg_color[k][c] = ref_bc1_ffmpeg_between(start, start + l->whole_way[c], k,
                                                           l->steps);
        }
    }
    for (int k = 0; k < l->steps; k++) {
        for (int c = 0; c < 3; c++) {
            l->ffmpeg_border[k] += l->whole_way[c] *
                                   (l->ffmpeg_color[k][c] + l->ffmpeg_color[k + 1][c]);
        }
    }
}

struct ref_bc1_line ref_bc1_line_of(bool ffmpeg_model, const int code[2][3], int steps)
{
    struct ref_bc1_line l = {.ffmpeg_model = ffmpeg_model, .steps = steps};
    for (int c = 0; c < 3; c++) {
        const int end = ref_bc1_value_of(ffmpeg_model, c, code[1][c]);
        l.start[c] = ref_bc1_value_of(ffmpeg_model, c, code[0][c]);
        l.way[c] = end - l.start[c];
        l.whole_start[c] = (l.start[c] + 2) >> 2;
        l.whole_way[c] = ((end + 2) >> 2) - l.whole_start[c];
        l.square += l.whole_way[c] * l.whole_way[c];
    }
    set_ffmpeg_colors(&l);
    return l;
}

static int nearest_on_gpu(const struct ref_bc1_line *l, const uint8_t v[3])
{
    int along = 0;
    for (int c = 0; c < 3; c++) {
        along += l->whole_way[c] * (v[c] - l->whole_start[c]);
    }
    if (along <= 0) {
        return 0;
    }
    const int k = (2 * l->steps * along + l->square) / (2 * l->square);
    return k < l->steps ? k : l->steps;
}

static int nearest_in_ffmpeg(const struct ref_bc1_line *l, const uint8_t v[3])
{
    int along = 0, k = 0;
    for (int c = 0; c < 3; c++) {
        along += l->whole_way[c] * v[c];
    }
    while (k < l->steps && 2 * along >= l->ffmpeg_border[k]) {
        k++;
    }
    return k;
}

int ref_bc1_nearest(const struct ref_bc1_line *l, const uint8_t v[3])
{
    return l->square == 0 ? 0 : l->ffmpeg_model ? nearest_in_ffmpeg(l, v) : nearest_on_gpu(l, v);
}

int ref_bc1_error(const struct ref_bc1_line *l, const uint8_t v[3], int step)
{
    int error = 0;
    for (int c = 0; c < 3; c++) {
        const int e = l->ffmpeg_model ? 4 * l->steps * (v[c] - l->ffmpeg_color[step][c])
                                      : l->steps * (4 * v[c] - l->start[c]) - step * l->way[c];
        error += e * e;
    }
    return error;
}
