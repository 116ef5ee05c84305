// SPDX-License-Identifier: MIT
// Recordings with sound, and segments of them, for tests of what puts segments together.
#ifndef WEIR_TESTS_CAPTURE_SEGMENTS_H
#define WEIR_TESTS_CAPTURE_SEGMENTS_H

#include "capture/format/segment.h"
#include "capture/weir/recover/find.h"
#include "recover_movie.h"

enum { SEGMENTS_RATE = 8000, SEGMENTS_TRACKS = 2, SEGMENTS_MAX_FRAMES = 256 };

// A movie of black and white frames at times that vary, and of two tracks of 32-bit samples. These
// are numbered, beginning with 1 in the first track and with 1000001 in the second one, which
// begins with frame `first_of_second`.
struct recording {
    struct movie_bytes file;
    struct recover_found found;
    struct remux_movie list;
    uint8_t id[WEIR_RECORDING_ID_SIZE];
    uint32_t num_frames;
    uint64_t ticks[SEGMENTS_MAX_FRAMES];
};

void recording_make(struct recording *recording, const char *path, uint32_t num_frames,
                    uint32_t first_of_second);
void recording_finish(struct recording *recording);

// Write the frames begin .. end - 1 with their sound as segment `number`; 0: as a movie of its own,
// without what says that it is a segment.
void recording_write_segment(struct recording *recording, const char *path, uint32_t number,
                             uint32_t begin, uint32_t end);

// Get the position of a frame's time in a track [samples].
uint64_t recording_position(const struct recording *recording, uint32_t frame);

#endif
