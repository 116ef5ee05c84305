// SPDX-License-Identifier: MIT
// The window's images, and one frame of it: acquire, render, hand to Weir, present.
#pragma once

#include "loop.h"

// They are rendered, read by Weir in place, and presented.
#define SWAPCHAIN_MAX_IMAGES 16

struct swapchain {
    struct gpu *gpu;
    VkSurfaceKHR surface;
    VkSurfaceFormatKHR format;
    VkSwapchainCreateFlagsKHR flags;
    VkImageUsageFlags usage;

    VkSwapchainKHR swapchain;
    uint32_t width, height;
    struct gpu_image images[SWAPCHAIN_MAX_IMAGES];
    // One an image: a present may still wait for it when the next image is already presented.
    VkSemaphore presentable[SWAPCHAIN_MAX_IMAGES];
};

#define PRESENTER_NUM_SLOTS 2

struct presenter {
    struct loop *loop;
    VkSemaphore available[PRESENTER_NUM_SLOTS]; // the slot's image has been presented
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
