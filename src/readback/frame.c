// SPDX-License-Identifier: MIT
// The path of a frame through the ring: into a slot and submitted, or back without a result.
#include "frame/image.h"
#include "readback/readback.h"
#include "vk/barrier.h"

// Make the submission for a frame, whose commands are set. It waits for the frame, and gives the
// image back by signalling the next value of the timeline of images and the host's binary
// semaphore.
static void link_batch(struct weir_vk_batch *batch, weir_readback *readback,
                       const struct weir_frame *frame)
{
    batch->wait = frame->wait.semaphore;
    batch->wait_value = frame->wait.value;
    batch->wait_stage = weir_frame_wait_stages(frame);
    batch->signals[0] = readback->timelines->images.semaphore;
    batch->signals[1] = frame->signal;
    batch->signal_values[0] = ++readback->timelines->images.last_value;
    weir_vk_batch_link(batch);
}

static void set_released(const weir_readback *readback, uint64_t value, struct weir_point *released)
{
    if (released) {
        *released = (struct weir_point){.semaphore = readback->timelines->images.semaphore,
                                        .value = value};
    }
}

static struct weir_slot_key key_of(const struct weir_frame *frame)
{
    return (struct weir_slot_key){.image_number = frame->image->number,
                                  .layout = frame->layout,
                                  .queue_family = frame->queue_family,
                                  .variant = frame->variant};
}

static bool keys_equal(struct weir_slot_key a, struct weir_slot_key b)
{
    return a.image_number == b.image_number && a.layout == b.layout &&
           a.queue_family == b.queue_family && a.variant == b.variant;
}

// Find the commands that a slot keeps for `key`. NULL: none.
static struct weir_slot_commands *find_kept(struct weir_slot_state *state, struct weir_slot_key key)
{
    for (int i = 0; i < WEIR_READBACK_NUM_KEPT; i++) {
        if (keys_equal(state->kept[i].key, key)) {
            return &state->kept[i];
        }
    }
    return NULL;
}

// Find a free slot, preferably one that keeps the commands for `key`. Returns num_slots if none is
// free.
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
        if (find_kept(state, key)) {
            return index;
        }
        found = found == num_slots ? index : found;
    }
    return found;
}

static bool is_direct(const weir_readback *readback)
{
    return readback->params.direct_size > 0;
}

// Zero the history, which stays from frame to frame, in the commands of a frame, unless it was
// zeroed before. Returns true if so.
static bool zero_history(const weir_readback *readback, VkCommandBuffer cmd)
{
    if (!readback->history.buffer || readback->is_history_zeroed) {
        return false;
    }
    // A frame that was begun before the first one was submitted zeroes the history again.
    weir_vk_barrier(readback->context, cmd, weir_vk_kernel_writes, weir_vk_transfer_writes);
    readback->context->vk.CmdFillBuffer(cmd, readback->history.memory.buffer, 0, VK_WHOLE_SIZE, 0);
    return true;
}

static enum weir_result begin_recording(weir_readback *readback, const struct weir_frame *frame,
                                        const weir_image *image, uint32_t index)
{
    weir_context *context = readback->context;
    struct weir_slot_state *state = &readback->slots[index];
    struct weir_slot_commands *commands = &state->kept[state->next_kept];
    state->next_kept = (state->next_kept + 1) % WEIR_READBACK_NUM_KEPT;
    state->commands = commands;
    commands->key = (struct weir_slot_key){0};
    WEIR_TRY(weir_vk_commands_begin(context, commands->kernels, 0));
    if (is_direct(readback)) {
        WEIR_TRY(weir_vk_commands_begin(context, commands->tail, 0));
    }
    weir_cmd_frame_receive(frame, commands->kernels);
    if (image != frame->image) {
        weir_cmd_readback_resize(readback, commands->kernels, frame->image);
    }
    state->zeroes = zero_history(readback, commands->kernels);
    return WEIR_OK;
}

enum weir_result weir_readback_begin(weir_readback *readback, const struct weir_frame *frame,
                                     struct weir_slot *slot)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(readback ? &readback->context->log : NULL, readback, frame, slot));
    WEIR_TRY(weir_frame_check(readback->context, frame));
    WEIR_TRY(weir_context_check_lost(readback->context));
    const weir_image *image;
    WEIR_TRY(weir_readback_resized_find(readback, frame->image, &image));
    const struct weir_slot_key key = key_of(frame);
    const uint32_t index = find_free(readback, key);
    if (index == readback->params.num_slots) {
        return WEIR_NOT_READY;
    }
    struct weir_slot_state *state = &readback->slots[index];
    state->commands = find_kept(state, key);
    const bool is_recorded = state->commands != NULL;
    if (!is_recorded) {
        WEIR_TRY(begin_recording(readback, frame, image, index));
    }
    state->frame = *frame;
    state->is_begun = true;
    state->is_submitted = state->is_done = false;
    atomic_store_explicit(&state->is_taken, true, memory_order_relaxed);
    readback->next_slot = (index + 1) % readback->params.num_slots;
    *slot = (struct weir_slot){.index = index,
                               .cmd = state->commands->kernels,
                               .tail = state->commands->tail,
                               .commands = index * WEIR_READBACK_NUM_KEPT +
                                           (uint32_t)(state->commands - state->kept),
                               .image = image,
                               .is_recorded = is_recorded,
                               .keep = is_recorded};
    return WEIR_OK;
}

// Get the state of a slot. One that is not the ring's has no buffers.
static const struct weir_slot_state *state_of(const weir_readback *readback, uint32_t slot_index)
{
    static const struct weir_slot_state none;
    return readback && slot_index < readback->params.num_slots ? &readback->slots[slot_index]
                                                               : &none;
}

const weir_buffer *weir_slot_buffer(const weir_readback *readback, const struct weir_slot *slot)
{
    return slot ? state_of(readback, slot->index)->device.buffer : NULL;
}

const weir_buffer *weir_slot_result(const weir_readback *readback, const struct weir_slot *slot)
{
    return slot ? state_of(readback, slot->index)->host.buffer : NULL;
}

struct weir_slot_control weir_slot_get_control(const weir_readback *readback, uint32_t slot_index)
{
    const struct weir_slot_state *slot = state_of(readback, slot_index);
    return (struct weir_slot_control){slot->control.buffer, slot->control.memory.mapped};
}

const weir_buffer *weir_readback_history(const weir_readback *readback)
{
    return readback ? readback->history.buffer : NULL;
}

// Is the slot one that begin() gave out and that was not submitted since?
static bool is_begun(weir_readback *readback, const struct weir_slot *slot)
{
    return slot->index < readback->params.num_slots && readback->slots[slot->index].is_begun &&
           atomic_load_explicit(&readback->slots[slot->index].is_taken, memory_order_relaxed);
}

// Let the host see what kernels have written into its memory.
static enum weir_result end_tail(weir_readback *readback, const struct weir_slot_state *state)
{
    weir_context *context = readback->context;
    weir_vk_barrier(context, state->commands->tail, weir_vk_kernel_writes, weir_vk_host_reads);
    return weir_vk_commands_end(context, state->commands->tail);
}

static enum weir_result end_recording(weir_readback *readback, const struct weir_slot *slot)
{
    weir_context *context = readback->context;
    struct weir_slot_state *state = &readback->slots[slot->index];
    if (state->control.buffer) {
        weir_vk_barrier(context, state->commands->kernels, weir_vk_kernel_writes,
                        weir_vk_host_reads);
    }
    weir_cmd_frame_return(&state->frame, state->commands->kernels);
    WEIR_TRY(weir_vk_commands_end(context, state->commands->kernels));
    if (is_direct(readback)) {
        WEIR_TRY(end_tail(readback, state));
    }
    if (slot->keep && !state->zeroes) {
        state->commands->key = key_of(&state->frame);
    }
    return WEIR_OK;
}

// Submit a slot's kernels, and its copy or tail behind them.
static enum weir_result submit_slot(weir_readback *readback, struct weir_slot_state *state)
{
    weir_context *context = readback->context;
    struct weir_readback_timeline *images = &readback->timelines->images;
    struct weir_readback_timeline *results = &readback->timelines->results[state->transfer];
    const bool has_own_queue = state->transfer > 0;
    struct weir_vk_batch batch = {.cmds = {[1] = state->commands->kernels}}, copy;
    state->timer = weir_readback_timer_take(readback);
    if (state->timer < WEIR_READBACK_NUM_TIMERS) {
        batch.cmds[0] = readback->timers.begin[state->timer];
        batch.cmds[2] = is_direct(readback) ? NULL : readback->timers.end[state->timer];
    }
    link_batch(&batch, readback, &state->frame);
    state->image_value = images->last_value;
    state->result_value = ++results->last_value;
    weir_readback_link_copy(&copy, readback, state);
    const VkSubmitInfo submits[] = {batch.submit, copy.submit};
    const enum weir_result result = weir_context_submit(context, &context->queue,
                                                        has_own_queue ? 1 : 2, submits);
    if (result != WEIR_OK) {
        images->last_value--;
        results->last_value--;
        return result;
    }
    readback->last_image = state->image_value;
    state->copied = has_own_queue
                        ? weir_context_submit(
                              context, weir_readback_transfer_queue(context, state->transfer), 1,
                              &copy.submit)
                        : WEIR_OK;
    if (state->copied == WEIR_OK) {
        readback->last_results[state->transfer] = state->result_value;
    } else { // the image is given back all the same, so wait() returns the error
        results->last_value--;
    }
    return WEIR_OK;
}

enum weir_result weir_readback_submit(weir_readback *readback, const struct weir_slot *slot,
                                      struct weir_point *released)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(readback ? &readback->context->log : NULL, readback, slot));
    weir_context *context = readback->context;
    WEIR_FAIL_IF(!is_begun(readback, slot), &context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE, "slot %u was not begun, or is submitted already",
                 slot->index);
    struct weir_slot_state *state = &readback->slots[slot->index];
    state->is_begun = false;
    if (state->commands->key.image_number == 0) {
        WEIR_TRY(end_recording(readback, slot));
    }
    WEIR_TRY(weir_vk_buffer_flush(context, &state->control.memory));
    WEIR_TRY(submit_slot(readback, state));
    readback->is_history_zeroed = true;
    state->is_submitted = true;
    set_released(readback, state->image_value, released);
    return WEIR_OK;
}

static enum weir_result record_pass(weir_readback *readback, const struct weir_frame *frame,
                                    VkCommandBuffer *cmd)
{
    weir_context *context = readback->context;
    struct weir_pass *pass = &readback->passes[readback->next_pass];
    // Reached long ago unless the host has more than WEIR_READBACK_NUM_PASSES frames in flight.
    WEIR_TRY(weir_readback_wait_value(readback, &readback->timelines->images, pass->image_value,
                                      UINT64_MAX));
    WEIR_TRY(weir_vk_commands_begin(context, pass->cmd, 0));
    weir_cmd_frame_receive_and_return(frame, pass->cmd);
    WEIR_TRY(weir_vk_commands_end(context, pass->cmd));
    pass->image_value = readback->timelines->images.last_value + 1;
    readback->next_pass = (readback->next_pass + 1) % WEIR_READBACK_NUM_PASSES;
    *cmd = pass->cmd;
    return WEIR_OK;
}

enum weir_result weir_readback_pass(weir_readback *readback, const struct weir_frame *frame,
                                    struct weir_point *released)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(readback ? &readback->context->log : NULL, readback, frame));
    weir_context *context = readback->context;
    WEIR_TRY(weir_frame_check_semaphores(context, frame));
    struct weir_vk_batch batch = {.wait = VK_NULL_HANDLE};
    if (weir_frame_changes_owner(frame) && weir_frame_can_hand_over(context, frame)) {
        WEIR_TRY(record_pass(readback, frame, &batch.cmds[0]));
    }
    link_batch(&batch, readback, frame);
    const enum weir_result result = weir_context_submit(context, &context->queue, 1, &batch.submit);
    if (result != WEIR_OK) {
        readback->timelines->images.last_value--;
        return result;
    }
    readback->last_image = readback->timelines->images.last_value;
    set_released(readback, readback->last_image, released);
    return WEIR_OK;
}
