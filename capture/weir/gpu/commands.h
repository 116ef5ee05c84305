// SPDX-License-Identifier: MIT
// Commands on Weir's queue: recorded, submitted, waited for.
#ifndef WEIR_CAPTURE_WEIR_GPU_COMMANDS_H
#define WEIR_CAPTURE_WEIR_GPU_COMMANDS_H

#include "capture/weir/gpu/gpu.h"

enum weir_result cli_commands_allocate(struct cli_gpu *gpu, VkCommandBuffer *commands);
// Commands that were never allocated, VK_NULL_HANDLE, may be freed.
void cli_commands_free(struct cli_gpu *gpu, VkCommandBuffer commands);

enum weir_result cli_commands_begin(VkCommandBuffer commands);
// End and submit; `*done` becomes the point of its completion.
enum weir_result cli_commands_submit(struct cli_gpu *gpu, VkCommandBuffer commands,
                                     struct weir_point *done);
// End, submit and wait until they are done.
enum weir_result cli_commands_run(struct cli_gpu *gpu, VkCommandBuffer commands);

// For commands that run once: allocate and begin them; end them, wait until they are done, and free
// them. After a failure of the first there is nothing to free.
enum weir_result cli_once_begin(struct cli_gpu *gpu, VkCommandBuffer *commands);
enum weir_result cli_once_run(struct cli_gpu *gpu, VkCommandBuffer commands);

#endif
