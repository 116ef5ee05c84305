// SPDX-License-Identifier: MIT
// The window's images, and one frame of it: acquire, render, hand to Weir, present.
#pragma once

#include <weir/swapchain.h>

#include "loop.h"

#define PRESENTER_NUM_SLOTS 2

// The images are rendered, read by Weir in place, and presented.
struct presenter {
    struct loop *loop;
    struct weir_swapchain swapchain; // stale: presenter_resize() is due
    struct gpu_image images[WEIR_SWAPCHAIN_MAX_IMAGES];
    uint64_t num_frames; // rendered, recorded or not
};

// Start the sample and present what it draws. What is made for it the device owns.
bool presenter_init(struct loop *loop, struct presenter *presenter);

// Fit the images to the surface; `width` and `height` are the window's.
bool presenter_resize(struct presenter *presenter, uint32_t width, uint32_t height);

// End the recording.
bool presenter_stop(struct presenter *presenter);

// Draw the frame of `seconds` (while recording: at the recording's own time), record it if a
// recording is on, and present it. Nothing is rendered while the swapchain is stale. With `picture`
// the frame is also written to that file. False: the reason was printed.
bool presenter_frame(struct presenter *presenter, double seconds, const char *picture);
