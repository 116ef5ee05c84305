// SPDX-License-Identifier: MIT
// A queue of a device, by the code that libweir has for its own.
#pragma once

#include <weir/gpu.h>

#include "device/instance.h"
#include "vk/context.h"

// A command buffer, and the value of the timeline at which it has been executed.
struct weir_gpu_commands {
    VkCommandBuffer cmd;
    uint64_t done; // UINT64_MAX: it was not submitted
    struct weir_gpu_commands *next;
};

struct weir_gpu {
    struct weir_context context; // of which only what weir_vk_import() sets is there
    struct weir_queue queue;
    VkCommandPool pool;
    VkSemaphore timeline;
    uint64_t submitted;     // the timeline's value when the last submission has been executed
    atomic_ullong executed; // a value that a wait has seen
    PFN_vkGetInstanceProcAddr get_proc; // for WEIR_INSTANCE_PROC()
    VkInstance instance;
    bool has_mutable_swapchains; // VK_KHR_swapchain_mutable_format is enabled
    struct weir_gpu_commands *commands;
};

// Get the log of `gpu`, or NULL for NULL.
static inline const struct weir_log *weir_gpu_log(const weir_gpu *gpu)
{
    return gpu ? &gpu->context.log : NULL;
}

// Return true if the device makes such images, of a size within `*limits`.
bool weir_gpu_makes_images(const weir_gpu *gpu, const struct weir_image_params *image,
                           VkImageFormatProperties *limits);
