// SPDX-License-Identifier: MIT
// Waits for a value of a ring's timeline.
//
// Polls with sleeps in place of vkWaitSemaphores: where two threads wait on one semaphore (the
// writer for results, the host for its images), that call took milliseconds on NVIDIA 580.159 and
// held frames a second at 1080p to 2,300; this gives 13,900 there (docs/benchmarks.md).
#include <time.h>

#include "readback/state.h"

enum {
    MIN_SLEEP_NS = 20000,
    MAX_SLEEP_NS = 1000000,
    // a sleep is this part of the time waited so far: it adds at most an eighth
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
        context, context->vk.GetSemaphoreCounterValue(context->device, readback->timeline, value),
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
