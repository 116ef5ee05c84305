// SPDX-License-Identifier: MIT
// Wraps a host's buffer with the descriptor set through which kernels write it.
#include "frame/buffer.h"

static enum weir_result check_params(const weir_context *context,
                                     const struct weir_buffer_params *params)
{
    const struct weir_log *log = &context->log;
    WEIR_FAIL_IF(!params->buffer, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                 "weir_buffer_params.buffer is required");
    WEIR_FAIL_IF(params->size == 0, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_buffer_params.size is required");
    const uint64_t alignment = context->limits.minStorageBufferOffsetAlignment;
    WEIR_FAIL_IF(params->offset % alignment != 0, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_buffer_params.offset %llu is not a multiple of %llu",
                 (unsigned long long)params->offset, (unsigned long long)alignment);
    WEIR_FAIL_IF(params->size > context->limits.maxStorageBufferRange, log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_DEVICE_LIMIT,
                 "a buffer of %llu bytes is above this device's limit of %u",
                 (unsigned long long)params->size, context->limits.maxStorageBufferRange);
    WEIR_FAIL_IF(params->offset > UINT64_MAX - params->size, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_buffer_params: %llu bytes at offset %llu end above 2^64",
                 (unsigned long long)params->size, (unsigned long long)params->offset);
    return WEIR_OK;
}

enum weir_result weir_buffer_create(weir_context *context, const struct weir_buffer_params *params,
                                    weir_buffer **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_context_log(context), out, context, params));
    WEIR_TRY(weir_context_check_lost(context));
    WEIR_TRY(check_params(context, params));
    weir_buffer *buffer = weir_object_alloc(context, WEIR_OBJECT_BUFFER, sizeof(*buffer));
    if (!buffer) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *buffer = (weir_buffer){.context = context, .params = *params};
    buffer->params.debug_tag = NULL;
    const enum weir_result result = weir_vk_buffer_set_init(context, params->buffer, params->offset,
                                                            params->size, &buffer->set);
    if (result != WEIR_OK) {
        weir_buffer_destroy(&buffer);
    }
    *out = buffer;
    return result;
}

void weir_buffer_destroy(weir_buffer **buffer)
{
    if (!buffer || !*buffer) {
        return;
    }
    weir_vk_descriptor_set_finish((*buffer)->context, &(*buffer)->set);
    weir_object_free((*buffer)->context, WEIR_OBJECT_BUFFER, *buffer);
    *buffer = NULL;
}

struct weir_buffer_params weir_buffer_get_params(const weir_buffer *buffer)
{
    return buffer ? buffer->params : (struct weir_buffer_params){0};
}

enum weir_result weir_buffer_check_room(const weir_buffer *buffer, const weir_context *context,
                                        const char *name, uint64_t offset, uint64_t size,
                                        uint32_t unit)
{
    WEIR_FAIL_IF(!buffer, &context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                 "%s is required", name);
    WEIR_FAIL_IF(buffer->context != context, &context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE, "%s belongs to another context", name);
    WEIR_FAIL_IF(offset % unit != 0 || offset > buffer->params.size ||
                     size > buffer->params.size - offset,
                 &context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_BUFFER_TOO_SMALL,
                 "%s: %llu bytes at offset %llu do not fit into a buffer of %llu bytes, "
                 "or the offset is not a multiple of %u",
                 name, (unsigned long long)size, (unsigned long long)offset,
                 (unsigned long long)buffer->params.size, unit);
    return WEIR_OK;
}
