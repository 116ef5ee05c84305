// SPDX-License-Identifier: MIT
// Descriptors of files that Weir opens: none is one of the standard streams.
#include "capture/base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int weir_descriptor_open(int folder, const char *path, int flags)
{
    int fd;
    do {
        fd = openat(folder, path, flags | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0 || fd > STDERR_FILENO) {
        return fd;
    }
    const int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int error = errno;
    close(fd);
    errno = error;
    return higher;
}

void weir_descriptor_place(int fd, char place[PATH_MAX])
{
    char link[32];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    const ssize_t size = readlink(link, place, PATH_MAX - 1);
    place[size > 0 ? size : 0] = '\0';
}
