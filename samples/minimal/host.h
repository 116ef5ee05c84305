// SPDX-License-Identifier: MIT
// The host of the minimal samples, a Vulkan program that knows nothing of Weir: a device, a queue,
// images, and a loop that draws. Where Vulkan fails, it says so and ends the program.
#ifndef WEIR_SAMPLES_MINIMAL_HOST_H
#define WEIR_SAMPLES_MINIMAL_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#include "window.h"

enum { HOST_NUM_IMAGES = 3, HOST_RATE = 60, HOST_MAX_OBJECTS = 8 }; // RATE: frames a second

struct host {
    const char *output; // of the command line, with the next six
    uint32_t num_frames, width, height;
    uint32_t device_index; // in the order of vkEnumeratePhysicalDevices()
    bool headless;
    bool validation; // it prints to standard output

    VkInstance instance;
    VkPhysicalDevice gpu;
    VkPhysicalDeviceFeatures2 features; // the chain of those that are enabled
    VkPhysicalDeviceVulkan12Features vulkan12;
    VkDevice device;
    uint32_t family;
    VkQueue queue;
    VkBuffer picture; // four bytes a texel
    VkCommandPool pool;
    struct window window; // empty when headless

    // The loop: images, which the program makes, their command buffers, and semaphores.
    VkImage images[HOST_NUM_IMAGES];
    VkCommandBuffer commands[HOST_NUM_IMAGES];
    VkFence done[HOST_NUM_IMAGES]; // the commands have run
    // Binary: the image is drawn, and it may be drawn again.
    VkSemaphore drawn[HOST_NUM_IMAGES], is_free[HOST_NUM_IMAGES];
    uint32_t num_drawn, index; // of frames; of the image drawn last
    int64_t time_ns;           // of its frame

    VkImage made_images[HOST_MAX_OBJECTS]; // host_close() destroys what was made
    VkBuffer made_buffers[HOST_MAX_OBJECTS];
    VkDeviceMemory memory[2 * HOST_MAX_OBJECTS];
    uint32_t num_made_images, num_made_buffers, num_memory;
};

// End the program if a call of Vulkan failed.
void host_check(VkResult result, const char *what);

// Read the command line and make the device. `output` is the name without one on the command line.
// For a loop, open a window that shows its images too, unless --headless is given.
void host_open(struct host *h, int argc, char **argv, const char *output);
void host_open_loop(struct host *h, int argc, char **argv, const char *output);
// Destroy everything. Nothing may be in use any more.
void host_close(struct host *h);

// Make an image of width x height texels. Make a buffer: in host memory, to which `*data` points
// then, or for NULL in device memory.
VkImage host_make_image(struct host *h, VkFormat format, uint32_t levels, VkImageUsageFlags usage,
                        VkImageCreateFlags flags);
VkBuffer host_make_buffer(struct host *h, VkDeviceSize size, VkBufferUsageFlags usage, void **data);

// Begin the command buffer of images[index]; submit it; wait for all that were submitted.
VkCommandBuffer host_begin(struct host *h);
void host_submit(struct host *h);
void host_wait(struct host *h);

// Draw the next frame to images[index], which is in GENERAL then. False after num_frames, or when
// the window is to be closed.
bool host_draw(struct host *h);

#endif
