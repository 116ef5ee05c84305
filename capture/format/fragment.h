// SPDX-License-Identifier: MIT
// A fragment of a movie: the boxes moof and mdat around one frame.
#ifndef WEIR_CAPTURE_FORMAT_FRAGMENT_H
#define WEIR_CAPTURE_FORMAT_FRAGMENT_H

#include <stdint.h>

#define WEIR_FRAGMENT_HEADER_SIZE 108

struct weir_fragment {
    uint32_t number;   // counted from 1
    uint64_t ticks;    // time at which the frame is shown
    uint32_t duration; // nominal [ticks]
    uint32_t size;     // of the frame [bytes], below 2^32 - 8
};

// Write the part of the fragment before the frame's bytes.
void weir_fragment_write(const struct weir_fragment *fragment,
                         uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE]);

#endif
