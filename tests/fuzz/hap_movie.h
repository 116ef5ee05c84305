// SPDX-License-Identifier: MIT
// Small movies as the capture writes them, in memory: with sound, as segments, closed or not.
#pragma once

#include "capture/movie/boxes.h"
#include "capture/movie/movie.h"
#include "tests/fuzz/fuzz.h"

// Frames are six blocks of scaled YCoCg.
enum { HAP_MOVIE_WIDTH = 12, HAP_MOVIE_HEIGHT = 8, HAP_MOVIE_TICKS = 1500 };

enum hap_movie_form {
    HAP_MOVIE_GREW,
    HAP_MOVIE_CLOSED,
    HAP_MOVIE_CUT,      // closed, without its index
    HAP_MOVIE_HEADLESS, // as it grew
};

struct hap_movie {
    enum hap_movie_form form;
    uint32_t num_frames;
    uint32_t num_audio; // tracks of one channel of 16 bits at 6000 Hz: 100 samples a frame
    uint32_t segment;   // its number; 0: it is none
    bool is_complex;    // frames in two chunks
    bool has_timecode;  // from 00:00:00:00 on, or from where the segment begins
    bool has_chapters;  // two, if it is closed
    uint64_t seed;      // of the blocks
};

// Write it to `data`. Returns its size; 0: it has no room.
size_t hap_movie_make(const struct hap_movie *movie, uint8_t *data, size_t room);

// Check that an index has as many chapters as a list.
void hap_movie_check_chapters(const struct weir_chapters *chapters, const uint8_t *moov,
                              size_t size);

// The source of bytes in memory. `bytes` lives as long as that.
struct weir_view_source hap_movie_source(const struct fuzz_bytes *bytes);
