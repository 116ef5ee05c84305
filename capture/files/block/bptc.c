// SPDX-License-Identifier: MIT
// Tables, bit fields, indices and interpolation of BC6H and BC7: Khronos Data Format Specification
// 1.3, chapter "BPTC".
#include "capture/files/block/bptc.h"

#include "capture/base/little_endian.h"

// "Partition table for 2-subset BPTC", rows of a block from the top.
static const char subsets_of_2[64][17] = {
    "0011001100110011", "0001000100010001", "0111011101110111", "0001001100110111",
    "0000000100010011", "0011011101111111", "0001001101111111", "0000000100110111",
    "0000000000010011", "0011011111111111", "0000000101111111", "0000000000010111",
    "0001011111111111", "0000000011111111", "0000111111111111", "0000000000001111",
    "0000100011101111", "0111000100000000", "0000000010001110", "0111001100010000",
    "0011000100000000", "0000100011001110", "0000000010001100", "0111001100110001",
    "0011000100010000", "0000100010001100", "0110011001100110", "0011011001101100",
    "0001011111101000", "0000111111110000", "0111000110001110", "0011100110011100",
    "0101010101010101", "0000111100001111", "0101101001011010", "0011001111001100",
    "0011110000111100", "0101010110101010", "0110100101101001", "0101101010100101",
    "0111001111001110", "0001001111001000", "0011001001001100", "0011101111011100",
    "0110100110010110", "0011110011000011", "0110011010011001", "0000011001100000",
    "0100111001000000", "0010011100100000", "0000001001110010", "0000010011100100",
    "0110110010010011", "0011011011001001", "0110001110011100", "0011100111000110",
    "0110110011001001", "0110001100111001", "0111111010000001", "0001100011100111",
    "0000111100110011", "0011001111110000", "0010001011101110", "0100010001110111",
};

// "Partition table for 3-subset BPTC".
static const char subsets_of_3[64][17] = {
    "0011001102212222", "0001001122112221", "0000200122112211", "0222002200110111",
    "0000000011221122", "0011001100220022", "0022002211111111", "0011001122112211",
    "0000000011112222", "0000111111112222", "0000111122222222", "0012001200120012",
    "0112011201120112", "0122012201220122", "0011011211221222", "0011200122002220",
    "0001001101121122", "0111001120012200", "0000112211221122", "0022002200221111",
    "0111011102220222", "0001000122212221", "0000001101220122", "0000110022102210",
    "0122012200110000", "0012001211222222", "0110122112210110", "0000011012211221",
    "0022110211020022", "0110011020022222", "0011012201220011", "0000200022112221",
    "0000000211221222", "0222002200120011", "0011001200220222", "0120012001200120",
    "0000111122220000", "0120120120120120", "0120201212010120", "0011220011220011",
    "0011112222000011", "0101010122222222", "0000000021212121", "0022112200221122",
    "0022001100220011", "0220122102201221", "0101222222220101", "0000212121212121",
    "0101010101012222", "0222011102220111", "0002111200021112", "0000211221122112",
    "0222011101110222", "0002111211120002", "0110011001102222", "0000000021122112",
    "0110011022222222", "0022001100110022", "0022112211220022", "0000000000002112",
    "0002000100020001", "0222122202221222", "0101222222222222", "0111201122012220",
};

// "BPTC anchor index values": for the second subset of two, the second of three, and the third of
// three. The anchor of a first subset is texel 0.
static const uint8_t anchor_2[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, // 0
    15, 2,  8,  2,  2,  8,  8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  // 16
    15, 15, 6,  8,  2,  8,  15, 15, 2,  8,  2,  2,  2,  15, 15, 6,  // 32
    6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2,  15, // 48
};
static const uint8_t anchor_3_2[64] = {
    3, 3,  15, 15, 8, 3,  15, 15, 8,  8,  6,  6,  6,  5,  3,  3,  // 0
    3, 3,  8,  15, 3, 3,  6,  10, 5,  8,  8,  6,  8,  5,  15, 15, // 16
    8, 15, 3,  5,  6, 10, 8,  15, 15, 3,  15, 5,  15, 15, 15, 15, // 32
    3, 15, 5,  5,  5, 8,  5,  10, 5,  10, 8,  13, 15, 12, 3,  3,  // 48
};
static const uint8_t anchor_3_3[64] = {
    15, 8, 8,  3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8, // 0
    15, 8, 15, 3,  15, 8,  15, 8,  3,  15, 6,  10, 15, 15, 10, 8, // 16
    15, 3, 15, 10, 10, 8,  9,  10, 6,  15, 8,  15, 3,  6,  6,  8, // 32
    15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8, // 48
};

// "BPTC interpolation factors".
static const uint8_t weights_2[4] = {0, 21, 43, 64};
static const uint8_t weights_3[8] = {0, 9, 18, 27, 37, 46, 55, 64};
static const uint8_t weights_4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

unsigned weir_bptc_subset(unsigned num_subsets, unsigned partition, unsigned texel)
{
    if (num_subsets == 1) {
        return 0;
    }
    return (unsigned)((num_subsets == 2 ? subsets_of_2 : subsets_of_3)[partition][texel] - '0');
}

// True for an anchor texel: the highest bit of its index is 0 and is not stored.
static bool is_anchor(unsigned num_subsets, unsigned partition, unsigned texel)
{
    if (texel == 0) {
        return true;
    }
    if (num_subsets == 2) {
        return texel == anchor_2[partition];
    }
    return num_subsets == 3 && (texel == anchor_3_2[partition] || texel == anchor_3_3[partition]);
}

// Get the weight of the second endpoint, 0 .. 64, for an index of 2, 3 or 4 bits.
static int weight_of(unsigned num_bits, unsigned index)
{
    return num_bits == 2 ? weights_2[index] : num_bits == 3 ? weights_3[index] : weights_4[index];
}

struct weir_bptc_bits weir_bptc_bits(const uint8_t *block)
{
    return (struct weir_bptc_bits){weir_get_u64(block), weir_get_u64(block + 8)};
}

unsigned weir_bptc_take(struct weir_bptc_bits *bits, unsigned num_bits)
{
    if (num_bits == 0) {
        return 0; // a shift by 64 is undefined
    }
    const unsigned value = (unsigned)(bits->low & ((UINT64_C(1) << num_bits) - 1));
    bits->low = bits->low >> num_bits | bits->high << (64 - num_bits);
    bits->high >>= num_bits;
    return value;
}

void weir_bptc_take_indices(struct weir_bptc_bits *bits, unsigned num_bits, unsigned num_subsets,
                            unsigned partition, uint8_t indices[16])
{
    for (unsigned t = 0; t < 16; t++) {
        const unsigned unstored = is_anchor(num_subsets, partition, t);
        indices[t] = (uint8_t)weir_bptc_take(bits, num_bits - unstored);
    }
}

int weir_bptc_interpolate(int first, int second, unsigned num_bits, unsigned index)
{
    const int weight = weight_of(num_bits, index);
    // Signed endpoints of BC6H: the shift of a negative sum rounds down, as all compilers in use do
    // it.
    return ((64 - weight) * first + weight * second + 32) >> 6;
}
