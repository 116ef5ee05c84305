// SPDX-License-Identifier: MIT
// Threads of the capture, by winpthreads. Windows has no signals.
#include "capture/base/thread.h"

#include <time.h>

#include "capture/base/clock.h"

bool weir_thread_start(pthread_t *thread, const char *name, void *(*run)(void *user), void *user)
{
    const bool started = pthread_create(thread, NULL, run, user) == 0;
    if (started) {
        pthread_setname_np(*thread, name);
    }
    return started;
}

void weir_thread_condition_init(pthread_cond_t *condition)
{
    pthread_cond_init(condition, NULL);
}

// It waits by the time of day, which may be set: then it wakes early or late, once.
void weir_thread_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t until_ns)
{
    const uint64_t now_ns = weir_clock_ns();
    if (until_ns <= now_ns) {
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    const uint64_t ns = (uint64_t)until.tv_nsec + (until_ns - now_ns);
    until.tv_sec += (time_t)(ns / 1000000000u);
    until.tv_nsec = (long)(ns % 1000000000u);
    pthread_cond_timedwait(condition, mutex, &until);
}
