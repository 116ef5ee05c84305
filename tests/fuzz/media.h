// SPDX-License-Identifier: MIT
// Pictures and movies in files of no name, made by FFmpeg's encoders from what an input says.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libavutil/pixfmt.h>

#include "tests/fuzz/fuzz.h"

enum { MEDIA_MAX_FRAMES = 6, MEDIA_MAX_SIDE = 48, MEDIA_SAMPLES = 400 };

struct media {
    const char *path; // of the file, in /proc
    bool is_damaged;  // bytes were changed after it was made
    bool is_gif;
    int width, height;
    enum AVPixelFormat format;
    int turns; // clockwise, that its note asks for; -1: a note of any numbers
    int num_frames;
    bool has_sound;      // MEDIA_SAMPLES samples of one channel
    uint64_t texel_seed; // of the first frame
};

// Make the file that `bytes` say. False: this FFmpeg cannot make it. One file at a time.
bool media_make(struct fuzz_bytes bytes, bool is_picture, struct media *media);

// The `i`-th byte of the texels of a frame as it was encoded; rows have no gaps.
uint8_t media_byte(const struct media *media, size_t i);

// An input that says something of every kind.
size_t media_seed(unsigned index, uint8_t *data);

void media_init(void);
