// SPDX-License-Identifier: MIT
// The ring of slots: takes one for a frame, submits it, waits for it, frees it.
//
// One timeline semaphore counts the ring's submissions. A frame takes two values: the first when its image
// is the host's again, the second when its result is in host memory.
#include <weir/readback.h>

#include <stdlib.h>

#include "frame/handover.h"
#include "readback/slot.h"
#include "vk/debug.h"

enum {
    DEFAULT_SLOTS = 4,
    MIN_SLOTS = 2,
    MAX_SLOTS = 64,
    MAX_HEADROOM = 256,
    NUM_PASSES = 16,          // frames that pass without a result, in flight at a time
    RESULT_ALIGNMENT = 256,   // of a result in host memory [bytes]
};

// A command buffer that hands a frame's image back unread.
struct pass {
    VkCommandBuffer cmd;
    uint64_t done_value;
};

struct weir_readback {
    weir_context *context;
    struct weir_readback_params params;
    uint64_t result_offset; // in a slot's host buffer [bytes]
    VkCommandPool pool;
    VkSemaphore timeline;
    uint64_t last_value; // signalled by the last submission
    VkQueryPool queries; // two time stamps a slot; null where the queue has none
    uint32_t next_slot;
    uint32_t next_pass;
    struct pass passes[NUM_PASSES];
    struct weir_slot_state slots[MAX_SLOTS];
};

static enum weir_result check_params(const weir_context *context,
                                     struct weir_readback_params *params)
{
    const struct weir_log *log = &context->log;
    if (params->num_slots == 0) {
        params->num_slots = DEFAULT_SLOTS;
    }
    if (params->num_slots < MIN_SLOTS || params->num_slots > MAX_SLOTS) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "num_slots %u is outside %d to %d", params->num_slots, MIN_SLOTS,
                          MAX_SLOTS);
    }
    if (params->headroom > MAX_HEADROOM) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "headroom %u is above %d bytes", params->headroom, MAX_HEADROOM);
    }
    if (params->size == 0) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "weir_readback_params.size is required");
    }
    if (params->size > context->limits.maxStorageBufferRange) {
        return weir_error(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_DEVICE_LIMIT,
                          "a result of %llu bytes is above this device's limit of %u: use a smaller "
                          "size",
                          (unsigned long long)params->size, context->limits.maxStorageBufferRange);
    }
    return WEIR_OK;
}

static enum weir_result create_timeline(weir_readback *readback)
{
    weir_context *context = readback->context;
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    enum weir_result result = weir_vk_check(
        context, context->vk.CreateSemaphore(context->device, &info, NULL, &readback->timeline),
        "vkCreateSemaphore");
    if (result == WEIR_OK) {
        weir_vk_name(context, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)readback->timeline,
                     "readback timeline", readback->params.debug_tag);
    }
    return result;
}

static enum weir_result create_queries(weir_readback *readback)
{
    weir_context *context = readback->context;
    if (context->timestamp_bits == 0) {
        return WEIR_OK;
    }
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2 * readback->params.num_slots,
    };
    return weir_vk_check(
        context, context->vk.CreateQueryPool(context->device, &info, NULL, &readback->queries),
        "vkCreateQueryPool");
}

static enum weir_result create_commands(weir_readback *readback)
{
    weir_context *context = readback->context;
    const VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = context->queue.family,
    };
    enum weir_result result = weir_vk_check(
        context, context->vk.CreateCommandPool(context->device, &pool_info, NULL, &readback->pool),
        "vkCreateCommandPool");
    if (result != WEIR_OK) {
        readback->pool = VK_NULL_HANDLE;
        return result;
    }
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = readback->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = NUM_PASSES,
    };
    VkCommandBuffer cmds[NUM_PASSES] = {0};
    result =
        weir_vk_check(context, context->vk.AllocateCommandBuffers(context->device, &info, cmds),
                      "vkAllocateCommandBuffers");
    for (int i = 0; i < NUM_PASSES; i++) {
        readback->passes[i].cmd = cmds[i];
    }
    return result;
}

static enum weir_result readback_init(weir_readback *readback)
{
    const uint32_t headroom = readback->params.headroom;
    readback->result_offset =
        (headroom + RESULT_ALIGNMENT - 1) / RESULT_ALIGNMENT * RESULT_ALIGNMENT;
    enum weir_result result = create_timeline(readback);
    if (result == WEIR_OK) {
        result = create_queries(readback);
    }
    if (result == WEIR_OK) {
        result = create_commands(readback);
    }
    const struct weir_slot_layout layout = {
        .size = readback->params.size,
        .offset = readback->result_offset,
    };
    for (uint32_t i = 0; i < readback->params.num_slots && result == WEIR_OK; i++) {
        result = weir_slot_init(readback->context, readback->pool, &layout,
                                readback->params.debug_tag, &readback->slots[i]);
    }
    readback->params.debug_tag = NULL;
    return result;
}

enum weir_result weir_readback_create(weir_context *context,
                                      const struct weir_readback_params *params,
                                      weir_readback **out)
{
    if (!out) {
        return WEIR_ERROR_INVALID;
    }
    *out = NULL;
    if (!context || !params) {
        return WEIR_ERROR_INVALID;
    }
    struct weir_readback_params checked = *params;
    enum weir_result result = check_params(context, &checked);
    if (result != WEIR_OK) {
        return result;
    }
    weir_readback *readback = calloc(1, sizeof(*readback));
    if (!readback) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    readback->context = context;
    readback->params = checked;
    result = readback_init(readback);
    if (result != WEIR_OK) {
        weir_readback_destroy(&readback);
    }
    *out = readback;
    return result;
}

static enum weir_result wait_value(weir_readback *readback, uint64_t value, uint64_t timeout_ns)
{
    weir_context *context = readback->context;
    enum weir_result result = weir_context_check_lost(context);
    if (result != WEIR_OK) {
        return result;
    }
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &readback->timeline,
        .pValues = &value,
    };
    return weir_vk_check(context, context->vk.WaitSemaphores(context->device, &info, timeout_ns),
                         "vkWaitSemaphores");
}

void weir_readback_destroy(weir_readback **out)
{
    if (!out || !*out) {
        return;
    }
    weir_readback *readback = *out;
    weir_context *context = readback->context;
    if (readback->timeline) {
        wait_value(readback, readback->last_value, UINT64_MAX);
    }
    for (uint32_t i = 0; i < readback->params.num_slots; i++) {
        weir_slot_finish(context, &readback->slots[i]);
    }
    context->vk.DestroyCommandPool(context->device, readback->pool, NULL);
    context->vk.DestroyQueryPool(context->device, readback->queries, NULL);
    context->vk.DestroySemaphore(context->device, readback->timeline, NULL);
    free(readback);
    *out = NULL;
}

struct weir_readback_params weir_readback_get_params(const weir_readback *readback)
{
    return readback->params;
}

static enum weir_result begin_commands(weir_context *context, VkCommandBuffer cmd)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    return weir_vk_check(context, context->vk.BeginCommandBuffer(cmd, &info),
                         "vkBeginCommandBuffer");
}

enum weir_result weir_readback_begin(weir_readback *readback, const struct weir_frame *frame,
                                     struct weir_slot *slot)
{
    if (!readback || !slot) {
        return WEIR_ERROR_INVALID;
    }
    weir_context *context = readback->context;
    enum weir_result result = weir_frame_check(context, frame);
    if (result == WEIR_OK) {
        result = weir_context_check_lost(context);
    }
    if (result != WEIR_OK) {
        return result;
    }
    const uint32_t index = readback->next_slot;
    struct weir_slot_state *state = &readback->slots[index];
    if (atomic_load_explicit(&state->is_taken, memory_order_acquire)) {
        return WEIR_NOT_READY;
    }
    result = begin_commands(context, state->kernel_cmd);
    if (result != WEIR_OK) {
        return result;
    }
    state->is_submitted = false;
    atomic_store_explicit(&state->is_taken, true, memory_order_relaxed);
    readback->next_slot = (index + 1) % readback->params.num_slots;
    *slot = (struct weir_slot){.index = index, .cmd = state->kernel_cmd};
    weir_cmd_frame_take(frame, slot->cmd);
    if (readback->queries) {
        context->vk.CmdResetQueryPool(slot->cmd, readback->queries, 2 * index, 2);
        context->vk.CmdWriteTimestamp(slot->cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                      readback->queries, 2 * index);
    }
    return WEIR_OK;
}

const weir_buffer *weir_slot_target(const weir_readback *readback, const struct weir_slot *slot)
{
    return readback->slots[slot->index].target;
}

// A batch that waits for the frame and, when its commands are done, gives the image back: signals the
// ring's timeline and the host's binary semaphore.
struct handover_batch {
    VkSubmitInfo submit;
    VkTimelineSemaphoreSubmitInfo values;
    VkPipelineStageFlags wait_stage;
    VkSemaphore signals[2];
    uint64_t signal_values[2];
};

static void handover_batch_init(struct handover_batch *batch, weir_readback *readback,
                                const struct weir_frame *frame, const VkCommandBuffer *cmd)
{
    batch->wait_stage = weir_frame_wait_stages(frame);
    batch->signals[0] = readback->timeline;
    batch->signals[1] = frame->signal;
    batch->signal_values[0] = ++readback->last_value;
    batch->signal_values[1] = 0; // binary
    const uint32_t num_waits = frame->wait.semaphore ? 1 : 0;
    const uint32_t num_signals = frame->signal ? 2 : 1;
    batch->values = (VkTimelineSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = num_waits,
        .pWaitSemaphoreValues = &frame->wait.value,
        .signalSemaphoreValueCount = num_signals,
        .pSignalSemaphoreValues = batch->signal_values,
    };
    batch->submit = (VkSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &batch->values,
        .waitSemaphoreCount = num_waits,
        .pWaitSemaphores = &frame->wait.semaphore,
        .pWaitDstStageMask = &batch->wait_stage,
        .commandBufferCount = cmd ? 1 : 0,
        .pCommandBuffers = cmd,
        .signalSemaphoreCount = num_signals,
        .pSignalSemaphores = batch->signals,
    };
}

static void set_released(const weir_readback *readback, uint64_t value, struct weir_point *released)
{
    if (released) {
        *released = (struct weir_point){.semaphore = readback->timeline, .value = value};
    }
}

enum weir_result weir_readback_submit(weir_readback *readback, const struct weir_frame *frame,
                                      const struct weir_slot *slot, struct weir_point *released)
{
    if (!readback || !frame || !slot) {
        return WEIR_ERROR_INVALID;
    }
    weir_context *context = readback->context;
    struct weir_slot_state *state = &readback->slots[slot->index];
    if (readback->queries) {
        context->vk.CmdWriteTimestamp(slot->cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                      readback->queries, 2 * slot->index + 1);
    }
    weir_cmd_frame_give(frame, slot->cmd);
    enum weir_result result =
        weir_vk_check(context, context->vk.EndCommandBuffer(slot->cmd), "vkEndCommandBuffer");
    if (result != WEIR_OK) {
        return result;
    }
    const uint64_t first_value = readback->last_value;
    struct handover_batch batch;
    handover_batch_init(&batch, readback, frame, &slot->cmd);
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
    set_released(readback, first_value + 1, released);
    return WEIR_OK;
}

static enum weir_result record_pass(weir_readback *readback, const struct weir_frame *frame,
                                    const VkCommandBuffer **cmd)
{
    weir_context *context = readback->context;
    struct pass *pass = &readback->passes[readback->next_pass];
    // Reached long ago unless the host has more than NUM_PASSES frames in flight.
    enum weir_result result = wait_value(readback, pass->done_value, UINT64_MAX);
    if (result == WEIR_OK) {
        result = begin_commands(context, pass->cmd);
    }
    if (result == WEIR_OK) {
        weir_cmd_frame_pass(frame, pass->cmd);
        result =
            weir_vk_check(context, context->vk.EndCommandBuffer(pass->cmd), "vkEndCommandBuffer");
    }
    if (result == WEIR_OK) {
        pass->done_value = readback->last_value + 1;
        readback->next_pass = (readback->next_pass + 1) % NUM_PASSES;
        *cmd = &pass->cmd;
    }
    return result;
}

enum weir_result weir_readback_pass(weir_readback *readback, const struct weir_frame *frame,
                                    struct weir_point *released)
{
    if (!readback) {
        return WEIR_ERROR_INVALID;
    }
    weir_context *context = readback->context;
    enum weir_result result = weir_frame_check(context, frame);
    const VkCommandBuffer *cmd = NULL;
    if (result == WEIR_OK && weir_frame_changes_owner(frame)) {
        result = record_pass(readback, frame, &cmd);
    }
    if (result != WEIR_OK) {
        return result;
    }
    struct handover_batch batch;
    handover_batch_init(&batch, readback, frame, cmd);
    result = weir_context_submit(context, 1, &batch.submit);
    if (result != WEIR_OK) {
        readback->last_value--;
        return result;
    }
    set_released(readback, readback->last_value, released);
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
    const uint64_t mask =
        context->timestamp_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << context->timestamp_bits) - 1;
    const uint64_t elapsed = (ticks[1] - ticks[0]) & mask;
    return (uint64_t)((double)elapsed * (double)context->limits.timestampPeriod);
}

enum weir_result weir_readback_wait(weir_readback *readback, uint32_t slot_index,
                                    uint64_t timeout_ns, struct weir_result_data *result_data)
{
    if (!readback || !result_data || slot_index >= readback->params.num_slots) {
        return WEIR_ERROR_INVALID;
    }
    const struct weir_slot_state *state = &readback->slots[slot_index];
    if (!state->is_submitted) {
        return weir_error(&readback->context->log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "slot %u was not submitted", slot_index);
    }
    enum weir_result result = wait_value(readback, state->done_value, timeout_ns);
    if (result == WEIR_OK) {
        result = weir_slot_invalidate(readback->context, state);
    }
    if (result == WEIR_OK) {
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
    if (readback && slot_index < readback->params.num_slots) {
        atomic_store_explicit(&readback->slots[slot_index].is_taken, false, memory_order_release);
    }
}
