// SPDX-License-Identifier: MIT
// The recording: opens a movie for each size of the picture, and hands frames over.
#ifndef SAMPLE_RECORDER_H
#define SAMPLE_RECORDER_H

#include <weir/capture.h>

#include "sample.h"

struct recorder {
    const struct gpu *gpu;
    const struct sample *sample;
    weir_capture *capture; // NULL: not recording
    bool is_paused;        // while it is recording
    uint64_t number;       // number of the next frame, counted over all movies
    uint32_t num_movies;   // number of movies opened so far
    uint32_t num_replays;  // number of replays asked for so far
    char path[4096];       // path of the last movie
    // Times of the first frame and of the opening of the last movie, by the monotonic clock.
    int64_t begin_ns, opened_ns;
};

// Nothing is opened yet.
void recorder_init(const struct gpu *gpu, const struct sample *sample, struct recorder *recorder);

// Begin a movie for images like this one.
bool recorder_start(struct recorder *recorder, const weir_image *like);
// True if the recording goes on with images of another size: the library begins segments itself.
bool recorder_goes_on(const struct recorder *recorder);
// End the movie, and print what became of its frames. Points that recorder_frame() gave are void
// then: the GPU must have passed them.
bool recorder_stop(struct recorder *recorder);

// Pause the movie that is recorded, or go on with it.
bool recorder_pause(struct recorder *recorder, bool pauses);

// Get the time stamp of the next frame, which is the time of the scene that it shows [ns].
int64_t recorder_time(const struct recorder *recorder);

// Hand a frame over with its time stamp. False: the recording has failed and cannot go on.
bool recorder_frame(struct recorder *recorder, const struct weir_frame *frame,
                    struct weir_point *released);

// Write the last seconds to a movie of their own, while recording goes on. False: it was refused.
bool recorder_save_replay(struct recorder *recorder);

#endif
