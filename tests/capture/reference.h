// SPDX-License-Identifier: MIT
// What FFmpeg's libraries read of a movie, in the test's own process: FFmpeg's programs take longer
// to start than to read what tests write.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavformat/avformat.h>
#include <weir/capture.h>

enum { REFERENCE_MAX_STREAMS = 8, REFERENCE_MAX_COMPLAINT = 512 };

struct reference_packet {
    int64_t pts, duration; // [ticks of its stream]
    size_t offset, size;   // of its bytes in those of the stream
};

struct reference_stream {
    const AVStream *facts;
    struct reference_packet *packets;
    size_t num_packets, room;
    uint8_t *bytes; // of all packets, one behind the other
    size_t size, bytes_room;
};

struct reference {
    AVFormatContext *format;
    struct reference_stream streams[REFERENCE_MAX_STREAMS];
    unsigned num_streams;
    char complaint[REFERENCE_MAX_COMPLAINT]; // the first error that FFmpeg tells; empty: none
};

// Read all of a movie. False, and a failure of the test: FFmpeg does not open it. Where it tells an
// error and goes on, there is a complaint. Close it in any case.
bool reference_open(struct reference *reference, const char *path);
void reference_close(struct reference *reference);

// Get the stream of a number, from 0, among those of a kind. It has no facts and no packets where
// there is none.
const struct reference_stream *reference_stream(const struct reference *reference,
                                                enum AVMediaType kind, unsigned number);

// Get a tag of a stream; "" where it has none.
const char *reference_tag(const struct reference_stream *stream, const char *name);

// Say of a stream, for libavformat's muxer, what a track is.
void reference_describe(AVStream *stream, const struct weir_capture_track *track);

// The MD5 of bytes, as text.
void reference_hash(const uint8_t *bytes, size_t size, char text[33]);

// Decode the frames of the first video stream. Returns how many they are; -1 when that fails or
// FFmpeg tells an error.
int reference_count_frames(const char *path);

// Check that number. `what`: of which case it is.
bool reference_expect_frames(const char *what, const char *path, int num_frames);

// Decode HAP, and get the green of the first texel of the first `room` frames. Returns what
// reference_count_frames() does.
int reference_read_greens(const char *path, uint8_t *greens, int room);
