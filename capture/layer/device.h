// SPDX-License-Identifier: MIT
// The program's devices: what the layer calls of the next layer below it, the queues that the
// program has, and who records.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

// The program's instances, and what the layer calls of the next one below it.

// Functions of the instance that the layer and Weir call. They are loaded while the instance is
// made: what the loader answers later are those of the whole chain of layers, with this one in it.
// The surface's may be missing.
#define LAYER_INSTANCE_FUNCTIONS(X)                                                                \
    X(DestroyInstance)                                                                             \
    X(GetPhysicalDeviceFeatures2)                                                                  \
    X(GetPhysicalDeviceFormatProperties)                                                           \
    X(GetPhysicalDeviceImageFormatProperties)                                                      \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceProperties)                                                                 \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    X(GetPhysicalDeviceSurfaceCapabilitiesKHR)

// The instances of the program, or its devices: they begin with a node. Thread-safe. Handles of
// one instance, or of one device, begin with the same pointer: the loader's table.
struct layer_node {
    struct layer_node *next;
    const void *handle;
};
struct layer_registry {
    pthread_mutex_t mutex;
    struct layer_node *first;
};
void layer_registry_add(struct layer_registry *registry, struct layer_node *node,
                        const void *handle);
void layer_registry_remove(struct layer_registry *registry, const struct layer_node *node);
// Get the node of an object, by its handle or that of what belongs to it. NULL: it is unknown.
void *layer_registry_find(struct layer_registry *registry, const void *handle);

// Immutable once it was made.
struct layer_instance {
    struct layer_node node;
    VkInstance handle;
    PFN_vkGetInstanceProcAddr get_proc; // of the next layer
    uint32_t api_version;               // as given to the next layer
#define LAYER_MEMBER(name) PFN_vk##name name;
    LAYER_INSTANCE_FUNCTIONS(LAYER_MEMBER)
#undef LAYER_MEMBER
};

// Get the instance of an instance or a physical device. NULL: it is unknown. Thread-safe.
struct layer_instance *layer_instance_of(const void *handle);

// The layer's form of the functions. An instance that was made for Vulkan 1.0 or 1.1 is made for
// 1.2, where the loader and the driver have it.
VkResult layer_create_instance(const VkInstanceCreateInfo *info,
                               const VkAllocationCallbacks *allocator, VkInstance *out);
void layer_destroy_instance(VkInstance handle, const VkAllocationCallbacks *allocator);

// What the next layer makes a recorded device of: the program's own wish, with what Weir needs. The
// chain of structs that the program passes is never changed, but copied.

// A copied chain. `unknown` is the type of the first struct that is not known, and so was left out,
// or 0.
struct layer_chain {
    VkBaseOutStructure *first;
    VkStructureType unknown;
};

// Copy a chain, but for structs whose size is not known, which are left out. False: no memory.
bool layer_chain_copy(const void *chain, struct layer_chain *copy);
void layer_chain_finish(struct layer_chain *chain);

// Find a struct in a chain. NULL: it has none of that type.
void *layer_chain_find(const void *chain, VkStructureType type);

// Find what the loader passes to each layer for a function: a struct of that type, which is
// VkLayerInstanceCreateInfo or VkLayerDeviceCreateInfo. NULL: there is none.
void *layer_chain_find_loader(const void *chain, VkStructureType type, VkLayerFunction function);

struct layer_request {
    VkDeviceCreateInfo info; // points to the struct itself: do not copy it
    struct layer_chain copy; // of the program's chain, where a struct in it had to be changed
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline;
    VkPhysicalDeviceFeatures enabled;
};

// Make it: timeline semaphores are enabled, and with `shrinks` what pyramids need. False: it cannot
// be made; `*reason` says why.
bool layer_request_init(struct layer_request *request, const VkDeviceCreateInfo *info, bool shrinks,
                        const char **reason);
void layer_request_finish(struct layer_request *request);

#define LAYER_DEVICE_FUNCTIONS(X)                                                                  \
    X(AllocateCommandBuffers)                                                                      \
    X(CreateImage)                                                                                 \
    X(CreateSemaphore)                                                                             \
    X(CreateSharedSwapchainsKHR)                                                                   \
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

// A window whose frames were recorded.
struct layer_window {
    VkSurfaceKHR surface;
    VkExtent2D size; // of its first frame
};

struct layer_host;
struct layer_sender;
struct layer_swapchain;

enum { LAYER_MAX_QUEUES = 64, LAYER_MAX_WINDOWS = 256 };

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
    struct layer_window windows[LAYER_MAX_WINDOWS]; // the last ones
    uint32_t num_windows;                           // that there were
    struct layer_swapchain *swapchains;
    struct layer_swapchain
        *retired;         // those that are gone, whose semaphores may still be waited for
    uint64_t num_encoded; // frames, of all swapchains
};

// Get the device of a device, a queue or a command buffer. NULL: it is unknown. Thread-safe.
struct layer_device *layer_device_of(const void *handle);

// Get the queue that the program knows by that handle. NULL: it has never got it. Under the mutex.
const struct layer_queue *layer_device_find_queue(const struct layer_device *device, VkQueue queue);

// The program ends: wait for what was recorded, for at most half a second.
void layer_devices_drain(void);

// The layer's form of the functions.
VkResult layer_create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkDevice *out);
void layer_destroy_device(VkDevice handle, const VkAllocationCallbacks *allocator);
void layer_get_device_queue(VkDevice handle, uint32_t family, uint32_t index, VkQueue *queue);
void layer_get_device_queue_2(VkDevice handle, const VkDeviceQueueInfo2 *info, VkQueue *queue);
