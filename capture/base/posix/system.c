// SPDX-License-Identifier: MIT
// The number of processors, memory in pages, and random bytes.
#include "capture/base/system.h"

#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

uint32_t weir_num_processors(void)
{
    const long num = sysconf(_SC_NPROCESSORS_ONLN);
    return num < 1 ? 1 : num > UINT16_MAX ? UINT16_MAX : (uint32_t)num;
}

uint8_t *weir_pages_create(size_t size)
{
    // A mapping goes back to the system: the heap would grow with each segment, since
    // aligned_alloc() of glibc before 2.38 does not find what it had and freed.
    uint8_t *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return pages != MAP_FAILED ? pages : NULL;
}

void weir_pages_destroy(uint8_t *pages, size_t size)
{
    munmap(pages, size);
}

bool weir_random(void *bytes, size_t size)
{
    return getrandom(bytes, size, 0) == (ssize_t)size;
}
