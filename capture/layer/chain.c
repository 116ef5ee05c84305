// SPDX-License-Identifier: MIT
// Copies of what a program passes to vkCreateDevice.
#include "capture/layer/chain.h"

#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

// Get the size of a struct that may extend VkDeviceCreateInfo, or 0.
static size_t size_of(VkStructureType type)
{
    if (type == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO) {
        return sizeof(VkLayerDeviceCreateInfo);
    }
    for (size_t i = 0; i < layer_num_chain_sizes; i++) {
        if (layer_chain_sizes[i].type == type) {
            return layer_chain_sizes[i].size;
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
