// SPDX-License-Identifier: MIT
// Waits for a value of a ring's timeline, and so for the result of a slot.
//
// Polls with sleeps in place of vkWaitSemaphores: where two threads wait on one semaphore (the
// writer for results, the host for its images), that call took milliseconds on NVIDIA 580.159 and
// held frames a second at 1080p to 2,300; this gives 13,900 there (docs/benchmarks.md).
#include "readback/readback.h"

#include <time.h>

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

static enum weir_result read_value(weir_readback *readback, uint64_t *value)
{
    weir_context *context = readback->context;
    const enum weir_result result = weir_context_check_lost(context);
    if (result != WEIR_OK) {
        return result;
    }
    return weir_vk_check(
        context,
        context->vk.GetSemaphoreCounterValue(context->device, readback->timeline->semaphore, value),
        "vkGetSemaphoreCounterValue");
}

enum weir_result weir_readback_wait_value(weir_readback *readback, uint64_t value,
                                          uint64_t timeout_ns)
{
    const uint64_t start = clock_ns();
    for (;;) {
        uint64_t reached = 0;
        const enum weir_result result = read_value(readback, &reached);
        if (result != WEIR_OK || reached >= value) {
            return result;
        }
        const uint64_t elapsed = clock_ns() - start;
        if (elapsed >= timeout_ns) {
            return WEIR_NOT_READY;
        }
        uint64_t sleep_ns = elapsed / SLEEPS_IN_ELAPSED;
        sleep_ns = sleep_ns < MIN_SLEEP_NS ? MIN_SLEEP_NS : sleep_ns;
        sleep_ns = sleep_ns > MAX_SLEEP_NS ? MAX_SLEEP_NS : sleep_ns;
        sleep_ns = sleep_ns > timeout_ns - elapsed ? timeout_ns - elapsed : sleep_ns;
        nanosleep(&(struct timespec){.tv_nsec = (long)sleep_ns}, NULL);
    }
}

bool weir_readback_is_idle(weir_readback *readback)
{
    uint64_t reached = 0;
    return !readback || readback->last_value == 0 ||
           read_value(readback, &reached) == WEIR_ERROR_DEVICE_LOST ||
           reached >= readback->last_value;
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
                                    uint64_t timeout_ns, struct weir_readback_data *data)
{
    enum weir_result result = WEIR_CHECK_GIVEN(readback ? &readback->context->log : NULL,
                                               WEIR_ARGUMENT(readback), WEIR_ARGUMENT(data));
    if (result != WEIR_OK) {
        return result;
    }
    if (slot_index >= readback->params.num_slots) {
        return weir_error(&readback->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                          "slot %u: the ring has %u, numbered from 0", slot_index,
                          readback->params.num_slots);
    }
    struct weir_slot_state *state = &readback->slots[slot_index];
    if (!state->is_submitted) {
        return weir_error(&readback->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                          "slot %u was not submitted", slot_index);
    }
    result = weir_readback_wait_value(readback, state->done_value, timeout_ns);
    if (result == WEIR_OK) {
        result = weir_vk_buffer_invalidate(readback->context, &state->host);
    }
    if (result == WEIR_OK) {
        result = weir_readback_control_invalidate(readback, state);
    }
    if (result == WEIR_OK) {
        state->is_done = true;
        *data = (struct weir_readback_data){
            .data = state->host.mapped + readback->result_offset,
            .size = readback->params.direct_size > 0 ? readback->params.direct_size
                                                     : readback->params.size,
            .gpu_ns = measure_gpu_ns(readback, slot_index),
            .control = state->control.mapped,
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
    if (state->is_done || (!state->is_begun && !state->is_submitted)) {
        atomic_store_explicit(&state->is_taken, false, memory_order_release);
    }
}
