// SPDX-License-Identifier: MIT
// Opens a file that is written in commits, under the name of its part.
#include "capture/base/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/file_parts.h"
#include "capture/base/fnv.h"
#include "capture/base/place.h"
#include "capture/base/system.h"

// The size of the stage, in which small writes are gathered.
#define STAGE_SIZE 4096u

static void free_stage(struct weir_file *file)
{
    if (file->stage) {
        weir_pages_destroy(file->stage, file->stage_room);
    }
    file->stage = NULL;
}

bool weir_file_make_stage(struct weir_file *file, size_t room)
{
    uint8_t *stage = weir_pages_create(room);
    if (!stage) {
        return false;
    }
    free_stage(file);
    file->stage = stage;
    file->stage_room = room;
    return true;
}

void weir_file_free(struct weir_file *file)
{
    if (file->folder >= 0) {
        weir_descriptor_close(file->folder);
    }
    free(file->path);
    free(file->name);
    free(file->folder_path);
    free_stage(file);
    file->folder = -1;
    file->path = file->name = file->folder_path = NULL;
}

void weir_part_name(const char *name, char part[WEIR_PART_NAME_SIZE])
{
    const uint64_t hash = weir_fnv(WEIR_FNV_START, name, strlen(name));
    snprintf(part, WEIR_PART_NAME_SIZE, ".weir-%016" PRIx64 ".part", hash);
}

static const char *open_remedy(int error)
{
    if (weir_file_is_full(error)) {
        return "make room on the disk, or choose another one";
    }
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

static enum weir_result open_file(struct weir_file *file, const char *path, bool follows,
                                  const struct weir_log *log)
{
    *file = (struct weir_file){.fd = -1, .folder = -1, .log = *log, .path = strdup(path)};
    // The folder stays open: it is the same one if it is moved, or the program changes to another.
    int error = file->path ? weir_place_output(path, follows, &file->folder, &file->name,
                                               &file->folder_path)
                           : ENOMEM;
    if (error == 0 && !weir_file_make_stage(file, STAGE_SIZE)) {
        error = ENOMEM;
    }
    if (error == 0) {
        file->fd = file->out = weir_part_create(file->folder, file->name, file->part);
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
