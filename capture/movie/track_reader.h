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

// A frame by the tables of a plain movie, or samples of sound that lie side by side, at most those
// of a second.
struct weir_sample {
    uint64_t offset; // in the file
    uint64_t time;   // [ticks of its track], of sound [samples]
    uint32_t size;   // [bytes]; 0: it does not lie in the file
    uint32_t length; // how long it lasts [ticks of its track]
    uint32_t track;  // 0: a frame; n: sound of moov->audio[n - 1]
};

// Call `visit` for each of them, in the order of the file but in each track's own order, until it
// answers false. `damaged` gets a bit for each track whose tables are damaged, or say more frames
// than the file has bytes: what they say before that was visited.
// Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_samples_read(struct weir_view *view, const struct weir_moov *moov,
                                   bool (*visit)(void *user, const struct weir_sample *sample),
                                   void *user, uint32_t *damaged);

#endif
