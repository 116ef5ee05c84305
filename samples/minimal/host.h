// SPDX-License-Identifier: MIT
// The host of the minimal samples: a device, images, and a loop that draws, by libweir-device. An
// engine has all of this itself. Where something fails, it says so and ends the program.
#ifndef WEIR_SAMPLES_MINIMAL_HOST_H
#define WEIR_SAMPLES_MINIMAL_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>
#include <weir/device.h>
#include <weir/gpu.h>

#include "window.h"

enum { HOST_NUM_IMAGES = 3, HOST_RATE = 60, HOST_MAX_OBJECTS = 8 }; // RATE: frames a second

struct host {
    const char *output; // of the command line, with the next six
    uint32_t num_frames, width, height;
    uint32_t device_index; // in the order of weir_device_list()
    bool headless;
    bool validation; // its messages are printed

    weir_device *made;
    const struct weir_context_params *device; // what a context imports: the device, its queues
    struct weir_queue queue;
    weir_gpu *gpu;                  // of that queue
    struct weir_gpu_buffer picture; // four bytes a texel
    struct window window;           // empty when headless

    // The loop: images, and semaphores.
    const struct weir_image_params *images[HOST_NUM_IMAGES];
    struct weir_point done[HOST_NUM_IMAGES]; // the commands have run
    // Binary: the image is drawn, and it may be drawn again.
    VkSemaphore drawn[HOST_NUM_IMAGES], is_free[HOST_NUM_IMAGES];
    uint32_t num_drawn, index; // of frames; of the image drawn last
    int64_t time_ns;           // of its frame

    struct weir_gpu_image made_images[HOST_MAX_OBJECTS]; // host_close() destroys what was made
    struct weir_gpu_buffer made_buffers[HOST_MAX_OBJECTS];
    uint32_t num_made_images, num_made_buffers;
};

// End the program if a condition does not hold: `what` has failed.
void host_check(bool condition, const char *what);

// Read the command line and make the device, with these features, which may be NULL. `output` is
// the name without one on the command line. For a loop, open a window that shows its images too,
// unless --headless is given.
void host_open(struct host *h, int argc, char **argv, const char *output,
               const VkPhysicalDeviceFeatures *features);
void host_open_loop(struct host *h, int argc, char **argv, const char *output);
// Destroy everything. Nothing may be in use any more.
void host_close(struct host *h);

// Make an image of width x height texels, and get what weir_image_create() takes. Make a buffer: in
// host memory, to which `*data` points then, or for NULL in device memory.
const struct weir_image_params *host_make_image(struct host *h, VkFormat format, uint32_t levels,
                                                VkImageUsageFlags usage, VkImageCreateFlags flags);
VkBuffer host_make_buffer(struct host *h, VkDeviceSize size, VkBufferUsageFlags usage, void **data);

// Draw the next frame to images[index], which is in GENERAL then. False after num_frames, or when
// the window is to be closed.
bool host_draw(struct host *h);
// Wait until all is drawn.
void host_wait(struct host *h);

#endif
