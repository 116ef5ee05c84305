// SPDX-License-Identifier: MIT
// A movie as one value: its tracks, where their data lies, chapters, time code and segment. It is
// what the capture fills in while it writes, what is read from a file, and what a plain movie is
// written from.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/audio.h>
#include <weir/chapter.h>
#include <weir/movie.h>

#include "capture/movie/boxes.h"

// Chapters: their times and titles, and the box that holds them.
#define WEIR_CHAPTER_UNITS_PER_SECOND 10000000u
// The bytes of a chapter in its box without the title: its time, and the size of the title.
#define WEIR_CHAPTER_FIXED_SIZE 9u

struct weir_chapter {
    uint64_t time; // since the beginning of the movie [100 ns]
    char title[WEIR_MAX_CHAPTER_TITLE + 1];
};

// Zero it first.
struct weir_chapters {
    struct weir_chapter *items; // in the order of their times. NULL: none was added
    uint32_t num;
};

// Add a chapter, behind others of its time. Of a longer title the beginning is kept.
// WEIR_DROPPED: there are WEIR_MAX_CHAPTERS. Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_chapters_add(struct weir_chapters *chapters, uint64_t time,
                                   const char *title);
void weir_chapters_finish(struct weir_chapters *chapters);

// Convert ticks to the time of a chapter, rounded to the nearest.
uint64_t weir_chapter_time(uint64_t ticks, uint32_t ticks_per_second);

// Move a time by ticks, not below 0. What is the time of a tick becomes that of another one.
uint64_t weir_chapter_moved(uint64_t time, int64_t ticks, uint32_t ticks_per_second);

// Count times from a tick on: the chapter that has begun by then begins with it, and those before
// that one are left out.
void weir_chapters_rebase(struct weir_chapters *chapters, uint64_t start,
                          uint32_t ticks_per_second);

// Leave out the chapters that begin at a time or after it. Returns how many.
uint32_t weir_chapters_cut(struct weir_chapters *chapters, uint64_t end);

// Get the size of the box udta with the chapters [bytes], and append it; without a chapter there is
// none.
size_t weir_chapters_size(const struct weir_chapters *chapters);
void weir_chapters_write(const struct weir_chapters *chapters, struct weir_boxes *boxes);

// What a movie says of itself. All empty: nothing.
struct weir_metadata {
    char title[WEIR_MAX_MOVIE_TEXT + 1], comment[WEIR_MAX_MOVIE_TEXT + 1]; // UTF-8
    uint32_t creation_time; // [s since 1904], as the box mvhd has it; 0: not said
};

// Take a text, of a longer one the beginning. False, and nothing changes: it is no UTF-8.
bool weir_metadata_set_text(char text[WEIR_MAX_MOVIE_TEXT + 1], const char *given);

// Convert seconds since 1970. 0: not said, or a movie cannot say it.
uint32_t weir_metadata_time(int64_t unix_s);

// Get the most that the boxes of the texts take in the box udta [bytes], and append them.
size_t weir_metadata_size(const struct weir_metadata *metadata);
void weir_metadata_write(const struct weir_metadata *metadata, struct weir_boxes *boxes);

// Time code: the number that the first frame has in hours, minutes, seconds and frames.
struct weir_timecode {
    uint32_t start;             // the number of the first frame, counted from 00:00:00:00
    uint32_t frames_per_second; // that are counted: 30 for 29.97; 0: there is no time code
    bool is_drop;               // drop frame: some numbers are left out, to keep to the clock
};

// The track of time code in a movie, which has one sample.
struct weir_timecode_track {
    struct weir_timecode first;  // of the first frame. frames_per_second 0: there is no such track
    uint32_t rate_num, rate_den; // frames a second that it counts: 30000/1001 for 29.97
    uint64_t offset;             // where its sample lies in the file
};

// Read HH:MM:SS:FF, or HH:MM:SS;FF for drop frame, of a movie of a nominal rate. Returns NULL, or
// what is wrong with it, in words.
const char *weir_timecode_parse(const char *text, uint32_t rate_num, uint32_t rate_den,
                                struct weir_timecode *timecode);

// Get the time code of a frame that so many frames come before. After a day it begins anew.
struct weir_timecode weir_timecode_after(const struct weir_timecode *first, uint64_t num_frames);

// Get the number of frames before a time of a track with so many ticks a second, rounded as the
// capture does it.
uint64_t weir_timecode_num_frames(const struct weir_timecode_track *track, uint64_t ticks,
                                  uint32_t ticks_per_second);

#define WEIR_TIMECODE_TEXT 24

// Write it as weir_timecode_parse() reads it.
void weir_timecode_format(const struct weir_timecode *timecode, char text[WEIR_TIMECODE_TEXT]);

// Tracks are numbered from 0 in pieces, and from 1 in files: first the pictures, then the audio
// tracks, then the time code.
#define WEIR_MOVIE_MAX_AUDIO WEIR_MAX_AUDIO_TRACKS

// The tables of a movie count samples in 32 bits: 24 hours at 48 kHz.
#define WEIR_AUDIO_MAX_SAMPLES UINT32_MAX

// The most bytes of a piece: the box around it has its size in 32 bits.
#define WEIR_PIECE_MAX_SIZE (UINT32_MAX - 8u)

#define WEIR_LANGUAGE_UNKNOWN 0x7fffu

// A frame, or samples of an audio track that lie side by side. 24 bytes, as a recording of a day
// has millions.
struct weir_piece {
    uint64_t offset;         // of its first byte in its file; 0 for silence
    uint64_t time;           // of a frame [ticks]; of samples, the position of the first one
    uint32_t size;           // [bytes], 1 .. WEIR_PIECE_MAX_SIZE; of samples a whole number of them
    unsigned source : 24;    // number of its file, counted from 0, where a movie is made of several
    unsigned track : 7;      // 0: a frame; 1 and up: samples of movie.audio[track - 1]
    unsigned is_silence : 1; // samples that lie in no file, and are zero
};

// The description of a track's samples as a file has it: the entry of its box stsd, with the head.
struct weir_description {
    uint8_t *bytes; // from malloc(). NULL: none, and one is written from the members of the track
    size_t size;    // [bytes]
};

// The track of pictures.
struct weir_movie_pictures {
    uint32_t tag;                                // FourCC of the codec, a number as of WEIR_BOX()
    uint32_t width, height;                      // [texels], 1 .. 65535
    uint32_t pixel_aspect_num, pixel_aspect_den; // both 0: not said, which means square
    // Code points of ISO/IEC 23091-2. All 0: not said.
    uint16_t color_primaries, color_transfer, color_matrix;
    uint16_t graphics_mode;    // what alpha means, see weir_hap_describe()
    uint32_t ticks_per_second; // 1 .. INT32_MAX
    uint32_t ticks_per_frame;  // nominal, 1 .. INT32_MAX
    uint32_t last_duration;    // of the last frame [ticks]; 0: ticks_per_frame
    uint32_t matrix[9]; // how they are turned, as the box tkhd has it. All 0: they are upright
    struct weir_description description;
    // Kept by weir_movie_add().
    uint32_t num_frames;
    uint64_t last_time; // of the last frame [ticks]
};

// A track of audio that is not compressed (PCM). A tick is a sample.
struct weir_movie_audio {
    uint32_t tag;          // FourCC of the format: "sowt", "in24", "in32", "fl32", or as read
    uint32_t sample_rate;  // 1 .. INT32_MAX
    uint32_t num_channels; // 1 and up
    uint32_t layout;       // as in struct weir_audio_track; 0: not said
    bool is_float;
    uint32_t sample_size; // of all channels together [bytes]
    uint16_t language;    // as the box mdhd has it; WEIR_LANGUAGE_UNKNOWN: not said
    struct weir_description description;
    // Kept by weir_movie_add().
    uint32_t num_pieces;
    uint32_t num_samples; // at most WEIR_AUDIO_MAX_SAMPLES
};

#define WEIR_RECORDING_ID_SIZE 16

// A part of weir transcode is a segment whose start is in nanoseconds. Its id of a recording begins
// with this; then come, of 16 bits, the number of parts and whether audio ends with the pictures,
// and 32 bits that all parts of a movie have. The first part has the audio of all.
#define WEIR_PART_ID "weirpart"
#define WEIR_PART_TICKS 1000000000u

// The type of the box that says which segment of a recording a movie is.
extern const uint8_t weir_segment_type[16];

// What a movie is a part of that is one of several of a recording.
struct weir_segment {
    uint8_t recording[WEIR_RECORDING_ID_SIZE]; // drawn at random; all of its segments have it
    uint32_t number;                           // counted from 1
    uint32_t ticks_per_second;
    uint64_t start_ticks; // of the segment's first frame, since that of the recording
};

// Zero it first. It owns `pieces`, descriptions and chapters.
struct weir_movie {
    struct weir_movie_pictures pictures;
    struct weir_movie_audio audio[WEIR_MOVIE_MAX_AUDIO];
    uint32_t num_audio;
    struct weir_timecode_track timecode;
    struct weir_segment segment; // number 0: a recording of its own
    struct weir_metadata metadata;
    struct weir_chapters chapters;
    // In the order of the movie: the times of frames rise, and samples follow those before them of
    // their track. The first frame has the time 0.
    struct weir_piece *pieces;
    uint32_t num_pieces;
    size_t room;
    bool is_incomplete; // memory ran out: no plain movie can be made, fragments stay
};

// Get memory for 65536 pieces, and touch it, so that a recording allocates nothing for minutes;
// then its room doubles. False: out of memory.
bool weir_movie_reserve(struct weir_movie *movie);
void weir_movie_finish(struct weir_movie *movie);

// Forget all pieces, but keep their memory.
void weir_movie_clear(struct weir_movie *movie);

// Append a piece. False: out of memory, or 2^32 - 1 pieces are there; the movie is incomplete then.
bool weir_movie_add(struct weir_movie *movie, const struct weir_piece *piece);

// Append silence from a piece's time on, of its track and source, up to a position, in pieces of at
// most so many samples. False: as above.
bool weir_movie_add_silence(struct weir_movie *movie, struct weir_piece piece, uint64_t end,
                            uint32_t most);

// Get how long the last frame is shown, and when it ends [ticks].
uint32_t weir_movie_last_duration(const struct weir_movie *movie);
uint64_t weir_movie_end(const struct weir_movie *movie);

// Describe an audio track as the capture writes it.
struct weir_movie_audio weir_movie_audio_of(const struct weir_audio_track *track);

// Get the usual layout of a number of channels. 0: it has none.
uint32_t weir_layout_usual(uint32_t num_channels);

// True if a layout says where so many channels are, or is 0.
bool weir_layout_fits(uint32_t layout, uint32_t num_channels);

#define WEIR_LAYOUT_TEXT 64

// Write the channels of a layout by their usual short names, such as "FL+FR+FC".
void weir_layout_format(uint32_t layout, char text[WEIR_LAYOUT_TEXT]);

// Get the number of samples of a piece; 1 for a frame.
uint32_t weir_piece_num_samples(const struct weir_movie *movie, const struct weir_piece *piece);

// Get the next piece of the same track. NULL: it is the last one.
const struct weir_piece *weir_piece_next(const struct weir_movie *movie,
                                         const struct weir_piece *piece);

// Get the first piece of a track. NULL: there is none.
const struct weir_piece *weir_piece_first(const struct weir_movie *movie, unsigned track);

// Get the sample that is nearest to a time of the recording: with it a segment begins whose first
// frame is of that time. All that read segments know the time in ticks, and no finer.
uint64_t weir_segment_position(uint64_t ticks, uint32_t ticks_per_second, uint32_t sample_rate);

// Audio of a movie that is made offline lies in chunks of a tenth of a second [samples].
#define WEIR_AUDIO_CHUNK(sample_rate) ((sample_rate) / 10)

// Get how much audio lies before the frame that follows one of this time, where there is so much:
// whole chunks, the last of which ends a tenth of a second before that time, so that it is known by
// then [samples].
uint64_t weir_movie_audio_due(uint64_t ticks, uint32_t ticks_per_second, uint32_t sample_rate);

// Frames from this size on, before they are compressed, are written past the system's cache, in
// whole blocks [bytes].
#define WEIR_MOVIE_DIRECT_SIZE (256u << 10)
#define WEIR_MOVIE_BLOCK 4096u

// Write the empty box that fills up the block behind `end`, if the movie has such boxes. Returns
// its size, or 0.
uint32_t weir_movie_padding(const struct weir_movie *movie, uint64_t end,
                            uint8_t bytes[2 * WEIR_MOVIE_BLOCK]);
