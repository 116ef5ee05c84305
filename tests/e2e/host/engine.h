// SPDX-License-Identifier: MIT
// An engine that knows nothing of Weir: the host of the programs that the documents show.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NUM_IMAGES = 3, NUM_FRAMES = 20, RESIZE_AFTER = 12 };

struct engine {
    VkInstance instance;
    VkPhysicalDevice gpu;
    VkDebugUtilsMessengerEXT messenger;
    uint32_t num_messages; // of the validation layer
    uint32_t family;
    VkPhysicalDeviceVulkan12Features vulkan12;
    VkPhysicalDeviceFeatures2 features; // of the device
    VkDevice device;
    VkQueue queue;
    pthread_mutex_t queue_mutex;

    uint32_t width, height;
    VkFormat format;
    VkImageUsageFlags usage;
    VkImageLayout layout; // of an image that was drawn
    VkImage images[NUM_IMAGES];
    VkDeviceMemory memory[NUM_IMAGES];
    VkSemaphore rendered[NUM_IMAGES], presentable[NUM_IMAGES]; // binary
    VkFence presented[NUM_IMAGES];
    VkCommandPool pool;
    VkCommandBuffer commands[NUM_IMAGES];
    uint32_t num_drawn;
    uint32_t index;  // of the image drawn last
    int64_t time_ns; // of that image; after the last one, of the end
};

// Draw the next frame: one grey, a code value of 12 times its number. False after NUM_FRAMES.
bool engine_draw(struct engine *e);
// Stands in for vkQueuePresentKHR: waits for the image's `presentable` on the queue.
void engine_present(struct engine *e);
// Wait for everything that the engine has submitted.
void engine_wait(struct engine *e);
// True after RESIZE_AFTER frames, until the images have the window's new size.
bool engine_wants_resize(const struct engine *e);
// Make the images anew, with the window's size.
void engine_resize(struct engine *e);

// Around each use of the queue.
void engine_lock(struct engine *e, uint32_t family, uint32_t index);
void engine_unlock(struct engine *e, uint32_t family, uint32_t index);

// The document's. Those of features.c are the least that Weir requires.
void enable_features(struct engine *e);
bool run(struct engine *e);

#ifdef __cplusplus
}
#endif
