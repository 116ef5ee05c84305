// SPDX-License-Identifier: MIT
// Memory of the host for Weir's objects.
#pragma once

#include <stdlib.h>

#include <weir/log.h>

// Allocate `num` zeroed elements of `size` bytes, to be given to free(). Where there is no memory,
// logs that and what it was for, such as "an encoder", and returns NULL.
static inline void *weir_alloc(const struct weir_log *log, size_t num, size_t size,
                               const char *what)
{
    void *memory = calloc(num, size);
    if (!memory) {
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                        "no memory of the host is left for %s", what);
    }
    return memory;
}
