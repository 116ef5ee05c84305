// SPDX-License-Identifier: MIT
// Names of Vulkan objects and labels of recorded work, where VK_EXT_debug_utils is enabled.
#ifndef WEIR_VK_DEBUG_H
#define WEIR_VK_DEBUG_H

#include "vk/context.h"

// Name an object "weir <what> (<tag>)". `handle` is the handle's 64 bits; `tag` may be NULL.
void weir_vk_name(const weir_context *context, VkObjectType type, uint64_t handle, const char *what,
                  const char *tag);

void weir_vk_label_begin(const weir_context *context, VkCommandBuffer cmd, const char *label);
void weir_vk_label_end(const weir_context *context, VkCommandBuffer cmd);

#endif
