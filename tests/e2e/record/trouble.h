// SPDX-License-Identifier: MIT
// What e2e_present does that is hard on whoever works in its process.
#pragma once

#include "options.h"

// Forbid all threads the system calls of a sandbox (seccomp).
void trouble_set_filter(enum filter filter, enum forbidden forbidden);

// Allow descriptors below that number only.
void trouble_limit_files(uint32_t most);

// A signal handler calls exit(3): after a time, or where this thread unlocks a mutex the Nth time
// in a layer of Weir's. 0: never.
void trouble_exit_after(uint32_t us);
void trouble_exit_at_unlock(uint32_t number);
