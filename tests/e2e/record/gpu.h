// SPDX-License-Identifier: MIT
// The instance and the device of e2e_present, by Vulkan 1.0.
#ifndef WEIR_TESTS_E2E_RECORD_GPU_H
#define WEIR_TESTS_E2E_RECORD_GPU_H

#include "options.h"

struct gpu {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    unsigned num_messages; // of the validation layer
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t families[2]; // that draws, that presents
    VkQueue queue, present_queue;
};

// End the program: with 1 and what went wrong unless `result` is VK_SUCCESS.
void gpu_check(VkResult result, const char *what);
// With 77 and a reason.
_Noreturn void gpu_skip(const char *reason);

// In this order: windows are made between the two.
void gpu_make_instance(struct gpu *gpu, const struct options *options);
void gpu_make_device(struct gpu *gpu, const struct options *options, VkSurfaceKHR surface);
void gpu_finish(struct gpu *gpu);

#endif
