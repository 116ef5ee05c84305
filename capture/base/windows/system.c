// SPDX-License-Identifier: MIT
// The number of processors, memory in pages, and random bytes.
#define _CRT_RAND_S
#include "capture/base/system.h"

#include <stdlib.h>
#include <string.h>

#include <windows.h>

uint32_t weir_num_processors(void)
{
    const DWORD num = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return num < 1 ? 1 : num;
}

uint8_t *weir_pages_create(size_t size)
{
    uint8_t *pages = VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (pages) {
        memset(pages, 0, size); // the first touch is slow
    }
    return pages;
}

void weir_pages_destroy(uint8_t *pages, size_t size)
{
    (void)size;
    VirtualFree(pages, 0, MEM_RELEASE);
}

uint64_t weir_memory_of_machine(const char *root)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof(status)};
    (void)root;
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : UINT64_MAX;
}

bool weir_random(void *bytes, size_t size)
{
    unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++) {
        unsigned value;
        if (rand_s(&value) != 0) {
            return false;
        }
        byte[i] = (unsigned char)value;
    }
    return true;
}
