// SPDX-License-Identifier: MIT
// Sinks, the destinations of packets. Each is a table of functions.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/movie/movie.h"

struct weir_counts;

// The format of frames. A movie has frames of one.
struct weir_mux_format {
    uint32_t number;        // 0: the first one, for which the sink was opened
    uint32_t width, height; // [texels], 1 .. 65535
    uint32_t nominal_size;  // of a frame that is not compressed [bytes]
};

// All pointers are read during open() only, except for `log` and `callbacks`, which are copied, and
// `counts`.
struct weir_mux_params {
    const char *path;
    bool is_nofollow; // the user has not given that name: a link that has it is not followed
    enum weir_movie_codec codec;
    struct weir_mux_format format;
    uint32_t pixel_aspect_num, pixel_aspect_den;
    uint32_t rate_num, rate_den;
    uint32_t ticks_per_second;
    uint32_t ticks_per_frame; // nominal
    bool premultiplied;       // weir_capture_movie_params.premultiplied
    uint64_t sync_ns;         // weir_capture_movie_params.sync_ms; 0 = never
    // A movie takes its name when it is whole; after a failure nothing is left of it.
    bool is_atomic;
    struct weir_sink_callbacks callbacks;
    const struct weir_mux_ops *main; // of a sink with callbacks beside it
    const struct weir_audio_track *audio_tracks;
    uint32_t num_audio_tracks;
    struct weir_timecode timecode;
    struct weir_metadata metadata;
    struct weir_log log;
    uint64_t max_gap_ns; // between two frames of a movie
    // For a sink of segments: weir_capture_params.segments, how long sound may
    // come after its frames, and where segments are counted.
    uint64_t segment_ns, segment_bytes;
    uint64_t audio_buffer_ns;
    struct weir_counts *counts;         // of the writer; borrowed
    const struct weir_segment *segment; // that a movie is; NULL: it is whole
};

// A frame, or samples of an audio track behind those before them, on its way into the file.
struct weir_mux_packet {
    const uint8_t *data;
    uint32_t size;        // [bytes]
    uint32_t track;       // 0: a frame; 1 and up: samples of audio_tracks[track - 1]
    uint32_t num_samples; // if so; above 0
    // Greater than that of the frame before; or the position of the first sample, 0 at the time of
    // the first frame.
    uint64_t ticks;
    uint64_t time_ns; // of a frame, since the first one
    struct weir_mux_format format;
};

// A chapter on its way into the file. Frames up to its time were written, and none after it.
struct weir_mux_chapter {
    uint64_t time_ns, ticks; // as those of frames; 0 for one before the first frame
    const char *title;
};

// Which samples of a track a sink can use, by their positions.
struct weir_mux_span {
    uint64_t begin; // what comes before is late: the movie that it belongs to is complete
    uint64_t known; // from here on it is not yet known which movie it belongs to
    uint64_t end;   // from here on there is no room
    bool is_wanted; // a movie waits for what comes before `known`
};

struct weir_mux;

struct weir_mux_ops {
    // Prepare the sink. An existing file of that name is not touched; it is replaced when the first
    // packet is written. Errors: WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL, WEIR_ERROR_OUT_OF_MEMORY,
    // WEIR_ERROR_UNSUPPORTED. Nothing is left behind then, and the reason is in the log.
    enum weir_result (*open)(const struct weir_mux_params *params, struct weir_mux **out);
    // Write a packet, a frame first. After the call it survives a crash of the program. After an
    // error, which is logged once, only close() may follow.
    enum weir_result (*write)(struct weir_mux *mux, const struct weir_mux_packet *packet);
    // Take a chapter, as far as the movie has room for it. A packet was written before. NULL: there
    // are no chapters.
    void (*write_chapter)(struct weir_mux *mux, const struct weir_mux_chapter *chapter);
    // Let the frame that was written last be shown until `ticks`, which are greater than its own,
    // in place of the nominal duration. No frame follows. NULL: the sink says no durations.
    void (*end)(struct weir_mux *mux, uint64_t ticks);
    // Complete the file and free everything. If no packet was written, nothing is left behind.
    enum weir_result (*close)(struct weir_mux *mux);
    // Get which samples of a track can be used now; see weir_mux_audio_span(). Pure. NULL: all that
    // a movie has room for.
    struct weir_mux_span (*audio_span)(const struct weir_mux *mux, uint32_t track);
};

// The beginning of every sink's struct.
struct weir_mux {
    const struct weir_mux_ops *ops;
};

// A QuickTime movie.
extern const struct weir_mux_ops weir_mux_mov;
extern const struct weir_mux_ops weir_mux_segments; // several of those, one after the other
extern const struct weir_mux_ops weir_mux_null;     // keeps nothing
extern const struct weir_mux_ops weir_mux_hash;     // a text file with a line for each packet
extern const struct weir_mux_ops weir_mux_callback; // the host program
extern const struct weir_mux_ops weir_mux_beside;   // weir_mux_params.main, and the host program

// Make the struct of a sink, which begins with a weir_mux; the rest is 0. NULL: there is no memory,
// and the log says so.
void *weir_mux_make(size_t size, const struct weir_mux_ops *ops, const struct weir_log *log);

// Get what a movie says of its packets.
struct weir_capture_track weir_mux_track(const struct weir_mux_params *params);

// Give a sink silence for a track of that format, from `position` on.
enum weir_result weir_mux_write_silence(struct weir_mux *mux, uint32_t track,
                                        const struct weir_audio_track *format, uint64_t position,
                                        uint64_t num_samples);

// Get which samples of a track a sink can use now.
struct weir_mux_span weir_mux_audio_span(const struct weir_mux *mux, uint32_t track);

// Describe the movie that weir_mux_mov writes, without its pieces.
void weir_mux_mov_describe(const struct weir_mux_params *params, struct weir_movie *movie);

// Close a movie of weir_mux_mov. `*is_displaced`: it is whole, but another program has its name.
enum weir_result weir_mux_mov_close(struct weir_mux *mux, bool *is_displaced);

// Get the size that such a movie would have if it were closed now, or a little more [bytes].
uint64_t weir_mux_mov_size(const struct weir_mux *mux);
