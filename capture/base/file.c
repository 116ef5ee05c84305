// SPDX-License-Identifier: MIT
// A file that is written in commits. After a failure the file is cut back to its last commit, and
// everything that was committed stays whole.
#define _GNU_SOURCE // O_DIRECT, sync_file_range
#include "capture/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/thread.h"

// After this many bytes the system is told to start writing to the disk. Left alone it gathers the
// data of some seconds, and then stops the writer until all of it is on the disk.
#define WRITEBACK_SIZE (8u << 20)

// The size of the stage, in which small writes are gathered. With direct writes all data goes
// through it, in pieces that fit a core's own cache.
#define STAGE_SIZE 4096u
#define DIRECT_STAGE_SIZE (1u << 20)

static enum weir_result failure_of(int error)
{
    // EFBIG: the file would be larger than the file system or RLIMIT_FSIZE allows.
    const bool is_full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    return is_full ? WEIR_ERROR_DISK_FULL : WEIR_ERROR_IO;
}

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
        return "it is neither a file nor free to become one; choose another path";
    case ENAMETOOLONG:
        return "choose a shorter path";
    default:
        return "choose another path";
    }
}

static enum weir_result fail_open(struct weir_file *file, const char *path, int error)
{
    const enum weir_result result = error == ENOMEM ? WEIR_ERROR_OUT_OF_MEMORY : failure_of(error);
    weir_log_printf(&file->log, WEIR_LOG_ERROR,
                    result == WEIR_ERROR_DISK_FULL ? WEIR_LOG_CODE_DISK_FULL
                                                   : WEIR_LOG_CODE_OPEN_FAILED,
                    "cannot write '%s': %s; %s", path, strerror(error), open_remedy(error));
    free(file->path);
    free(file->temporary);
    free(file->stage);
    file->path = file->temporary = NULL;
    file->stage = NULL;
    return result;
}

static bool make_stage(struct weir_file *file, size_t room)
{
    uint8_t *stage = aligned_alloc(WEIR_FILE_BLOCK, room);
    if (stage) {
        memset(stage, 0, room); // first touch is slow; not on the first frame
        free(file->stage);
        file->stage = stage;
        file->stage_room = room;
    }
    return stage;
}

// Check if a file of that name may be replaced. Returns 0, or the reason against it as an errno
// value. Resolves links into file->path.
static int resolve(struct weir_file *file, const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        if (errno != ENOENT) {
            return errno;
        }
        file->path = strdup(path);
        return file->path ? 0 : ENOMEM;
    }
    file->path = realpath(path, NULL);
    if (!file->path || stat(file->path, &status) != 0) {
        return errno;
    }
    if (S_ISDIR(status.st_mode)) {
        return EISDIR;
    }
    if (!S_ISREG(status.st_mode)) {
        return EEXIST;
    }
    return access(file->path, W_OK) == 0 ? 0 : errno;
}

// Make the name of the file before its first commit. It is in the same folder, so renaming is one
// step of the file system.
static bool name_temporary(struct weir_file *file)
{
    const char *slash = strrchr(file->path, '/');
    const int folder_size = slash ? (int)(slash - file->path) + 1 : 0;
    const size_t room = (size_t)folder_size + 64;
    file->temporary = malloc(room);
    if (file->temporary) {
        snprintf(file->temporary, room, "%.*s.weir-%ld-%llx.part", folder_size, file->path,
                 (long)getpid(), (unsigned long long)weir_clock_ns());
    }
    return file->temporary;
}

enum weir_result weir_file_open(struct weir_file *file, const char *path,
                                const struct weir_log *log)
{
    *file = (struct weir_file){.fd = -1, .log = *log};
    const int error = resolve(file, path);
    if (error != 0) {
        return fail_open(file, path, error);
    }
    if (!name_temporary(file) || !make_stage(file, STAGE_SIZE)) {
        return fail_open(file, path, ENOMEM);
    }
    const size_t size = strlen(file->path);
    if (size == 0 || file->path[size - 1] == '/') {
        return fail_open(file, path, size == 0 ? ENOENT : EISDIR);
    }
    file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->fd < 0) {
        return fail_open(file, path, errno);
    }
    return WEIR_OK;
}

static bool set_direct(int fd, bool on)
{
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

bool weir_file_go_direct(struct weir_file *file)
{
    if (file->size % WEIR_FILE_BLOCK == 0 && file->num_staged == 0 &&
        make_stage(file, DIRECT_STAGE_SIZE)) {
        file->is_direct = set_direct(file->fd, true);
    }
    return file->is_direct;
}

static void leave_direct(struct weir_file *file)
{
    set_direct(file->fd, false);
    file->is_direct = false;
}

static enum weir_result fail(struct weir_file *file, int error)
{
    file->state = failure_of(error);
    const bool is_full = file->state == WEIR_ERROR_DISK_FULL;
    weir_log_printf(&file->log, WEIR_LOG_ERROR,
                    is_full ? WEIR_LOG_CODE_DISK_FULL : WEIR_LOG_CODE_WRITE_FAILED,
                    "cannot write '%s' after %llu bytes: %s%s%s", file->path,
                    (unsigned long long)file->committed, strerror(error),
                    file->committed > 0 ? "; what was written before is complete" : "",
                    is_full ? ". Make room on the disk, or choose another one" : "");
    // Some players fail on half a frame at the end. If cutting fails, the half frame stays.
    if (ftruncate(file->fd, (off_t)file->committed) == 0) {
        file->size = file->committed;
    }
    return file->state;
}

static void start_writeback(struct weir_file *file)
{
    if (!file->is_direct && file->size - file->flushed >= WRITEBACK_SIZE) {
        // This is advice only: nothing is lost if the file system does not know it.
        (void)sync_file_range(file->fd, (off_t)file->flushed, (off_t)(file->size - file->flushed),
                              SYNC_FILE_RANGE_WRITE);
        file->flushed = file->size;
    }
}

static ssize_t append(int fd, const struct iovec parts[2])
{
    sigset_t before;
    weir_thread_hold_xfsz(&before);
    const ssize_t written = writev(fd, parts, 2);
    weir_thread_release_xfsz(&before);
    return written;
}

// Write the stage and `data` behind it.
static enum weir_result write_out(struct weir_file *file, const uint8_t *data, size_t size)
{
    struct iovec parts[2] = {
        {.iov_base = file->stage, .iov_len = file->num_staged},
        {.iov_base = (void *)(uintptr_t)data, .iov_len = size},
    };
    if (file->is_direct && file->num_staged % WEIR_FILE_BLOCK != 0) {
        leave_direct(file);
    }
    file->num_staged = 0;
    while (parts[0].iov_len + parts[1].iov_len > 0) {
        const ssize_t written = append(file->fd, parts);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0 && errno == EINVAL && file->is_direct) {
            leave_direct(file); // the file system took the flag, but not the write
            continue;
        }
        if (written <= 0) {
            return fail(file, written < 0 ? errno : EIO);
        }
        file->size += (uint64_t)written;
        size_t rest = (size_t)written;
        for (int i = 0; i < 2; i++) {
            const size_t part = rest < parts[i].iov_len ? rest : parts[i].iov_len;
            parts[i].iov_base = (uint8_t *)parts[i].iov_base + part;
            parts[i].iov_len -= part;
            rest -= part;
        }
    }
    start_writeback(file);
    return WEIR_OK;
}

enum weir_result weir_file_write(struct weir_file *file, const uint8_t *data, size_t size)
{
    if (!file->is_direct && size > file->stage_room - file->num_staged && file->state == WEIR_OK) {
        return write_out(file, data, size);
    }
    while (size > 0 && file->state == WEIR_OK) {
        const size_t room = file->stage_room - file->num_staged;
        const size_t part = size < room ? size : room;
        memcpy(file->stage + file->num_staged, data, part);
        file->num_staged += part;
        data += part;
        size -= part;
        if (file->num_staged == file->stage_room) {
            weir_file_flush(file);
        }
    }
    return file->state;
}

enum weir_result weir_file_flush(struct weir_file *file)
{
    if (file->state == WEIR_OK && file->num_staged > 0) {
        return write_out(file, file->stage, 0);
    }
    return file->state;
}

enum weir_result weir_file_commit(struct weir_file *file)
{
    if (weir_file_flush(file) != WEIR_OK) {
        return file->state;
    }
    if (file->temporary) {
        if (rename(file->temporary, file->path) != 0) {
            return fail(file, errno);
        }
        free(file->temporary);
        file->temporary = NULL;
    }
    file->committed = file->size;
    return WEIR_OK;
}

static bool write_at(int fd, const uint8_t *data, size_t size, uint64_t offset)
{
    while (size > 0) {
        sigset_t before;
        weir_thread_hold_xfsz(&before);
        const ssize_t written = pwrite(fd, data, size, (off_t)offset);
        weir_thread_release_xfsz(&before);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        data += written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return true;
}

bool weir_file_seal(struct weir_file *file, const uint8_t *tail, size_t tail_size,
                    const uint8_t patch[16], uint64_t offset)
{
    if (file->temporary || file->size != file->committed) {
        return false;
    }
    if (file->is_direct) {
        leave_direct(file);
    }
    if (write_at(file->fd, tail, tail_size, file->committed) && fdatasync(file->fd) == 0 &&
        write_at(file->fd, patch, 16, offset)) {
        file->size = file->committed = file->committed + tail_size;
        return true;
    }
    if (ftruncate(file->fd, (off_t)file->committed) != 0) {
        file->size += tail_size; // what stays behind the last frame is skipped by players
    }
    return false;
}

enum weir_result weir_file_close(struct weir_file *file)
{
    weir_file_flush(file);
    if (file->temporary) {
        unlink(file->temporary);
        if (file->state == WEIR_OK) {
            weir_log_printf(&file->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_NO_FRAMES,
                            "no frame was written, so '%s' was not made", file->path);
        }
    }
    // Some file systems report only here that they could not store the data.
    if (close(file->fd) != 0 && file->state == WEIR_OK) {
        file->state = failure_of(errno);
        weir_log_printf(&file->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_WRITE_FAILED,
                        "closing '%s' failed: %s; its end may be missing", file->path,
                        strerror(errno));
    }
    free(file->temporary);
    free(file->path);
    free(file->stage);
    return file->state;
}
