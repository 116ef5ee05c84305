// SPDX-License-Identifier: MIT
// A slot's round: taken for a frame, submitted, waited for, freed.
#include <weir/readback.h>

#include "frame/handover.h"
#include "frame/image.h"
#include "readback/batch.h"

static struct weir_slot_key key_of(const struct weir_frame *frame)
{
    return (struct weir_slot_key){.image_number = frame->image->number,
                                  .layout = frame->layout,
                                  .queue_family = frame->queue_family};
}

static bool keys_equal(struct weir_slot_key a, struct weir_slot_key b)
{
    return a.image_number == b.image_number && a.layout == b.layout &&
           a.queue_family == b.queue_family;
}

// A free slot, one that keeps the commands for `key` before others; num_slots where none is free.
static uint32_t find_free(weir_readback *readback, struct weir_slot_key key)
{
    const uint32_t num_slots = readback->params.num_slots;
    uint32_t found = num_slots;
    for (uint32_t i = 0; i < num_slots; i++) {
        const uint32_t index = (readback->next_slot + i) % num_slots;
        struct weir_slot_state *state = &readback->slots[index];
        if (atomic_load_explicit(&state->is_taken, memory_order_acquire)) {
            continue;
        }
        if (keys_equal(state->kept, key)) {
            return index;
        }
        found = found == num_slots ? index : found;
    }
    return found;
}

static enum weir_result begin_recording(weir_readback *readback, const struct weir_frame *frame,
                                        uint32_t index)
{
    weir_context *context = readback->context;
    struct weir_slot_state *state = &readback->slots[index];
    state->kept = (struct weir_slot_key){0};
    const enum weir_result result = weir_batch_begin_commands(context, state->kernel_cmd);
    if (result != WEIR_OK) {
        return result;
    }
    weir_cmd_frame_take(frame, state->kernel_cmd);
    if (readback->queries) {
        context->vk.CmdResetQueryPool(state->kernel_cmd, readback->queries, 2 * index, 2);
        context->vk.CmdWriteTimestamp(state->kernel_cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                      readback->queries, 2 * index);
    }
    return WEIR_OK;
}

enum weir_result weir_readback_begin(weir_readback *readback, const struct weir_frame *frame,
                                     struct weir_slot *slot)
{
    if (!readback || !slot) {
        return WEIR_ERROR_INVALID;
    }
    enum weir_result result = weir_frame_check(readback->context, frame);
    if (result == WEIR_OK) {
        result = weir_context_check_lost(readback->context);
    }
    if (result != WEIR_OK) {
        return result;
    }
    const struct weir_slot_key key = key_of(frame);
    const uint32_t index = find_free(readback, key);
    if (index == readback->params.num_slots) {
        return WEIR_NOT_READY;
    }
    struct weir_slot_state *state = &readback->slots[index];
    const bool is_recorded = keys_equal(state->kept, key);
    if (!is_recorded) {
        result = begin_recording(readback, frame, index);
        if (result != WEIR_OK) {
            return result;
        }
    }
    state->is_submitted = state->is_done = false;
    atomic_store_explicit(&state->is_taken, true, memory_order_relaxed);
    readback->next_slot = (index + 1) % readback->params.num_slots;
    *slot = (struct weir_slot){
        .index = index, .cmd = state->kernel_cmd, .is_recorded = is_recorded, .keep = is_recorded};
    return WEIR_OK;
}

const weir_buffer *weir_slot_target(const weir_readback *readback, const struct weir_slot *slot)
{
    return readback->slots[slot->index].target;
}

static enum weir_result end_recording(weir_readback *readback, const struct weir_frame *frame,
                                      const struct weir_slot *slot)
{
    weir_context *context = readback->context;
    if (readback->queries) {
        context->vk.CmdWriteTimestamp(slot->cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                      readback->queries, 2 * slot->index + 1);
    }
    weir_cmd_frame_give(frame, slot->cmd);
    const enum weir_result result = weir_vk_check(context, context->vk.EndCommandBuffer(slot->cmd),
                                                  "vkEndCommandBuffer");
    if (result == WEIR_OK && slot->keep) {
        readback->slots[slot->index].kept = key_of(frame);
    }
    return result;
}

enum weir_result weir_readback_submit(weir_readback *readback, const struct weir_frame *frame,
                                      const struct weir_slot *slot, struct weir_point *released)
{
    if (!readback || !frame || !slot) {
        return WEIR_ERROR_INVALID;
    }
    weir_context *context = readback->context;
    struct weir_slot_state *state = &readback->slots[slot->index];
    enum weir_result result = slot->is_recorded ? WEIR_OK : end_recording(readback, frame, slot);
    if (result != WEIR_OK) {
        return result;
    }
    const uint64_t first_value = readback->last_value;
    struct weir_batch batch;
    weir_batch_init(&batch, readback, frame, &slot->cmd);
    state->done_value = ++readback->last_value;
    const VkTimelineSemaphoreSubmitInfo copy_value = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &state->done_value,
    };
    const VkSubmitInfo copy = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &copy_value,
        .commandBufferCount = 1,
        .pCommandBuffers = &state->copy_cmd,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &readback->timeline,
    };
    const VkSubmitInfo submits[] = {batch.submit, copy};
    result = weir_context_submit(context, 2, submits);
    if (result != WEIR_OK) {
        readback->last_value = first_value;
        return result;
    }
    state->is_submitted = true;
    weir_batch_set_released(readback, first_value + 1, released);
    return WEIR_OK;
}

static uint64_t measure_gpu_ns(weir_readback *readback, uint32_t slot_index)
{
    const weir_context *context = readback->context;
    uint64_t ticks[2];
    if (!readback->queries ||
        context->vk.GetQueryPoolResults(context->device, readback->queries, 2 * slot_index, 2,
                                        sizeof(ticks), ticks, sizeof(ticks[0]),
                                        VK_QUERY_RESULT_64_BIT) != VK_SUCCESS) {
        return 0;
    }
    const uint64_t mask = context->timestamp_bits >= 64
                              ? UINT64_MAX
                              : (UINT64_C(1) << context->timestamp_bits) - 1;
    const uint64_t elapsed = (ticks[1] - ticks[0]) & mask;
    return (uint64_t)((double)elapsed * (double)context->limits.timestampPeriod);
}

enum weir_result weir_readback_wait(weir_readback *readback, uint32_t slot_index,
                                    uint64_t timeout_ns, struct weir_result_data *result_data)
{
    if (!readback || !result_data || slot_index >= readback->params.num_slots) {
        return WEIR_ERROR_INVALID;
    }
    struct weir_slot_state *state = &readback->slots[slot_index];
    if (!state->is_submitted) {
        return weir_error(&readback->context->log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "slot %u was not submitted", slot_index);
    }
    enum weir_result result = weir_readback_wait_value(readback, state->done_value, timeout_ns);
    if (result == WEIR_OK) {
        result = weir_vk_buffer_invalidate(readback->context, &state->host);
    }
    if (result == WEIR_OK) {
        state->is_done = true;
        *result_data = (struct weir_result_data){
            .data = state->host.mapped + readback->result_offset,
            .size = readback->params.size,
            .gpu_ns = measure_gpu_ns(readback, slot_index),
        };
    }
    return result;
}

void weir_readback_release(weir_readback *readback, uint32_t slot_index)
{
    if (!readback || slot_index >= readback->params.num_slots) {
        return;
    }
    struct weir_slot_state *state = &readback->slots[slot_index];
    if (state->is_done || !state->is_submitted) {
        atomic_store_explicit(&state->is_taken, false, memory_order_release);
    }
}
