// SPDX-License-Identifier: MIT
// Threads, which do not get the host's signals.
#pragma once

#include <pthread.h>
#include <stdbool.h>

// Start a thread, on which no handler of the host's runs but those of what it raises itself, such
// as SIGSEGV. False if the system cannot start one.
bool weir_thread_create(pthread_t *thread, void *(*run)(void *user), void *user);
