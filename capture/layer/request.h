// SPDX-License-Identifier: MIT
// What the next layer makes a recorded device of: the program's own wish, with what Weir needs.
#ifndef WEIR_CAPTURE_LAYER_REQUEST_H
#define WEIR_CAPTURE_LAYER_REQUEST_H

#include <stdbool.h>
#include <vulkan/vulkan_core.h>

#include "capture/layer/chain.h"

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
