// SPDX-License-Identifier: MIT
// Threads of the capture, which have names and block the host's signals.
#include "capture/base/thread.h"

#include <errno.h>
#include <time.h>

#include "capture/base/posix/descriptor.h"

// Signals that an instruction or a system call of the thread itself raises. Where they are blocked,
// the system ends the process: a sandbox answers forbidden system calls by a handler of SIGSYS.
static const int own_signals[] = {SIGSYS, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

bool weir_thread_start(pthread_t *thread, const char *name, void *(*run)(void *user), void *user)
{
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof(own_signals) / sizeof(own_signals[0]); i++) {
        sigdelset(&all, own_signals[i]);
    }
    // The new thread inherits the mask of the one that starts it.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(thread, NULL, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) {
        pthread_setname_np(*thread, name);
    }
    return started;
}

void weir_thread_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void weir_thread_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t until_ns)
{
    const struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000u),
                                   .tv_nsec = (long)(until_ns % 1000000000u)};
    pthread_cond_timedwait(condition, mutex, &until);
}

static sigset_t only_xfsz(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    return set;
}

void weir_thread_hold_xfsz(sigset_t *before)
{
    const sigset_t xfsz = only_xfsz();
    pthread_sigmask(SIG_BLOCK, &xfsz, before);
}

void weir_thread_release_xfsz(const sigset_t *before)
{
    if (sigismember(before, SIGXFSZ)) {
        return; // the signal was blocked before, and stays so: it belongs to the host
    }
    const int error = errno;
    const sigset_t xfsz = only_xfsz();
    while (sigtimedwait(&xfsz, NULL, &(struct timespec){.tv_sec = 0}) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = error;
}
