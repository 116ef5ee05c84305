// SPDX-License-Identifier: MIT
// Files that belong together: they are written under hidden names, and take their own when all of
// them are there.
#include "capture/weir/mips/mips.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/file_parts.h"
#include "capture/base/path.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"

// Print why a file cannot be written; `error` is an errno value. Returns the result for it.
static enum weir_result fail(const char *path, int error, const char *remedy)
{
    cli_report_error("cannot write %s: %s; %s", path, weir_place_error(error), remedy);
    return error == ENOMEM ? WEIR_ERROR_OUT_OF_MEMORY : weir_file_failure(error);
}

// Get the path of a file in the folder, which the caller frees. NULL: no memory, as is printed.
static char *join_path(const struct mips_files *files, const char *prefix, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s%s%s%s", files->folder, weir_path_slash(files->folder), prefix, name) <
        0) {
        fail(name, ENOMEM, "close other programs");
        return NULL;
    }
    return path;
}

// Returns 0, or the reason why no file can have that path, as weir_place_output() does.
static int check_place(const char *path)
{
    int folder = -1;
    char *name = NULL, *folder_path = NULL;
    const int error = weir_place_output(path, false, &folder, &name, &folder_path);
    if (folder >= 0) {
        close(folder);
    }
    free(name);
    free(folder_path);
    return error;
}

static enum weir_result make_folder(struct mips_files *files, const char *folder)
{
    const int error = weir_place_make_folder(folder, &files->made_folder);
    return error == 0 ? WEIR_OK
           : error == ENOTDIR
               ? fail(folder, error, "name a folder for the levels")
               : fail(folder, error, "make the folder that it is in first, or choose another");
}

static enum weir_result lock(struct mips_files *files)
{
    char *path = join_path(files, ".weir-", "mips");
    const enum weir_result result = path ? weir_file_open_nofollow(&files->lock, path, &cli_log)
                                         : WEIR_ERROR_OUT_OF_MEMORY;
    files->is_locked = result == WEIR_OK;
    files->lock.is_atomic = true; // so it is no loss that it is empty
    free(path);
    return result;
}

enum weir_result mips_files_open(struct mips_files *files, const char *folder)
{
    *files = (struct mips_files){.folder = folder};
    WEIR_TRY(make_folder(files, folder));
    return lock(files);
}

enum weir_result mips_files_add(struct mips_files *files, const char *name,
                                const struct mips_file **out)
{
    if (files->num == MIPS_MAX_FILES) {
        return fail(name, ENOMEM, "close other programs");
    }
    struct mips_file *file = &files->list[files->num++];
    file->temporary = join_path(files, ".weir-", name);
    file->target = join_path(files, "", name);
    *out = file;
    if (!file->temporary || !file->target) {
        return WEIR_ERROR_OUT_OF_MEMORY; // which has been printed
    }
    file->name = file->target + strlen(file->target) - strlen(name);
    int error = check_place(file->target);
    error = error == 0 ? check_place(file->temporary) : error;
    if (error != 0) { // what is there is not to be removed
        free(file->temporary);
        file->temporary = NULL;
    }
    return error == 0 ? WEIR_OK
           : error == EISDIR || error == EEXIST
               ? fail(file->target, EEXIST,
                      "it is not a file; move it away, or choose another folder")
               : fail(file->target, error, "choose another folder");
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
    for (size_t i = 0; i < files->num; i++) {
        if (files->list[i].temporary) {
            unlink(files->list[i].temporary);
        }
        free(files->list[i].temporary);
        free(files->list[i].target);
    }
    if (files->is_locked) {
        weir_file_close(&files->lock);
    }
    if (files->made_folder) {
        rmdir(files->folder); // which fails where there is something in it
    }
    *files = (struct mips_files){0};
}

// Give it its name, with the mode and, where that is permitted, the group of what it replaces, if
// that is the user's own.
static enum weir_result commit(const struct mips_file *file)
{
    struct stat status;
    if (lstat(file->target, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_uid == geteuid()) {
        const mode_t kept = chown(file->temporary, -1, status.st_gid) == 0 ? 07777 : 0777;
        chmod(file->temporary, status.st_mode & kept);
    }
    return rename(file->temporary, file->target) == 0
               ? WEIR_OK
               : fail(file->target, errno, "move away what is there, or choose another folder");
}

enum weir_result mips_files_commit(const struct mips_files *files)
{
    for (size_t i = 0; i < files->num; i++) {
        WEIR_TRY(commit(&files->list[i]));
    }
    return WEIR_OK;
}
