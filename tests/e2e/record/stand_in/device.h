// SPDX-License-Identifier: MIT
// The program's devices, and what the layer calls of the next one below it.
#ifndef WEIR_TESTS_STAND_IN_DEVICE_H
#define WEIR_TESTS_STAND_IN_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <vulkan/vulkan_core.h>

#include "tests/e2e/record/stand_in/instance.h"

// Functions of the device that the layer calls. Those of later versions may be missing.
#define STAND_IN_DEVICE_FUNCTIONS(X)                                                               \
    X(AllocateMemory)                                                                              \
    X(BindImageMemory)                                                                             \
    X(BindImageMemory2)                                                                            \
    X(BindImageMemory2KHR)                                                                         \
    X(CreateFence)                                                                                 \
    X(CreateImage)                                                                                 \
    X(DestroyDevice)                                                                               \
    X(DestroyFence)                                                                                \
    X(DestroyImage)                                                                                \
    X(DeviceWaitIdle)                                                                              \
    X(FreeMemory)                                                                                  \
    X(GetDeviceQueue)                                                                              \
    X(GetImageMemoryRequirements)                                                                  \
    X(QueueBindSparse)                                                                             \
    X(QueueSubmit)                                                                                 \
    X(QueueSubmit2)                                                                                \
    X(QueueSubmit2KHR)                                                                             \
    X(QueueWaitIdle)                                                                               \
    X(ResetFences)                                                                                 \
    X(WaitForFences)

struct stand_in_device {
    struct stand_in_entry entry;
    VkDevice handle;
    VkPhysicalDevice physical;
    struct stand_in_instance *instance;
    PFN_vkGetDeviceProcAddr get_proc; // of the next layer
#define STAND_IN_MEMBER(name) PFN_vk##name name;
    STAND_IN_DEVICE_FUNCTIONS(STAND_IN_MEMBER)
#undef STAND_IN_MEMBER
    // The queue that signals that an image is acquired, one of the program's. NULL: the program
    // enabled no swapchains, or has no queue for them.
    VkQueue queue;
    pthread_mutex_t queue_mutex; // held in each use of it
};

// Get the device of a device or a queue. NULL: it is unknown. Thread-safe.
struct stand_in_device *stand_in_device_of(const void *handle);

// The layer's form of the functions.
VkResult stand_in_create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkDevice *out);
void stand_in_destroy_device(VkDevice handle, const VkAllocationCallbacks *allocator);

#endif
