// SPDX-License-Identifier: MIT
// How much of the machine's memory a program may take.
#pragma once

#include <stdint.h>

#include "capture/files/source/source.h"

// Get the memory that the system and the control groups of this process have for it [bytes];
// UINT64_MAX if nothing says so. Files are read below `root`, which is "" but in tests.
uint64_t cli_memory_of_machine(const char *root);

// Get the use of a command: `num_copies` and `texel_size` as there, the limit as asked for, or,
// with 0, three quarters of the machine's memory.
struct weir_memory_use cli_memory_use(uint64_t asked, uint32_t num_copies, uint32_t texel_size);
