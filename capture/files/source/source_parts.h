// SPDX-License-Identifier: MIT
// The inside of a source, for the file that opens it and the one that reads.
#pragma once

#include <stdatomic.h>

#include "capture/files/source/convert.h"
#include "capture/files/source/reader.h"

// The times of the frames: they rise, whatever the input states.
//
// Containers round times: those of Matroska and FLV are whole milliseconds. While every time is
// within a tick of the container of a whole number of frames, frames have exactly these times, and
// a gap is one of whole frames. From the first frame that is not, they have their own.
//
// Zeroed, but for the lengths, before the first frame.
struct weir_times {
    AVRational frame_length; // nominal [s]
    AVRational grid;         // the length of a frame by which times are exact [s]; 0/1: not known
    double least, most;      // the bounds of such a length, by the times so far [s]; most 0: none
    bool has_own;            // frames have their own times
    uint64_t num_frames;     // so far
    int64_t furthest_ns;     // the latest time that a frame states, from the first frame on
    bool is_odd;             // times stood still or started again
    // Of weir_times_add():
    int64_t first_pts;
    int64_t last_ns;                // time of the last frame, as given out
    int64_t last_own_ns, offset_ns; // its own time stamp, and the number that was added to it
};

// Get the time of the next frame of a movie [ns], 0 for the first: its own where that is later than
// the last one.
int64_t weir_times_add(struct weir_times *times, const AVFrame *frame, AVRational time_base);

// Get the time of a frame by its number [ns]. It is the largest time if the product is too large:
// the number is part of a file's name, and a header states the rate, so both may have any value.
int64_t weir_times_nominal(uint64_t number, AVRational frame_length);

// Get the length of a frame by its rate [s]; 0/1 if it is not known, or if two frames would have
// the same time, as times are whole nanoseconds.
AVRational weir_rate_length(AVRational rate);

// Get the length of a movie's frames by its nominal rate [s]; 0/1 if it is not known.
AVRational weir_rate_of_movie(const struct weir_reader *reader);

// Get the number of frames that a time is meant to be since the first frame. 0: none, frames have
// their own times.
int64_t weir_times_number(struct weir_times *times, int64_t ticks, AVRational time_base);

// Get the usual rate whose frame length is within bounds [s], as that length; 0/1: there is none.
AVRational weir_times_usual_length(double least, double most);

// Get how long a frame is shown [ns]: by the nominal rate, or as long as it states itself, if it
// does. `time_base` is 0/1 for a frame of no movie.
int64_t weir_times_length(const struct weir_times *times);
int64_t weir_times_duration(const struct weir_times *times, const AVFrame *frame,
                            AVRational time_base);

struct weir_source {
    struct weir_source_params params; // `paths` is of no use any more
    char *name;                       // of the input, for messages
    struct weir_source_info info;
    struct weir_source_chapter *chapters; // those of `info`
    struct weir_source_list list;
    struct weir_reader reader;          // for a movie or a single picture
    struct weir_sequence sequence;      // for several pictures
    struct weir_convert_params convert; // of its frames
    struct weir_meaning_notes notes;
    struct weir_log error_log; // the log, which gets one error at most
    atomic_bool has_told_error;
    AVFrame *frame;           // the next frame, if `pending`
    bool pending;             // a frame is decoded ahead, because opening needs the first one
    int64_t pending_ns;       // time of that frame
    AVFrame *shown;           // the frame that was given out last
    int64_t shown_ns, end_ns; // its time, and when it ends
    int64_t zero_ns;          // time of the first frame given out
    uint64_t num_read;        // frames given out
    uint64_t num_made_up;     // frames in which the decoder replaced damaged parts
    uint64_t first_step;      // with a rate: that of the first of them
    bool held;                // the last frame was given out again, to last as long as it should
    struct weir_times times;  // of the frames decoded so far
    bool warned_size, warned_time, warned_missing;
};

// Decode the next frame into source->frame.
enum weir_result weir_source_advance(weir_source *source);

// Take the next frame, if there is one, as the frame that is shown.
enum weir_result weir_source_take_next(weir_source *source);

// Pictures and not a movie.
bool weir_source_is_pictures(const weir_source *source);

// True if a frame is given out at each step of the rate that was asked for. A movie keeps its
// length then.
bool weir_source_is_resampled(const weir_source *source);

// Get the step of the rate that is nearest to a time.
int64_t weir_source_slot(const weir_source *source, int64_t time_ns);

// The length of a movie's frame at the rate that was asked for, as a fraction of a second.
AVRational weir_source_step(const weir_source *source);

// Returns WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_source_tell_no_memory(const struct weir_log *log, const char *name);

// Set the range to the part that was asked for, if one was. Errors: WEIR_ERROR_INVALID; the log has
// the reason.
enum weir_result weir_range_choose_part(weir_source *source);

// Take the chapters that the input states, by the clock of the movie. False: out of memory.
bool weir_source_read_chapters(weir_source *source);

// Count their times from the first frame on, and leave out those that are not in the range. Of a
// later part those that have begun by then too.
void weir_source_settle_chapters(weir_source *source);

// Get the first file of a sequence that is in the range, or the number of files.
size_t weir_range_first_file(const weir_source *source);

// True if the range ends at that time or before it.
bool weir_range_is_over(const weir_source *source, int64_t time_ns);

// Go from the first frame of the input, which is pending, to the first one of the range. Where the
// input can be searched it goes there, else it decodes what lies before. The facts of the input
// become those of the range.
// Errors: WEIR_ERROR_INVALID (the range is empty; the log says so), and those of reading.
enum weir_result weir_range_enter(weir_source *source);
