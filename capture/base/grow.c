// SPDX-License-Identifier: MIT
// Arrays that grow.
#include "capture/base/grow.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };

void *weir_grow(void *items, size_t num, size_t *room, size_t item_size)
{
    if (num < *room) {
        return items;
    }
    const size_t more = *room > 0 ? 2 * *room : FIRST_ROOM;
    void *grown = more <= SIZE_MAX / 2 / item_size ? realloc(items, more * item_size) : NULL;
    *room = grown ? more : *room;
    return grown;
}
