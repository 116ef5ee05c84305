// SPDX-License-Identifier: MIT
// What the system gives: processors, memory, chance.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Get the number of processors that run threads, at least 1.
uint32_t weir_num_processors(void);

// Get memory, whole pages of zeros, all of which the system has given, or return it. NULL: out of
// memory.
uint8_t *weir_pages_create(size_t size);
void weir_pages_destroy(uint8_t *pages, size_t size);

// Get bytes that nobody can foresee. False, and errno: the system has none.
bool weir_random(void *bytes, size_t size);
