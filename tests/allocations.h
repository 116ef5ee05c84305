// SPDX-License-Identifier: MIT
// Counts what Weir's libraries allocate in a program that is linked with --wrap=malloc,
// --wrap=calloc and --wrap=realloc, and the memory of the process. For one source file.
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t num, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t num, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static atomic_int num_allocations;             // on any thread
static _Thread_local int num_allocations_here; // on this one

static void count_allocation(void)
{
    atomic_fetch_add(&num_allocations, 1);
    num_allocations_here++;
}

void *__wrap_malloc(size_t size)
{
    count_allocation();
    return __real_malloc(size);
}

void *__wrap_calloc(size_t num, size_t size)
{
    count_allocation();
    return __real_calloc(num, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    count_allocation();
    return __real_realloc(memory, size);
}

// Resident memory of this process [bytes].
static inline long resident_size(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*s %ld", &pages) != 1) {
        pages = 0;
    }
    if (file) {
        fclose(file);
    }
    return pages * sysconf(_SC_PAGESIZE);
}
