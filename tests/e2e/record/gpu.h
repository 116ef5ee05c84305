// SPDX-License-Identifier: MIT
// The instance and the device of e2e_present, by Vulkan 1.0.
#pragma once

#include "options.h"

struct gpu {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    unsigned num_messages; // of the validation layer
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t families[2]; // that draws, that presents
    VkQueue queue, present_queue;
    uint32_t num_queues; // for threads, 1 or 2
    uint32_t number;     // of the thread
};

// End the program: with 1 and what went wrong unless `result` is VK_SUCCESS.
void gpu_check(VkResult result, const char *what);
// With 77 and a reason.
_Noreturn void gpu_skip(const char *reason);

// In this order: windows are made between the two.
void gpu_make_instance(struct gpu *gpu, const struct options *options);
void gpu_make_device(struct gpu *gpu, const struct options *options, VkSurfaceKHR surface);
void gpu_finish(struct gpu *gpu);

// Get the same device for another thread, on the next of its queues.
struct gpu gpu_share(const struct gpu *gpu, uint32_t number);

// A queue is used by one thread at a time, and the device waited for by one alone.
void gpu_lock(const struct gpu *gpu);
void gpu_unlock(const struct gpu *gpu);
void gpu_wait_idle(const struct gpu *gpu);
