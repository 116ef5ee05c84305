// SPDX-License-Identifier: MIT
// Finds the frames and samples of a movie without an index: from fragment to fragment, and behind
// damaged parts by searching for the next fragment or frame.
#pragma once

#include "capture/movie/hap.h"
#include "capture/movie/movie.h"

// What a scan knows of a piece besides.
struct weir_scan_mark {
    uint32_t number;  // of its fragment, counted from 1; 0: unknown
    bool is_untimed;  // of a frame nothing but itself is left
    bool is_doubtful; // it lies beside a damaged part
};

struct weir_scan {
    struct weir_view *near; // reads headers
    struct weir_view *far;  // reads long stretches
    struct weir_hap_format format;
    struct weir_movie *movie;     // its audio tracks are known; frames and samples are added
    struct weir_scan_mark *marks; // one a piece. The caller frees it
    size_t room;                  // of marks

    uint64_t num_unknown_audio; // fragments of tracks that the movie does not have
    uint64_t end;               // where the last whole fragment ends, with its padding
    uint64_t claimed_end;       // of the last frame, or of samples by their head, whole or not
    uint32_t last_filled;       // the number of the last fragment that holds what its head says
    bool has_audio;             // the movie has fragments of audio
    uint32_t ticks_per_frame;   // nominal, of the fragments; 0: none was found
    int64_t num_votes;          // for ticks_per_frame, less those against it
    uint32_t last_number;       // of the fragment before
    uint64_t num_known;         // the highest number of a fragment that is credible
    bool is_torn;               // a part of a fragment follows
    uint64_t num_parts;         // damaged parts with frames behind them
    uint64_t num_foreign;       // fragments that another program wrote
    bool stopped;               // out of memory, or at too many foreign fragments
    bool is_out_of_memory;
    bool is_type[256]; // of the section of a frame of this format
};

// Scan from `at` to the end of the file.
void weir_scan_run(struct weir_scan *scan, uint64_t at);

// True if a whole frame without a fragment is at `at`; `end` gets where it ends.
//
// The header of a single stored texture is four or eight bytes, and nothing in its blocks says that
// they are blocks: samples of audio, or blocks of another frame, may read like it. Where those are,
// such a frame must also be where one would be. What is compressed, in chunks or of two
// textures has sizes that agree with each other, and is believed anywhere.
bool weir_scan_read_frame(struct weir_scan *scan, uint64_t at, uint64_t *end);

// True if the bytes between the end of a frame and the next one, at `next`, or the end of the file,
// say that the frame was changed: they are its own end, moved by a message that was written into
// it, or the rest of a part that was overwritten and may begin in the frame. Lines of text, the
// beginning of a fragment, and zeros, unless the frame itself ends with zeros, come after a frame
// that is as it was. At the end of the file so do any zeros, the index, and less than a box's head.
// A compressed frame says by its data whether it is whole, unless a message is in its last bytes.
bool weir_scan_is_touched(struct weir_scan *scan, uint64_t begin, uint64_t end, uint64_t next);

// True if samples may have lost a part, and have that of others at their end: nothing in them says
// that. The beginning of a fragment and zeros come after samples that are as they were.
bool weir_scan_is_audio_touched(struct weir_scan *scan, uint64_t end, uint64_t next);

// True if a part of a fragment follows the last whole one.
bool weir_scan_is_torn(struct weir_scan *scan);
