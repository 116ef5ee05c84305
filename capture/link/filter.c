// SPDX-License-Identifier: MIT
// The filters of system calls (seccomp) of a process, by its file "status" in /proc. prctl() says
// no more, and a filter is likelier to forbid it than pread().
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/link/link.h"

int link_filter_open(int process)
{
    char path[32];
    snprintf(path, sizeof(path), "/proc/%d/status", process);
    return link_raise(open(path, O_RDONLY | O_CLOEXEC));
}

static int number_of(const char *text, const char *name)
{
    const char *found = strstr(text, name);
    return found ? atoi(found + strlen(name)) : 0;
}

int link_filter_read(int fd)
{
    char text[8192];
    ssize_t size;
    do {
        size = pread(fd, text, sizeof(text) - 1, 0);
    } while (size < 0 && errno == EINTR);
    text[size > 0 ? size : 0] = 0;
    return strncmp(text, "Name:", 5) == 0
               ? number_of(text, "\nSeccomp:\t") + number_of(text, "\nSeccomp_filters:\t")
               : -1;
}
