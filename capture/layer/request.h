// SPDX-License-Identifier: MIT
// What the next layer makes a recorded device of: the program's own wish, with what Weir needs. The
// chain of structs that the program passes is never changed, but copied.
#ifndef WEIR_CAPTURE_LAYER_REQUEST_H
#define WEIR_CAPTURE_LAYER_REQUEST_H

#include <stdbool.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

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

#endif
