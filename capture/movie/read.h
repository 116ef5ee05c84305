// SPDX-License-Identifier: MIT
// Reads a movie from a file that may be damaged: what its moov box says of tracks, chapters and
// time code, and where frames and samples lie by its tables.
#pragma once

#include <weir/result.h>

#include "capture/movie/boxes.h"
#include "capture/movie/movie.h"

// A track of pictures or audio in its file.
struct weir_track_place {
    uint32_t id;          // 1 and up
    struct weir_box stbl; // its tables
    uint64_t duration;    // by its header [ticks]
    uint64_t delay;  // how long after the movie's beginning it begins, by its edit list [ticks]
    bool is_edited;  // its edit list does anything else, or is damaged
    bool is_damaged; // its tables are: what they say before that was read
};

struct weir_movie_found {
    struct weir_movie movie;
    struct weir_track_place tracks[1 + WEIR_MOVIE_MAX_AUDIO]; // as in its pieces
    struct weir_box moov;
    uint32_t num_tracks; // all, whatever they hold
    bool is_ours;        // pictures come first, then audio that is not compressed, then time code
    uint32_t foreign; // otherwise: the handler of a track that is not so: "vide", or of the first
    // Audio that is compressed: its tag, rate, channels and length, as far as 32 bits hold that.
    struct weir_movie_audio others[WEIR_MOVIE_MAX_AUDIO];
    uint32_t num_others;
    bool is_fragmented;      // mvex announces fragments
    uint64_t timecode_at;    // where the time code was read: its sample, or a copy in the track
    bool is_timecode_marked; // it was read from a box of its own: it is no other data
};

// Read a moov box that lies in the file, without its tables. Call weir_movie_finish() in any case.
// Errors: WEIR_ERROR_OUT_OF_MEMORY: the movie is incomplete, and lacks chapters or descriptions;
// WEIR_ERROR_DATA: it is damaged, or has no track of pictures.
enum weir_result weir_movie_read_moov(struct weir_view *view, const struct weir_box *moov,
                                      struct weir_movie_found *found);

// Read the first moov box of a file as above, and which segment it is.
// Errors: as above; WEIR_NOT_READY: the boxes break before it.
enum weir_result weir_movie_read(struct weir_view *view, struct weir_movie_found *found);

// Add all frames and samples of the tables to the movie, in the order of the file but in each
// track's own order. A piece of samples has at most those of a second, or 1000. What does not lie
// in the file has the size 0. pictures.ticks_per_frame becomes the duration of the last frame.
// Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_movie_read_tables(struct weir_view *view, struct weir_track_place *tracks,
                                        struct weir_movie *movie);

// True if its tables were read, and all frames and samples lie in the file and rise in time. No two
// share bytes: tables that say so are damaged, or want to fill the disk.
bool weir_movie_is_sound(const struct weir_movie_found *found, uint64_t file_size);

// Read the track of a time code, which has one sample: the number of the first frame, in the track
// itself, else where its tables say. False: it is damaged, or is not so.
bool weir_movie_read_timecode(struct weir_view *view, const struct weir_box *trak,
                              const struct weir_box *stbl, struct weir_movie_found *found);

// Read what a moov box says of the movie. What is damaged is left out.
void weir_metadata_read(struct weir_view *view, const struct weir_box *moov,
                        struct weir_metadata *metadata);

// Read the chapters that a moov box has, up to damage. Finish them in any case. False: out of
// memory.
bool weir_chapters_read(struct weir_view *view, const struct weir_box *moov,
                        struct weir_chapters *chapters);

// Find the box before the first fragment of a movie, or behind the index of a part. False: there is
// none, so the movie is no segment.
bool weir_segment_read(struct weir_view *view, struct weir_segment *segment);

// Read a box chan among the extensions of a description, as weir_layout_write() writes it. 0: there
// is none, or it says it in another way.
uint32_t weir_layout_read(struct weir_view *view, const struct weir_box *extensions);

// Languages below this are numbers of the Macintosh; from here on they are three letters of five
// bits each.
#define WEIR_LANGUAGE_LEAST_CODE 0x400u

// Get the language of a track: three letters of ISO 639-2, or "" where the track says none.
void weir_movie_language(const struct weir_movie_audio *audio, char language[4]);
