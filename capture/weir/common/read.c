// SPDX-License-Identifier: MIT
// Reads of files that are movies: opens one, and reads from a place in it.
#include "capture/weir/common/read.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "capture/weir/common/report.h"

int cli_read_open(const char *command, const char *path, int flags, struct stat *status)
{
    // Without O_NONBLOCK a pipe that nobody writes would hold the program up.
    const int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, status) != 0) {
        cli_report_error("cannot open %s: %s", path, strerror(errno));
    } else if (!S_ISREG(status->st_mode)) {
        cli_report_error("%s is no file: %s takes movies", path, command);
    } else {
        return fd;
    }
    if (fd >= 0) {
        close(fd);
    }
    return -1;
}

bool cli_read_at(int fd, uint64_t offset, uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t num = pread(fd, bytes, size, (off_t)offset);
        if (num < 0 && errno == EINTR) {
            continue;
        }
        if (num <= 0) {
            return false;
        }
        bytes += num;
        offset += (uint64_t)num;
        size -= (size_t)num;
    }
    return true;
}

static bool read_source(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    return cli_read_at(*(const int *)user, offset, bytes, size);
}

struct weir_view_source cli_read_source(int *fd, uint64_t size)
{
    return (struct weir_view_source){.read = read_source, .user = fd, .size = size};
}
