// SPDX-License-Identifier: MIT
// Scalar reference of rate-distortion optimisation for BC7. Its halves are no channels: a block is
// copied whole, or, of one of mode 6, the first half with its endpoints, and the second half gets
// new indices.
#include <string.h>

#include "tests/ref/bc7_decode.h"
#include "tests/ref/bc7_fit.h"
#include "tests/ref/rdo_codec.h"

enum { MAX_INDEX = 15, MAX_ANCHOR_INDEX = 7 };

static void decode_channels(const uint8_t *block, int num, struct ref_rdo_texels *out)
{
    uint8_t texels[16][4];
    ref_bc7_decode_block(block, texels);
    for (int i = 0; i < 64; i++) {
        out->of[i / 16][i % 16] = i / 16 < num ? 4 * texels[i % 16][i / 16] : 0;
    }
}

static void decode_rgba(const uint8_t *block, struct ref_rdo_texels *out)
{
    decode_channels(block, 4, out);
}

static void decode_rgb(const uint8_t *block, struct ref_rdo_texels *out)
{
    decode_channels(block, 3, out);
}

// The line between the endpoints of a block of mode 6, in the channels that count.
struct line {
    int first[4], way[4];
    int square;     // of the way
    uint32_t scale; // from the square to the highest index, times 2^27
    int second_p_bit;
};

static int bits_at(const uint8_t *block, int at, int num)
{
    int value = 0;
    for (int i = 0; i < num; i++) {
        value |= (block[(at + i) / 8] >> ((at + i) % 8) & 1) << i;
    }
    return value;
}

// Mode 6 has seven bits of mode, seven of each endpoint of each channel, and two p-bits, of which
// the second one begins the second half.
static struct line line_of(const uint8_t *block, int num_channels)
{
    struct line line = {.second_p_bit = bits_at(block, 64, 1)};
    for (int c = 0; c < num_channels; c++) {
        line.first[c] = bits_at(block, 7 + 14 * c, 7) << 1 | bits_at(block, 63, 1);
        line.way[c] = (bits_at(block, 14 + 14 * c, 7) << 1 | line.second_p_bit) - line.first[c];
        line.square += line.way[c] * line.way[c];
    }
    line.scale = line.square ? ((uint32_t)MAX_INDEX << 27) / (uint32_t)line.square : 0;
    return line;
}

// Get the index of the value that is nearest on the line, but for its rounding.
static int nearest(const struct line *line, const struct ref_rdo_texels *source, int t)
{
    int along = 0;
    for (int c = 0; c < REF_RDO_CHANNELS; c++) {
        along += line->way[c] * (source->of[c][t] / 4 - line->first[c]);
    }
    along = along < 0 ? 0 : along > line->square ? line->square : along;
    const int index = (int)(((uint32_t)along * line->scale + (1u << 26)) >> 27);
    return t == 0 && index > MAX_ANCHOR_INDEX ? MAX_ANCHOR_INDEX : index;
}

static bool refit(const struct ref_rdo_texels *source, const uint8_t *from, int num_channels,
                  uint8_t *out)
{
    if ((from[0] & 127) != 64) {
        return false; // of another mode
    }
    const struct line line = line_of(from, num_channels);
    uint8_t indices[REF_RDO_HALF_SIZE] = {0};
    for (int t = 0; t < 16; t++) {
        // Texel 0, the anchor, has the p-bit in place of its index's highest bit.
        const int index = nearest(&line, source, t);
        const int digit = t == 0 ? index << 1 | line.second_p_bit : index;
        indices[t / 2] |= (uint8_t)(digit << (4 * (t % 2)));
    }
    memmove(out, from, REF_RDO_HALF_SIZE);
    memcpy(out + REF_RDO_HALF_SIZE, indices, sizeof(indices));
    return true;
}

static bool refit_rgba(const struct ref_rdo_texels *source, const uint8_t *from, uint8_t *out)
{
    return refit(source, from, 4, out);
}

static bool refit_rgb(const struct ref_rdo_texels *source, const uint8_t *from, uint8_t *out)
{
    return refit(source, from, 3, out);
}

static void read_rgba(const uint8_t *texel, int t, struct ref_rdo_texels *out)
{
    for (int c = 0; c < 4; c++) {
        out->of[c][t] = 4 * texel[c];
    }
}

static void read_rgb(const uint8_t *texel, int t, struct ref_rdo_texels *out)
{
    read_rgba(texel, t, out);
    out->of[3][t] = 0;
}

// Measure alpha, then R, G and B. An alpha that does not count is 0 everywhere.
static struct ref_rdo_squares measure(int measure, const struct ref_rdo_texels *source,
                                      const struct ref_rdo_texels *const halves[2])
{
    struct ref_rdo_squares result = {0};
    for (int c = measure == 0 ? 3 : 0; c < (measure == 0 ? 4 : 3); c++) {
        int all = 0;
        for (int t = 0; t < 16; t++) {
            const int e = halves[measure]->of[c][t] - source->of[c][t];
            result.sum += e * e;
            all += e;
        }
        result.of_sum += (int64_t)all * all;
    }
    return result;
}

// As BC3 has it, but that a copy saves as much as a whole block.
const struct ref_rdo_codec ref_rdo_of_bc7 = {
    .num_halves = 2,
    .num_measures = 2,
    .activity_units = {32, 96},
    .least_lambda = 1,
    .worth_bytes = 16,
    .decode = decode_rgba,
    .read = read_rgba,
    .measure = measure,
    .refit = refit_rgba,
};

const struct ref_rdo_codec ref_rdo_of_bc7_alpha_unread = {
    .num_halves = 2,
    .num_measures = 2,
    .activity_units = {32, 96},
    .least_lambda = 1,
    .worth_bytes = 16,
    .decode = decode_rgb,
    .read = read_rgb,
    .measure = measure,
    .refit = refit_rgb,
};
