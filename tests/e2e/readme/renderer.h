// SPDX-License-Identifier: MIT
// A render loop that knows nothing of Weir's capture: the host of the README's program.
#ifndef WEIR_TESTS_E2E_README_RENDERER_H
#define WEIR_TESTS_E2E_README_RENDERER_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/device.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NUM_IMAGES = 3, NUM_FRAMES = 20, RESIZED_FRAME = 12 };

struct renderer {
    weir_device *device;
    struct weir_context_params vulkan; // with the graphics queue only
    uint32_t width, height;            // of the images; 0 before the first
    VkFormat format;
    VkImageLayout layout; // of an image that was drawn
    VkImage images[NUM_IMAGES];
    VkDeviceMemory memory[NUM_IMAGES];
    VkSemaphore rendered[NUM_IMAGES], presentable[NUM_IMAGES]; // binary
    VkFence presented[NUM_IMAGES];
    VkCommandPool pool;
    VkCommandBuffer commands[NUM_IMAGES];
    uint32_t num_drawn;
    uint32_t index; // of the image drawn last
    int64_t time_ns;
};

// Ends the program with status 77 where there is no Vulkan device.
void renderer_init(struct renderer *r);

// Make images of the window's size, which changes before RESIZED_FRAME. Nobody may use those that
// were there before. False after NUM_FRAMES.
bool renderer_begin(struct renderer *r);

// Draw the next frame: one grey, a code value of 12 times its number. False after NUM_FRAMES, and
// when the window has another size than the images.
bool renderer_draw(struct renderer *r);

// Stands in for vkQueuePresentKHR: waits for the image's `presentable` on the queue.
void renderer_present(struct renderer *r);

void renderer_finish(struct renderer *r);

// The README's program.
enum weir_result record(struct renderer *r, const char *path);

#ifdef __cplusplus
}
#endif

#endif
