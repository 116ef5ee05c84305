// SPDX-License-Identifier: MIT
// The calls of the system that may fail, in the place of those of the C library.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fault.h"

// The allocator of the GNU C library below its public names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t num, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

#define CALLER __builtin_return_address(0)
#define NEXT(type, name)                                                                           \
    static type *next;                                                                             \
    if (!next) {                                                                                   \
        void *symbol = dlsym(RTLD_NEXT, name);                                                     \
        memcpy(&next, &symbol, sizeof(next));                                                      \
    }

// The mode of a call to open(), which is given only where a file may be made.
#define OPEN_MODE(flags, mode)                                                                     \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                         \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode = va_arg(arguments, mode_t);                                                          \
        va_end(arguments);                                                                         \
    }

typedef int open_function(const char *path, int flags, ...);
int open(const char *path, int flags, ...)
{
    OPEN_MODE(flags, mode)
    NEXT(open_function, "open")
    return fault_is_chosen(FAULT_OPEN, CALLER, -1, path) ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    OPEN_MODE(flags, mode)
    NEXT(open_function, "open64")
    return fault_is_chosen(FAULT_OPEN, CALLER, -1, path) ? -1 : next(path, flags, mode);
}

typedef int openat_function(int folder, const char *path, int flags, ...);
int openat(int folder, const char *path, int flags, ...)
{
    OPEN_MODE(flags, mode)
    NEXT(openat_function, "openat")
    return fault_is_chosen(FAULT_OPEN, CALLER, -1, path) ? -1 : next(folder, path, flags, mode);
}

typedef FILE *fopen_function(const char *path, const char *mode);
FILE *fopen(const char *path, const char *mode)
{
    NEXT(fopen_function, "fopen")
    return fault_is_chosen(FAULT_OPEN, CALLER, -1, path) ? NULL : next(path, mode);
}

typedef DIR *opendir_function(const char *path);
DIR *opendir(const char *path)
{
    NEXT(opendir_function, "opendir")
    return fault_is_chosen(FAULT_OPEN, CALLER, -1, path) ? NULL : next(path);
}

typedef ssize_t read_function(int fd, void *data, size_t size);
ssize_t read(int fd, void *data, size_t size)
{
    NEXT(read_function, "read")
    if (fault_is_chosen(FAULT_READ, CALLER, fd, NULL)) {
        if (!fault_is_short()) {
            return -1;
        }
        size = size > 1 ? size / 2 : size;
    }
    return next(fd, data, size);
}

typedef size_t fread_function(void *data, size_t size, size_t num, FILE *file);
size_t fread(void *data, size_t size, size_t num, FILE *file)
{
    NEXT(fread_function, "fread")
    if (fault_is_chosen(FAULT_READ, CALLER, fileno(file), NULL) && !fault_is_short()) {
        file->_flags |= 0x20; // what ferror() reads in the GNU C library
        return 0;
    }
    return next(data, size, num, file);
}

typedef ssize_t write_function(int fd, const void *data, size_t size);
ssize_t write(int fd, const void *data, size_t size)
{
    NEXT(write_function, "write")
    if (fault_is_chosen(FAULT_WRITE, CALLER, fd, NULL)) {
        if (!fault_is_short()) {
            return -1;
        }
        size = size > 1 ? size / 2 : size;
    }
    return next(fd, data, size);
}

typedef ssize_t writev_function(int fd, const struct iovec *parts, int num_parts);
ssize_t writev(int fd, const struct iovec *parts, int num_parts)
{
    NEXT(writev_function, "writev")
    if (fault_is_chosen(FAULT_WRITE, CALLER, fd, NULL)) {
        if (!fault_is_short()) {
            return -1;
        }
        struct iovec half = parts[0];
        half.iov_len = half.iov_len > 1 ? half.iov_len / 2 : half.iov_len;
        return next(fd, &half, 1);
    }
    return next(fd, parts, num_parts);
}

typedef ssize_t pwrite_function(int fd, const void *data, size_t size, off_t offset);
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    NEXT(pwrite_function, "pwrite")
    if (fault_is_chosen(FAULT_PWRITE, CALLER, fd, NULL)) {
        if (!fault_is_short()) {
            return -1;
        }
        size = size > 1 ? size / 2 : size;
    }
    return next(fd, data, size, offset);
}

typedef int fd_function(int fd);
int fdatasync(int fd)
{
    NEXT(fd_function, "fdatasync")
    return fault_is_chosen(FAULT_FDATASYNC, CALLER, fd, NULL) ? -1 : next(fd);
}

int fsync(int fd)
{
    NEXT(fd_function, "fsync")
    return fault_is_chosen(FAULT_FSYNC, CALLER, fd, NULL) ? -1 : next(fd);
}

typedef int ftruncate_function(int fd, off_t size);
int ftruncate(int fd, off_t size)
{
    NEXT(ftruncate_function, "ftruncate")
    return fault_is_chosen(FAULT_FTRUNCATE, CALLER, fd, NULL) ? -1 : next(fd, size);
}

typedef int rename_function(const char *from, const char *to);
int rename(const char *from, const char *to)
{
    NEXT(rename_function, "rename")
    return fault_is_chosen(FAULT_RENAME, CALLER, -1, to) ? -1 : next(from, to);
}

typedef int mkdir_function(const char *path, mode_t mode);
int mkdir(const char *path, mode_t mode)
{
    NEXT(mkdir_function, "mkdir")
    return fault_is_chosen(FAULT_MKDIR, CALLER, -1, path) ? -1 : next(path, mode);
}

typedef void *mmap_function(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    NEXT(mmap_function, "mmap")
    return fault_is_chosen(FAULT_MMAP, CALLER, fd, NULL)
               ? MAP_FAILED
               : next(at, size, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    NEXT(mmap_function, "mmap64")
    return fault_is_chosen(FAULT_MMAP, CALLER, fd, NULL)
               ? MAP_FAILED
               : next(at, size, protection, flags, fd, offset);
}

typedef int thread_function(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*run)(void *), void *user);
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *user)
{
    NEXT(thread_function, "pthread_create")
    return fault_is_chosen(FAULT_THREAD, CALLER, -1, NULL) ? errno
                                                           : next(thread, attributes, run, user);
}

void *malloc(size_t size)
{
    return fault_is_chosen(FAULT_MALLOC, CALLER, -1, NULL) ? NULL : __libc_malloc(size);
}

void *calloc(size_t num, size_t size)
{
    return fault_is_chosen(FAULT_MALLOC, CALLER, -1, NULL) ? NULL : __libc_calloc(num, size);
}

void *realloc(void *old, size_t size)
{
    return size > 0 && fault_is_chosen(FAULT_MALLOC, CALLER, -1, NULL) ? NULL
                                                                       : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fault_is_chosen(FAULT_MALLOC, CALLER, -1, NULL) ? NULL
                                                           : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = fault_is_chosen(FAULT_MALLOC, CALLER, -1, NULL)
                       ? NULL
                       : __libc_memalign(alignment, size);
    if (!memory) {
        return ENOMEM;
    }
    *out = memory;
    return 0;
}

char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = fault_is_chosen(FAULT_MALLOC, CALLER, -1, NULL) ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
