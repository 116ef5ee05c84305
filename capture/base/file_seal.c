// SPDX-License-Identifier: MIT
// Seals a file that is written in commits: an end and a new head are added, both or none.
#include "capture/base/file.h"

#include <string.h>

#include "capture/base/file_parts.h"

static const char no_end[] = "what was written is in it, but its end is missing. Remedy: weir "
                             "recover";

// Report that the disk failed while the end of the file was made. The frames are not concerned.
static enum weir_result fail_seal(struct weir_file *file, int error, const char *consequence)
{
    file->state = file->state == WEIR_OK ? WEIR_ERROR_IO : file->state;
    return weir_fail(&file->log, WEIR_ERROR_IO, WEIR_LOG_CODE_WRITE_FAILED,
                     "cannot complete '%s': %s; %s", file->path, strerror(error), consequence);
}

static enum weir_result apply(struct weir_file *file, const struct weir_file_patch *patch)
{
    size_t num_written, num_put_back;
    const int error = weir_descriptor_write(file->fd, patch->after, 16, patch->offset,
                                            &num_written);
    if (error == 0) {
        return WEIR_OK;
    }
    if (weir_descriptor_write(file->fd, patch->before, num_written, patch->offset, &num_put_back) !=
        0) {
        return fail_seal(file, error,
                         "its head is damaged, and what was there before could not be put back. "
                         "Remedy: weir recover");
    }
    return weir_file_is_full(error) ? WEIR_ERROR_DISK_FULL : fail_seal(file, error, no_end);
}

static enum weir_result append_tail(struct weir_file *file, const uint8_t *tail, size_t tail_size)
{
    size_t num_written;
    int error = weir_descriptor_write(file->fd, tail, tail_size, file->committed, &num_written);
    if (weir_file_is_full(error)) {
        return WEIR_ERROR_DISK_FULL;
    }
    if (error != 0) {
        return fail_seal(file, error, no_end);
    }
    error = weir_sync_data(file->fd);
    if (error != 0) {
        weir_file_fail_sync(file, error);
        return WEIR_ERROR_IO;
    }
    file->synced = file->committed;
    return WEIR_OK;
}

enum weir_result weir_file_seal(struct weir_file *file, const uint8_t *tail, size_t tail_size,
                                const struct weir_file_patch *patch)
{
    weir_file_stop_sync(file);
    if ((file->part[0] && !file->is_atomic) || file->has_failed_sync ||
        file->size != file->committed) {
        return WEIR_ERROR_IO; // reported before
    }
    weir_file_leave_direct(file);
    enum weir_result result = append_tail(file, tail, tail_size);
    if (result == WEIR_OK) {
        result = apply(file, patch);
    }
    if (result == WEIR_OK) {
        file->size = file->committed = file->committed + tail_size;
    } else if (weir_descriptor_cut(file->fd, file->committed) != 0) {
        file->size += tail_size; // what stays behind the last frame is skipped by players
    }
    return result;
}
