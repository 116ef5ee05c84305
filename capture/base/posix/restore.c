// SPDX-License-Identifier: MIT
// Restores the name of a file that another program moved, deleted or replaced while it was written.
#include "capture/base/posix/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/base/path.h"
#include "capture/base/posix/place.h"

// A name beside that of the file: "take.2.mov" after "take.mov".
#define MAX_NAMES 1000

// Give a file that has a name somewhere its own one too. Returns 0 or an errno value.
static int link_again(const struct weir_file *file)
{
    char link[32];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", file->fd);
    return linkat(AT_FDCWD, link, file->folder, file->name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

// Make a folder again that was deleted, with those that it was in, and open it. Returns 0 or an
// errno value.
static int make_folder_again(struct weir_file *file)
{
    if (!file->folder_path) {
        return ENOENT;
    }
    for (char *at = file->folder_path + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            (void)mkdir(file->folder_path, 0777); // what matters is that it can be opened
            *at = '/';
        }
    }
    (void)mkdir(file->folder_path, 0777);
    char path[PATH_MAX + NAME_MAX];
    struct weir_place place;
    snprintf(path, sizeof(path), "%s/%s", file->folder_path, file->name);
    const int error = weir_place_find(&place, path, false);
    if (error == 0) {
        close(file->folder);
        file->folder = place.folder;
    }
    return error;
}

static ssize_t copy_part(const struct weir_file *file, int to, off_t *from, off_t *at)
{
    const ssize_t copied = copy_file_range(file->fd, from, to, at, SSIZE_MAX & ~4095, 0);
    const bool is_refused = copied < 0 && (errno == ENOSYS || errno == EXDEV || errno == EINVAL ||
                                           errno == EOPNOTSUPP);
    if (!is_refused) {
        return copied;
    }
    const ssize_t got = pread(file->fd, file->stage, file->stage_room, *from);
    const ssize_t put = got > 0 ? pwrite(to, file->stage, (size_t)got, *at) : got;
    if (put > 0) {
        *from += put;
        *at += put;
    }
    return put;
}

// Copy all commits, without a second copy on the disk where the file system can share it. Returns 0
// or an errno value.
static int copy(const struct weir_file *file, int to)
{
    sigset_t before;
    weir_thread_hold_xfsz(&before);
    off_t from = 0, at = 0;
    int error = 0;
    while (error == 0 && (uint64_t)at < file->committed) {
        const ssize_t copied = copy_part(file, to, &from, &at);
        if (copied < 0 && errno != EINTR) {
            error = errno;
        } else if (copied == 0) {
            error = EIO;
        }
    }
    weir_thread_release_xfsz(&before);
    return error != 0 ? error : weir_sync_data(to);
}

// Get the n-th name to try, the file's own one first.
static void name_candidate(const struct weir_file *file, int n, char name[NAME_MAX + 1])
{
    const char *ending = weir_path_ending(file->name);
    const int stem = (int)(ending - file->name), room = NAME_MAX - 5 - (int)strlen(ending);
    if (n == 0) {
        snprintf(name, NAME_MAX + 1, "%s", file->name);
    } else {
        snprintf(name, NAME_MAX + 1, "%.*s.%d%s", stem < room ? stem : room, file->name, n, ending);
    }
}

// Begin a copy under the first name that no other program is writing to. Returns its descriptor or
// a negative errno value.
static int begin_copy(struct weir_file *file, char part[WEIR_PART_NAME_SIZE])
{
    int fd = -EWOULDBLOCK;
    for (int n = 0; fd == -EWOULDBLOCK && n < MAX_NAMES; n++) {
        char name[NAME_MAX + 1];
        name_candidate(file, n, name);
        fd = weir_part_create(file->folder, name, part);
        if (fd == -ENOENT && make_folder_again(file) == 0) {
            fd = weir_part_create(file->folder, name, part);
        }
    }
    return fd;
}

// Write a file that has no name left to one that has. `name` becomes its name. Returns 0 or an
// errno value.
static int save_copy(struct weir_file *file, char name[NAME_MAX + 1])
{
    char part[WEIR_PART_NAME_SIZE];
    const int fd = begin_copy(file, part);
    if (fd < 0) {
        return -fd;
    }
    struct stat rights;
    if (fstat(file->fd, &rights) == 0) {
        weir_part_take_rights(fd, &rights);
    }
    int error = copy(file, fd);
    if (error == 0) {
        error = EEXIST;
        for (int n = 0; error == EEXIST && n < MAX_NAMES; n++) {
            name_candidate(file, n, name);
            error = weir_place_rename(file->folder, part, name);
        }
    }
    if (error == 0) {
        error = weir_sync_folder(file->folder);
    } else {
        unlinkat(file->folder, part, 0);
    }
    close(fd);
    return error;
}

static enum weir_result restore_deleted(struct weir_file *file)
{
    char name[NAME_MAX + 1], folder[PATH_MAX];
    const int error = save_copy(file, name);
    if (error != 0) {
        return weir_fail(&file->log, WEIR_ERROR_IO, WEIR_LOG_CODE_OUTPUT_MOVED,
                         "another program deleted or replaced '%s' while it was written, and it "
                         "could not be restored: %s",
                         file->path, weir_place_error(error));
    }
    if (strcmp(name, file->name) == 0) {
        weir_log_printf(
            &file->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_OUTPUT_MOVED,
            "another program deleted '%s' while it was written; it was restored completely",
            file->path);
        return WEIR_OK;
    }
    weir_descriptor_place(file->folder, folder);
    return weir_fail(&file->log, WEIR_ERROR_IO, WEIR_LOG_CODE_OUTPUT_MOVED,
                     "another program replaced '%s' while it was written; that file is kept, and "
                     "the written one is '%s/%s'",
                     file->path, folder, name);
}

static enum weir_result restore_moved(const struct weir_file *file)
{
    char place[PATH_MAX];
    weir_descriptor_place(file->fd, place);
    if (link_again(file) == 0) {
        weir_log_printf(&file->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_OUTPUT_MOVED,
                        "another program moved '%s' while it was written; it has its name again, "
                        "and keeps the name '%s' too",
                        file->path, place);
        return WEIR_OK;
    }
    return weir_fail(&file->log, WEIR_ERROR_IO, WEIR_LOG_CODE_OUTPUT_MOVED,
                     "another program moved '%s' while it was written; the written file is '%s'",
                     file->path, place);
}

enum weir_result weir_file_restore(struct weir_file *file)
{
    struct stat status;
    char folder[PATH_MAX];
    if (!weir_part_is_named(file->fd, file->folder, file->name) && fstat(file->fd, &status) == 0) {
        return status.st_nlink > 0 ? restore_moved(file) : restore_deleted(file);
    }
    weir_descriptor_place(file->folder, folder);
    if (file->folder_path && folder[0] && strcmp(folder, file->folder_path) != 0) {
        weir_log_printf(
            &file->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_OUTPUT_MOVED,
            "the folder of '%s' was moved while it was written; the file is complete, in '%s'",
            file->path, folder);
    }
    return WEIR_OK;
}
