// SPDX-License-Identifier: MIT
// Faults of the disk, for the program that this is loaded into by LD_PRELOAD.
//
// WEIR_FULL_DISK: no file grows beyond so many KiB. RLIMIT_FSIZE would also hit the memory of
// Mesa's software device, which is a file from Mesa 25 on.
// WEIR_FAILING_RENAME: of the files that Weir gives their names, the one of that number (counted
// from 1) cannot have it.
// WEIR_KILL_AT: the call of that number that changes a file in WEIR_KILL_FOLDER is the last one. Of
// what it writes, a half is written. With WEIR_KILL_AT_BYTE the last one is that which would write
// more bytes in all, and it writes up to there. The program and its child processes count together,
// and end together. With WEIR_STOP_AT_BYTE the program stands still at that write until SIGCONT.
// WEIR_KILL_COUNT names a file that gets the numbers of such calls and bytes.
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
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

static long number(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

// Only the files in WEIR_KILL_FOLDER: not the driver's memory and caches.
static bool is_counted(int fd)
{
    char link[64], path[4096] = "";
    struct stat status;
    const char *folder = getenv("WEIR_KILL_FOLDER");
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    return folder && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
           readlink(link, path, sizeof(path) - 1) > 0 && strncmp(path, folder, strlen(folder)) == 0;
}

static bool is_last(int fd)
{
    return is_counted(fd) && ++counts->calls == number("WEIR_KILL_AT", -1);
}

// True if a write is the last one; `size` becomes how much of it is written.
static bool is_last_write(int fd, size_t *size)
{
    const long limit = number("WEIR_KILL_AT_BYTE", -1), stop = number("WEIR_STOP_AT_BYTE", -1);
    if (is_last(fd)) {
        *size /= 2;
        return true;
    }
    if (!is_counted(fd)) {
        return false;
    }
    const long before = counts->bytes;
    counts->bytes += (long)*size;
    if (before <= stop && counts->bytes > stop) {
        kill(program, SIGSTOP);
    }
    if (limit < 0 || counts->bytes <= limit) {
        return false;
    }
    *size = before < limit ? (size_t)(limit - before) : 0;
    return true;
}

// Get how many of the `size` bytes at `offset` the disk has room for.
static size_t room(int fd, size_t size, off_t offset)
{
    const off_t end = 1024 * number("WEIR_FULL_DISK", -1);
    struct stat status;
    if (end < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        offset + (off_t)size <= end) {
        return size;
    }
    return offset < end ? (size_t)(end - offset) : 0;
}

static void end(void)
{
    kill(program, SIGKILL);
    kill(getpid(), SIGKILL);
}

// Write what there is room for. With WEIR_KILL_AT* counted before.
static ssize_t write_part(int fd, const void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off_t);
    NEXT("pwrite", next);
    const size_t fits = room(fd, size, offset);
    if (fits == 0 && size > 0) {
        errno = ENOSPC;
        return -1;
    }
    return next(fd, data, fits, offset);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    const bool last = is_last_write(fd, &size);
    const ssize_t written = write_part(fd, data, size, offset);
    if (last) {
        end();
    }
    return written;
}

// In parts: what has been written is returned where a part does not fit.
ssize_t writev(int fd, const struct iovec *parts, int num_parts)
{
    ssize_t (*next)(int, const struct iovec *, int);
    NEXT("writev", next);
    const off_t begin = lseek(fd, 0, SEEK_CUR);
    size_t left = 0;
    ssize_t total = 0;
    for (int i = 0; i < num_parts; i++) {
        left += parts[i].iov_len;
    }
    const bool last = is_last_write(fd, &left);
    if (begin < 0) { // no file
        return next(fd, parts, num_parts);
    }
    for (int i = 0; i < num_parts && left > 0; i++) {
        const size_t size = parts[i].iov_len < left ? parts[i].iov_len : left;
        const ssize_t written = write_part(fd, parts[i].iov_base, size, begin + total);
        if (written < 0) {
            total = total > 0 ? total : -1;
            break;
        }
        total += written;
        left -= size;
        if ((size_t)written < size) {
            break;
        }
    }
    if (last) {
        end();
    }
    lseek(fd, begin + (total > 0 ? total : 0), SEEK_SET);
    return total;
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

static bool rename_fails(const char *from)
{
    static atomic_long num_calls;
    const long failing = number("WEIR_FAILING_RENAME", 0);
    const bool fails = failing > 0 && strstr(from, ".weir-") && ++num_calls == failing;
    if (fails) {
        errno = EIO;
    }
    return fails;
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    NEXT("rename", next);
    return rename_fails(from) ? -1 : next(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    int (*next)(int, const char *, int, const char *);
    NEXT("renameat", next);
    return rename_fails(from) ? -1 : next(from_folder, from, to_folder, to);
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("WEIR_KILL_COUNT");
    FILE *file = path && getpid() == program ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld %ld\n", counts->calls, counts->bytes);
        fclose(file);
    }
}
