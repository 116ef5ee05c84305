// SPDX-License-Identifier: MIT
// Files that belong together: they are written in a hidden folder beside their places. All of them
// take their names, or none does.
#include "capture/weir/mips/mips.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/path.h"
#include "capture/base/posix/place.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"

// Print why a file cannot be written; `error` is an errno value. Returns the result for it.
static enum weir_result fail(const char *path, int error, const char *remedy)
{
    cli_report_error("cannot write %s: %s; %s", path, weir_place_error(error), remedy);
    return error == ENOMEM                      ? WEIR_ERROR_OUT_OF_MEMORY
           : error == ENOSPC || error == EDQUOT ? WEIR_ERROR_DISK_FULL
                                                : WEIR_ERROR_IO;
}

// Get the path of a file in a folder. NULL, with an error printed: no memory. The caller frees it.
static char *join_path(const char *folder, const char *name, const char *ending)
{
    char *path = NULL;
    if (asprintf(&path, "%s%s%s%s", folder, weir_path_slash(folder), name, ending) < 0) {
        fail(name, ENOMEM, "close other programs");
        return NULL;
    }
    return path;
}

// Find out what is at a path, and refuse what another user has put there.
static enum weir_result look_at(const char *path, mode_t *mode)
{
    struct weir_place place;
    const int error = weir_place_find(&place, path, false);
    if (error != 0) {
        return fail(path, error, "choose another folder");
    }
    close(place.folder);
    *mode = place.found.st_mode;
    return WEIR_OK;
}

static enum weir_result make_folder(struct mips_files *files, const char *folder)
{
    const int error = weir_place_make_folder(folder, &files->made_folder);
    return error == 0 ? WEIR_OK
           : error == ENOTDIR
               ? fail(folder, error, "name a folder for the levels")
               : fail(folder, error, "make the folder that it is in first, or choose another");
}

// Make the temporary folder and lock it. Whoever had it before may have removed it between the two;
// `*again` is true then. File systems that know no locks go without.
static enum weir_result lock(struct mips_files *files, bool *again)
{
    struct stat locked, named;
    mode_t mode;
    *again = false;
    WEIR_TRY(look_at(files->temporary, &mode));
    if (mkdir(files->temporary, 0700) != 0 && errno != EEXIST) {
        return fail(files->temporary, errno, "change its permissions, or choose another folder");
    }
    WEIR_TRY(look_at(files->temporary, &mode)); // somebody else may have made it
    const int fd = open(files->temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    files->lock = fd >= 0 ? fdopendir(fd) : NULL;
    if (!files->lock) {
        const int error = errno;
        *again = fd < 0 && error == ENOENT;
        if (fd >= 0) {
            close(fd);
        }
        return *again ? WEIR_OK
                      : fail(files->temporary, error,
                             "move away what is there, or choose another folder");
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return cli_fail(WEIR_ERROR_IO,
                        "%s: another program writes levels there; wait until it has ended, or "
                        "choose another folder",
                        files->folder);
    }
    *again = fstat(fd, &locked) != 0 || stat(files->temporary, &named) != 0 ||
             locked.st_dev != named.st_dev || locked.st_ino != named.st_ino;
    if (*again) {
        closedir(files->lock);
        files->lock = NULL;
    }
    return WEIR_OK;
}

// Without a descriptor more, as there may be none.
static void empty(const struct mips_files *files)
{
    rewinddir(files->lock);
    for (struct dirent *entry; (entry = readdir(files->lock));) {
        unlinkat(dirfd(files->lock), entry->d_name, 0); // which leaves "." and ".." as they are
    }
}

enum weir_result mips_files_open(struct mips_files *files, const char *folder)
{
    *files = (struct mips_files){.folder = folder};
    enum weir_result result = make_folder(files, folder);
    if (result == WEIR_OK) {
        files->temporary = join_path(folder, ".weir-mips.part", "");
        result = files->temporary ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (bool again = true; result == WEIR_OK && again;) {
        result = lock(files, &again);
    }
    if (result == WEIR_OK) {
        empty(files); // of what a program that was killed has left
    }
    return result;
}

enum weir_result mips_files_add(struct mips_files *files, const char *name,
                                const struct mips_file **out)
{
    mode_t mode;
    if (files->num == MIPS_MAX_FILES) {
        return fail(name, ENOMEM, "close other programs");
    }
    struct mips_file *file = &files->list[files->num++];
    file->temporary = join_path(files->temporary, name, "");
    file->target = join_path(files->folder, name, "");
    file->old = join_path(files->temporary, name, ".old");
    *out = file;
    if (!file->temporary || !file->target || !file->old) {
        return WEIR_ERROR_OUT_OF_MEMORY; // which has been printed
    }
    file->name = file->target + strlen(file->target) - strlen(name);
    WEIR_TRY(look_at(file->target, &mode));
    return mode != 0 && !S_ISREG(mode) && !S_ISLNK(mode)
               ? fail(file->target, EEXIST,
                      "it is not a file; move it away, or choose another folder")
               : WEIR_OK;
}

enum weir_result mips_files_check(const struct mips_files *files, const char *input,
                                  const char *other)
{
    struct cli_paths paths = {0};
    cli_paths_add_input(&paths, input);
    cli_paths_add_output(&paths, other);
    for (size_t i = 0; i < files->num; i++) {
        cli_paths_add_output(&paths, files->list[i].target);
    }
    return cli_paths_check(&paths);
}

void mips_files_close(struct mips_files *files)
{
    if (files->lock) {
        empty(files);
        rmdir(files->temporary);
        closedir(files->lock);
    }
    for (size_t i = 0; i < files->num; i++) {
        free(files->list[i].temporary);
        free(files->list[i].target);
        free(files->list[i].old);
    }
    free(files->temporary);
    if (files->made_folder) {
        rmdir(files->folder); // which fails where there is something in it
    }
    *files = (struct mips_files){0};
}

// Keep the file that has the name, by a second name of it, or where the file system knows no such
// by another name. The new one gets its mode and, where that is permitted, its group, if it is the
// user's own.
static enum weir_result keep_old(struct mips_file *file)
{
    struct stat status;
    if (lstat(file->target, &status) != 0) {
        return errno == ENOENT ? WEIR_OK : fail(file->target, errno, "look at it");
    }
    if (link(file->target, file->old) != 0 && rename(file->target, file->old) != 0) {
        return fail(file->target, errno, "move away what is there, or choose another folder");
    }
    file->has_old = true;
    if (S_ISREG(status.st_mode) && status.st_uid == geteuid()) {
        const bool has_group = chown(file->temporary, (uid_t)-1, status.st_gid) == 0;
        chmod(file->temporary, status.st_mode & (has_group ? 07777 : 0777));
    }
    return WEIR_OK;
}

static enum weir_result commit(struct mips_file *file)
{
    WEIR_TRY(keep_old(file));
    if (rename(file->temporary, file->target) != 0) {
        return fail(file->target, errno, "move away what is there, or choose another folder");
    }
    file->is_committed = true;
    return WEIR_OK;
}

void mips_files_undo(struct mips_files *files)
{
    for (size_t i = files->num; i-- > 0;) {
        struct mips_file *file = &files->list[i];
        const bool is_undone = file->has_old        ? rename(file->old, file->target) == 0
                               : file->is_committed ? unlink(file->target) == 0
                                                    : true;
        if (!is_undone) {
            cli_report_error("%s could not be put back as it was", file->target);
        }
        file->is_committed = file->has_old = false;
    }
}

enum weir_result mips_files_commit(struct mips_files *files)
{
    enum weir_result result = WEIR_OK;
    for (size_t i = 0; i < files->num && result == WEIR_OK; i++) {
        result = commit(&files->list[i]);
    }
    if (result != WEIR_OK) {
        mips_files_undo(files);
    }
    return result;
}
