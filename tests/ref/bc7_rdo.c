// SPDX-License-Identifier: MIT
// Scalar reference of rate-distortion optimisation for BC7. Its halves are no channels: a block is
// copied whole, or, of one of mode 6, the first half with its endpoints, and the indices are made
// anew, or the second half with its indices, and the endpoints are.
#include <string.h>

#include "tests/ref/bc7_decode.h"
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

// Copy the endpoints, and fit the indices.
static void fit_indices(const struct ref_rdo_texels *source, const uint8_t *from, int num_channels,
                        uint8_t *out)
{
    const struct line line = line_of(from, num_channels);
    uint8_t indices[REF_RDO_HALF_SIZE] = {0};
    for (int t = 0; t < 16; t++) {
        // Texel 0, the anchor, has the p-bit in place of its index's highest bit.
        const int index = nearest(&line, source, t);
        const int digit = t == 0 ? index << 1 | line.second_p_bit : index;
        indices[t / 2] |= (uint8_t)(digit << (4 * (t % 2)));
    }
    memcpy(out, from, REF_RDO_HALF_SIZE);
    memcpy(out + REF_RDO_HALF_SIZE, indices, sizeof(indices));
}

// The normal equations of the ends of a line with these indices: S. Brown, "DXT Compression
// Techniques" (2006).
struct equations {
    int aa, ab, bb, determinant;
    uint32_t scale; // from the quotient's numerator to quarters of a code, times 2^26
};

static void index_list(const uint8_t *block, int indices[16])
{
    for (int t = 0; t < 16; t++) {
        const int digit = block[REF_RDO_HALF_SIZE + t / 2] >> (4 * (t % 2)) & 15;
        indices[t] = t == 0 ? digit >> 1 : digit;
    }
}

static struct equations equations_of(const int indices[16])
{
    int sum = 0, squares = 0;
    for (int t = 0; t < 16; t++) {
        sum += indices[t];
        squares += indices[t] * indices[t];
    }
    struct equations e = {.aa = 16 * MAX_INDEX * MAX_INDEX - 2 * MAX_INDEX * sum + squares,
                          .ab = MAX_INDEX * sum - squares,
                          .bb = squares};
    e.determinant = e.aa * e.bb - e.ab * e.ab;
    e.scale = e.determinant > 0 ? ((uint32_t)MAX_INDEX << 28) / (uint32_t)e.determinant : 0;
    return e;
}

// Get an end of a channel in quarters of a code.
static int quarters_of(const struct equations *e, int numerator)
{
    const int most = 255 / MAX_INDEX * e->determinant; // 255 codes
    const uint32_t cut = (uint32_t)(numerator < 0 ? 0 : numerator > most ? most : numerator);
    return (int)((uint64_t)(cut << 6) * e->scale >> 32);
}

// Get the code of seven bits that is nearest with a p-bit.
static int code_of(int quarters, int p)
{
    const int code = (quarters + 4 - 4 * p) >> 3;
    return code > 127 ? 127 : code;
}

// Choose the p-bit of an end: the one whose codes are nearer. What is opaque has 1.
static int choose_p_bit(const int quarters[4], int num_channels, bool is_opaque)
{
    int errors[2] = {0, 0};
    for (int p = 0; p < 2; p++) {
        for (int c = 0; c < num_channels; c++) {
            const int e = 4 * (2 * code_of(quarters[c], p) + p) - quarters[c];
            errors[p] += e * e;
        }
    }
    return is_opaque || errors[1] < errors[0];
}

static void put_bits(uint8_t *block, int at, int num, int value)
{
    for (int i = 0; i < num; i++) {
        block[(at + i) / 8] |= (uint8_t)((value >> i & 1) << ((at + i) % 8));
    }
}

// Copy the indices, with the second p-bit, and fit the endpoints. Returns false where all indices
// are the same.
static bool fit_endpoints(const struct ref_rdo_texels *source, const uint8_t *from,
                          int num_channels, uint8_t *out)
{
    int indices[16], quarters[2][4] = {{0}};
    index_list(from, indices);
    const struct equations e = equations_of(indices);
    bool is_opaque = num_channels == 4;
    for (int c = 0; c < num_channels; c++) {
        int a = 0, b = 0;
        for (int t = 0; t < 16; t++) {
            a += (MAX_INDEX - indices[t]) * (source->of[c][t] / 4);
            b += indices[t] * (source->of[c][t] / 4);
            is_opaque = is_opaque && (c < 3 || source->of[c][t] == 4 * 255);
        }
        quarters[0][c] = quarters_of(&e, a * e.bb - b * e.ab);
        quarters[1][c] = quarters_of(&e, b * e.aa - a * e.ab);
    }
    const int p_bits[2] = {choose_p_bit(quarters[0], num_channels, is_opaque),
                           bits_at(from, 64, 1)};
    uint8_t half[REF_RDO_HALF_SIZE] = {64};
    for (int i = 0; i < 8; i++) {
        const int end = i % 2, c = i / 2;
        put_bits(half, 7 * i + 7, 7,
                 c < num_channels ? code_of(quarters[end][c], p_bits[end]) : 127);
    }
    put_bits(half, 63, 1, p_bits[0]);
    memcpy(out + REF_RDO_HALF_SIZE, from + REF_RDO_HALF_SIZE, REF_RDO_HALF_SIZE);
    memcpy(out, half, sizeof(half));
    return e.determinant > 0;
}

static bool refit(const struct ref_rdo_texels *source, const uint8_t *from, int half,
                  int num_channels, uint8_t *out)
{
    if ((from[0] & 127) != 64) {
        return false; // of another mode
    }
    if (half == 1) {
        return fit_endpoints(source, from, num_channels, out);
    }
    fit_indices(source, from, num_channels, out);
    return true;
}

static bool refit_rgba(const struct ref_rdo_texels *source, const uint8_t *from, int half,
                       uint8_t *out)
{
    return refit(source, from, half, 4, out);
}

static bool refit_rgb(const struct ref_rdo_texels *source, const uint8_t *from, int half,
                      uint8_t *out)
{
    return refit(source, from, half, 3, out);
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
