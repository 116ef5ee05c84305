// SPDX-License-Identifier: MIT
// Opens a file that is written in commits: finds its folder, and refuses what may not be replaced.
#include "capture/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/file_parts.h"

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
        return "it is neither a file nor free to become one; choose another path";
    case ENAMETOOLONG:
        return "choose a shorter path";
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
    weir_log_printf(&file->log, WEIR_LOG_ERROR,
                    result == WEIR_ERROR_DISK_FULL ? WEIR_LOG_CODE_DISK_FULL
                                                   : WEIR_LOG_CODE_OPEN_FAILED,
                    "cannot write '%s': %s; %s", path,
                    error == EWOULDBLOCK ? "another program is writing it" : strerror(error),
                    open_remedy(error));
    weir_file_free(file);
    return result;
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

// Find out where an absolute path of the folder is, in case that it is deleted. Without /proc it is
// not known.
static char *find_folder_path(int folder)
{
    char place[PATH_MAX];
    weir_descriptor_place(folder, place);
    return place[0] ? strdup(place) : NULL;
}

// Open the folder: it stays the same one if it is moved, or if the program changes to another.
// Returns 0 or an errno value.
static int open_folder(struct weir_file *file)
{
    char *slash = strrchr(file->path, '/');
    const char *folder = slash == file->path ? "/" : slash ? file->path : ".";
    file->name = slash ? slash + 1 : file->path;
    if (file->name[0] == '\0') {
        return slash ? EISDIR : ENOENT;
    }
    if (slash) {
        *slash = '\0';
    }
    file->folder = weir_descriptor_open(AT_FDCWD, folder[0] ? folder : "/", O_PATH | O_DIRECTORY);
    const int error = file->folder < 0 ? errno : 0;
    if (slash) {
        *slash = '/';
    }
    if (error == 0) {
        file->folder_path = find_folder_path(file->folder);
    }
    return error;
}

enum weir_result weir_file_open(struct weir_file *file, const char *path,
                                const struct weir_log *log)
{
    *file = (struct weir_file){.fd = -1, .folder = -1, .log = *log};
    int error = resolve(file, path);
    if (error == 0) {
        error = open_folder(file);
    }
    if (error == 0 && !weir_file_make_stage(file, STAGE_SIZE)) {
        error = ENOMEM;
    }
    if (error == 0) {
        file->fd = weir_part_create(file->folder, file->name, file->part);
        error = file->fd < 0 ? -file->fd : 0;
    }
    return error == 0 ? WEIR_OK : fail_open(file, path, error);
}
