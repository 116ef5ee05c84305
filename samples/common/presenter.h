// SPDX-License-Identifier: MIT
// One frame of the window: acquire, render, hand to Weir, present.
#ifndef SAMPLE_PRESENTER_H
#define SAMPLE_PRESENTER_H

#include "gpu.h"
#include "readout.h"
#include "recorder.h"
#include "sample.h"
#include "swapchain.h"
#include "timing.h"

#define PRESENTER_NUM_SLOTS 2

struct presenter {
    const struct gpu *gpu;
    const struct sample *sample;
    struct recorder *recorder;
    VkSemaphore available[PRESENTER_NUM_SLOTS];  // the slot's image has been presented
    struct weir_point done[PRESENTER_NUM_SLOTS]; // all of the slot's work has been executed
    struct swapchain swapchain;
    uint64_t num_frames;      // rendered, recorded or not
    bool stale;               // the surface has changed: presenter_resize() is due
    bool fresh;               // no frame of this size has been rendered yet
    struct progress progress; // of the first frame of this size
};

bool presenter_init(const struct gpu *gpu, const struct sample *sample, struct recorder *recorder,
                    struct presenter *presenter);
void presenter_finish(struct presenter *presenter);

// Fit the images to the surface; `width` and `height` are the window's.
bool presenter_resize(struct presenter *presenter, uint32_t width, uint32_t height);

// Begin and end a recording of the window at its size.
bool presenter_record(struct presenter *presenter);
bool presenter_stop(struct presenter *presenter);

// Draw the frame of `seconds` (while recording: at the recording's own time), record it if a
// recording is on, and present it. Nothing is rendered while `stale`. With `picture` the frame is
// also written to that file. False: the reason was printed.
bool presenter_frame(struct presenter *presenter, double seconds, const char *picture);

#endif
