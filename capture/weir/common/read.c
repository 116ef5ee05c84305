// SPDX-License-Identifier: MIT
// Reads from a place in a file.
#include "capture/weir/common/read.h"

#include <errno.h>
#include <unistd.h>

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
