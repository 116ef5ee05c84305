// SPDX-License-Identifier: MIT
// The host of the minimal samples: a device, images, a window, and a loop that draws. An engine has
// all of this itself. Where something fails, it says so and ends the program.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>
#include <weir/device.h>
#include <weir/gpu.h>
#include <weir/image.h>
#include <weir/swapchain.h>

// A window by GLFW, and its swapchain, to whose images a host copies what it draws.
struct window {
    const struct host *host;
    struct GLFWwindow *glfw;
    struct weir_swapchain swapchain;
};

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
// Make an image of one level, and wrap it for Weir.
weir_image *host_wrap_image(struct host *h, weir_context *weir, VkFormat format,
                            VkImageUsageFlags usage, const struct weir_image_params **image);
// Write texels of four bytes to a PNG file.
enum weir_result host_write_png(const char *path, uint32_t width, uint32_t height,
                                const void *texels);

// Draw the next frame to images[index], which is in GENERAL then. False after num_frames, or when
// the window is to be closed.
bool host_draw(struct host *h);
// Wait until all is drawn.
void host_wait(struct host *h);

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
// Acquire the image of the swapchain that is shown next. False: nothing can be shown now.
bool window_acquire(struct window *w);
// Show it, after the submission that draws it.
void window_present(struct window *w);

// Paint hills at dusk, whose left edge goes on at the right one: sRGB codes, four bytes a texel.
void paint_picture(uint8_t *texels, uint32_t width, uint32_t height);

// Record the picture of a frame, which has moved by SPEED texels since the one before, to level 0
// of an image that was not used or may be drawn again. Its levels are in TRANSFER_DST_OPTIMAL then.
enum { SPEED = 4 };
void record_picture(const struct host *h, VkCommandBuffer cmd,
                    const struct weir_image_params *image, uint32_t frame);

// Record the copy of an image in GENERAL to the one that the window shows next, scaled.
void record_show(const struct host *h, VkCommandBuffer cmd, const struct weir_image_params *image);

// Record the barrier of all levels of an image between uses in two layouts: TRANSFER_DST and _SRC
// are for copies, SHADER_READ_ONLY and GENERAL for compute kernels, UNDEFINED is before the first.
void record_barrier(const struct host *h, VkCommandBuffer cmd,
                    const struct weir_image_params *image, VkImageLayout before,
                    VkImageLayout after);

// Record the copy of a level of an image to host memory. The image is in a layout of the above, and
// then in TRANSFER_SRC_OPTIMAL unless it was in GENERAL.
void record_read(const struct host *h, VkCommandBuffer cmd, const struct weir_image_params *image,
                 VkImageLayout layout, uint32_t level, VkBuffer to, VkDeviceSize offset);
