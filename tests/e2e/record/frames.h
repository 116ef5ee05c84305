// SPDX-License-Identifier: MIT
// The frames of e2e_present: what it draws, submits and presents.
#pragma once

#include "extensions.h"
#include "present_times.h"
#include "window.h"

enum { FRAMES_IN_FLIGHT = 2 };

struct frames {
    const struct gpu *gpu;
    const struct options *options;
    struct window *windows;
    VkRenderPass pass;
    VkCommandPool pool;
    VkCommandBuffer commands[FRAMES_IN_FLIGHT];
    VkFence fences[FRAMES_IN_FLIGHT];
    VkSemaphore acquired[FRAMES_IN_FLIGHT][MAX_WINDOWS];
    // A set for each image of the first window: it is free again when that image is.
    VkSemaphore drawn[MAX_IMAGES][MAX_WAITS];
    uint64_t num_begun;
    struct extensions *extensions; // NULL: none are used
    struct present_times times;    // with --times
};

// Borrows all of its arguments, and makes the windows' swapchains.
void frames_init(struct frames *frames, const struct gpu *gpu, const struct options *options,
                 struct window *windows);
// Waits for the device.
void frames_finish(struct frames *frames);

// Make the swapchains anew, after the windows changed.
void frames_remake(struct frames *frames);

// Draw and present a frame in all windows. False: the windows have changed, and nothing was
// presented; remake the swapchains.
bool frames_present(struct frames *frames, uint32_t number);
