// SPDX-License-Identifier: MIT
// Presents: each swapchain image is encoded before it is shown.
#ifndef WEIR_CAPTURE_LAYER_PRESENT_H
#define WEIR_CAPTURE_LAYER_PRESENT_H

#include <vulkan/vulkan_core.h>

// The layer's form of the function.
VkResult layer_queue_present(VkQueue queue, const VkPresentInfoKHR *info);

#endif
