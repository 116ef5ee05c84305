// SPDX-License-Identifier: MIT
// The memory of a ring beside results. The control of a slot is what the host and the kernels of a
// frame share. The history stays from frame to frame; the first frame that is submitted zeroes it.
#include "readback/readback.h"

#include "vk/barrier.h"

void weir_cmd_readback_control(const weir_readback *readback, const struct weir_slot_state *slot)
{
    if (slot->control.buffer) {
        weir_vk_barrier(readback->context, slot->commands->kernels, weir_vk_kernel_writes,
                        weir_vk_host_reads);
    }
}

struct weir_slot_control weir_slot_get_control(const weir_readback *readback, uint32_t slot_index)
{
    if (!readback || slot_index >= readback->params.num_slots) {
        return (struct weir_slot_control){NULL, NULL};
    }
    const struct weir_slot_state *slot = &readback->slots[slot_index];
    return (struct weir_slot_control){slot->control.buffer, slot->control.memory.mapped};
}

enum weir_result weir_readback_wait_control(weir_readback *readback, uint32_t slot_index,
                                            uint64_t timeout_ns)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(readback ? &readback->context->log : NULL, readback));
    if (slot_index >= readback->params.num_slots || readback->params.control_size == 0 ||
        !readback->slots[slot_index].is_submitted) {
        return weir_fail(&readback->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "slot %u was not submitted, or the ring of %u slots has no control",
                         slot_index, readback->params.num_slots);
    }
    const struct weir_slot_state *slot = &readback->slots[slot_index];
    WEIR_TRY(weir_readback_wait_value(readback, &readback->timelines->images, slot->image_value,
                                      timeout_ns));
    return weir_vk_buffer_invalidate(readback->context, &slot->control.memory);
}

const weir_buffer *weir_readback_history(const weir_readback *readback)
{
    return readback ? readback->history.buffer : NULL;
}

bool weir_cmd_readback_zero(const weir_readback *readback, VkCommandBuffer cmd)
{
    if (!readback->history.buffer || readback->is_history_zeroed) {
        return false;
    }
    // A frame that was begun before the first one was submitted zeroes the history again.
    weir_vk_barrier(readback->context, cmd, weir_vk_kernel_writes, weir_vk_transfer_writes);
    readback->context->vk.CmdFillBuffer(cmd, readback->history.memory.buffer, 0, VK_WHOLE_SIZE, 0);
    return true;
}
