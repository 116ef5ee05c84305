// SPDX-License-Identifier: MIT
// A sound track of a movie that is not compressed, read from a file that may be damaged.
#ifndef WEIR_CAPTURE_MOVIE_AUDIO_READER_H
#define WEIR_CAPTURE_MOVIE_AUDIO_READER_H

#include "capture/movie/box_reader.h"

// What the box mdhd says of a track.
struct weir_media {
    uint32_t ticks_per_second; // 1 .. INT32_MAX
    uint64_t duration;         // [ticks]
    uint16_t language;         // as the box has it
};

// Read it from a box mdia. False: it is damaged.
bool weir_media_read(struct weir_view *view, const struct weir_box *mdia, struct weir_media *media);

// Languages below this are numbers of the Macintosh; from here on they are three letters of five
// bits each.
#define WEIR_LANGUAGE_LEAST_CODE 0x400u

struct weir_audio_track_found {
    uint32_t id;  // of the track in its movie, 1 and up
    uint32_t tag; // the FourCC of its format
    uint32_t sample_rate, num_channels;
    uint32_t sample_size; // all channels together [bytes]
    bool is_float;
    uint16_t language;          // as mdhd has it
    struct weir_box entry;      // the description of its samples
    struct weir_box trak, stbl; // its boxes, and its tables
};

// Read the track of these boxes. False: it is damaged, or not of a format that Weir copies.
bool weir_audio_track_read(struct weir_view *view, const struct weir_box *trak,
                           const struct weir_box *mdia, struct weir_audio_track_found *track);

// Get the language of a track: three letters of ISO 639-2, or "" where the track says none.
void weir_audio_language(const struct weir_audio_track_found *track, char language[4]);

#endif
