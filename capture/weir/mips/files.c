// SPDX-License-Identifier: MIT
// Files that belong together: they are written in a hidden folder beside their places.
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

char *mips_files_join(const char *folder, const char *name, const char *ending)
{
    const size_t length = strlen(folder);
    const size_t size = length + strlen(name) + strlen(ending) + 2;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/",
                 name, ending);
    } else {
        mips_files_fail(name, ENOMEM, "close other programs");
    }
    return path;
}

enum weir_result mips_files_fail(const char *path, int error, const char *remedy)
{
    cli_report_error("cannot write %s: %s; %s", path, strerror(error), remedy);
    return error == ENOMEM                      ? WEIR_ERROR_OUT_OF_MEMORY
           : error == ENOSPC || error == EDQUOT ? WEIR_ERROR_DISK_FULL
                                                : WEIR_ERROR_IO;
}

static enum weir_result make_folder(struct mips_files *files, const char *folder)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0) {
        files->made_folder = true;
    } else if (errno != EEXIST) {
        return mips_files_fail(folder, errno,
                               "make the folder that it is in first, or choose another");
    } else if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
        return mips_files_fail(folder, ENOTDIR, "name a folder for the levels");
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
        return mips_files_fail(files->temporary, errno,
                               "change its permissions, or choose another folder");
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
                      : mips_files_fail(files->temporary, error,
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
    char *temporary = mips_files_join(folder, ".weir-mips.part", "");
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
    char *target = mips_files_join(files->folder, name, "");
    char *temporary = target ? mips_files_join(files->temporary, name, "") : NULL;
    char *copy = NULL;
    struct stat status;
    enum weir_result result = WEIR_OK;
    *path = NULL;
    if (!temporary) {
        result = WEIR_ERROR_OUT_OF_MEMORY; // which has been printed
    } else if (files->num == MIPS_MAX_FILES || !(copy = strdup(name))) {
        result = mips_files_fail(name, ENOMEM, "close other programs");
    } else if (stat(target, &status) == 0 && !S_ISREG(status.st_mode)) {
        result = mips_files_fail(target, EEXIST,
                                 "it is not a file; move it away, or choose another folder");
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
    char *path = files->num > 0
                     ? mips_files_join(files->temporary, files->list[files->num - 1].name, "")
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
        targets[i] = mips_files_join(files->folder, files->list[i].name, "");
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
