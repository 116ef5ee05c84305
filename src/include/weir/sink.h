// SPDX-License-Identifier: MIT
// Sinks (libweir-capture): where the packets of a capture go, and the callbacks of a program's own
// sink.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/result.h>

// The destination of packets. A packet is one frame of the movie.
enum weir_sink {
    // A QuickTime movie. Until it is closed each frame is a fragment, so it plays even if the
    // program is killed.
    WEIR_SINK_MOV = 0,
    WEIR_SINK_NULL = 1, // packets are built, counted and discarded (for measurements)
    // A text file with one line for each frame: time stamp, size, FNV-1a 64 hash (for tests).
    WEIR_SINK_HASH = 2,
    WEIR_SINK_CALLBACK = 3, // packets go to struct weir_sink_callbacks
};

// The description of the packets that a muxer needs. All fields are set.
struct weir_capture_track {
    // As weir_movie_codec_info has them.
    uint32_t codec_tag, bits_per_coded_sample;
    uint32_t width, height;                      // [texels]
    uint32_t pixel_aspect_num, pixel_aspect_den; // width of a pixel to its height
    uint32_t time_base_num, time_base_den;       // the unit of pts and duration: num / den [s]
    uint32_t frame_rate_num, frame_rate_den;     // nominal frames a second
    // Code points of ISO/IEC 23091-2: 1 (BT.709), 13 (sRGB) or for HAP_HDR 8 (linear), 0 (RGB).
    uint32_t color_primaries, color_transfer, color_matrix;
};

// A packet: one frame of the movie, complete and independent of all others.
struct weir_capture_packet {
    const uint8_t *data; // valid until the call returns; must not be written to
    size_t size;         // [bytes]
    int64_t pts;         // presentation time; 0 for the first packet, then increasing [time base]
    int64_t duration;    // nominal: the next frame may be earlier or later [time base]
    uint64_t time_ns;    // time since the first frame, not rounded [ns]
    bool is_key;         // decodable by itself: always true
};

// Samples of an audio track, in their order and without gaps.
struct weir_capture_audio_packet {
    uint32_t track;      // index of weir_capture_params.audio.tracks
    const uint8_t *data; // valid until the call returns; must not be written to
    uint32_t num_samples;
    size_t size; // [bytes]
    int64_t pts; // of the first sample; 0 is the time of the first frame [samples]
};

// A program's own sink. The callbacks never overlap. Each returns WEIR_OK or a positive result, or
// WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL or WEIR_ERROR_OUT_OF_MEMORY; any other error counts as
// WEIR_ERROR_IO. Of this capture's functions they may call only weir_capture_get_stats() and
// weir_capture_get_params(): others may wait for the callback's own thread.
//
// Beside another sink they cannot harm it: after an error, which is logged, the movie goes on
// without them. A call that takes long delays the movie's next packet all the same. With segments a
// frame of another size or format is another movie: close() and open() are called before its
// packet, on the writing thread.
struct weir_sink_callbacks {
    // Optional. Called once by weir_capture_open(), on its thread, as the last step.
    // weir_capture_open() returns its error, and close() is then not called.
    enum weir_result (*open)(void *user, const struct weir_capture_track *track);
    // Required. Called for each packet, in order, on the writing thread, on which all signals are
    // blocked. While it runs no slot becomes free: if it is slower than the frames, the policy
    // decides. An error is sticky: packet() is not called again, all frames in flight and all later
    // ones are dropped (WEIR_DROP_SINK), and weir_capture_frame() and weir_capture_close() return
    // the error.
    enum weir_result (*packet)(void *user, const struct weir_capture_packet *packet);
    // Required if the capture has audio tracks. Called with their samples, after the first frame,
    // on the same thread as packet(), and with the same effect of an error.
    enum weir_result (*audio)(void *user, const struct weir_capture_audio_packet *packet);
    // Optional. Called at most once, by weir_capture_close_at(), on the thread of packet(), after
    // the last one: that frame is shown until `pts`, in place of the nominal duration. A muxer that
    // writes a packet when the next one comes can state it. Not with constant_rate.
    void (*end)(void *user, int64_t pts);
    // Optional. Called once by weir_capture_close(), on its thread, after the last packet or an
    // error. Its error is returned if there was none before.
    enum weir_result (*close)(void *user);
    void *user; // the first argument of each
};
