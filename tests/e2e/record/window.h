// SPDX-License-Identifier: MIT
// A window of e2e_present with its surface and its swapchain.
#pragma once

#include "gpu.h"

enum { MAX_IMAGES = 8 };

struct display; // the connection to the X server

struct window {
    struct display *display; // NULL: headless
    uint32_t id;             // of the X server
    VkSurfaceKHR surface;
    VkSwapchainKHR swapchain;
    VkExtent2D extent;
    uint32_t num_images;
    bool has_own_images; // those below, which share the memory of the swapchain's
    VkImage images[MAX_IMAGES];
    VkImageView views[MAX_IMAGES]; // made when an image is first acquired
    VkFramebuffer framebuffers[MAX_IMAGES];
    uint32_t image; // that was acquired last
};

// Connect to the X server. Ends the program with 77 where there is none.
struct display *display_open(void);
void display_close(struct display *display);

// Show a window, and make its surface.
void window_open(struct window *window, struct display *display, const struct gpu *gpu,
                 uint32_t width, uint32_t height);

// Give the window another size, as a user who drags its corner.
void window_resize(struct window *window, const struct gpu *gpu, uint32_t width, uint32_t height);

// Make the swapchain in the size of the window, in place of the one it has. The device is idle.
void window_make_swapchain(struct window *window, const struct gpu *gpu,
                           const struct options *options);

// Make what drawing to the image needs that was acquired last, if that is not there.
void window_prepare_image(struct window *window, const struct gpu *gpu,
                          const struct options *options, VkRenderPass pass);

// The device is idle.
void window_close(struct window *window, const struct gpu *gpu);
