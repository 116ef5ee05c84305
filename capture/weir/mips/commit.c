// SPDX-License-Identifier: MIT
// Files that belong together: all of them take their names, or none does.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/weir/common/report.h"
#include "capture/weir/mips/files.h"

// The paths of a file: where it is written, where it belongs, and where what is there is kept.
struct places {
    char *temporary, *target, *old;
};

static bool find_places(const struct mips_files *files, const struct mips_file *file,
                        struct places *places)
{
    places->temporary = mips_files_join(files->temporary, file->name, "");
    places->target = mips_files_join(files->folder, file->name, "");
    places->old = mips_files_join(files->temporary, file->name, ".old");
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
        return errno == ENOENT ? WEIR_OK : mips_files_fail(places->target, errno, "look at it");
    }
    if (link(places->target, places->old) != 0 && rename(places->target, places->old) != 0) {
        return mips_files_fail(places->target, errno,
                               "move away what is there, or choose another folder");
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
        result = mips_files_fail(places.target, errno,
                                 "move away what is there, or choose another folder");
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
