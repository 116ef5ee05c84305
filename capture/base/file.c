// SPDX-License-Identifier: MIT
// A file that is written in commits. After a failure the file is cut back to its last commit, and
// everything that was committed stays whole.
#include "capture/base/file.h"

#include <errno.h>
#include <string.h>

#include "capture/base/file_parts.h"
#include "capture/base/place.h"

// After this many bytes the system is asked to start writing to the disk. By itself it gathers the
// data of some seconds, and then stops the writer until all of it is on the disk.
#define WRITEBACK_SIZE (8u << 20)

// With direct writes all data goes through the stage, in pieces that fit a core's own cache.
#define DIRECT_STAGE_SIZE (1u << 20)

enum weir_result weir_file_failure(int error)
{
    return weir_file_is_full(error) ? WEIR_ERROR_DISK_FULL : WEIR_ERROR_IO;
}

bool weir_file_go_direct(struct weir_file *file)
{
    if (file->size % WEIR_FILE_BLOCK == 0 && file->num_staged == 0 &&
        weir_file_make_stage(file, DIRECT_STAGE_SIZE)) {
        file->is_direct = weir_descriptor_set_direct(file->fd, true, &file->out);
    }
    return file->is_direct;
}

void weir_file_leave_direct(struct weir_file *file)
{
    if (file->is_direct) {
        weir_descriptor_set_direct(file->fd, false, &file->out);
        file->is_direct = false;
    }
}

enum weir_result weir_file_sync_every(struct weir_file *file, uint64_t interval_ns)
{
    file->sync = weir_sync_create(file->fd, file->folder, interval_ns);
    if (file->sync) {
        file->is_synced = true;
        return WEIR_OK;
    }
    return weir_fail(&file->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                     "no memory or thread is left to store '%s' on the disk; close other programs",
                     file->path);
}

// Some players fail on half a frame at the end. If cutting fails, the half frame stays.
static void cut_back(struct weir_file *file)
{
    if (weir_descriptor_cut(file->fd, file->committed) == 0) {
        file->size = file->committed;
    }
}

static enum weir_result fail(struct weir_file *file, int error)
{
    file->state = weir_file_failure(error);
    const bool is_full = file->state == WEIR_ERROR_DISK_FULL;
    weir_log_printf(
        &file->log, WEIR_LOG_ERROR, is_full ? WEIR_LOG_CODE_DISK_FULL : WEIR_LOG_CODE_WRITE_FAILED,
        "cannot write '%s' after %llu bytes: %s%s%s", file->path,
        (unsigned long long)file->committed, weir_place_error(error),
        file->committed > 0 && !file->is_atomic ? "; what was written before is complete" : "",
        is_full ? ". Make room on the disk, or choose another one" : "");
    cut_back(file);
    return file->state;
}

// A sync is not tried again: it would succeed without the data, which the system has dropped. So
// one that finds no room is not as a full disk, where what was written is complete.
enum weir_result weir_file_fail_sync(struct weir_file *file, int error)
{
    file->has_failed_sync = true;
    file->state = file->state == WEIR_OK ? WEIR_ERROR_IO : file->state;
    weir_log_printf(
        &file->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_WRITE_FAILED,
        "the disk did not store '%s': %s; of %llu bytes the first %llu are stored, the others may "
        "be missing or damaged. Check the file with weir recover, and check the disk",
        file->path, strerror(error), (unsigned long long)file->committed,
        (unsigned long long)file->synced);
    cut_back(file);
    return file->state;
}

enum weir_result weir_file_stop_sync(struct weir_file *file)
{
    if (!file->sync) {
        return file->state;
    }
    const int error = weir_sync_destroy(file->sync, &file->synced);
    file->sync = NULL;
    return error != 0 ? weir_file_fail_sync(file, error) : file->state;
}

static void start_writeback(struct weir_file *file)
{
    if (!file->is_direct && file->size - file->flushed >= WRITEBACK_SIZE) {
        weir_descriptor_write_back(file->fd, file->flushed, file->size - file->flushed);
        file->flushed = file->size;
    }
}

// Write the stage and `data` behind it.
static enum weir_result write_out(struct weir_file *file, const uint8_t *data, size_t size)
{
    struct weir_bytes parts[2] = {
        {.data = file->stage, .size = file->num_staged},
        {.data = data, .size = size},
    };
    if (file->is_direct && file->num_staged % WEIR_FILE_BLOCK != 0) {
        weir_file_leave_direct(file);
    }
    file->num_staged = 0;
    while (parts[0].size + parts[1].size > 0) {
        size_t rest;
        const int error = weir_descriptor_append(file->out, parts, file->size, &rest);
        if (error == EINVAL && file->is_direct) {
            weir_file_leave_direct(file); // the file system took the flag, but not the write
            continue;
        }
        if (error != 0) {
            return fail(file, error);
        }
        file->size += rest;
        for (int i = 0; i < 2; i++) {
            const size_t part = rest < parts[i].size ? rest : parts[i].size;
            parts[i].data += part;
            parts[i].size -= part;
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

static enum weir_result take_name(struct weir_file *file)
{
    if (!weir_part_is_named(file->fd, file->folder, file->part)) {
        return fail(file, ENOENT); // another program removed it, or put something in its place
    }
    if (weir_place_is_foreign(file->folder, file->name)) {
        return fail(file, WEIR_PLACE_FOREIGN);
    }
    const int error = weir_part_rename(file->fd, file->folder, file->part, file->name);
    if (error != 0) {
        return fail(file, error);
    }
    file->part[0] = '\0';
    return WEIR_OK;
}

enum weir_result weir_file_commit(struct weir_file *file)
{
    if (file->sync && weir_sync_failure(file->sync) != 0) {
        return weir_file_stop_sync(file);
    }
    if (weir_file_flush(file) != WEIR_OK) {
        return file->state;
    }
    if (file->part[0] && !file->is_atomic && take_name(file) != WEIR_OK) {
        return file->state;
    }
    file->committed = file->size;
    if (file->sync) {
        weir_sync_commit(file->sync, file->committed);
    }
    return WEIR_OK;
}

void weir_file_fail(struct weir_file *file, enum weir_result failure)
{
    if (file->state == WEIR_OK) {
        file->state = failure;
        weir_log_printf(&file->log, WEIR_LOG_ERROR,
                        failure == WEIR_ERROR_DISK_FULL       ? WEIR_LOG_CODE_DISK_FULL
                        : failure == WEIR_ERROR_OUT_OF_MEMORY ? WEIR_LOG_CODE_OUT_OF_MEMORY
                                                              : WEIR_LOG_CODE_WRITE_FAILED,
                        "cannot complete '%s': %s", file->path,
                        failure == WEIR_ERROR_DISK_FULL
                            ? "there is no room on the disk. Make room, or choose another one"
                        : failure == WEIR_ERROR_OUT_OF_MEMORY ? "no memory is left"
                                                              : "writing failed");
    }
}

// Give an atomic file its name, when the disk has what is in it.
static void name_whole(struct weir_file *file)
{
    if (file->state != WEIR_OK || file->committed == 0) {
        return;
    }
    const int error = file->is_synced ? weir_sync_data(file->fd) : 0;
    if (error != 0) {
        weir_file_fail_sync(file, error);
    } else {
        take_name(file);
    }
}

// Make the disk have all of a file that is synced.
static void sync_all(struct weir_file *file)
{
    if (!file->is_synced || file->has_failed_sync) {
        return;
    }
    int error = weir_sync_data(file->fd);
    if (error == 0) {
        error = weir_sync_folder(file->folder);
    }
    if (error != 0) {
        weir_file_fail_sync(file, error);
    }
}

static void remove_part(struct weir_file *file)
{
    weir_part_remove(file->fd, file->folder, file->part);
    if (file->state == WEIR_OK && !file->is_atomic) {
        weir_log_printf(&file->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_NO_FRAMES,
                        "no frame was written, so '%s' was not made", file->path);
    }
}

enum weir_result weir_file_close(struct weir_file *file)
{
    weir_file_flush(file);
    weir_file_stop_sync(file);
    if (file->is_atomic) {
        name_whole(file);
    }
    if (file->part[0]) {
        remove_part(file);
    } else {
        sync_all(file);
        const enum weir_result restored = weir_file_restore(file);
        file->is_displaced = file->state == WEIR_OK && restored != WEIR_OK;
        file->state = file->state == WEIR_OK ? restored : file->state;
    }
    weir_file_leave_direct(file);
    weir_part_unlock(file->fd);
    // Some file systems report only here that they could not store the data.
    const int error = weir_descriptor_close(file->fd);
    if (error != 0 && file->state == WEIR_OK) {
        file->state = weir_file_failure(error);
        weir_log_printf(&file->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_WRITE_FAILED,
                        "closing '%s' failed: %s; its end may be missing", file->path,
                        strerror(error));
    }
    weir_file_free(file);
    return file->state;
}
