// SPDX-License-Identifier: MIT
// The blocks of the frame before, which an encoder that is steady reads and replaces.
#ifndef WEIR_ENCODE_HISTORY_H
#define WEIR_ENCODE_HISTORY_H

#include <weir/encode.h>

// Check that an encode of `size` bytes has the history that its encoder needs.
enum weir_result weir_encode_check_history(const weir_encoder *encoder,
                                           const struct weir_encode *encode, uint64_t size);

#endif
