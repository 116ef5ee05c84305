// SPDX-License-Identifier: MIT
// The control of a slot: a little memory that the host and the kernels of a frame share.
#include "readback/readback.h"

#include "vk/barrier.h"

enum weir_result weir_readback_control_init(const weir_readback *readback,
                                            struct weir_slot_state *slot)
{
    const uint64_t size = readback->params.control_size;
    const char *tag = readback->params.debug_tag;
    if (size == 0) {
        return WEIR_OK;
    }
    WEIR_TRY(weir_vk_buffer_init(readback->context, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                 WEIR_VK_MEMORY_READBACK, "control", tag, &slot->control));
    return weir_buffer_create(readback->context,
                              weir_buffer_params(.buffer = slot->control.buffer, .size = size),
                              &slot->control_buffer);
}

void weir_readback_control_finish(weir_context *context, struct weir_slot_state *slot)
{
    weir_buffer_destroy(&slot->control_buffer);
    weir_vk_buffer_finish(context, &slot->control);
}

void weir_cmd_readback_control(const weir_readback *readback, const struct weir_slot_state *slot)
{
    if (slot->control_buffer) {
        weir_vk_barrier(readback->context, slot->kernel_cmd, weir_vk_kernel_writes,
                        weir_vk_host_reads);
    }
}

enum weir_result weir_readback_control_flush(const weir_readback *readback,
                                             const struct weir_slot_state *slot)
{
    return slot->control_buffer ? weir_vk_buffer_flush(readback->context, &slot->control) : WEIR_OK;
}

enum weir_result weir_readback_control_invalidate(const weir_readback *readback,
                                                  const struct weir_slot_state *slot)
{
    return slot->control_buffer ? weir_vk_buffer_invalidate(readback->context, &slot->control)
                                : WEIR_OK;
}

struct weir_slot_control weir_slot_get_control(const weir_readback *readback, uint32_t slot_index)
{
    if (!readback || slot_index >= readback->params.num_slots) {
        return (struct weir_slot_control){NULL, NULL};
    }
    const struct weir_slot_state *slot = &readback->slots[slot_index];
    return (struct weir_slot_control){slot->control_buffer, slot->control.mapped};
}

enum weir_result weir_readback_wait_control(weir_readback *readback, uint32_t slot_index,
                                            uint64_t timeout_ns)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(readback ? &readback->context->log : NULL, WEIR_ARGUMENT(readback)));
    if (slot_index >= readback->params.num_slots || readback->params.control_size == 0 ||
        !readback->slots[slot_index].is_submitted) {
        return weir_fail(&readback->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "slot %u was not submitted, or the ring of %u slots has no control",
                         slot_index, readback->params.num_slots);
    }
    const struct weir_slot_state *slot = &readback->slots[slot_index];
    WEIR_TRY(weir_readback_wait_value(readback, &readback->timelines->images, slot->image_value,
                                      timeout_ns));
    return weir_readback_control_invalidate(readback, slot);
}
