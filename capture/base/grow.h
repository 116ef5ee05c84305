// SPDX-License-Identifier: MIT
// Arrays that grow.
#ifndef WEIR_CAPTURE_BASE_GROW_H
#define WEIR_CAPTURE_BASE_GROW_H

#include <stddef.h>

// Make room for one more item behind `num` items of `item_size` bytes, by doubling `room`. Returns
// the items, wherever they lie now; NULL: out of memory, and they are where they were.
void *weir_grow(void *items, size_t num, size_t *room, size_t item_size);

#endif
