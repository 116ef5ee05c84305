// SPDX-License-Identifier: MIT
// What FFmpeg's libraries read of a movie, in the test's own process: FFmpeg's programs take longer
// to start than to read what tests write.
#ifndef WEIR_TESTS_CAPTURE_JUDGE_H
#define WEIR_TESTS_CAPTURE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libavformat/avformat.h>

enum { JUDGE_MAX_STREAMS = 8, JUDGE_MAX_COMPLAINT = 512 };

struct judge_packet {
    int64_t pts, duration; // [ticks of its stream]
    size_t offset, size;   // of its bytes in those of the stream
};

struct judge_stream {
    const AVStream *facts;
    struct judge_packet *packets;
    size_t num_packets, room;
    uint8_t *bytes; // of all packets, one behind the other
    size_t size, bytes_room;
};

struct judge {
    AVFormatContext *format;
    struct judge_stream streams[JUDGE_MAX_STREAMS];
    unsigned num_streams;
    char complaint[JUDGE_MAX_COMPLAINT]; // the first error that FFmpeg tells; empty: none
};

// Read all of a movie. False, and a failure of the test: FFmpeg does not open it. Where it tells an
// error and goes on, there is a complaint. Close it in any case.
bool judge_open(struct judge *judge, const char *path);
void judge_close(struct judge *judge);

// Get the stream of a number, from 0, among those of a kind. It has no facts and no packets where
// there is none.
const struct judge_stream *judge_stream(const struct judge *judge, enum AVMediaType kind,
                                        unsigned number);

// Get a tag of a stream; "" where it has none.
const char *judge_tag(const struct judge_stream *stream, const char *name);

// The MD5 of bytes, as text.
void judge_hash(const uint8_t *bytes, size_t size, char text[33]);

// Decode the frames of the first video stream. Returns how many they are; -1 when that fails or
// FFmpeg tells an error.
int judge_count_frames(const char *path);

// Check that number. `what`: of which case it is.
bool judge_expect_frames(const char *what, const char *path, int num_frames);

// Decode HAP, and get the green of the first texel of the first `room` frames. Returns what
// judge_count_frames() does.
int judge_read_greens(const char *path, uint8_t *greens, int room);

#endif
