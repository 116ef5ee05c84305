// SPDX-License-Identifier: MIT
// The program's swapchains, whose images Weir reads.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include "capture/layer/device.h"

struct layer_stream;

// The present of an image waits for `done`, so both semaphores can be used again when the program
// has acquired the image again.
struct layer_swapchain_image {
    VkImage handle;
    VkSemaphore ready; // Weir waits for it, where it does not wait for the program's own
    VkSemaphore done;  // the present waits for it
};

struct layer_swapchain {
    struct layer_swapchain *next;
    VkSwapchainKHR handle;
    VkSwapchainCreateInfoKHR info; // as it was made; pointers are NULL
    struct layer_swapchain_image *images;
    uint32_t num_images;
    struct layer_stream *stream; // NULL: no frame was recorded yet, or none can be
    bool is_refused;             // none can be; this was reported
    VkQueue queue;               // of its last frame
    uint64_t last_encoded;       // number of that frame among the device's; 0: there was none
    uint64_t retired_after;      // the device's last frame when it was retired
};

// Find a swapchain of the device. NULL: it is not recorded. Under the device's mutex.
struct layer_swapchain *layer_swapchain_find(struct layer_device *device, VkSwapchainKHR handle);

// Forget all swapchains: the device has no work any more but Weir's. Under the device's mutex.
void layer_swapchains_finish(struct layer_device *device);

// The layer's form of the functions. Images get the usage that Weir needs, where the surface has
// it.
VkResult layer_create_swapchain(VkDevice handle, const VkSwapchainCreateInfoKHR *info,
                                const VkAllocationCallbacks *allocator, VkSwapchainKHR *out);
VkResult layer_create_shared_swapchains(VkDevice handle, uint32_t num,
                                        const VkSwapchainCreateInfoKHR *infos,
                                        const VkAllocationCallbacks *allocator,
                                        VkSwapchainKHR *out);
void layer_destroy_swapchain(VkDevice handle, VkSwapchainKHR swapchain,
                             const VkAllocationCallbacks *allocator);

// An image that will share the memory of a swapchain's has the usage of that one.
VkResult layer_create_image(VkDevice handle, const VkImageCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkImage *out);

// Each image is encoded before it is shown.
VkResult layer_queue_present(VkQueue queue, const VkPresentInfoKHR *info);
