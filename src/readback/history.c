// SPDX-License-Identifier: MIT
// The buffer of a ring that stays from frame to frame. The first frame that is submitted zeroes it.
#include "readback/readback.h"

#include "vk/barrier.h"

enum weir_result weir_readback_history_init(weir_readback *readback)
{
    struct weir_readback_history *history = &readback->history;
    const uint64_t size = readback->params.history_size;
    const char *tag = readback->params.debug_tag;
    if (size == 0) {
        return WEIR_OK;
    }
    WEIR_TRY(
        weir_vk_buffer_init(readback->context, size,
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            WEIR_VK_MEMORY_DEVICE, "history", tag, &history->device));
    return weir_buffer_create(readback->context,
                              weir_buffer_params(.buffer = history->device.buffer, .size = size),
                              &history->buffer);
}

void weir_readback_history_finish(weir_readback *readback)
{
    weir_buffer_destroy(&readback->history.buffer);
    weir_vk_buffer_finish(readback->context, &readback->history.device);
}

const weir_buffer *weir_readback_history(const weir_readback *readback)
{
    return readback ? readback->history.buffer : NULL;
}

bool weir_cmd_readback_zero(const weir_readback *readback, VkCommandBuffer cmd)
{
    const struct weir_readback_history *history = &readback->history;
    if (!history->buffer || history->is_zeroed) {
        return false;
    }
    // A frame that was begun before the first one was submitted zeroes the history again.
    weir_vk_barrier(readback->context, cmd, weir_vk_kernel_writes, weir_vk_transfer_writes);
    readback->context->vk.CmdFillBuffer(cmd, history->device.buffer, 0, VK_WHOLE_SIZE, 0);
    return true;
}
