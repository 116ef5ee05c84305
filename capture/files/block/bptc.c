// SPDX-License-Identifier: MIT
// Fields of bits, indices and interpolation: Khronos Data Format Specification 1.3, chapter "BPTC".
#include "capture/files/block/bptc.h"

#include "capture/base/little_endian.h"
#include "capture/files/block/bptc_tables.h"

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
        const unsigned unstored = weir_bptc_is_anchor(num_subsets, partition, t);
        indices[t] = (uint8_t)weir_bptc_take(bits, num_bits - unstored);
    }
}

int weir_bptc_interpolate(int first, int second, unsigned num_bits, unsigned index)
{
    const int weight = weir_bptc_weight(num_bits, index);
    // Signed endpoints of BC6H: the shift of a negative sum rounds down, as all compilers in use do
    // it.
    return ((64 - weight) * first + weight * second + 32) >> 6;
}
