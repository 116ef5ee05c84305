// SPDX-License-Identifier: MIT
// The number of processors, memory, and random bytes, from the system.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Get the number of processors that run threads, at least 1.
uint32_t weir_num_processors(void);

// Allocate `size` bytes of zeroed pages, each of them touched, so that a later write is not slowed
// by a page fault. NULL: out of memory. Destroy them with the same size.
uint8_t *weir_pages_create(size_t size);
void weir_pages_destroy(uint8_t *pages, size_t size);

// Get the memory that the system and the control groups of this process have for it [bytes];
// UINT64_MAX if nothing says so. Files are read below `root`, which is "" but in tests.
uint64_t weir_memory_of_machine(const char *root);

// Fill `bytes` with random bytes, as for keys. False: the system has none, and errno says why.
bool weir_random(void *bytes, size_t size);
