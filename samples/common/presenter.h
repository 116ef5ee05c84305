// SPDX-License-Identifier: MIT
// One frame of the window: acquire, render, hand to Weir, present.
#ifndef SAMPLE_PRESENTER_H
#define SAMPLE_PRESENTER_H

#include "loop.h"
#include "swapchain.h"

#define PRESENTER_NUM_SLOTS 2

struct presenter {
    struct loop *loop;
    VkSemaphore available[PRESENTER_NUM_SLOTS];  // the slot's image has been presented
    struct weir_point done[PRESENTER_NUM_SLOTS]; // all of the slot's work has been executed
    struct swapchain swapchain;
    uint64_t num_frames; // rendered, recorded or not
    bool stale;          // the surface has changed: presenter_resize() is due
};

// Start the sample and present what it draws. What is made for it the device owns.
bool presenter_init(struct loop *loop, struct presenter *presenter);

// Fit the images to the surface; `width` and `height` are the window's.
bool presenter_resize(struct presenter *presenter, uint32_t width, uint32_t height);

// End the recording.
bool presenter_stop(struct presenter *presenter);

// Draw the frame of `seconds` (while recording: at the recording's own time), record it if a
// recording is on, and present it. Nothing is rendered while `stale`. With `picture` the frame is
// also written to that file. False: the reason was printed.
bool presenter_frame(struct presenter *presenter, double seconds, const char *picture);

#endif
