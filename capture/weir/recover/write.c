// SPDX-License-Identifier: MIT
// The plain movie that is made of the frames that were found: in a new file, or of the file itself.
#include "capture/weir/recover/write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/file.h"
#include "capture/format/boxes.h"
#include "capture/format/fragment.h"
#include "capture/weir/common/report.h"

#define PIECE_SIZE (1u << 20)

static enum weir_result fail_memory(void)
{
    cli_report_error("there is no memory for the index");
    return WEIR_ERROR_OUT_OF_MEMORY;
}

// The 16 bytes that turn the head of a moov box into that of one large mdat.
static void write_patch(uint64_t mdat_size, uint8_t patch[16])
{
    struct weir_boxes boxes = {.bytes = patch, .room = 16};
    weir_boxes_u32(&boxes, 1); // the size follows in 64 bits
    weir_boxes_u32(&boxes, WEIR_BOX('m', 'd', 'a', 't'));
    weir_boxes_u64(&boxes, mdat_size);
}

// Make the index of frames that lie at `offset` and behind it, each behind a fragment's head; 0:
// where they lie now. NULL: out of memory. The caller frees it.
static uint8_t *make_moov(const struct recover_found *found, uint64_t offset, size_t *size)
{
    struct weir_index index;
    if (!weir_index_init(&index)) {
        return NULL;
    }
    for (size_t i = 0; i < found->frames.num; i++) {
        const struct recover_frame *frame = &found->frames.items[i];
        offset += offset > 0 ? WEIR_FRAGMENT_HEADER_SIZE : 0;
        weir_index_add(&index, offset > 0 ? offset : frame->offset, frame->size, frame->ticks);
        offset += offset > 0 ? frame->size : 0;
    }
    const struct weir_index_head head = {
        .moov = found->head + found->moov,
        .size = found->head_size - found->moov,
        .ticks_per_second = found->track.ticks_per_second,
        .ticks_per_frame = found->ticks_per_frame,
    };
    uint8_t *moov = weir_index_make_moov(&index, &head, size);
    weir_index_finish(&index);
    return moov;
}

struct writer {
    const struct recover_params *params;
    const struct recover_found *found;
    const struct recover_target *target;
    struct weir_file file;
    uint8_t *piece; // PIECE_SIZE bytes
};

static enum weir_result write_head(struct writer *writer)
{
    const struct recover_found *found = writer->found;
    uint64_t end = found->head_size;
    for (size_t i = 0; i < found->frames.num; i++) {
        end += WEIR_FRAGMENT_HEADER_SIZE + found->frames.items[i].size;
    }
    uint8_t patch[16];
    write_patch(end - found->moov, patch);
    weir_file_write(&writer->file, found->head, found->moov);
    weir_file_write(&writer->file, patch, sizeof(patch));
    const size_t behind = found->moov + sizeof(patch);
    return weir_file_write(&writer->file, found->head + behind, found->head_size - behind);
}

static enum weir_result copy_frame(struct writer *writer, size_t index)
{
    const struct recover_frame *frame = &writer->found->frames.items[index];
    const struct weir_view_source *source = &writer->params->source;
    uint8_t head[WEIR_FRAGMENT_HEADER_SIZE];
    weir_fragment_write(
        &(const struct weir_fragment){
            .number = (uint32_t)index + 1,
            .ticks = frame->ticks,
            .duration = writer->found->ticks_per_frame,
            .size = frame->size,
        },
        head);
    weir_file_write(&writer->file, head, sizeof(head));
    for (uint32_t done = 0, part; done < frame->size; done += part) {
        const uint32_t left = frame->size - done;
        part = left < PIECE_SIZE ? left : PIECE_SIZE;
        if (!source->read(source->user, frame->offset + done, writer->piece, part)) {
            cli_report_error("%s: frame %zu cannot be read; --check leaves such frames out",
                             writer->target->input, index);
            return WEIR_ERROR_IO;
        }
        if (weir_file_write(&writer->file, writer->piece, part) != WEIR_OK) {
            return writer->file.state;
        }
    }
    return WEIR_OK;
}

static enum weir_result copy_frames(struct writer *writer)
{
    enum weir_result result = WEIR_OK;
    for (size_t i = 0; i < writer->found->frames.num && result == WEIR_OK; i++) {
        result = copy_frame(writer, i);
        if (!writer->target->progress(writer->target->user, writer->file.size, i + 1)) {
            cli_report_error("interrupted: %s was not made", writer->target->output);
            return WEIR_ERROR_IO;
        }
    }
    return result;
}

// Give the file its name when all of it is on the disk: who sees it there may delete the original.
static enum weir_result finish(struct writer *writer)
{
    if (weir_file_flush(&writer->file) != WEIR_OK) {
        return writer->file.state;
    }
    if (fdatasync(writer->file.fd) != 0) {
        cli_report_error("cannot store %s: %s", writer->target->output, strerror(errno));
        return WEIR_ERROR_IO;
    }
    return weir_file_commit(&writer->file);
}

static enum weir_result write_file(struct writer *writer, const uint8_t *moov, size_t moov_size)
{
    enum weir_result result = write_head(writer);
    if (result == WEIR_OK) {
        result = copy_frames(writer);
    }
    if (result == WEIR_OK) {
        result = weir_file_write(&writer->file, moov, moov_size);
    }
    return result == WEIR_OK ? finish(writer) : result;
}

enum weir_result recover_write(const struct recover_params *params,
                               const struct recover_found *found,
                               const struct recover_target *target)
{
    const struct weir_log log = cli_report_log();
    struct writer writer = {.params = params, .found = found, .target = target};
    size_t moov_size;
    uint8_t *moov = make_moov(found, found->head_size, &moov_size);
    writer.piece = moov ? malloc(PIECE_SIZE) : NULL;
    if (!writer.piece) {
        free(moov);
        return fail_memory();
    }
    enum weir_result result = weir_file_open(&writer.file, target->output, &log);
    if (result == WEIR_OK) {
        result = write_file(&writer, moov, moov_size);
        // Without a commit the file goes; that was told above.
        writer.file.state = result;
        const enum weir_result closed = weir_file_close(&writer.file);
        result = result == WEIR_OK ? closed : result;
    }
    free(writer.piece);
    free(moov);
    return result;
}

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
    write_patch(found->end - found->moov, patch);
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
                                  const struct recover_found *found, int fd, const char *path)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || (uint64_t)status.st_size != params->source.size) {
        cli_report_error("%s has another size than before: another program is writing it", path);
        return WEIR_ERROR_IO;
    }
    size_t size;
    uint8_t *moov = make_moov(found, 0, &size);
    if (!moov) {
        return fail_memory();
    }
    const bool is_done = append_index(found, fd, moov, size);
    if (!is_done) {
        cli_report_error("%s: %s; its frames are as they were, and weir recover can be run again",
                         path, strerror(errno));
    }
    free(moov);
    return is_done ? WEIR_OK : WEIR_ERROR_IO;
}
