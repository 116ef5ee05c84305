// SPDX-License-Identifier: MIT
// Threads of the capture, which have names and block the host's signals.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

// Start a thread with every signal blocked but those that it raises itself, such as SIGSEGV. The
// host's handlers of all others then run on the host's threads, and a write beyond RLIMIT_FSIZE
// fails with EFBIG instead of ending the program with SIGXFSZ. `name` has at most 15 characters.
// False if the system cannot start a thread.
bool weir_thread_start(pthread_t *thread, const char *name, void *(*run)(void *user), void *user);

// Make a condition for weir_thread_wait_until(), which waits as pthread_cond_wait() does, but not
// beyond that time of weir_clock_ns().
void weir_thread_condition_init(pthread_cond_t *condition);
void weir_thread_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t until_ns);
