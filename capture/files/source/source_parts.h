// SPDX-License-Identifier: MIT
// The inside of a source, for the file that opens it and the one that reads.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SOURCE_PARTS_H
#define WEIR_CAPTURE_FILES_SOURCE_SOURCE_PARTS_H

#include <stdatomic.h>

#include "capture/files/source/chapters.h"
#include "capture/files/source/convert.h"
#include "capture/files/source/list.h"
#include "capture/files/source/reader.h"
#include "capture/files/source/sequence.h"
#include "capture/files/source/shape.h"
#include "capture/files/source/source.h"
#include "capture/files/source/times.h"

struct weir_source {
    struct weir_source_params params; // `paths` is of no use any more
    char *name;                       // of the input, for messages
    struct weir_source_info info;
    struct weir_source_chapters chapters;
    struct weir_source_list list;
    struct weir_reader reader;          // for a movie or a single picture
    struct weir_sequence sequence;      // for several pictures
    struct weir_convert_params convert; // of its frames
    struct weir_convert_notes notes;
    struct weir_log error_log; // the log, which gets one error at most
    atomic_bool has_told_error;
    weir_source_frame *own;   // of weir_source_read(); NULL before its first call
    AVFrame *frame;           // the next frame, if `pending`
    bool pending;             // a frame is decoded ahead, because opening needs the first one
    int64_t pending_ns;       // time of that frame
    AVFrame *shown;           // the frame that was given out last
    int64_t shown_ns, end_ns; // its time, and when it ends
    int64_t zero_ns;          // time of the first frame given out
    uint64_t num_read;        // frames given out
    uint64_t num_repeated, num_left_out; // with a rate: frames of the input
    uint64_t first_step;                 // with a rate: that of the first of them
    bool held;               // the last frame was given out again, to last as long as it should
    struct weir_times times; // of the frames decoded so far
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

// True if rows of the frames may be so far apart [bytes].
bool weir_source_takes_pitch(const weir_source *source, size_t pitch);

// Make the frame of weir_source_read(), which converts on all cores.
enum weir_result weir_source_make_own(weir_source *source);

// Take a decoded frame, whose pixels are shared.
enum weir_result weir_source_frame_set(weir_source_frame *frame, const AVFrame *decoded,
                                       int orientation);

// Returns WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_source_tell_no_memory(const struct weir_log *log, const char *name);

// Get the first file of a sequence that is in the range, or the number of files.
size_t weir_range_first_file(const weir_source *source);

// True if the range ends at that time or before it.
bool weir_range_is_over(const weir_source *source, int64_t time_ns);

// Go from the first frame of the input, which is pending, to the first one of the range. Where the
// input can be searched it goes there, else it decodes what lies before. The facts of the input
// become those of the range.
// Errors: WEIR_ERROR_INVALID (the range is empty; the log says so), and those of reading.
enum weir_result weir_range_enter(weir_source *source);

#endif
