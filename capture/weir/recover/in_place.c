// SPDX-License-Identifier: MIT
// Makes a plain movie of the file itself.
#include "capture/weir/recover/in_place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/weir/common/report.h"

static bool write_at(int fd, const uint8_t *bytes, size_t size, uint64_t offset)
{
    while (size > 0) {
        const ssize_t written = pwrite(fd, bytes, size, (off_t)offset);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return true;
}

// Append the index, make the disk have it, and then change the head. What fails is taken back, so
// that the file stays one that grew.
static bool append_index(const struct recover_found *found, int fd, const uint8_t *moov,
                         size_t size)
{
    uint8_t patch[16];
    remux_write_patch(found->end - found->moov, patch);
    if (ftruncate(fd, (off_t)found->end) != 0) {
        return false;
    }
    if (!write_at(fd, moov, size, found->end) || fdatasync(fd) != 0) {
        const int error = errno;
        const bool is_cut = ftruncate(fd, (off_t)found->end) == 0;
        errno = is_cut ? error : errno;
        return false;
    }
    if (!write_at(fd, patch, sizeof(patch), found->moov) || fdatasync(fd) != 0) {
        const int error = errno;
        write_at(fd, found->head + found->moov, sizeof(patch), found->moov);
        errno = error;
        return false;
    }
    return true;
}

enum weir_result recover_in_place(const struct recover_params *params,
                                  const struct recover_found *found,
                                  const struct remux_movie *movie, int fd, const char *path)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || (uint64_t)status.st_size != params->source.size) {
        cli_report_error("%s has another size than before: another program is writing it", path);
        return WEIR_ERROR_IO;
    }
    size_t size;
    uint8_t *moov = remux_make_moov(movie, 0, &size);
    if (!moov) {
        cli_report_error("there is no memory for the index");
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const bool is_done = append_index(found, fd, moov, size);
    if (!is_done) {
        cli_report_error("%s: %s; its frames are as they were, and weir recover can be run again",
                         path, strerror(errno));
    }
    free(moov);
    return is_done ? WEIR_OK : WEIR_ERROR_IO;
}
