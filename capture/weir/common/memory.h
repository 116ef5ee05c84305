// SPDX-License-Identifier: MIT
// How much of the machine's memory a program may take.
#pragma once

#include <stdint.h>

#include "capture/files/source/source.h"

// Get the use of a command: `num_copies` and `texel_size` as there, the limit as asked for, or,
// with 0, three quarters of the machine's memory.
struct weir_memory_use cli_memory_use(uint64_t asked, uint32_t num_copies, uint32_t texel_size);
