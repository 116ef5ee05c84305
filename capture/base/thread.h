// SPDX-License-Identifier: MIT
// Threads of the capture, which have names and block the host's signals.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

// Start a thread with every signal blocked but those that it raises itself, such as SIGSEGV. The
// host's handlers of all others then run on the host's threads, and a write beyond RLIMIT_FSIZE
// fails with EFBIG instead of ending the program with SIGXFSZ. `name` has at most 15 characters.
// False if the system cannot start a thread.
bool weir_thread_start(pthread_t *thread, const char *name, void *(*run)(void *user), void *user);

// Block SIGXFSZ on a thread of the host, and unblock it. A SIGXFSZ that was raised in between is
// discarded. Both calls keep errno.
void weir_thread_hold_xfsz(sigset_t *before);
void weir_thread_release_xfsz(const sigset_t *before);
