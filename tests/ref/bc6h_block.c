// SPDX-License-Identifier: MIT
// The contents of a block of BC6H: Khronos Data Format Specification 1.3, section "BC6H" of chapter
// "BPTC".
#include "tests/ref/bc6h_block.h"

#include <string.h>

// The order of strays, by endpoint, channel and bit: G2 4, G2 5, G3 4, G3 5, B2 4, B2 5, and B3 0
// to 5.
const struct bc6h_mode bc6h_modes[BC6H_NUM_MODES] = {
    {2, true, 11, {5, 4, 4}, {0, 0, 0, 0, 0, 0, 50, 60, 70, 76, 0, 0}},
    {6, true, 11, {4, 5, 4}, {75, 0, 40, 0, 0, 0, 69, 60, 70, 76, 0, 0}},
    {10, true, 11, {4, 4, 5}, {0, 0, 0, 0, 40, 0, 50, 69, 70, 76, 75, 0}},
    {0, true, 10, {5, 5, 5}, {2, 0, 40, 0, 3, 0, 50, 60, 70, 76, 4, 0}},
    {14, true, 9, {5, 5, 5}, {24, 0, 40, 0, 14, 0, 50, 60, 70, 76, 34, 0}},
    {18, true, 8, {6, 5, 5}, {24, 0, 13, 0, 14, 0, 50, 60, 23, 33, 34, 0}},
    {22, true, 8, {5, 6, 5}, {24, 23, 40, 33, 14, 0, 13, 60, 70, 76, 34, 0}},
    {26, true, 8, {5, 5, 6}, {24, 0, 40, 0, 14, 23, 50, 13, 70, 76, 34, 33}},
    {1, true, 7, {6, 6, 6}, {24, 2, 3, 4, 14, 22, 12, 13, 23, 32, 34, 33}},
    {30, false, 6, {6, 6, 6}, {24, 21, 11, 31, 14, 22, 12, 13, 23, 32, 34, 33}},
    {3, false, 10, {10, 10, 10}, {0}},
    {7, true, 11, {9, 9, 9}, {0}},
    {11, true, 12, {8, 8, 8}, {0}},
    {15, true, 16, {4, 4, 4}, {0}},
};

const struct bc6h_partition bc6h_partitions[BC6H_NUM_PARTITIONS] = {
    {0xcccc, 15}, {0x8888, 15}, {0xeeee, 15}, {0xecc8, 15}, {0xc880, 15}, {0xfeec, 15},
    {0xfec8, 15}, {0xec80, 15}, {0xc800, 15}, {0xffec, 15}, {0xfe80, 15}, {0xe800, 15},
    {0xffe8, 15}, {0xff00, 15}, {0xfff0, 15}, {0xf000, 15}, {0xf710, 15}, {0x008e, 2},
    {0x7100, 8},  {0x08ce, 2},  {0x008c, 2},  {0x7310, 8},  {0x3100, 8},  {0x8cce, 15},
    {0x088c, 2},  {0x3110, 8},  {0x6666, 2},  {0x366c, 2},  {0x17e8, 8},  {0x0ff0, 8},
    {0x718e, 2},  {0x399c, 2},
};

int bc6h_weight(int largest, int index)
{
    // The specification's tables: 0 9 18 27 37 46 55 64 and 0 4 9 13 17 21 26 30 34 38 43 47 51 55
    // 60 64.
    return (128 * index + largest) / (2 * largest);
}

// A code but the lowest and the highest stands for the middle of what has its upper bits; these two
// for the ends.
int bc6h_quantise(int value, int bits, bool is_signed)
{
    if (bits == 16) {
        return value;
    }
    const int shift = 16 - bits, quarter = 1 << shift >> 2;
    const int largest = (1 << (is_signed ? bits - 1 : bits)) - 1;
    const int magnitude = value < 0 ? -value : value;
    int code = magnitude >> shift;
    if (code == 0 && magnitude > 3 * quarter) {
        code = 1;
    }
    if (code == largest && magnitude < (largest << shift) + quarter) {
        code = largest - 1;
    }
    return value < 0 ? -code : code;
}

int bc6h_unquantise(int code, int bits, bool is_signed)
{
    const int magnitude = code < 0 ? -code : code;
    const int largest = (1 << (is_signed ? bits - 1 : bits)) - 1;
    if (bits == 16 || code == 0) {
        return code;
    }
    const int value = magnitude == largest ? (is_signed ? 0x7fff : 0xffff)
                                           : (2 * magnitude + 1) << (15 - bits);
    return code < 0 ? -value : value;
}

int bc6h_half_of(int value, bool is_signed)
{
    if (!is_signed) {
        return value * 31 >> 6;
    }
    return value < 0 ? -(-value * 31 >> 5) : value * 31 >> 5;
}

int bc6h_value_of(int half, bool is_signed)
{
    if (!is_signed) {
        return (64 * half + 30) / 31;
    }
    return half < 0 ? -((-32 * half + 30) / 31) : (32 * half + 30) / 31;
}

static void put(uint8_t out[16], int value, int num_bits, int at)
{
    for (int i = 0; i < num_bits; i++, at++) {
        out[at / 8] |= (uint8_t)((value >> i & 1) << (at % 8));
    }
}

// The upper bits of the first endpoint, which follow the second one, run backwards.
static void put_first(uint8_t out[16], int value, int num_bits, int at, int upper_at)
{
    put(out, value, num_bits < 10 ? num_bits : 10, at);
    for (int bit = 10; bit < num_bits; bit++) {
        put(out, value >> bit, 1, upper_at + num_bits - 1 - bit);
    }
}

static void put_second_subset(const struct bc6h_mode *mode, int fields[4][3], uint8_t out[16])
{
    put(out, fields[2][0], mode->delta_bits[0], 65);
    put(out, fields[3][0], mode->delta_bits[0], 71);
    put(out, fields[2][1], 4, 41);
    put(out, fields[3][1], 4, 51);
    put(out, fields[2][2], 4, 61);
    const int strays[12] = {
        fields[2][1] >> 4, fields[2][1] >> 5, fields[3][1] >> 4, fields[3][1] >> 5,
        fields[2][2] >> 4, fields[2][2] >> 5, fields[3][2],      fields[3][2] >> 1,
        fields[3][2] >> 2, fields[3][2] >> 3, fields[3][2] >> 4, fields[3][2] >> 5,
    };
    for (int i = 0; i < 12; i++) {
        if (mode->strays[i]) {
            put(out, strays[i], 1, mode->strays[i]);
        }
    }
}

void bc6h_pack(int mode_index, int partition, int codes[4][3], const uint8_t indices[16],
               uint8_t out[16])
{
    const struct bc6h_mode *mode = &bc6h_modes[mode_index];
    const bool has_two = mode_index < BC6H_NUM_TWO_SUBSET_MODES;
    int fields[4][3];
    for (int e = 0; e < 4; e++) {
        for (int c = 0; c < 3; c++) {
            fields[e][c] = codes[e][c] - (e > 0 && mode->is_transformed ? codes[0][c] : 0);
        }
    }
    memset(out, 0, 16);
    put(out, mode->id, 5, 0); // of those of two bits, the others are 0: strays go there
    for (int c = 0; c < 3; c++) {
        const int second_at = 35 + 10 * c;
        put_first(out, fields[0][c], mode->bits, 5 + 10 * c, second_at + mode->delta_bits[c]);
        put(out, fields[1][c], mode->delta_bits[c], second_at);
    }
    if (has_two) {
        put_second_subset(mode, fields, out);
        put(out, partition, 5, 77);
    }
    int at = has_two ? 82 : 65;
    for (int t = 0; t < 16; t++) {
        const bool is_anchor = t == 0 || (has_two && t == bc6h_partitions[partition].anchor);
        const int num_bits = (has_two ? 3 : 4) - is_anchor;
        put(out, indices[t], num_bits, at);
        at += num_bits;
    }
}
