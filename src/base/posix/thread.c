// SPDX-License-Identifier: MIT
// Threads, which do not get the host's signals.
#include "base/thread.h"

#include <signal.h>

bool weir_thread_create(pthread_t *thread, void *(*run)(void *user), void *user)
{
    // Where these are blocked, the system ends the process of a thread that raises them.
    static const int own[] = {SIGSYS, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
        sigdelset(&all, own[i]);
    }
    pthread_sigmask(SIG_SETMASK, &all, &before); // which the new thread inherits
    const bool is_started = pthread_create(thread, NULL, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}
