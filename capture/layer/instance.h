// SPDX-License-Identifier: MIT
// The program's instances, and what the layer calls of the next one below it.
#ifndef WEIR_CAPTURE_LAYER_INSTANCE_H
#define WEIR_CAPTURE_LAYER_INSTANCE_H

#include <pthread.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

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

#endif
