// SPDX-License-Identifier: MIT
// Threads of the capture: named, and deaf to the program's signals.
#ifndef WEIR_CAPTURE_BASE_THREAD_H
#define WEIR_CAPTURE_BASE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

// Start a thread with every signal blocked: the host's handlers run on the host's threads, and a
// write beyond RLIMIT_FSIZE answers EFBIG instead of ending the program with SIGXFSZ. `name` has at
// most 15 characters. False: the system gave none.
bool weir_thread_start(pthread_t *thread, const char *name, void *(*run)(void *user), void *user);

// The same for writes on a thread of the host: between the two, SIGXFSZ is neither delivered nor
// left over. errno stays.
void weir_thread_hold_xfsz(sigset_t *before);
void weir_thread_release_xfsz(const sigset_t *before);

#endif
