// SPDX-License-Identifier: MIT
// Descriptors in a process that belongs to another program, which may close them at any time and
// get their numbers for files of its own.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/link/link.h"

// Above what a program has open itself, as far as the usual limit of 1024 allows.
enum { HIGH = 512 };

int link_raise(int fd)
{
    if (fd < 0) {
        return fd;
    }
    int higher = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    if (higher < 0) { // the limit is lower
        higher = fd > STDERR_FILENO ? fd : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    }
    if (higher != fd) {
        link_fail(fd);
    }
    return higher;
}

bool link_has_room(int fd)
{
    enum { ROOM = 16 };
    int copies[ROOM], num = 0;
    while (num < ROOM && (copies[num] = dup(fd)) >= 0) {
        num++;
    }
    for (int i = 0; i < num; i++) {
        close(copies[i]);
    }
    return num == ROOM;
}

int link_fail(int fd)
{
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
}

struct link_descriptor link_hold(int fd)
{
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        return (struct link_descriptor){.fd = -1};
    }
    return (struct link_descriptor){.fd = fd, .device = status.st_dev, .inode = status.st_ino};
}

bool link_is_held(const struct link_descriptor *descriptor)
{
    const struct link_descriptor now = link_hold(descriptor->fd);
    return now.fd >= 0 && now.device == descriptor->device && now.inode == descriptor->inode;
}

void link_drop(struct link_descriptor *descriptor)
{
    if (link_is_held(descriptor)) {
        close(descriptor->fd);
    }
    descriptor->fd = -1;
}
