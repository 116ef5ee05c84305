// SPDX-License-Identifier: MIT
// What the window and the headless loop share: the device, the recording, and how a frame is drawn.
#pragma once

#include <weir/capture.h>

#include "sample.h"
#include "timing.h"

// The recording: opens a movie for each size of the picture, and hands frames over.
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

struct loop {
    const struct sample *sample;
    struct gpu gpu;
    struct sample_images images;
    struct recorder recorder;
    struct timing timing;
    struct weir_point done[SAMPLE_MAX_SLOTS]; // all work of the slot has been executed
    // A frame in host memory, for --picture and what the sample reads: four bytes a texel, in the
    // image's order. Recording needs none.
    struct weir_gpu_buffer readout;
    uint32_t width, height; // of the images
    bool is_fresh;          // no frame of this size has been drawn yet
    uint32_t num_kept;      // objects of the device that stay when the size changes
};

// Make the device; `params` have what a window wants of it.
bool loop_open(struct loop *loop, struct weir_device_params params);
// Start the sample, which draws to such images.
bool loop_start(struct loop *loop, struct sample_images images);
// Fit the sample to images of a new size, which were made before, behind the `num_kept` objects.
bool loop_resize(struct loop *loop, uint32_t width, uint32_t height);

struct loop_frame {
    struct picture picture;        // without `timing`
    const struct weir_frame *lent; // the image comes back from Weir; NULL: it was not there
    struct weir_point wait;        // what the drawing waits for
    VkSemaphore signal;            // that it signals; may be null
    bool is_read;                  // copied to the readout
};
// Draw a frame, whose slot is done. `*frame`, in which `time_ns` is set, becomes what a recording
// takes. The first frame of a size has been executed then.
bool loop_draw(struct loop *loop, struct loop_frame draw, struct weir_frame *frame);

// Wait for the frame that was read. Write it to `picture` unless that is NULL, and hand it to the
// sample if that `reads` it.
bool loop_write(struct loop *loop, const char *picture, bool reads);

// Wait for all, end the recording and the sample, and destroy the device. Returns `ok`, or false if
// something of that failed or the validation layer has sent a message.
bool loop_close(struct loop *loop, bool ok);
