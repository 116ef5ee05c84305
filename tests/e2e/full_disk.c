// SPDX-License-Identifier: MIT
// A disk that is full, for the program that this is loaded into by LD_PRELOAD: no file of its
// grows beyond WEIR_FULL_DISK KiB. RLIMIT_FSIZE would also hit the memory of Mesa's software
// device, which is a file from Mesa 25 on.
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

typedef ssize_t pwrite_function(int fd, const void *data, size_t size, off_t offset);

static pwrite_function *next_pwrite(void)
{
    void *symbol = dlsym(RTLD_NEXT, "pwrite");
    pwrite_function *function;
    memcpy(&function, &symbol, sizeof(function));
    return function;
}

// Get how many of the `size` bytes at `offset` there is room for.
static size_t room(int fd, size_t size, off_t offset)
{
    const char *text = getenv("WEIR_FULL_DISK");
    const off_t end = text ? 1024 * atol(text) : 0;
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || offset + (off_t)size <= end) {
        return size;
    }
    return offset < end ? (size_t)(end - offset) : 0;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    const size_t fits = room(fd, size, offset);
    if (fits == 0 && size > 0) {
        errno = ENOSPC;
        return -1;
    }
    return next_pwrite()(fd, data, fits, offset);
}

// In parts: what has been written is returned where a part does not fit.
ssize_t writev(int fd, const struct iovec *parts, int num_parts)
{
    size_t total = 0;
    for (int i = 0; i < num_parts; i++) {
        const off_t place = lseek(fd, 0, SEEK_CUR);
        const size_t size = parts[i].iov_len;
        const size_t fits = place < 0 ? size : room(fd, size, place);
        if (fits == 0 && size > 0) {
            errno = ENOSPC;
            return total > 0 ? (ssize_t)total : -1;
        }
        const ssize_t written = write(fd, parts[i].iov_base, fits);
        if (written < 0) {
            return total > 0 ? (ssize_t)total : -1;
        }
        total += (size_t)written;
        if ((size_t)written < size) {
            break;
        }
    }
    return (ssize_t)total;
}
