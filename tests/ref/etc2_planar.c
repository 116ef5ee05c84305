// SPDX-License-Identifier: MIT
// The planar mode of ETC2: least squares, and neighbours of what they give.
#include "tests/ref/etc2.h"

static const int sizes[3] = {6, 7, 6}; // of a channel's codes [bits]

int ref_etc2_planar_error(const struct ref_etc_texels *texels, int c, const int code[3])
{
    int value[3], error = 0;
    for (int i = 0; i < 3; i++) {
        value[i] = ref_etc_value_of(code[i], sizes[c]);
    }
    for (int t = 0; t < 16; t++) {
        const int quarters = t % 4 * (value[1] - value[0]) + t / 4 * (value[2] - value[0]) +
                             4 * value[0] + 2;
        const int v = quarters < 0 ? 0 : ref_etc_clamp(quarters / 4, 0, 255);
        error += (texels->rgb[t][c] - v) * (texels->rgb[t][c] - v);
    }
    return error;
}

// The plane with the least squares: the slopes are the sums of v (x - 1.5) and v (y - 1.5) over 20.
static void fit_plane(const struct ref_etc_texels *texels, int c, int code[3])
{
    int sum = 0, along_x = 0, along_y = 0;
    for (int t = 0; t < 16; t++) {
        sum += texels->rgb[t][c];
        along_x += (2 * (t % 4) - 3) * texels->rgb[t][c];
        along_y += (2 * (t / 4) - 3) * texels->rgb[t][c];
    }
    const int origin = 5 * sum - 3 * (along_x + along_y); // in 1/80
    const int of[3] = {origin, origin + 8 * along_x, origin + 8 * along_y};
    for (int i = 0; i < 3; i++) {
        code[i] = ref_etc_code_of(of[i], 80, sizes[c], 0, (1 << sizes[c]) - 1);
    }
}

// All neighbours of the three codes, 26.
static int search_neighbors(const struct ref_etc_texels *texels, int c, int code[3], int error)
{
    const int center[3] = {code[0], code[1], code[2]};
    const int max = (1 << sizes[c]) - 1;
    for (int i = 0; i < 27; i++) {
        const int moved[3] = {ref_etc_clamp(center[0] + i % 3 - 1, 0, max),
                              ref_etc_clamp(center[1] + i / 3 % 3 - 1, 0, max),
                              ref_etc_clamp(center[2] + i / 9 - 1, 0, max)};
        const int moved_error = ref_etc2_planar_error(texels, c, moved);
        if (moved_error < error) {
            error = moved_error;
            for (int k = 0; k < 3; k++) {
                code[k] = moved[k];
            }
        }
    }
    return error;
}

struct ref_etc2_planar ref_etc2_fit_planar(const struct ref_etc_texels *texels,
                                           enum ref_etc_effort effort)
{
    struct ref_etc2_planar fit = {.error = 0};
    for (int c = 0; c < 3; c++) {
        int code[3];
        fit_plane(texels, c, code);
        int error = ref_etc2_planar_error(texels, c, code);
        if (effort != REF_ETC_FAST) {
            error = search_neighbors(texels, c, code, error);
        }
        fit.error += error;
        for (int i = 0; i < 3; i++) {
            fit.code[i][c] = code[i];
        }
    }
    return fit;
}

// Bits `from` and up of a code, so many.
static uint64_t part(int code, int from, int size)
{
    return (uint64_t)(code >> from & ((1 << size) - 1));
}

void ref_etc2_pack_planar(const struct ref_etc2_planar *fit, uint8_t out[REF_ETC_BLOCK_SIZE])
{
    const int *o = fit->code[0], *h = fit->code[1], *v = fit->code[2];
    uint64_t word = part(o[0], 0, 6) << 57 | part(o[1], 6, 1) << 56 | part(o[1], 0, 6) << 49 |
                    part(o[2], 5, 1) << 48 | part(o[2], 3, 2) << 43 | part(o[2], 0, 3) << 39 |
                    part(h[0], 1, 5) << 34 | (uint64_t)1 << 33 | part(h[0], 0, 1) << 32 |
                    part(h[1], 0, 7) << 25 | part(h[2], 0, 6) << 19 | part(v[0], 0, 6) << 13 |
                    part(v[1], 0, 7) << 6 | part(v[2], 0, 6);
    // R and G must not overflow: a negative difference has the upper half of the bases before it. B
    // must.
    word |= (word >> 58 & 1) << 63 | (word >> 50 & 1) << 55;
    if (part(o[2], 3, 2) + part(o[2], 1, 2) >= 4) {
        word |= (uint64_t)7 << 45;
    } else {
        word |= (uint64_t)1 << 42;
    }
    ref_etc_put_word(word, out);
}
