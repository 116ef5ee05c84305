// SPDX-License-Identifier: MIT
// The memory of a stream's frames: a file without a name, sealed, which both sides map.
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/link/parts.h"

// Without these the other side could take pages away, and whoever touches them next would die.
enum { NEEDED_SEALS = F_SEAL_SHRINK | F_SEAL_GROW };

int link_memory_create(const struct link_accept *accept)
{
    const uint64_t size = link_memory_size(accept);
    if (size == 0) {
        errno = EINVAL;
        return -1;
    }
    if ((uint64_t)(off_t)size != size) {
        errno = EFBIG;
        return -1;
    }
    const int fd = link_raise(memfd_create("weir-record", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (fd < 0) {
        return -1;
    }
    if (ftruncate(fd, (off_t)size) != 0 ||
        fcntl(fd, F_ADD_SEALS, NEEDED_SEALS | F_SEAL_SEAL) != 0) {
        return link_fail(fd);
    }
    return fd;
}

void *link_memory_map(int fd, const struct link_accept *accept)
{
    const uint64_t size = link_memory_size(accept);
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return NULL;
    }
    const int seals = fcntl(fd, F_GET_SEALS); // -1: not of a kind that has seals
    if (size == 0 || !S_ISREG(status.st_mode) || status.st_size < 0 ||
        (uint64_t)status.st_size != size || seals < 0 || (seals & NEEDED_SEALS) != NEEDED_SEALS) {
        errno = EINVAL;
        return NULL;
    }
    if ((size_t)size != size) {
        errno = ENOMEM;
        return NULL;
    }
    void *memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void link_memory_unmap(void *memory, const struct link_accept *accept)
{
    if (memory) {
        munmap(memory, (size_t)link_memory_size(accept));
    }
}
