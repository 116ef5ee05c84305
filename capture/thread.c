// SPDX-License-Identifier: MIT
// Threads of the capture: named, and deaf to the program's signals.
#define _GNU_SOURCE // pthread_setname_np
#include "capture/thread.h"

#include <signal.h>

bool weir_thread_start(pthread_t *thread, const char *name, void *(*run)(void *user), void *user)
{
    sigset_t all, before;
    sigfillset(&all);
    // The new thread inherits the mask of the one that starts it.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(thread, NULL, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) {
        pthread_setname_np(*thread, name);
    }
    return started;
}
