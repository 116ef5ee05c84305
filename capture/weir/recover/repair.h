// SPDX-License-Identifier: MIT
// Repairs what was found of a movie: leaves out damaged frames, gives each frame a time, and puts
// silence where samples are lost.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_REPAIR_H
#define WEIR_CAPTURE_WEIR_RECOVER_REPAIR_H

#include "capture/movie/scan.h"
#include "capture/weir/recover/find.h"

struct recover_repair {
    const struct recover_params *params;
    struct recover_found *found;
    struct weir_scan_mark *marks; // of its pieces; NULL: they were read from tables
    struct weir_view *view;       // reads long stretches
    const struct weir_hap_format *format;
    bool checks_all;             // read every frame whole
    uint64_t num_lost_fragments; // by their numbers
};

// False: found->refusal says why (empty: progress() ended it).
bool recover_repair(const struct recover_repair *repair);

// Count frames that are lost, from this time on [ticks].
void recover_count_lost(struct recover_found *found, uint64_t ticks, uint64_t num);

// A frame whose time is to be repaired.
struct recover_frame {
    struct weir_piece *piece;
    uint32_t number; // of its fragment, counted from 1; 0: unknown
    bool is_untimed; // it has no time
};

// Give each frame a time after that of the one before, and the first one 0. Those without a time
// are `ticks_per_frame` apart, or closer where there is no room for that. Where none is missing
// before the first one with a time, the movie begins as it did.
// Returns what is now 0 [ticks of the movie as it was].
uint64_t recover_repair_times(const struct recover_frame *frames, size_t num,
                              uint32_t ticks_per_frame);

// Count the positions of samples from the first frame, mend those that are damaged, and put silence
// where samples are lost. `num_fragments` gets how many had them, about. False: out of memory.
bool recover_repair_audio(struct recover_found *found, uint64_t *num_fragments);

#endif
