// SPDX-License-Identifier: MIT
// Decoders of EAC, 11 bits a channel, and of ETC2: RGB, RGB with one bit of alpha ("punchthrough")
// and RGBA. Khronos Data Format Specification 1.3, chapter "ETC2 Compressed Texture Image Formats";
// the names of modes, fields and colours are its own, numbers of bits those of its table "Texel
// Data format for ETC2".
#include "capture/files/block/block.h"

#include <string.h>

// Read eight bytes, the most significant one first: the specification's int64bit.
static uint64_t word_of(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) {
        word = word << 8 | bytes[i];
    }
    return word;
}

// Get the bits low .. low + size - 1 of a word.
static int bits_of(uint64_t word, int low, int size)
{
    return (int)(word >> low & ((UINT64_C(1) << size) - 1));
}

// Get the index in rows of a texel from its index in columns, by which a block numbers its texels
// ("a" .. "p" of the specification's figures).
static int row_index_of(int texel)
{
    return texel % 4 * 4 + texel / 4;
}

// Table "Intensity modifier sets for RGBA ETC2 alpha component".
static const int8_t eac_modifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

static int base_of(uint64_t word)
{
    return bits_of(word, 56, 8);
}

static int multiplier_of(uint64_t word)
{
    return bits_of(word, 52, 4);
}

// Get the modifier of a texel. Each texel has an index of three bits, the first texel the highest
// ones.
static int modifier_of(uint64_t word, int texel)
{
    return eac_modifiers[bits_of(word, 48, 4)][bits_of(word, 45 - 3 * texel, 3)];
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

void weir_decode_etc2_alpha(const uint8_t *bytes, float (*texels)[4])
{
    const uint64_t word = word_of(bytes);
    for (int t = 0; t < 16; t++) {
        // A multiplier of 0 is 0 here, unlike in the formats of 11 bits (section "Format RGBA
        // ETC2").
        const int value = base_of(word) + modifier_of(word, t) * multiplier_of(word);
        texels[row_index_of(t)][3] = (float)clamp(value, 0, 255) / 255;
    }
}

// One channel of 11 bits. Equations "Unsigned R11 EAC simple" and "Signed R11 EAC simple" and, for
// a multiplier of 0, which stands for an eighth, "simpler".
void weir_decode_eac(const uint8_t *bytes, bool is_signed, unsigned channel, float (*texels)[4])
{
    const uint64_t word = word_of(bytes);
    const int step = multiplier_of(word) > 0 ? multiplier_of(word) * 8 : 1;
    const int code = base_of(word);
    int base = code * 8 + 4;
    if (is_signed) { // two's complement; -128 "must be treated as -127"
        base = (code == 128 ? -127 : code > 128 ? code - 256 : code) * 8;
    }
    for (int t = 0; t < 16; t++) {
        const int value = base + modifier_of(word, t) * step;
        texels[row_index_of(t)][channel] = is_signed ? (float)clamp(value, -1023, 1023) / 1023
                                                     : (float)clamp(value, 0, 2047) / 2047;
    }
}

// Table "ETC2 intensity modifier sets": the small and the large modifier of a table codeword.
static const int modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                    {18, 60}, {24, 80}, {33, 106}, {47, 183}};

// Table "Distance table for ETC2 'T' and 'H' modes".
static const int distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

// The four colours among which a texel's index selects, for each of the two subblocks.
struct paint {
    int colors[2][4][3];
};

// Widen a code of `size` bits to 8 bits by repeating its highest bits below its lowest.
static int extend(int code, int size)
{
    return code << (8 - size) | code >> (2 * size - 8);
}

static void shift_color(const int base[3], int by, int color[3])
{
    for (int c = 0; c < 3; c++) {
        color[c] = clamp(base[c] + by, 0, 255);
    }
}

// Channel c of the differential mode: the five bits of the first base colour, then three of the
// delta, in two's complement.
static int base_code(uint64_t word, int c)
{
    return bits_of(word, 59 - 8 * c, 5);
}

static int sum_code(uint64_t word, int c)
{
    const int delta = bits_of(word, 56 - 8 * c, 3);
    return base_code(word, c) + (delta < 4 ? delta : delta - 8);
}

// The modes that ETC1 does not have are encoded by a sum of the differential mode that overflows.
// The first channel whose sum overflows selects the mode.
enum mode { MODE_T, MODE_H, MODE_PLANAR, MODE_DIFFERENTIAL };

static enum mode mode_of(uint64_t word)
{
    for (int c = 0; c < 3; c++) {
        if (sum_code(word, c) < 0 || sum_code(word, c) > 31) {
            return (enum mode)c;
        }
    }
    return MODE_DIFFERENTIAL;
}

// The colours of the individual and the differential mode. Without `is_opaque` the small modifier
// is 0 (table "... for the 'differential' if 'opaque' (Op) is unset").
static void mix_subblocks(uint64_t word, bool is_individual, bool is_opaque, struct paint *paint)
{
    for (int s = 0; s < 2; s++) {
        int base[3];
        for (int c = 0; c < 3; c++) {
            base[c] = is_individual ? extend(bits_of(word, 60 - 8 * c - 4 * s, 4), 4)
                                    : extend(s ? sum_code(word, c) : base_code(word, c), 5);
        }
        const int *table = modifiers[bits_of(word, 37 - 3 * s, 3)];
        const int small = is_opaque ? table[0] : 0;
        shift_color(base, small, paint->colors[s][0]);
        shift_color(base, table[1], paint->colors[s][1]);
        shift_color(base, -small, paint->colors[s][2]);
        shift_color(base, -table[1], paint->colors[s][3]);
    }
}

static void mix_t(uint64_t word, int colors[4][3])
{
    const int red = bits_of(word, 59, 2) << 2 | bits_of(word, 56, 2);
    const int base1[3] = {extend(red, 4), extend(bits_of(word, 52, 4), 4),
                          extend(bits_of(word, 48, 4), 4)};
    const int base2[3] = {extend(bits_of(word, 44, 4), 4), extend(bits_of(word, 40, 4), 4),
                          extend(bits_of(word, 36, 4), 4)};
    const int distance = distances[bits_of(word, 34, 2) << 1 | bits_of(word, 32, 1)];
    shift_color(base1, 0, colors[0]);
    shift_color(base2, distance, colors[1]);
    shift_color(base2, 0, colors[2]);
    shift_color(base2, -distance, colors[3]);
}

static void mix_h(uint64_t word, int colors[4][3])
{
    const int green = bits_of(word, 56, 3) << 1 | bits_of(word, 52, 1);
    const int blue = bits_of(word, 51, 1) << 3 | bits_of(word, 47, 3);
    const int base1[3] = {extend(bits_of(word, 59, 4), 4), extend(green, 4), extend(blue, 4)};
    const int base2[3] = {extend(bits_of(word, 43, 4), 4), extend(bits_of(word, 39, 4), 4),
                          extend(bits_of(word, 35, 4), 4)};
    // The order of the two colours is the last bit of the distance.
    const int value1 = base1[0] << 16 | base1[1] << 8 | base1[2];
    const int value2 = base2[0] << 16 | base2[1] << 8 | base2[2];
    const int distance =
        distances[bits_of(word, 34, 1) << 2 | bits_of(word, 32, 1) << 1 | (value1 >= value2)];
    shift_color(base1, distance, colors[0]);
    shift_color(base1, -distance, colors[1]);
    shift_color(base2, distance, colors[2]);
    shift_color(base2, -distance, colors[3]);
}

static void set_texel(const int color[3], float texel[4])
{
    for (int c = 0; c < 3; c++) {
        texel[c] = (float)color[c] / 255;
    }
}

static void decode_planar(uint64_t word, float (*texels)[4])
{
    const int green = bits_of(word, 56, 1) << 6 | bits_of(word, 49, 6);
    const int blue = bits_of(word, 48, 1) << 5 | bits_of(word, 43, 2) << 3 | bits_of(word, 39, 3);
    const int red_h = bits_of(word, 34, 5) << 1 | bits_of(word, 32, 1);
    const int origin[3] = {extend(bits_of(word, 57, 6), 6), extend(green, 7), extend(blue, 6)};
    const int h[3] = {extend(red_h, 6), extend(bits_of(word, 25, 7), 7),
                      extend(bits_of(word, 19, 6), 6)};
    const int v[3] = {extend(bits_of(word, 13, 6), 6), extend(bits_of(word, 6, 7), 7),
                      extend(bits_of(word, 0, 6), 6)};
    for (int t = 0; t < 16; t++) {
        const int x = t % 4, y = t / 4;
        int color[3];
        for (int c = 0; c < 3; c++) {
            const int quarters = x * (h[c] - origin[c]) + y * (v[c] - origin[c]) + 4 * origin[c];
            color[c] = clamp((quarters + 2) / 4, 0, 255); // to nearest; below 0 all are clamped
        }
        set_texel(color, texels[t]);
    }
}

// Give every texel its colour. Where the block is not opaque, index 2 is transparent black.
static void decode_indices(uint64_t word, bool is_opaque, const struct paint *paint,
                           float (*texels)[4])
{
    const bool is_flipped = bits_of(word, 32, 1); // of no effect in the T and H modes
    for (int t = 0; t < 16; t++) {
        const int row_index = row_index_of(t);
        const int subblock = is_flipped ? t % 4 / 2 : t / 8;
        const int index = bits_of(word, 16 + t, 1) << 1 | bits_of(word, t, 1);
        if (!is_opaque && index == 2) {
            memset(texels[row_index], 0, sizeof(texels[row_index]));
        } else {
            set_texel(paint->colors[subblock][index], texels[row_index]);
        }
    }
}

// Bit 33 tells the individual mode from the others; with one bit of alpha, which has no individual
// mode, it says that the block is opaque.
void weir_decode_etc2(const uint8_t *bytes, bool has_alpha_bit, float (*texels)[4])
{
    const uint64_t word = word_of(bytes);
    const bool bit33 = bits_of(word, 33, 1);
    const bool is_individual = !has_alpha_bit && !bit33;
    const bool is_opaque = !has_alpha_bit || bit33;
    const enum mode mode = is_individual ? MODE_DIFFERENTIAL : mode_of(word);
    struct paint paint;
    switch (mode) {
    case MODE_T:
    case MODE_H:
        (mode == MODE_T ? mix_t : mix_h)(word, paint.colors[0]);
        memcpy(paint.colors[1], paint.colors[0], sizeof(paint.colors[0]));
        break;
    case MODE_PLANAR: // opaque always: "should the 'opaque'-bit anyway be 0 ... as if it were 1"
        decode_planar(word, texels);
        return;
    case MODE_DIFFERENTIAL:
    default:
        mix_subblocks(word, is_individual, is_opaque, &paint);
        break;
    }
    decode_indices(word, is_opaque, &paint, texels);
}
