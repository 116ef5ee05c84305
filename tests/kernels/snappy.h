// SPDX-License-Identifier: MIT
// The kernels of Snappy, compiled for the processor.
#pragma once

#include <weir/snappy.h>

// Pack `size` bytes, a multiple of 8 for each chunk, as a weir_snappy with these params does: the
// sizes of the chunks, and from the next multiple of 16 on the chunks. `out` has
// weir_snappy_destination_size() bytes. Returns how many were written.
uint32_t kernel_snappy(const struct weir_snappy_params *params, const uint8_t *in, uint8_t *out);
