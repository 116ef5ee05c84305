// SPDX-License-Identifier: MIT
// The buffer of an audio track: carries calls with their samples from one thread to the writer's.
#ifndef WEIR_CAPTURE_STREAM_AUDIO_BUFFER_H
#define WEIR_CAPTURE_STREAM_AUDIO_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A call of the host that hands over samples of an audio track.
struct weir_audio_call {
    int64_t time_ns;      // of the first sample
    uint32_t num_samples; // above 0
    uint32_t num_missing; // samples before them that found no room
    bool is_rest;         // of the call before it, which found room for a part only
};

// One producer, one consumer, no lock. A call is stored as its struct and its samples behind it.
struct weir_audio_buffer {
    uint8_t *bytes;
    size_t size; // [bytes]
    uint32_t sample_size;
    _Atomic uint64_t head, tail; // counters of bytes, not wrapped; head is the producer's
};

// Make room for `num_samples` in calls of 32 or more. False: out of memory.
bool weir_audio_buffer_init(struct weir_audio_buffer *buffer, uint32_t num_samples,
                            uint32_t sample_size);
void weir_audio_buffer_finish(struct weir_audio_buffer *buffer);

// Producer: store a call as far as there is room. Returns how many of its samples were stored.
uint32_t weir_audio_buffer_push(struct weir_audio_buffer *buffer,
                                const struct weir_audio_call *call, const uint8_t *samples);

// Either side: get how full it is [bytes].
size_t weir_audio_buffer_filled(const struct weir_audio_buffer *buffer);

// Consumer: begin with the oldest call. False: there is none.
bool weir_audio_buffer_begin(struct weir_audio_buffer *buffer, struct weir_audio_call *call);

// Consumer: take the next samples of the call, all of which must be taken before the next one
// begins. NULL: leave them out.
void weir_audio_buffer_read(struct weir_audio_buffer *buffer, uint8_t *samples,
                            uint32_t num_samples);

#endif
