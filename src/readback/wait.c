// SPDX-License-Identifier: MIT
// Waits for a value of a ring's timelines, and so for the result of a slot, or for its control,
// which the host and the kernels of a frame share.
//
// Polls with sleeps in place of vkWaitSemaphores: where two threads wait on one semaphore (the
// writer for results, the host for its images), that call took milliseconds on NVIDIA 580.159 and
// held frames a second at 1080p to 2,300; this gives 13,900 there (docs/benchmarks.md).
#include "readback/readback.h"

#include <time.h>

#include "base/size.h"

enum {
    MIN_SLEEP_NS = 20000,
    MAX_SLEEP_NS = 1000000,
    // A sleep takes 1 / SLEEPS_IN_ELAPSED of the time waited so far, so it adds at most an eighth.
    SLEEPS_IN_ELAPSED = 8,
};

static uint64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static enum weir_result read_value(weir_readback *readback,
                                   const struct weir_readback_timeline *timeline, uint64_t *value)
{
    weir_context *context = readback->context;
    WEIR_TRY(weir_context_check_lost(context));
    return WEIR_VK_CALL(context, GetSemaphoreCounterValue, context->device, timeline->semaphore,
                        value);
}

enum weir_result weir_readback_wait_value(weir_readback *readback,
                                          const struct weir_readback_timeline *timeline,
                                          uint64_t value, uint64_t timeout_ns)
{
    const uint64_t start = clock_ns();
    for (;;) {
        uint64_t reached = 0;
        const enum weir_result result = read_value(readback, timeline, &reached);
        if (result != WEIR_OK || reached >= value) {
            return result;
        }
        const uint64_t elapsed = clock_ns() - start;
        if (elapsed >= timeout_ns) {
            return WEIR_NOT_READY;
        }
        uint64_t sleep_ns = weir_max(elapsed / SLEEPS_IN_ELAPSED, MIN_SLEEP_NS);
        sleep_ns = weir_min(weir_min(sleep_ns, MAX_SLEEP_NS), timeout_ns - elapsed);
        nanosleep(&(struct timespec){.tv_nsec = (long)sleep_ns}, NULL);
    }
}

// True if a timeline has reached the last value that the ring signals. Not asked of the device
// where the ring signals none.
static bool is_reached(weir_readback *readback, const struct weir_readback_timeline *timeline,
                       uint64_t value)
{
    uint64_t reached = 0;
    return value == 0 || read_value(readback, timeline, &reached) == WEIR_ERROR_DEVICE_LOST ||
           reached >= value;
}

bool weir_readback_is_idle(weir_readback *readback)
{
    if (!readback) {
        return true;
    }
    const struct weir_readback_timelines *timelines = readback->timelines;
    bool is_idle = is_reached(readback, &timelines->images, readback->last_image);
    for (int i = 0; i < WEIR_READBACK_MAX_TRANSFERS && is_idle; i++) {
        is_idle = is_reached(readback, &timelines->results[i], readback->last_results[i]);
    }
    return is_idle;
}

// Wait until the GPU has left a slot. Of one without a copy that is when its kernels have run.
static enum weir_result wait_for_slot(weir_readback *readback, const struct weir_slot_state *state,
                                      uint64_t timeout_ns)
{
    const struct weir_readback_timelines *timelines = readback->timelines;
    const bool is_copied = state->copied == WEIR_OK;
    return weir_readback_wait_value(
        readback, is_copied ? &timelines->results[state->transfer] : &timelines->images,
        is_copied ? state->result_value : state->image_value, timeout_ns);
}

// Check that a slot was submitted, whose result, or its control, is waited for.
static enum weir_result check_submitted(const weir_readback *readback, uint32_t slot_index)
{
    WEIR_FAIL_IF(slot_index >= readback->params.num_slots ||
                     !readback->slots[slot_index].is_submitted,
                 &readback->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "slot %u of the ring, which has %u from 0 on, was not submitted", slot_index,
                 readback->params.num_slots);
    return WEIR_OK;
}

enum weir_result weir_readback_wait_control(weir_readback *readback, uint32_t slot_index,
                                            uint64_t timeout_ns)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(readback ? &readback->context->log : NULL, readback));
    WEIR_TRY(check_submitted(readback, slot_index));
    const struct weir_slot_state *slot = &readback->slots[slot_index];
    WEIR_FAIL_IF(!slot->control.buffer, &readback->context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "the ring has no control: weir_readback_params.control_size is 0");
    WEIR_TRY(weir_readback_wait_value(readback, &readback->timelines->images, slot->image_value,
                                      timeout_ns));
    return weir_vk_buffer_invalidate(readback->context, &slot->control.memory);
}

enum weir_result weir_readback_wait(weir_readback *readback, uint32_t slot_index,
                                    uint64_t timeout_ns, struct weir_readback_data *data)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(readback ? &readback->context->log : NULL, readback, data));
    WEIR_TRY(check_submitted(readback, slot_index));
    struct weir_slot_state *state = &readback->slots[slot_index];
    WEIR_TRY(wait_for_slot(readback, state, timeout_ns));
    if (state->copied != WEIR_OK) {
        state->is_done = true;
        return state->copied;
    }
    WEIR_TRY(weir_vk_buffer_invalidate(readback->context, &state->host.memory));
    WEIR_TRY(weir_vk_buffer_invalidate(readback->context, &state->control.memory));
    state->is_done = true;
    *data = (struct weir_readback_data){
        .data = state->host.memory.mapped + readback->result_offset,
        .size = readback->params.direct_size > 0 ? readback->params.direct_size
                                                 : readback->params.size,
        .gpu_ns = weir_readback_timer_read(readback, state->timer),
        .control = state->control.memory.mapped,
    };
    return WEIR_OK;
}

void weir_readback_release(weir_readback *readback, uint32_t slot_index)
{
    if (!readback || slot_index >= readback->params.num_slots) {
        return;
    }
    struct weir_slot_state *state = &readback->slots[slot_index];
    if (state->is_done || (!state->is_begun && !state->is_submitted)) {
        atomic_store_explicit(&state->is_taken, false, memory_order_release);
    }
}
