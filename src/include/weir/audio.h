// SPDX-License-Identifier: MIT
// Audio: the sound tracks of a capture. Their samples are not compressed (PCM).
#ifndef WEIR_AUDIO_H
#define WEIR_AUDIO_H

#include <stdint.h>

#include <weir/macros.h>

#ifdef __cplusplus
extern "C" {
#endif

// The most sound tracks of a capture.
#define WEIR_MAX_AUDIO_TRACKS 8

// How a value is stored; little endian. A sample has one value for each channel, one after the
// other.
enum weir_sample_format {
    WEIR_SAMPLE_S16 = 0, // signed integer of 16 bits
    WEIR_SAMPLE_S24 = 1, // signed integer of 24 bits, in three bytes
    WEIR_SAMPLE_S32 = 2, // signed integer of 32 bits
    WEIR_SAMPLE_F32 = 3, // float; full scale is -1 to 1
};

// A sound track of a capture.
struct weir_audio_track {
    uint32_t sample_rate;  // required, 1000 .. 768000 [samples a second]
    uint32_t num_channels; // required, 1 .. 16: mono, stereo, ...; 6 is 5.1, 8 is 7.1
    enum weir_sample_format format;
    // Optional: three letters of ISO 639-2, such as "eng". Empty = undetermined.
    char language[4];
};

// Get the size of a sample, all channels together [bytes]. 0 for a format that is none.
// Thread-safe.
WEIR_API uint32_t weir_audio_sample_size(enum weir_sample_format format, uint32_t num_channels);

// The reason why samples are not in the movie. New reasons are appended.
enum weir_audio_drop_reason {
    WEIR_AUDIO_DROP_BUFFER_FULL = 0, // the track's buffer is full
    // They come before the movie's first frame, where the track already has samples, or later than
    // a movie can store.
    WEIR_AUDIO_DROP_TIME = 1,
    WEIR_AUDIO_DROP_SINK = 2,  // writing failed
    WEIR_AUDIO_DROP_PAUSE = 3, // they come in a pause of the capture
};
enum { WEIR_MAX_AUDIO_DROP_REASONS = 8 }; // the size of the table below, with room for new reasons

// The statistics of sound, of all tracks together [samples]. At every instant
// received + silence = written + dropped + in_flight. After the capture was closed in_flight is 0.
struct weir_audio_stats {
    uint64_t received; // handed over
    uint64_t written;  // in the file
    // Added: silence in gaps, and single samples that come twice where two clocks drift apart.
    uint64_t silence;
    uint64_t dropped;                                        // the sum of dropped_by_reason
    uint64_t dropped_by_reason[WEIR_MAX_AUDIO_DROP_REASONS]; // index: enum weir_audio_drop_reason
    uint64_t in_flight;                                      // waiting to be written
};

#ifdef __cplusplus
}
#endif
#endif
