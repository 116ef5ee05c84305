// SPDX-License-Identifier: MIT
// Threads, by winpthreads. Windows has no signals.
#include "base/thread.h"

bool weir_thread_create(pthread_t *thread, void *(*run)(void *user), void *user)
{
    return pthread_create(thread, NULL, run, user) == 0;
}
