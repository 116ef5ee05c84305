// SPDX-License-Identifier: MIT
// The frames that were found in a movie, and when they are shown.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_FRAMES_H
#define WEIR_CAPTURE_WEIR_RECOVER_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The largest frame that a fragment can hold [bytes].
#define RECOVER_MAX_FRAME (UINT32_MAX - 8)

struct recover_frame {
    uint64_t offset; // in the file
    uint64_t ticks;
    uint32_t size;    // [bytes]
    uint32_t number;  // of its fragment, counted from 1; 0: unknown
    bool has_time;    // false: nothing but the frame itself is left
    bool is_doubtful; // it lies beside a damaged part
};

struct recover_frames {
    struct recover_frame *items;
    size_t num, room;
    uint64_t start; // of the movie as it was, where the first frame is now [ticks]
};

// False: out of memory.
bool recover_frames_add(struct recover_frames *frames, const struct recover_frame *frame);
void recover_frames_finish(struct recover_frames *frames);

// Give each frame a time after that of the one before, and the first one 0. Those without a time
// are `ticks_per_frame` apart, or closer where there is no room for that. Where none is missing
// before the first one with a time, the movie begins as it did.
void recover_frames_settle(struct recover_frames *frames, uint32_t ticks_per_frame);

#endif
