// SPDX-License-Identifier: MIT
// Sinks, the destinations of packets. Each is a table of three functions.
#ifndef WEIR_CAPTURE_STREAM_MUX_MUX_H
#define WEIR_CAPTURE_STREAM_MUX_MUX_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/format/timecode.h"

// All pointers are read during open() only, except for `log` and `callbacks`, which are copied.
struct weir_mux_params {
    const char *path;
    enum weir_movie_codec codec;
    uint32_t width, height; // [texels], 1 .. 65535
    uint32_t pixel_aspect_num, pixel_aspect_den;
    uint32_t rate_num, rate_den;
    uint32_t ticks_per_second;
    uint32_t ticks_per_frame; // nominal
    bool premultiplied;       // weir_capture_params.premultiplied
    uint32_t nominal_size;    // of a frame that is not compressed [bytes]
    uint64_t sync_ns;         // weir_capture_params.sync_ms; 0 = never
    bool
        is_atomic; // a movie takes its name when it is whole; after a failure nothing is left of it
    struct weir_sink_callbacks callbacks;
    const struct weir_audio_track *audio_tracks;
    uint32_t num_audio_tracks;
    struct weir_timecode timecode;
    struct weir_log log;
};

// A frame on its way into the file.
struct weir_mux_packet {
    const uint8_t *data;
    uint32_t size;    // [bytes]
    uint64_t time_ns; // since the first frame
    uint64_t ticks;   // the same time in ticks, greater than that of the frame before
};

// Samples of a sound track on their way into the file. They follow those before them.
struct weir_mux_audio {
    uint32_t track; // index of audio_tracks
    const uint8_t *data;
    uint32_t num_samples, size; // above 0; [bytes]
    uint64_t position;          // of the first sample; 0 is the time of the first frame [samples]
};

struct weir_mux;

struct weir_mux_ops {
    // Prepare the sink. An existing file of that name is not touched; it is replaced when the first
    // packet is written. Errors: WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL, WEIR_ERROR_OUT_OF_MEMORY,
    // WEIR_ERROR_UNSUPPORTED. Nothing is left behind then, and the reason is in the log.
    enum weir_result (*open)(const struct weir_mux_params *params, struct weir_mux **out);
    // Write a packet. After the call it survives a crash of the program. After an error, which is
    // logged once, only close() may follow.
    enum weir_result (*write)(struct weir_mux *mux, const struct weir_mux_packet *packet);
    // Write samples, likewise. A packet was written before. NULL: open() refuses sound tracks.
    enum weir_result (*write_audio)(struct weir_mux *mux, const struct weir_mux_audio *audio);
    // Complete the file and free everything. If no packet was written, nothing is left behind.
    enum weir_result (*close)(struct weir_mux *mux);
};

// The beginning of every sink's struct.
struct weir_mux {
    const struct weir_mux_ops *ops;
};

// A QuickTime movie. Without FFmpeg (no_mov.c) open() fails with WEIR_ERROR_UNSUPPORTED.
extern const struct weir_mux_ops weir_mux_mov;
extern const struct weir_mux_ops weir_mux_null;     // keeps nothing
extern const struct weir_mux_ops weir_mux_hash;     // a text file with a line for each packet
extern const struct weir_mux_ops weir_mux_callback; // the host program

#endif
