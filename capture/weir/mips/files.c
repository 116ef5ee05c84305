// SPDX-License-Identifier: MIT
// Files that belong together: they are written in a hidden folder beside their places. All of them
// take their names, or none does.
#include "capture/weir/mips/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"

// Print why a file cannot be written; `error` is an errno value. Returns the result for it.
static enum weir_result fail(const char *path, int error, const char *remedy)
{
    cli_report_error("cannot write %s: %s; %s", path, strerror(error), remedy);
    return error == ENOMEM                      ? WEIR_ERROR_OUT_OF_MEMORY
           : error == ENOSPC || error == EDQUOT ? WEIR_ERROR_DISK_FULL
                                                : WEIR_ERROR_IO;
}

// The path of a file in a folder; free it. NULL, with an error printed: no memory.
static char *join_path(const char *folder, const char *name, const char *ending)
{
    const size_t length = strlen(folder);
    const size_t size = length + strlen(name) + strlen(ending) + 2;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/",
                 name, ending);
    } else {
        fail(name, ENOMEM, "close other programs");
    }
    return path;
}

static enum weir_result make_folder(struct mips_files *files, const char *folder)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0) {
        files->made_folder = true;
    } else if (errno != EEXIST) {
        return fail(folder, errno, "make the folder that it is in first, or choose another");
    } else if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
        return fail(folder, ENOTDIR, "name a folder for the levels");
    }
    return WEIR_OK;
}

// Make the temporary folder and lock it. Whoever had it before may have removed it between the two;
// `*again` is true then. File systems that know no locks go without.
static enum weir_result lock(struct mips_files *files, bool *again)
{
    struct stat locked, named;
    *again = false;
    if (mkdir(files->temporary, 0777) != 0 && errno != EEXIST) {
        return fail(files->temporary, errno, "change its permissions, or choose another folder");
    }
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
        cli_report_error("%s: another program writes levels there; wait until it has ended, or "
                         "choose another folder",
                         files->folder);
        return WEIR_ERROR_IO;
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
    if (result != WEIR_OK) {
        return result;
    }
    char *temporary = join_path(folder, ".weir-mips.part", "");
    if (!temporary) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    files->temporary = temporary;
    for (bool again = true; result == WEIR_OK && again;) {
        result = lock(files, &again);
    }
    if (result == WEIR_OK) {
        empty(files); // of what a program that was killed has left
    }
    return result;
}

enum weir_result mips_files_add(struct mips_files *files, const char *name, char **path)
{
    char *target = join_path(files->folder, name, "");
    char *temporary = target ? join_path(files->temporary, name, "") : NULL;
    char *copy = NULL;
    struct stat status;
    enum weir_result result = WEIR_OK;
    *path = NULL;
    if (!temporary) {
        result = WEIR_ERROR_OUT_OF_MEMORY; // which has been printed
    } else if (files->num == MIPS_MAX_FILES || !(copy = strdup(name))) {
        result = fail(name, ENOMEM, "close other programs");
    } else if (stat(target, &status) == 0 && !S_ISREG(status.st_mode)) {
        result = fail(target, EEXIST, "it is not a file; move it away, or choose another folder");
    }
    if (result == WEIR_OK) {
        files->list[files->num++] = (struct mips_file){.name = copy};
        *path = temporary;
    } else {
        free(temporary);
        free(copy);
    }
    free(target);
    return result;
}

uint64_t mips_files_last_size(const struct mips_files *files)
{
    char *path = files->num > 0 ? join_path(files->temporary, files->list[files->num - 1].name, "")
                                : NULL;
    struct stat status;
    const uint64_t size = path && stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
    free(path);
    return size;
}

enum weir_result mips_files_check(const struct mips_files *files, const char *input,
                                  const char *other)
{
    struct cli_paths paths = {0};
    char *targets[MIPS_MAX_FILES] = {NULL};
    cli_paths_add_input(&paths, input);
    cli_paths_add_output(&paths, other);
    bool is_short = false;
    for (size_t i = 0; i < files->num; i++) {
        targets[i] = join_path(files->folder, files->list[i].name, "");
        cli_paths_add_output(&paths, targets[i]);
        is_short = is_short || !targets[i];
    }
    const enum weir_result result = cli_paths_check(&paths);
    for (size_t i = 0; i < files->num; i++) {
        free(targets[i]);
    }
    return is_short ? WEIR_ERROR_OUT_OF_MEMORY : result;
}

void mips_files_close(struct mips_files *files)
{
    if (files->lock) {
        empty(files);
        rmdir(files->temporary);
        closedir(files->lock);
    }
    for (size_t i = 0; i < files->num; i++) {
        free(files->list[i].name);
    }
    free(files->temporary);
    if (files->made_folder) {
        rmdir(files->folder); // which fails where there is something in it
    }
    *files = (struct mips_files){0};
}

void mips_files_clean(const char *folder, bool was_there)
{
    struct stat status;
    struct mips_files files;
    if (stat(folder, &status) != 0) {
        return;
    }
    mips_files_open(&files, folder);
    files.made_folder = !was_there;
    mips_files_close(&files);
}

// The paths of a file: where it is written, where it belongs, and where what is there is kept.
struct places {
    char *temporary, *target, *old;
};

static bool find_places(const struct mips_files *files, const struct mips_file *file,
                        struct places *places)
{
    places->temporary = join_path(files->temporary, file->name, "");
    places->target = join_path(files->folder, file->name, "");
    places->old = join_path(files->temporary, file->name, ".old");
    return places->temporary && places->target && places->old;
}

static void free_places(struct places *places)
{
    free(places->temporary);
    free(places->target);
    free(places->old);
}

// Keep the file that has the name, by a second name of it, or where the file system knows no such
// by another name. The new one gets its mode and, where that is permitted, its owner.
static enum weir_result keep_old(struct mips_file *file, const struct places *places)
{
    struct stat status;
    if (lstat(places->target, &status) != 0) {
        return errno == ENOENT ? WEIR_OK : fail(places->target, errno, "look at it");
    }
    if (link(places->target, places->old) != 0 && rename(places->target, places->old) != 0) {
        return fail(places->target, errno, "move away what is there, or choose another folder");
    }
    file->has_old = true;
    if (S_ISREG(status.st_mode)) {
        const bool is_owner = chown(places->temporary, status.st_uid, status.st_gid) == 0;
        chmod(places->temporary, status.st_mode & (is_owner ? 07777 : 0777));
    }
    return WEIR_OK;
}

static enum weir_result commit(const struct mips_files *files, struct mips_file *file)
{
    struct places places;
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (find_places(files, file, &places)) {
        result = keep_old(file, &places);
    }
    if (result == WEIR_OK && rename(places.temporary, places.target) != 0) {
        result = fail(places.target, errno, "move away what is there, or choose another folder");
    }
    file->is_committed = result == WEIR_OK;
    free_places(&places);
    return result;
}

static void undo(const struct mips_files *files, struct mips_file *file)
{
    struct places places;
    const bool is_found = find_places(files, file, &places);
    const bool is_undone = is_found && (file->has_old ? rename(places.old, places.target) == 0
                                                      : unlink(places.target) == 0);
    if (!is_undone) {
        cli_report_error("%s could not be put back as it was", file->name);
    }
    file->is_committed = file->has_old = false;
    free_places(&places);
}

void mips_files_undo(struct mips_files *files)
{
    for (size_t i = files->num; i-- > 0;) {
        if (files->list[i].is_committed || files->list[i].has_old) {
            undo(files, &files->list[i]);
        }
    }
}

enum weir_result mips_files_commit(struct mips_files *files)
{
    for (size_t i = 0; i < files->num; i++) {
        const enum weir_result result = commit(files, &files->list[i]);
        if (result != WEIR_OK) {
            mips_files_undo(files);
            return result;
        }
    }
    return WEIR_OK;
}
