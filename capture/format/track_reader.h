// SPDX-License-Identifier: MIT
// The track of a movie, read from its moov box: what it holds, and where each frame lies.
#ifndef WEIR_CAPTURE_FORMAT_TRACK_READER_H
#define WEIR_CAPTURE_FORMAT_TRACK_READER_H

#include "capture/format/box_reader.h"

struct weir_track {
    uint32_t tag; // the FourCC of its codec
    uint32_t width, height;
    uint32_t ticks_per_second;
    uint32_t pixel_aspect_num, pixel_aspect_den; // of the box pasp; both 0: there is none
    // Code points of ISO/IEC 23091-2, of the box colr of type nclc. All 0: there is none.
    uint16_t color_primaries, color_transfer, color_matrix;
};

// A track of sound that is not compressed.
struct weir_audio_track_found {
    uint32_t sample_rate;
    uint32_t sample_size; // all channels together [bytes]
    struct weir_box stbl; // its tables
};

enum { WEIR_MOOV_MAX_AUDIO = 8 };

struct weir_moov {
    struct weir_box box;
    struct weir_track track; // the first one of pictures
    struct weir_box stbl;    // its tables
    uint32_t num_tracks;     // of all kinds
    // Those of sound, in their order.
    struct weir_audio_track_found audio[WEIR_MOOV_MAX_AUDIO];
    uint32_t num_audio;
    bool is_ours;       // pictures come first, and all others are in `audio`
    bool is_fragmented; // mvex announces fragments
};

// Read a moov box that lies in the file. False: it is damaged, or has no track of pictures.
bool weir_moov_read(struct weir_view *view, const struct weir_box *box, struct weir_moov *moov);

// A frame by the tables of a plain movie.
struct weir_sample {
    uint64_t offset; // in the file
    uint32_t size;   // [bytes]
    uint64_t ticks;
    uint32_t duration;
};

// Call `visit` for each frame, in their order, until it answers false. False: out of memory, or the
// tables are damaged; the frames before were visited.
bool weir_samples_read(struct weir_view *view, const struct weir_moov *moov,
                       bool (*visit)(void *user, const struct weir_sample *sample), void *user);

#endif
