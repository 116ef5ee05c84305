// SPDX-License-Identifier: MIT
// A window by GLFW, and its swapchain, to whose images a host copies what it draws.
#ifndef WEIR_SAMPLES_MINIMAL_WINDOW_H
#define WEIR_SAMPLES_MINIMAL_WINDOW_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

enum { WINDOW_MAX_IMAGES = 16 };
struct window {
    const struct host *host;
    struct GLFWwindow *glfw;
    VkSwapchainKHR swapchain;
    VkExtent2D size;
    uint32_t index; // of the image that is shown next
    VkImage images[WINDOW_MAX_IMAGES];
    VkSemaphore drawn[WINDOW_MAX_IMAGES]; // the image is drawn, and can be shown
    VkFence is_free;                      // and drawn again
};

// Open a window, and get the instance extensions that it needs. Ends the program where there is no
// display. Make its surface. Make its swapchain on the host's device.
const char **window_open(struct window *w, const struct host *h, uint32_t *num_extensions);
VkResult window_make_surface(void *window, VkInstance instance, VkSurfaceKHR *surface);
void window_start(struct window *w);
// Destroy the swapchain; nothing may be in use any more. Close the window, after the device is
// destroyed, which owns the surface.
void window_stop(struct window *w);
void window_close(struct window *w);
// Handle events until so long after the opening. False: Esc was pressed, or the window closed.
bool window_poll(struct window *w, double seconds);
// Get the image that is shown next, as images[index]. False: nothing can be shown now.
bool window_acquire(struct window *w);
// Show it, after the submission that draws it.
void window_present(struct window *w);

#endif
