// SPDX-License-Identifier: MIT
// The part: the file that an output is until its first commit. Its lock is that of flock().
#include "capture/base/posix/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "capture/base/place.h"

// Each turn of the loop ends only if another program made or removed the part in between.
#define MAX_TURNS 100

static bool is_locked_elsewhere(int fd, int kind)
{
    return flock(fd, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void weir_part_unlock(int fd)
{
    flock(fd, LOCK_UN);
}

bool weir_part_is_named(int fd, int folder, const char *name)
{
    struct stat file, named;
    return fstat(fd, &file) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           file.st_dev == named.st_dev && file.st_ino == named.st_ino;
}

// Make the file, with the lock on it. -EEXIST: there is one. Another program may have taken it for
// one that was left, before it was locked, and have removed it: that is no file of that name.
static int make(int folder, const char *part)
{
    const int fd = weir_descriptor_open(folder, part, O_RDWR | O_CREAT | O_EXCL);
    if (fd < 0) {
        return -errno;
    }
    if (is_locked_elsewhere(fd, LOCK_EX)) {
        close(fd);
        return -EWOULDBLOCK;
    }
    if (!weir_part_is_named(fd, folder, part)) {
        close(fd);
        return -EEXIST;
    }
    return fd;
}

// Remove a part that no program holds. The lock is taken first, and the name compared after it:
// whoever renames or removes the file holds the lock.
static int remove_left(int folder, const char *part)
{
    if (weir_place_is_foreign(folder, part)) {
        return WEIR_PLACE_FOREIGN;
    }
    const int fd = weir_descriptor_open(folder, part, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        return errno == ENOENT ? 0 : errno;
    }
    int error = 0;
    if (is_locked_elsewhere(fd, LOCK_EX)) {
        error = EWOULDBLOCK;
    } else if (weir_part_is_named(fd, folder, part) && unlinkat(folder, part, 0) != 0) {
        error = errno;
    }
    close(fd);
    return error;
}

// True if a program has given its part this name and still writes it.
static bool is_written(int folder, const char *name)
{
    const int fd = weir_descriptor_open(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const bool is_busy = fd >= 0 && is_locked_elsewhere(fd, LOCK_SH);
    if (fd >= 0) {
        close(fd);
    }
    return is_busy;
}

int weir_part_rename(int fd, int folder, const char *part, const char *name)
{
    (void)fd;
    return renameat(folder, part, folder, name) == 0 ? 0 : errno;
}

void weir_part_remove(int fd, int folder, const char *part)
{
    if (weir_part_is_named(fd, folder, part)) {
        unlinkat(folder, part, 0);
    }
}

void weir_part_take_rights(int fd, const struct stat *from)
{
    struct stat now;
    mode_t mode = from->st_mode & 0777;
    if (fchown(fd, (uid_t)-1, from->st_gid) != 0 && fstat(fd, &now) == 0 &&
        now.st_gid != from->st_gid) {
        // Another group must not get the rights of this one.
        mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
    }
    (void)fchmod(fd, mode); // a file system without modes has nothing to keep
}

int weir_part_create(int folder, const char *name, char part[WEIR_PART_NAME_SIZE])
{
    int fd = -EEXIST;
    weir_part_name(name, part);
    for (int turn = 0; fd == -EEXIST && turn < MAX_TURNS; turn++) {
        fd = make(folder, part);
        const int error = fd == -EEXIST ? remove_left(folder, part) : 0;
        fd = error != 0 ? -error : fd;
    }
    // Only now: the part of a program that writes this output has that name, or had it before.
    if (fd >= 0 && is_written(folder, name)) {
        unlinkat(folder, part, 0);
        close(fd);
        fd = -EWOULDBLOCK;
    }
    struct stat replaced;
    if (fd >= 0 && fstatat(folder, name, &replaced, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(replaced.st_mode) && replaced.st_uid == geteuid()) {
        weir_part_take_rights(fd, &replaced);
    }
    return fd;
}
