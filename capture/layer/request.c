// SPDX-License-Identifier: MIT
// What the next layer makes a recorded device of.
#include "capture/layer/request.h"

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
        *reason = "not recorded: there is no memory";
        return false;
    }
    if (request->copy.unknown) {
        layer_chain_finish(&request->copy);
        *reason = "not recorded: it enables a feature that this version does not know, and turns "
                  "off one that is needed";
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
