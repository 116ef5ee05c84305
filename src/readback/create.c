// SPDX-License-Identifier: MIT
// Makes and destroys a readback ring.
#include "readback/readback.h"

#include "base/size.h"

enum {
    DEFAULT_SLOTS = 4,
    MIN_SLOTS = 2,
    MAX_SLOTS = WEIR_READBACK_MAX_SLOTS,
    NUM_PASSES = WEIR_READBACK_NUM_PASSES,
    MAX_HEADROOM = 256,
    MAX_GAP = 256,
    MAX_CONTROL = 1 << 20,  // [bytes]
    RESULT_ALIGNMENT = 256, // of a result in host memory [bytes]
};

// Get the size of a slot's result in host memory, with the gap [bytes].
static uint64_t host_size(const struct weir_readback_params *params)
{
    return params->direct_size > 0 ? params->direct_size : params->size + params->gap;
}

static enum weir_result check_parts(const struct weir_log *log,
                                    const struct weir_readback_params *params)
{
    WEIR_FAIL_IF(params->first_size >= params->size, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "first_size %llu is not below the %llu bytes of the whole result",
                 (unsigned long long)params->first_size, (unsigned long long)params->size);
    const uint32_t max_gap = params->first_size > 0 ? MAX_GAP : 0;
    WEIR_FAIL_IF(params->gap > max_gap, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "gap is %u; it must be 0 to %u bytes, and 0 without first_size", params->gap,
                 max_gap);
    WEIR_FAIL_IF(params->direct_size > 0 && params->first_size > 0, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE, "first_size is %llu; with direct_size it must be 0",
                 (unsigned long long)params->first_size);
    return WEIR_OK;
}

static enum weir_result check_params(const weir_context *context,
                                     struct weir_readback_params *params)
{
    const struct weir_log *log = &context->log;
    if (params->num_slots == 0) {
        params->num_slots = DEFAULT_SLOTS;
    }
    WEIR_FAIL_IF(params->num_slots < MIN_SLOTS || params->num_slots > MAX_SLOTS, log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE, "num_slots %u is outside %d to %d",
                 params->num_slots, MIN_SLOTS, MAX_SLOTS);
    WEIR_FAIL_IF(params->headroom > MAX_HEADROOM, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE, "headroom %u is above %d bytes", params->headroom,
                 MAX_HEADROOM);
    WEIR_FAIL_IF(params->control_size > MAX_CONTROL, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE, "control_size %llu is above %d bytes",
                 (unsigned long long)params->control_size, MAX_CONTROL);
    WEIR_FAIL_IF(params->size == 0, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_readback_params.size is required");
    const uint64_t largest = weir_max(weir_max(params->size, params->history_size),
                                      params->direct_size);
    WEIR_FAIL_IF(largest > context->limits.maxStorageBufferRange, log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_DEVICE_LIMIT,
                 "a result or a history of %llu bytes is above this device's limit of "
                 "%u: use a smaller size",
                 (unsigned long long)largest, context->limits.maxStorageBufferRange);
    WEIR_FAIL_IF(params->timeline_of && params->timeline_of->context != context, log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_readback_params.timeline_of is a ring of another context");
    return check_parts(log, params);
}

static enum weir_result create_pool(const weir_readback *readback, uint32_t family,
                                    VkCommandPool *out)
{
    return weir_vk_command_pool_init(readback->context, family,
                                     VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, out);
}

static enum weir_result create_commands(weir_readback *readback)
{
    const weir_context *context = readback->context;
    WEIR_TRY(create_pool(readback, context->queue.family, &readback->pools[0]));
    for (uint32_t i = 0; i < readback->params.num_slots; i++) {
        const uint32_t transfer = weir_readback_transfer_of(readback, i);
        if (!readback->pools[transfer]) {
            WEIR_TRY(create_pool(readback, weir_readback_transfer_queue(context, transfer)->family,
                                 &readback->pools[transfer]));
        }
    }
    VkCommandBuffer cmds[NUM_PASSES] = {0};
    const enum weir_result result = weir_vk_commands_allocate(readback->context, readback->pools[0],
                                                              NUM_PASSES, cmds);
    for (int i = 0; i < NUM_PASSES; i++) {
        readback->passes[i].cmd = cmds[i];
    }
    return result;
}

// Without a size there is no buffer.
static enum weir_result buffer_init(const weir_readback *readback, uint64_t size,
                                    enum weir_vk_memory memory, const char *what,
                                    struct weir_readback_buffer *out)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    return size == 0 ? WEIR_OK
                     : weir_vk_buffer_init(readback->context, size, usage, memory, what,
                                           readback->params.debug_tag, &out->memory);
}

// Make a part of a buffer known to kernels. Without a size there is none.
static enum weir_result buffer_show(const weir_readback *readback, uint64_t offset, uint64_t size,
                                    struct weir_readback_buffer *buffer)
{
    const struct weir_buffer_params params = {.debug_tag = WEIR_DEBUG_TAG,
                                              .buffer = buffer->memory.buffer,
                                              .offset = offset,
                                              .size = size};
    return size == 0 ? WEIR_OK : weir_buffer_create(readback->context, &params, &buffer->buffer);
}

static void buffer_finish(weir_context *context, struct weir_readback_buffer *buffer)
{
    weir_buffer_destroy(&buffer->buffer);
    weir_vk_buffer_finish(context, &buffer->memory);
}

static enum weir_result slot_init(const weir_readback *readback, struct weir_slot_state *out)
{
    weir_context *context = readback->context;
    const struct weir_readback_params *params = &readback->params;
    const uint64_t offset = readback->result_offset;
    for (int i = 0; i < WEIR_READBACK_NUM_KEPT; i++) {
        VkCommandBuffer cmds[2] = {0};
        WEIR_TRY(weir_vk_commands_allocate(context, readback->pools[0],
                                           params->direct_size > 0 ? 2 : 1, cmds));
        out->kept[i] = (struct weir_slot_commands){.kernels = cmds[0], .tail = cmds[1]};
    }
    WEIR_TRY(buffer_init(readback, params->size,
                         out->transfer > 0 ? WEIR_VK_MEMORY_COPIED : WEIR_VK_MEMORY_DEVICE,
                         "slot on device", &out->device));
    WEIR_TRY(buffer_init(readback, offset + host_size(params), WEIR_VK_MEMORY_READBACK,
                         "slot on host", &out->host));
    WEIR_TRY(buffer_show(readback, 0, params->size, &out->device));
    WEIR_TRY(buffer_show(readback, offset, params->direct_size, &out->host));
    WEIR_TRY(buffer_init(readback, params->control_size, WEIR_VK_MEMORY_READBACK, "control",
                         &out->control));
    WEIR_TRY(buffer_show(readback, 0, params->control_size, &out->control));
    if (params->direct_size > 0) {
        return WEIR_OK;
    }
    WEIR_TRY(weir_vk_commands_allocate(context, readback->pools[out->transfer], 1, &out->copy_cmd));
    return weir_readback_record_copy(readback, out);
}

static enum weir_result readback_init(weir_readback *readback)
{
    const uint32_t headroom = readback->params.headroom;
    readback->result_offset = weir_divide_up(headroom, RESULT_ALIGNMENT) * RESULT_ALIGNMENT;
    WEIR_TRY(weir_readback_timelines_init(readback));
    WEIR_TRY(create_commands(readback));
    WEIR_TRY(weir_readback_timers_init(readback));
    WEIR_TRY(buffer_init(readback, readback->params.history_size, WEIR_VK_MEMORY_DEVICE, "history",
                         &readback->history));
    WEIR_TRY(buffer_show(readback, 0, readback->params.history_size, &readback->history));
    WEIR_TRY(weir_readback_resized_init(readback));
    for (uint32_t i = 0; i < readback->params.num_slots; i++) {
        readback->slots[i].transfer = weir_readback_transfer_of(readback, i);
        WEIR_TRY(slot_init(readback, &readback->slots[i]));
    }
    return WEIR_OK;
}

enum weir_result weir_readback_create(weir_context *context,
                                      const struct weir_readback_params *params,
                                      weir_readback **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_context_log(context), out, context, params));
    struct weir_readback_params checked = *params;
    WEIR_TRY(weir_context_check_lost(context));
    WEIR_TRY(check_params(context, &checked));
    weir_readback *readback = weir_object_alloc(context, WEIR_OBJECT_READBACK, sizeof(*readback));
    if (!readback) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    readback->context = context;
    readback->params = checked;
    const enum weir_result result = readback_init(readback);
    readback->params.debug_tag = NULL;
    readback->params.timeline_of = NULL;
    readback->params.resize.like = NULL;
    if (result != WEIR_OK) {
        weir_readback_destroy(&readback);
    }
    *out = readback;
    return result;
}

// Wait for all submissions of the ring, which a half-built one has none of.
static enum weir_result wait_for_all(weir_readback *readback)
{
    const struct weir_readback_timelines *timelines = readback->timelines;
    if (readback->last_image > 0) {
        WEIR_TRY(weir_readback_wait_value(readback, &timelines->images, readback->last_image,
                                          UINT64_MAX));
    }
    for (int i = 0; i < WEIR_READBACK_MAX_TRANSFERS; i++) {
        if (readback->last_results[i] > 0) {
            WEIR_TRY(weir_readback_wait_value(readback, &timelines->results[i],
                                              readback->last_results[i], UINT64_MAX));
        }
    }
    return WEIR_OK;
}

void weir_readback_destroy(weir_readback **out)
{
    if (!out || !*out) {
        return;
    }
    weir_readback *readback = *out;
    weir_context *context = readback->context;
    // Submitted work must have finished before its objects are destroyed, so the wait is repeated
    // while memory is short. On a lost device it has finished.
    while (wait_for_all(readback) == WEIR_ERROR_OUT_OF_MEMORY) {
    }
    for (uint32_t i = 0; i < readback->params.num_slots; i++) {
        buffer_finish(context, &readback->slots[i].control);
        buffer_finish(context, &readback->slots[i].host);
        buffer_finish(context, &readback->slots[i].device);
    }
    weir_readback_resized_finish(readback);
    buffer_finish(context, &readback->history);
    for (int i = 0; i < WEIR_READBACK_MAX_TRANSFERS; i++) {
        context->vk.DestroyCommandPool(context->device, readback->pools[i], NULL);
    }
    weir_readback_timers_finish(readback);
    weir_readback_timelines_finish(readback);
    weir_object_free(context, WEIR_OBJECT_READBACK, readback);
    *out = NULL;
}

struct weir_readback_params weir_readback_get_params(const weir_readback *readback)
{
    return readback ? readback->params : (struct weir_readback_params){0};
}
