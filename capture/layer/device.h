// SPDX-License-Identifier: MIT
// The program's devices: what the layer calls of the next layer below it, the queues that the
// program has, and who records.
#ifndef WEIR_CAPTURE_LAYER_DEVICE_H
#define WEIR_CAPTURE_LAYER_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include "capture/layer/instance.h"
#include "capture/layer/request.h"

#define LAYER_DEVICE_FUNCTIONS(X)                                                                  \
    X(AllocateCommandBuffers)                                                                      \
    X(CreateImage)                                                                                 \
    X(CreateSemaphore)                                                                             \
    X(CreateSwapchainKHR)                                                                          \
    X(DestroyDevice)                                                                               \
    X(DestroySemaphore)                                                                            \
    X(DestroySwapchainKHR)                                                                         \
    X(DeviceWaitIdle)                                                                              \
    X(GetDeviceQueue)                                                                              \
    X(GetDeviceQueue2)                                                                             \
    X(GetSwapchainImagesKHR)                                                                       \
    X(QueuePresentKHR)                                                                             \
    X(QueueSubmit)

struct layer_queue {
    VkQueue handle;
    uint32_t family, index;
    bool can_compute; // kernels may run on it
};

struct layer_host;
struct layer_sender;
struct layer_swapchain;

enum { LAYER_MAX_QUEUES = 64 };

struct layer_device {
    struct layer_node node;
    VkDevice handle;
    VkPhysicalDevice physical;
    struct layer_instance *instance;
    PFN_vkGetDeviceProcAddr get_proc; // of the next layer
    PFN_vkSetDeviceLoaderData set_loader_data;
#define LAYER_MEMBER(name) PFN_vk##name name;
    LAYER_DEVICE_FUNCTIONS(LAYER_MEMBER)
#undef LAYER_MEMBER
    // Who records what is presented. NULL: nobody, and no more than this struct is made.
    struct layer_sender *sender;
    // What was enabled, for Weir.
    VkPhysicalDeviceFeatures2 features;
    struct layer_chain feature_chain;
    char **extensions;
    uint32_t num_extensions;

    pthread_mutex_t mutex; // of all that follows, held while frames are taken
    struct layer_queue queues[LAYER_MAX_QUEUES];
    uint32_t num_queues;
    struct layer_host *hosts;
    struct layer_swapchain *swapchains;
    struct layer_swapchain
        *retired;         // those that are gone, whose semaphores may still be waited for
    uint64_t num_encoded; // frames, of all swapchains
};

// Get the device of a device, a queue or a command buffer. NULL: it is unknown. Thread-safe.
struct layer_device *layer_device_of(const void *handle);

// Get the queue that the program knows by that handle. NULL: it has never got it. Under the mutex.
const struct layer_queue *layer_device_find_queue(const struct layer_device *device, VkQueue queue);

// The program ends: wait for what was recorded, for at most half a second a device.
void layer_devices_drain(void);

// The layer's form of the functions.
VkResult layer_create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkDevice *out);
void layer_destroy_device(VkDevice handle, const VkAllocationCallbacks *allocator);
void layer_get_device_queue(VkDevice handle, uint32_t family, uint32_t index, VkQueue *queue);
void layer_get_device_queue_2(VkDevice handle, const VkDeviceQueueInfo2 *info, VkQueue *queue);

#endif
