// SPDX-License-Identifier: MIT
// Audio from PipeWire: what the program plays, or the desktop, into a ring.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

// The last seconds of audio. One thread adds to them, any number of others read, and none waits:
// the first is one of PipeWire's, which the audio of the whole desktop waits for.

enum {
    RECORD_RING_RATE = 48000,        // [samples a second]
    RECORD_RING_SAMPLES = 1 << 18,   // that are kept: 5.4 s. A sample has two channels of 16 bits
    RECORD_RING_BLOCKS = 1 << 13,    // that are kept
    RECORD_RING_BLOCK_SAMPLES = 2048 // of a block at most
};

// Samples that follow each other.
struct record_ring_block {
    int64_t time_ns; // of the first one, by CLOCK_MONOTONIC
    uint32_t num_samples;
    uint32_t samples[RECORD_RING_BLOCK_SAMPLES]; // left and right, as they lie in memory
};

struct record_ring_head {
    _Atomic int64_t time_ns;
    _Atomic uint64_t position; // of its first sample, of all that were added
    _Atomic uint32_t num_samples;
};

// Zeros are an empty ring. All blocks and samples that were ever added are counted.
struct record_ring {
    _Atomic uint64_t num_blocks; // that can be read, or could
    // What the writer has begun to write: a reader of what lay there before finds it here behind
    // its copy, of which it then knows nothing.
    _Atomic uint64_t begun_blocks, begun_samples;
    struct record_ring_head heads[RECORD_RING_BLOCKS];
    _Atomic uint32_t samples[RECORD_RING_SAMPLES];
};

enum record_ring_result {
    RECORD_RING_READ,
    RECORD_RING_LATER, // it has not been added yet
    RECORD_RING_GONE,  // it was added too long ago
};

// Add samples of two channels of 16 bits. Without lock or memory, for the one thread that writes.
void record_ring_add(struct record_ring *ring, const void *samples, uint32_t num_samples,
                     int64_t time_ns);

// Copy a block. They are numbered from 0 on, in the order in which they were added. Any thread.
enum record_ring_result record_ring_read(const struct record_ring *ring, uint64_t number,
                                         struct record_ring_block *block);

// Get the number of the first block that is likely to be there still.
uint64_t record_ring_oldest(const struct record_ring *ring);
// Get the number of the block to read next, where reading a block had that result.
uint64_t record_ring_next(const struct record_ring *ring, uint64_t number,
                          enum record_ring_result result);

// Get how long samples last [ns].
int64_t record_ring_duration(uint64_t num_samples);
// Get how many samples begin in that time, which is not negative.
uint64_t record_ring_count(int64_t duration_ns);

enum record_audio_kind {
    RECORD_AUDIO_NONE,
    RECORD_AUDIO_PROGRAM, // what it and its children play
    RECORD_AUDIO_DESKTOP, // what is heard at the default output
};

struct record_audio;

// True if this program was built with PipeWire's headers.
bool record_audio_is_built(void);

// Begin to record. `program` is the process of a program that is no child of this one; 0: it is.
// NULL: there is no audio, and a line says why, unless `quiet` or none is wanted.
struct record_audio *record_audio_start(enum record_audio_kind kind, int64_t program, bool quiet);
// End. Says so where nothing was heard, unless `quiet`. NULL is allowed.
void record_audio_stop(struct record_audio *audio, bool quiet);

// Get what is recorded; it lives as long as the audio. NULL of NULL.
const struct record_ring *record_audio_ring(const struct record_audio *audio);

// A feed: hands the audio of a take to its capture, on a thread of its own, since a capture whose
// disk is behind lets its callers wait.

struct record_feed;

// What the samples are, for weir_capture_params.audio.tracks.
extern const struct weir_audio_track record_feed_track;

// Begin with the samples of a time, that of the first frame, which may have come a while ago. Where
// there are none, and when none have come for half a second, there is silence. Borrows both. NULL:
// there is no thread or no memory.
struct record_feed *record_feed_start(const struct record_ring *ring, weir_capture *capture,
                                      int64_t start_ns);
// Hand over nothing of that time and later ones; INT64_MAX: hand over all. NULL is allowed.
void record_feed_limit(struct record_feed *feed, int64_t until_ns);
// Hand over what there is up to that time, and silence where there is nothing; then end. NULL is
// allowed.
void record_feed_end(struct record_feed *feed, int64_t end_ns);
