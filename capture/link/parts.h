// SPDX-License-Identifier: MIT
// What the files of the link share: sizes, a clock, descriptors off the standard streams.
#ifndef WEIR_CAPTURE_LINK_PARTS_H
#define WEIR_CAPTURE_LINK_PARTS_H

#include <stdint.h>

#include "capture/link/link.h"

// Memory of one stream is no larger [bytes].
#define LINK_MAX_MEMORY (UINT64_C(16) << 30)

// Get the size of the memory that num_slots and slot_size of `accept` say; 0 where they are not
// allowed [bytes].
uint64_t link_memory_size(const struct link_accept *accept);

// CLOCK_MONOTONIC [ms].
int64_t link_now_ms(void);

// Take a descriptor and answer one of at least 3 in its place, -1 with errno. A program that was
// started without standard streams has 0, 1 and 2 free, and what it prints there would go into the
// link. Passes -1 through.
int link_raise(int fd);

// Close a descriptor and keep errno. Returns -1.
int link_fail(int fd);

#endif
