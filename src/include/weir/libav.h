// SPDX-License-Identifier: MIT
// Movies by libavformat (libweir-libav): writes the packets of a capture in any container that
// FFmpeg has a muxer for, to any address that it opens: a file, a pipe, a socket.
//
// The result of weir_libav_callbacks() is given to weir_capture_open() in
// weir_capture_params.callbacks, alone (WEIR_SINK_CALLBACK) or beside a movie.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/audio.h>
#include <weir/log.h>
#include <weir/macros.h>
#include <weir/result.h>
#include <weir/sink.h>

// An output of libavformat. It owns one thread, which opens the address, builds the container and
// writes it, on which all signals are blocked: a receiver that goes away gives no SIGPIPE. FFmpeg's
// own messages go where the host's av_log_set_callback() says. A pipe that is named by its
// descriptor becomes non-blocking.
typedef struct weir_libav weir_libav;

// What happens where the receiver takes less than comes, or goes away.
enum weir_libav_policy {
    // Packets wait, and the capture's writing thread with them. An error ends the capture. For
    // files, and for a receiver that is all that the capture is made for.
    WEIR_LIBAV_WAIT = 0,
    // Packets are dropped and counted, and never an error. An address that cannot be opened, or a
    // receiver that went away, is tried again once a second. For receivers beside a movie.
    WEIR_LIBAV_DROP = 1,
};

// All pointers are read during weir_libav_create() only.
struct weir_libav_params {
    const char *debug_tag; // set by the macro; there is no Vulkan object to name
    // Required: a path, or an address of a protocol of FFmpeg's: "pipe:1" (the standard output),
    // "tcp://127.0.0.1:9000?listen", "unix:/run/user/1000/frames", "srt://…".
    const char *url;
    // The name of a muxer of FFmpeg's, such as "nut", "matroska", "avi" or "mov". NULL: that of the
    // ending of `url`, and of an address without one "nut". A pipe or socket, where nothing can be
    // written again, gets "mov" in fragments.
    const char *format;
    enum weir_libav_policy policy;
    // Packets that can wait for the receiver, frames and pieces of audio together. 0 = 32.
    uint32_t num_packets;
    // The audio tracks of the capture, as weir_capture_params.audio has them.
    const struct weir_audio_track *audio_tracks;
    uint32_t num_audio_tracks;
    // Optional: called on the output's thread, several times a second, while it waits for the other
    // side. True ends that with WEIR_ERROR_IO.
    bool (*is_interrupted)(void *user);
    void *user;          // its argument
    struct weir_log log; // receives failures, and once a second how many packets were dropped
};
#define weir_libav_params(...) WEIR_PARAMS(weir_libav_params, __VA_ARGS__)

// Make an output. Nothing is opened before the capture calls it.
// Errors: WEIR_ERROR_INVALID (NULL, a field out of range), WEIR_ERROR_UNSUPPORTED (no such muxer or
// protocol in this FFmpeg), WEIR_ERROR_OUT_OF_MEMORY.
// Thread safety: any thread.
WEIR_API enum weir_result weir_libav_create(const struct weir_libav_params *params,
                                            weir_libav **out);

// Get the callbacks of a capture's sink. One capture at a time may have them; a later one opens the
// address again. The address is opened by the output's thread, so that an error comes with a later
// packet: WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL or WEIR_ERROR_OUT_OF_MEMORY; with DROP none comes. At
// the end DROP waits for a slow receiver for a second, WAIT until it has everything.
WEIR_API struct weir_sink_callbacks weir_libav_callbacks(weir_libav *libav);

// What became of packets, frames and pieces of audio together.
struct weir_libav_stats {
    uint64_t written;     // handed to libavformat
    uint64_t dropped;     // with DROP: they found no room, or no receiver
    uint64_t bytes;       // of packets written
    uint64_t connections; // how often the address was opened
    bool is_connected;    // it is open now
};

// Get the statistics. All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_libav_stats weir_libav_get_stats(const weir_libav *libav);

// Destroy an output whose capture was closed. NULL and a pointer to NULL are allowed; sets `*libav`
// to NULL.
WEIR_API void weir_libav_destroy(weir_libav **libav);
