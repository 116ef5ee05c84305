// SPDX-License-Identifier: MIT
// Opens a file that is written in commits: descriptors, the folder, and the part, the file that an
// output is until its first commit, under a name of its own beside it. It is locked, and the lock
// stays with it when it gets the output's name.
#include "capture/base/file_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/file.h"
#include "capture/base/fnv.h"
#include "capture/base/place.h"

// Each turn of the loop ends only if another program made or removed the part in between.
#define MAX_TURNS 100

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
    // A name can be too long to add something to it.
    const uint64_t hash = weir_fnv(WEIR_FNV_START, name, strlen(name));
    snprintf(part, WEIR_PART_NAME_SIZE, ".weir-%016" PRIx64 ".part", hash);
    int fd = -EEXIST;
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

// Opening a file.

// The size of the stage, in which small writes are gathered.
#define STAGE_SIZE 4096u

static const char *open_remedy(int error)
{
    switch (error) {
    case ENOENT:
        return "make its folder first, or choose another path";
    case ENOTDIR:
        return "a part of the path is not a folder; choose another path";
    case EISDIR:
        return "it is a folder; give the name of a file in it";
    case EACCES:
    case EPERM:
        return "change the permissions of its folder or of the file, or choose another path";
    case EROFS:
        return "the file system is read-only; choose another path";
    case ENOSPC:
    case EDQUOT:
        return "make room on the disk, or choose another one";
    case EEXIST:
        return "it exists and is not a regular file; choose another path";
    case ENAMETOOLONG:
        return "choose a shorter path";
    case WEIR_PLACE_FOREIGN:
        return "choose a folder that only you may write";
    case EWOULDBLOCK:
        return "wait until it is done, or choose another path";
    default:
        return "choose another path";
    }
}

static enum weir_result fail_open(struct weir_file *file, const char *path, int error)
{
    const enum weir_result result = error == ENOMEM ? WEIR_ERROR_OUT_OF_MEMORY
                                                    : weir_file_failure(error);
    weir_log_printf(
        &file->log, WEIR_LOG_ERROR,
        result == WEIR_ERROR_DISK_FULL ? WEIR_LOG_CODE_DISK_FULL : WEIR_LOG_CODE_OPEN_FAILED,
        "cannot write '%s': %s; %s", path,
        error == EWOULDBLOCK ? "another program is writing it" : weir_place_error(error),
        open_remedy(error));
    weir_file_free(file);
    return result;
}

// Check if what has the name may be replaced. Returns 0 or an errno value: the reason against it.
static int check(const struct weir_place *place)
{
    const mode_t mode = place->found.st_mode;
    if (mode == 0 || S_ISLNK(mode)) {
        return 0;
    }
    if (!S_ISREG(mode)) {
        return S_ISDIR(mode) ? EISDIR : EEXIST;
    }
    return faccessat(place->folder, place->name, W_OK, 0) == 0 ? 0 : errno;
}

// Find the place, and open its folder: it stays the same one if it is moved, or if the program
// changes to another. Returns 0, an errno value or WEIR_PLACE_FOREIGN.
static int find(struct weir_file *file, const char *path, bool follows)
{
    struct weir_place place;
    char folder[PATH_MAX]; // in case that the folder is deleted; not known without /proc
    int error = weir_place_find(&place, path, follows);
    if (error != 0) {
        return error;
    }
    file->folder = place.folder;
    file->name = strdup(place.name);
    weir_descriptor_place(file->folder, folder);
    file->folder_path = folder[0] ? strdup(folder) : NULL;
    return file->name ? check(&place) : ENOMEM;
}

static enum weir_result open_file(struct weir_file *file, const char *path, bool follows,
                                  const struct weir_log *log)
{
    *file = (struct weir_file){.fd = -1, .folder = -1, .log = *log, .path = strdup(path)};
    int error = file->path ? find(file, path, follows) : ENOMEM;
    if (error == 0 && !weir_file_make_stage(file, STAGE_SIZE)) {
        error = ENOMEM;
    }
    if (error == 0) {
        file->fd = weir_part_create(file->folder, file->name, file->part);
        error = file->fd < 0 ? -file->fd : 0;
    }
    return error == 0 ? WEIR_OK : fail_open(file, path, error);
}

enum weir_result weir_file_open(struct weir_file *file, const char *path,
                                const struct weir_log *log)
{
    return open_file(file, path, true, log);
}

enum weir_result weir_file_open_nofollow(struct weir_file *file, const char *path,
                                         const struct weir_log *log)
{
    return open_file(file, path, false, log);
}
