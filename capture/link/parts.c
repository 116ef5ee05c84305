// SPDX-License-Identifier: MIT
// What the files of the link share: a clock, descriptors off the standard streams.
#include "capture/link/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

int64_t link_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int link_raise(int fd)
{
    if (fd < 0 || fd > STDERR_FILENO) {
        return fd;
    }
    const int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    link_fail(fd);
    return higher;
}

int link_fail(int fd)
{
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
}
