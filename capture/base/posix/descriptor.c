// SPDX-License-Identifier: MIT
// Descriptors of POSIX: writing, cutting and syncing a file.
#include "capture/base/posix/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

bool weir_file_is_full(int error)
{
    // EFBIG: the file would be larger than the file system or RLIMIT_FSIZE allows.
    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

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

int weir_descriptor_close(int fd)
{
    return close(fd) == 0 || errno == EINTR ? 0 : errno;
}

bool weir_descriptor_set_direct(int fd, bool is_direct, int *direct)
{
    const int flags = fcntl(fd, F_GETFL);
    struct statfs status;
    *direct = fd;
    if (is_direct && fstatfs(fd, &status) == 0 && status.f_type == TMPFS_MAGIC) {
        return false; // it takes the flag, and the copy into the stage is one more
    }
    return flags >= 0 && fcntl(fd, F_SETFL, is_direct ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

int weir_descriptor_append(int fd, const struct weir_bytes parts[2], uint64_t size,
                           size_t *num_written)
{
    (void)size; // the descriptor is there
    struct iovec vector[2];
    for (int i = 0; i < 2; i++) {
        vector[i].iov_base = (void *)(uintptr_t)parts[i].data;
        vector[i].iov_len = parts[i].size;
    }
    sigset_t before;
    ssize_t written;
    weir_thread_hold_xfsz(&before);
    do {
        written = writev(fd, vector, 2);
    } while (written < 0 && errno == EINTR);
    weir_thread_release_xfsz(&before);
    *num_written = written > 0 ? (size_t)written : 0;
    return written > 0 ? 0 : written < 0 ? errno : EIO;
}

int weir_descriptor_write(int fd, const uint8_t *data, size_t size, uint64_t offset,
                          size_t *num_written)
{
    *num_written = 0;
    while (*num_written < size) {
        sigset_t before;
        weir_thread_hold_xfsz(&before);
        const ssize_t written = pwrite(fd, data + *num_written, size - *num_written,
                                       (off_t)(offset + *num_written));
        weir_thread_release_xfsz(&before);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return written < 0 ? errno : EIO;
        }
        *num_written += (size_t)written;
    }
    return 0;
}

int weir_descriptor_cut(int fd, uint64_t size)
{
    return ftruncate(fd, (off_t)size) == 0 ? 0 : errno;
}

void weir_descriptor_write_back(int fd, uint64_t offset, uint64_t size)
{
    // This is advice only: nothing is lost if the file system does not know it.
    (void)sync_file_range(fd, (off_t)offset, (off_t)size, SYNC_FILE_RANGE_WRITE);
}

static int failure_of(int (*call)(int), int fd)
{
    int result;
    do {
        result = call(fd);
    } while (result != 0 && errno == EINTR);
    const bool is_unknown = errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
    return result == 0 || is_unknown ? 0 : errno;
}

int weir_sync_data(int fd)
{
    return failure_of(fdatasync, fd);
}

int weir_sync_folder(int folder)
{
    const int fd = weir_descriptor_open(folder, ".", O_RDONLY | O_DIRECTORY);
    if (fd < 0) {
        return errno == EIO ? EIO : 0; // a folder that may not be read can still be written to
    }
    const int failure = failure_of(fsync, fd);
    close(fd);
    return failure;
}
