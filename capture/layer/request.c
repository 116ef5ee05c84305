// SPDX-License-Identifier: MIT
// What the next layer makes a recorded device of: copies of what the program asks for.
#define VK_ENABLE_BETA_EXTENSIONS // types of a few structs that vulkan_core.h has in any case
#include "capture/layer/device.h"

#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

// The structs that may extend VkDeviceCreateInfo, by the registry of the Vulkan headers.
static const struct {
    VkStructureType type;
    size_t size; // [bytes]
} sizes[] = {
#include "capture/layer/chain_sizes.inc"
};

// Get the size of a struct that may extend VkDeviceCreateInfo, or 0.
static size_t size_of(VkStructureType type)
{
    if (type == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO) {
        return sizeof(VkLayerDeviceCreateInfo);
    }
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (sizes[i].type == type) {
            return sizes[i].size;
        }
    }
    return 0;
}

bool layer_chain_copy(const void *chain, struct layer_chain *copy)
{
    VkBaseOutStructure **end = &copy->first;
    *copy = (struct layer_chain){.first = NULL};
    for (const VkBaseInStructure *at = chain; at; at = at->pNext) {
        const size_t size = size_of(at->sType);
        if (size == 0) {
            copy->unknown = copy->unknown ? copy->unknown : at->sType;
            continue;
        }
        *end = malloc(size);
        if (!*end) {
            layer_chain_finish(copy);
            return false;
        }
        memcpy(*end, at, size);
        (*end)->pNext = NULL;
        end = &(*end)->pNext;
    }
    return true;
}

void layer_chain_finish(struct layer_chain *chain)
{
    while (chain->first) {
        VkBaseOutStructure *next = chain->first->pNext;
        free(chain->first);
        chain->first = next;
    }
}

void *layer_chain_find(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *at = chain;
    while (at && at->sType != type) {
        at = at->pNext;
    }
    return (void *)at;
}

void *layer_chain_find_loader(const void *chain, VkStructureType type, VkLayerFunction function)
{
    // Both structs begin alike.
    const VkLayerDeviceCreateInfo *found = layer_chain_find(chain, type);
    while (found && found->function != function) {
        found = layer_chain_find(found->pNext, type);
    }
    return (void *)found;
}

// Find the switch of timeline semaphores in a chain. NULL: it has none.
static VkBool32 *timeline_switch(const void *chain)
{
    VkPhysicalDeviceVulkan12Features *all = layer_chain_find(
        chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDeviceTimelineSemaphoreFeatures *one = layer_chain_find(
        chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES);
    return all ? &all->timelineSemaphore : one ? &one->timelineSemaphore : NULL;
}

// Find the switch of stores by which kernels write every format. NULL: the chain has none.
static VkBool32 *store_switch(const void *chain)
{
    VkPhysicalDeviceFeatures2 *features = layer_chain_find(
        chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    return features ? &features->features.shaderStorageImageWriteWithoutFormat : NULL;
}

static bool is_off(const VkBool32 *feature)
{
    return feature && !*feature;
}

// Turn on what the program's chain turns off, in a copy.
static bool copy_chain(struct layer_request *request, const void *chain, bool shrinks,
                       const char **reason)
{
    if (!layer_chain_copy(chain, &request->copy)) {
        *reason = "not recorded: no memory is left";
        return false;
    }
    if (request->copy.unknown) {
        layer_chain_finish(&request->copy);
        *reason = "not recorded: it turns off a feature that is needed, by a structure that this "
                  "version does not know";
        return false;
    }
    request->info.pNext = request->copy.first;
    if (timeline_switch(request->copy.first)) {
        *timeline_switch(request->copy.first) = VK_TRUE;
    }
    if (shrinks && store_switch(request->copy.first)) {
        *store_switch(request->copy.first) = VK_TRUE;
    }
    return true;
}

bool layer_request_init(struct layer_request *request, const VkDeviceCreateInfo *info, bool shrinks,
                        const char **reason)
{
    const void *chain = info->pNext;
    *request = (struct layer_request){.info = *info};
    const bool must_change = is_off(timeline_switch(chain)) ||
                             (shrinks && is_off(store_switch(chain)));
    if (must_change && !copy_chain(request, chain, shrinks, reason)) {
        return false;
    }
    if (!timeline_switch(chain)) {
        request->timeline = (VkPhysicalDeviceTimelineSemaphoreFeatures){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
            .pNext = (void *)request->info.pNext,
            .timelineSemaphore = VK_TRUE};
        request->info.pNext = &request->timeline;
    }
    if (shrinks && !store_switch(chain)) {
        if (info->pEnabledFeatures) {
            request->enabled = *info->pEnabledFeatures;
        }
        request->enabled.shaderStorageImageWriteWithoutFormat = VK_TRUE;
        request->info.pEnabledFeatures = &request->enabled;
    }
    return true;
}

void layer_request_finish(struct layer_request *request)
{
    layer_chain_finish(&request->copy);
}
