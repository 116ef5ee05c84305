// SPDX-License-Identifier: MIT
// Frames that pass without a result: dropped ones, whose image goes back unread.
#include "frame/handover.h"
#include "readback/batch.h"

static enum weir_result record_pass(weir_readback *readback, const struct weir_frame *frame,
                                    const VkCommandBuffer **cmd)
{
    weir_context *context = readback->context;
    struct weir_pass *pass = &readback->passes[readback->next_pass];
    // Reached long ago unless the host has more than WEIR_READBACK_NUM_PASSES frames in flight.
    enum weir_result result = weir_readback_wait_value(readback, pass->done_value, UINT64_MAX);
    if (result == WEIR_OK) {
        result = weir_batch_begin_commands(context, pass->cmd);
    }
    if (result == WEIR_OK) {
        weir_cmd_frame_pass(frame, pass->cmd);
        result = weir_vk_check(context, context->vk.EndCommandBuffer(pass->cmd),
                               "vkEndCommandBuffer");
    }
    if (result == WEIR_OK) {
        pass->done_value = readback->last_value + 1;
        readback->next_pass = (readback->next_pass + 1) % WEIR_READBACK_NUM_PASSES;
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
    struct weir_batch batch;
    weir_batch_init(&batch, readback, frame, cmd);
    result = weir_context_submit(context, 1, &batch.submit);
    if (result != WEIR_OK) {
        readback->last_value--;
        return result;
    }
    weir_batch_set_released(readback, readback->last_value, released);
    return WEIR_OK;
}
