// SPDX-License-Identifier: MIT
// The calls of the system that may fail, in the place of those of the C library.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fault.h"

#define CALLER __builtin_return_address(0)
#define NEXT(type, name)                                                                           \
    static type *next;                                                                             \
    if (!next) {                                                                                   \
        void *symbol = dlsym(RTLD_NEXT, name);                                                     \
        memcpy(&next, &symbol, sizeof(next));                                                      \
    }

// A call that fails or is made. `file`: its descriptor and its path.
#define WRAP(result, name, kind, failure, file, parameters, arguments)                             \
    typedef result name##_function parameters;                                                     \
    result name parameters                                                                         \
    {                                                                                              \
        NEXT(name##_function, #name)                                                               \
        return fault_is_chosen(kind, CALLER, file) ? failure : next arguments;                     \
    }
#define PATH -1, path
#define FD fd, NULL
#define NO_FILE -1, NULL

// The mode of a call to open(), which is given only where a file may be made.
#define OPEN(name, parameters, arguments)                                                          \
    typedef int name##_function parameters;                                                        \
    int name parameters                                                                            \
    {                                                                                              \
        mode_t mode = 0;                                                                           \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                       \
            va_list list;                                                                          \
            va_start(list, flags);                                                                 \
            mode = va_arg(list, mode_t);                                                           \
            va_end(list);                                                                          \
        }                                                                                          \
        NEXT(name##_function, #name)                                                               \
        return fault_is_chosen(FAULT_OPEN, CALLER, PATH) ? -1 : next arguments;                    \
    }
OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
WRAP(FILE *, fopen, FAULT_OPEN, NULL, PATH, (const char *path, const char *mode), (path, mode))
WRAP(DIR *, opendir, FAULT_OPEN, NULL, PATH, (const char *path), (path))
WRAP(int, fdatasync, FAULT_FDATASYNC, -1, FD, (int fd), (fd))
WRAP(int, fsync, FAULT_FSYNC, -1, FD, (int fd), (fd))
WRAP(int, ftruncate, FAULT_FTRUNCATE, -1, FD, (int fd, off_t size), (fd, size))
WRAP(int, rename, FAULT_RENAME, -1, PATH, (const char *from, const char *path), (from, path))
WRAP(int, mkdir, FAULT_MKDIR, -1, PATH, (const char *path, mode_t mode), (path, mode))
WRAP(void *, mmap, FAULT_MMAP, MAP_FAILED, FD,
     (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     (at, size, protection, flags, fd, offset))
WRAP(void *, mmap64, FAULT_MMAP, MAP_FAILED, FD,
     (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     (at, size, protection, flags, fd, offset))
WRAP(int, pthread_create, FAULT_THREAD, errno, NO_FILE,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user),
     (thread, attributes, run, user))

WRAP(int, socket, FAULT_SOCKET, -1, NO_FILE, (int domain, int type, int protocol),
     (domain, type, protocol))
WRAP(int, bind, FAULT_SOCKET, -1, NO_FILE, (int fd, __CONST_SOCKADDR_ARG address, socklen_t size),
     (fd, address, size))
WRAP(int, listen, FAULT_SOCKET, -1, NO_FILE, (int fd, int num), (fd, num))
WRAP(int, connect, FAULT_CONNECT, -1, NO_FILE,
     (int fd, __CONST_SOCKADDR_ARG address, socklen_t size), (fd, address, size))
WRAP(int, accept4, FAULT_CONNECT, -1, NO_FILE,
     (int fd, __SOCKADDR_ARG address, socklen_t *size, int flags), (fd, address, size, flags))
WRAP(int, getsockopt, FAULT_SOCKET, -1, NO_FILE,
     (int fd, int level, int name, void *value, socklen_t *size), (fd, level, name, value, size))
WRAP(ssize_t, sendmsg, FAULT_SEND, -1, NO_FILE, (int fd, const struct msghdr *message, int flags),
     (fd, message, flags))
WRAP(ssize_t, recvmsg, FAULT_RECEIVE, -1, NO_FILE, (int fd, struct msghdr *message, int flags),
     (fd, message, flags))
WRAP(int, poll, FAULT_POLL, -1, NO_FILE, (struct pollfd * fds, nfds_t num, int ms), (fds, num, ms))
WRAP(int, pipe2, FAULT_DESCRIPTOR, -1, NO_FILE, (int ends[2], int flags), (ends, flags))
WRAP(int, eventfd, FAULT_DESCRIPTOR, -1, NO_FILE, (unsigned count, int flags), (count, flags))
WRAP(int, signalfd, FAULT_DESCRIPTOR, -1, NO_FILE, (int fd, const sigset_t *set, int flags),
     (fd, set, flags))
WRAP(int, memfd_create, FAULT_DESCRIPTOR, -1, NO_FILE, (const char *name, unsigned flags),
     (name, flags))
WRAP(pid_t, fork, FAULT_PROCESS, -1, NO_FILE, (void), ())
WRAP(int, execvp, FAULT_PROCESS, -1, PATH, (const char *path, char *const *arguments),
     (path, arguments))
WRAP(int, posix_spawn, FAULT_PROCESS, errno, PATH,
     (pid_t * process, const char *path, const posix_spawn_file_actions_t *files,
      const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment),
     (process, path, files, attributes, arguments, environment))
WRAP(int, posix_spawnp, FAULT_PROCESS, errno, PATH,
     (pid_t * process, const char *path, const posix_spawn_file_actions_t *files,
      const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment),
     (process, path, files, attributes, arguments, environment))

typedef int fcntl_function(int fd, int command, ...);
int fcntl(int fd, int command, ...)
{
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    NEXT(fcntl_function, "fcntl")
    const bool is_counted = command == F_ADD_SEALS || command == F_GET_SEALS ||
                            command == F_DUPFD_CLOEXEC;
    return is_counted && fault_is_chosen(FAULT_DESCRIPTOR, CALLER, NO_FILE)
               ? -1
               : next(fd, command, argument);
}

// A call that may also read or write half of its bytes.
#define WRAP_SHORT(name, kind, parameters, arguments)                                              \
    typedef ssize_t name##_function parameters;                                                    \
    ssize_t name parameters                                                                        \
    {                                                                                              \
        NEXT(name##_function, #name)                                                               \
        if (fault_is_chosen(kind, CALLER, FD)) {                                                   \
            if (!fault_is_short()) {                                                               \
                return -1;                                                                         \
            }                                                                                      \
            size = size > 1 ? size / 2 : size;                                                     \
        }                                                                                          \
        return next arguments;                                                                     \
    }
WRAP_SHORT(read, FAULT_READ, (int fd, void *data, size_t size), (fd, data, size))
WRAP_SHORT(write, FAULT_WRITE, (int fd, const void *data, size_t size), (fd, data, size))
WRAP_SHORT(pread, FAULT_READ, (int fd, void *data, size_t size, off_t offset),
           (fd, data, size, offset))
WRAP_SHORT(pwrite, FAULT_PWRITE, (int fd, const void *data, size_t size, off_t offset),
           (fd, data, size, offset))

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

// The allocator of the GNU C library below its public names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t num, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

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
