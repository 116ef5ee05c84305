// SPDX-License-Identifier: MIT
// Files that belong together: when all of them are written they take their names; else none does.
#include "capture/weir/mips/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/weir/common/report.h"

static char *join(const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    const size_t size = length + strlen(name) + 2;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/",
                 name);
    }
    return path;
}

static enum weir_result fail(const char *path, int error, const char *remedy)
{
    cli_report_error("cannot write %s: %s; %s", path, strerror(error), remedy);
    return error == ENOMEM                      ? WEIR_ERROR_OUT_OF_MEMORY
           : error == ENOSPC || error == EDQUOT ? WEIR_ERROR_DISK_FULL
                                                : WEIR_ERROR_IO;
}

enum weir_result mips_files_open(struct mips_files *files, const char *folder)
{
    *files = (struct mips_files){.folder = folder};
    struct stat status;
    if (mkdir(folder, 0777) == 0) {
        files->made_folder = true;
    } else if (errno != EEXIST) {
        return fail(folder, errno, "make the folder that it is in first, or choose another");
    } else if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
        return fail(folder, ENOTDIR, "name a folder for the levels");
    }
    files->temporary = join(folder, ".weir-mips-XXXXXX");
    if (!files->temporary) {
        return fail(folder, ENOMEM, "close other programs");
    }
    if (!mkdtemp(files->temporary)) {
        const int error = errno;
        free(files->temporary);
        files->temporary = NULL;
        return fail(folder, error, "change its permissions, or choose another folder");
    }
    return WEIR_OK;
}

enum weir_result mips_files_add(struct mips_files *files, const char *name, char **path)
{
    *path = NULL;
    char *target = join(files->folder, name), *copy = strdup(name);
    char *temporary = join(files->temporary, name);
    struct stat status;
    enum weir_result result = WEIR_OK;
    if (!target || !copy || !temporary || files->num == MIPS_MAX_FILES) {
        result = fail(name, ENOMEM, "close other programs");
    } else if (stat(target, &status) == 0 && !S_ISREG(status.st_mode)) {
        result = fail(target, EEXIST, "it is not a file; move it away, or choose another folder");
    }
    if (result == WEIR_OK) {
        files->names[files->num++] = copy;
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
    char *path = files->num > 0 ? join(files->temporary, files->names[files->num - 1]) : NULL;
    struct stat status;
    const uint64_t size = path && stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
    free(path);
    return size;
}

static enum weir_result give_name(const struct mips_files *files, const char *name)
{
    char *from = join(files->temporary, name), *to = join(files->folder, name);
    enum weir_result result = WEIR_OK;
    if (!from || !to) {
        result = fail(name, ENOMEM, "close other programs");
    } else if (rename(from, to) != 0) {
        result = fail(to, errno, "move away what is there, or choose another folder");
    }
    free(from);
    free(to);
    return result;
}

enum weir_result mips_files_commit(struct mips_files *files)
{
    for (size_t i = 0; i < files->num; i++) {
        enum weir_result result = give_name(files, files->names[i]);
        if (result != WEIR_OK) {
            return result;
        }
    }
    files->made_folder = false;
    return WEIR_OK;
}

void mips_files_close(struct mips_files *files)
{
    for (size_t i = 0; i < files->num; i++) {
        char *path = join(files->temporary, files->names[i]);
        if (path) {
            unlink(path); // not there where it was committed
        }
        free(path);
        free(files->names[i]);
    }
    if (files->temporary) {
        rmdir(files->temporary);
    }
    free(files->temporary);
    if (files->made_folder) {
        rmdir(files->folder);
    }
    *files = (struct mips_files){0};
}
