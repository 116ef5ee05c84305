// SPDX-License-Identifier: MIT
// A kill in the middle of writing, for the program that this is loaded into by LD_PRELOAD: the
// WEIR_KILL_AT-th call that changes a file (counted from 1) is the last one. Of what it writes, a
// half is written. With WEIR_KILL_AT_BYTE the last one is that which would write more bytes in all,
// and it writes up to there. The program and its child processes count together, and end together.
// WEIR_KILL_COUNT names a file that gets the numbers of such calls and bytes at the end.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct counts {
    _Atomic long calls, bytes;
};
static struct counts *counts; // shared with child processes
static pid_t program;

#define NEXT(name, function)                                                                       \
    do {                                                                                           \
        void *symbol = dlsym(RTLD_NEXT, name);                                                     \
        memcpy(&(function), &symbol, sizeof(function));                                            \
    } while (0)

__attribute__((constructor)) static void begin(void)
{
    program = getpid();
    counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

// Only the files in WEIR_KILL_FOLDER: not the driver's memory and caches.
static bool is_counted(int fd)
{
    char link[64], path[4096] = "";
    struct stat status;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof(path) - 1);
    const char *folder = getenv("WEIR_KILL_FOLDER");
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && length > 0 && folder &&
           strncmp(path, folder, strlen(folder)) == 0;
}

static bool is_last(int fd)
{
    const char *text = getenv("WEIR_KILL_AT");
    return is_counted(fd) && ++counts->calls == (text ? atol(text) : -1);
}

// True if a write is the last one; `size` becomes how much of it is written.
static bool is_last_write(int fd, size_t *size)
{
    const char *text = getenv("WEIR_KILL_AT_BYTE");
    const long limit = text ? atol(text) : -1;
    if (is_last(fd)) {
        *size /= 2;
        return true;
    }
    const long before = counts->bytes;
    counts->bytes += is_counted(fd) ? (long)*size : 0;
    if (limit < 0 || counts->bytes <= limit || !is_counted(fd)) {
        return false;
    }
    *size = before < limit ? (size_t)(limit - before) : 0;
    return true;
}

static void end(void)
{
    kill(program, SIGKILL);
    kill(getpid(), SIGKILL);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off_t);
    NEXT("pwrite", next);
    const bool last = is_last_write(fd, &size);
    const ssize_t written = next(fd, data, size, offset);
    if (last) {
        end();
    }
    return written;
}

ssize_t writev(int fd, const struct iovec *parts, int num_parts)
{
    ssize_t (*next)(int, const struct iovec *, int);
    NEXT("writev", next);
    size_t size = 0;
    for (int i = 0; i < num_parts; i++) {
        size += parts[i].iov_len;
    }
    if (!is_last_write(fd, &size)) {
        return next(fd, parts, num_parts);
    }
    for (int i = 0; i < num_parts && size > 0; i++) {
        struct iovec part = parts[i];
        part.iov_len = part.iov_len < size ? part.iov_len : size;
        size -= part.iov_len;
        next(fd, &part, 1);
    }
    end();
    return -1;
}

int ftruncate(int fd, off_t length)
{
    int (*next)(int, off_t);
    NEXT("ftruncate", next);
    if (is_last(fd)) {
        end();
    }
    return next(fd, length);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("WEIR_KILL_COUNT");
    FILE *file = path && getpid() == program ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld %ld\n", counts->calls, counts->bytes);
        fclose(file);
    }
}
