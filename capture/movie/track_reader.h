// SPDX-License-Identifier: MIT
// The tracks of a movie, read from its moov box: what they hold, and where frames and samples lie.
#ifndef WEIR_CAPTURE_MOVIE_TRACK_READER_H
#define WEIR_CAPTURE_MOVIE_TRACK_READER_H

#include <weir/result.h>

#include "capture/movie/audio_reader.h"
#include "capture/movie/box_reader.h"
#include "capture/movie/timecode_reader.h"

struct weir_track {
    uint32_t tag; // the FourCC of its codec
    uint32_t width, height;
    uint32_t ticks_per_second;
    uint32_t pixel_aspect_num, pixel_aspect_den; // of the box pasp; both 0: there is none
    // Code points of ISO/IEC 23091-2, of the box colr of type nclc. All 0: there is none.
    uint16_t color_primaries, color_transfer, color_matrix;
    uint16_t graphics_mode; // what its alpha means, see weir_hap_graphics_mode()
};

enum { WEIR_MOOV_MAX_AUDIO = 8 };

struct weir_moov {
    struct weir_box box;
    struct weir_track track;    // the first one of pictures
    struct weir_box trak, stbl; // of that track; its tables
    uint32_t num_tracks;        // of all kinds
    // Those of sound, in their order.
    struct weir_audio_track_found audio[WEIR_MOOV_MAX_AUDIO];
    uint32_t num_audio;
    bool has_timecode; // a track of it, with one sample
    struct weir_timecode_found timecode;
    bool is_ours;       // pictures come first, then those in `audio`, then time code
    uint32_t foreign;   // otherwise: the kind of the first track that is not so, such as "soun"
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

// Call `visit` for each frame, in their order, until it answers false.
// Errors: WEIR_ERROR_OUT_OF_MEMORY; WEIR_ERROR_DATA: the tables are damaged, and the frames before
// were visited.
enum weir_result weir_samples_read(struct weir_view *view, const struct weir_moov *moov,
                                   bool (*visit)(void *user, const struct weir_sample *sample),
                                   void *user);

// Samples of a sound track that lie side by side.
struct weir_audio_chunk {
    uint64_t offset; // in the file
    uint32_t num_samples;
};

// Call `visit` for each chunk of a sound track, likewise.
enum weir_result weir_audio_chunks_read(
    struct weir_view *view, const struct weir_audio_track_found *track,
    bool (*visit)(void *user, const struct weir_audio_chunk *chunk), void *user);

#endif
