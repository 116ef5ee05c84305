// SPDX-License-Identifier: MIT
// Command buffers, and the timelines that say when they have run.
#ifndef WEIR_VK_COMMANDS_H
#define WEIR_VK_COMMANDS_H

#include "vk/context.h"

// Make a pool, or a timeline at 0. After a failure `*out` is a null handle.
enum weir_result weir_vk_command_pool_init(weir_context *context, uint32_t family,
                                           VkCommandPoolCreateFlags flags, VkCommandPool *out);
enum weir_result weir_vk_timeline_init(weir_context *context, VkSemaphore *out);

enum weir_result weir_vk_commands_allocate(weir_context *context, VkCommandPool pool, uint32_t num,
                                           VkCommandBuffer *out);
enum weir_result weir_vk_commands_begin(weir_context *context, VkCommandBuffer cmd,
                                        VkCommandBufferUsageFlags flags);
enum weir_result weir_vk_commands_end(weir_context *context, VkCommandBuffer cmd);

// Sleep until a timeline reaches a value. WEIR_NOT_READY: not within the timeout.
enum weir_result weir_vk_timeline_wait(weir_context *context, VkSemaphore timeline, uint64_t value,
                                       uint64_t timeout_ns);

#endif
