// SPDX-License-Identifier: MIT
// A fragment of a movie: the boxes moof and mdat around one frame, or around samples of sound.
#ifndef WEIR_CAPTURE_MOVIE_FRAGMENT_H
#define WEIR_CAPTURE_MOVIE_FRAGMENT_H

#include <stdint.h>

#define WEIR_FRAGMENT_HEADER_SIZE 108

// Flags and fields of the boxes in moof (ISO/IEC 14496-12, 8.8.7, 8.8.8, 8.8.12 and 8.8.3.1).
#define WEIR_TFHD_DURATION 0x000008u
#define WEIR_TFHD_SIZE 0x000010u
#define WEIR_TFHD_FLAGS 0x000020u
#define WEIR_TFHD_BASE_IS_MOOF 0x020000u
#define WEIR_TRUN_OFFSET 0x000001u
#define WEIR_TRUN_SIZE 0x000200u
#define WEIR_FRAGMENT_VERSION_1 0x01000000u
#define WEIR_FRAGMENT_KEY_FRAME 0x02000000u // depends on no other frame
// The track of frames is number 1; those of sound follow.
#define WEIR_FRAGMENT_TRACK 1
#define WEIR_FRAGMENT_FIRST_AUDIO 2

struct weir_fragment {
    uint32_t number;   // counted from 1
    uint64_t ticks;    // time at which the frame is shown
    uint32_t duration; // nominal [ticks]
    uint32_t size;     // of the frame [bytes], below 2^32 - 8
};

// Write the part of the fragment before the frame's bytes.
void weir_fragment_write(const struct weir_fragment *fragment,
                         uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE]);

// Samples of a sound track. They all have one size, and last one tick.
struct weir_audio_fragment {
    uint32_t number;      // counted from 1, over the fragments of all tracks
    uint32_t track;       // of the movie: WEIR_FRAGMENT_FIRST_AUDIO and up
    uint64_t position;    // of the first sample in the track [samples]
    uint32_t num_samples; // above 0
    uint32_t sample_size; // [bytes]; all samples together have less than 2^32 - 8
};

// Write the part of the fragment before the samples, which is as long as that before a frame.
void weir_audio_fragment_write(const struct weir_audio_fragment *fragment,
                               uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE]);

#endif
