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

// A frame or a run of samples, in the order of the file.
struct piece {
    const struct recover_frame *frame; // NULL: a run
    const struct recover_run *run;
    uint64_t offset;             // in the file
    uint32_t size;               // [bytes]
    size_t num_frames, num_runs; // of the pieces up to this one
};

// Get the next piece; the first one of a zeroed struct. False: there is none.
static bool next_piece(const struct recover_found *found, struct piece *piece)
{
    const struct recover_frame *frame = piece->num_frames < found->frames.num
                                            ? &found->frames.items[piece->num_frames]
                                            : NULL;
    const struct recover_run *run = piece->num_runs < found->sound.num
                                        ? &found->sound.runs[piece->num_runs]
                                        : NULL;
    if (!frame && !run) {
        return false;
    }
    const bool is_frame = frame && (!run || frame->offset < run->offset);
    piece->frame = is_frame ? frame : NULL;
    piece->run = is_frame ? NULL : run;
    piece->offset = is_frame ? frame->offset : run->offset;
    piece->size = is_frame ? frame->size
                           : run->num_samples * found->sound.tracks[run->track].sample_size;
    piece->num_frames += is_frame;
    piece->num_runs += !is_frame;
    return true;
}

struct indices {
    struct weir_index frames;
    struct weir_audio_index audio[WEIR_MOOV_MAX_AUDIO];
};

static bool init_indices(const struct recover_found *found, struct indices *indices)
{
    const struct recover_sound *sound = &found->sound;
    bool has_memory = weir_index_init(&indices->frames);
    for (uint32_t i = 0; i < sound->num_tracks; i++) {
        has_memory = weir_audio_index_init(&indices->audio[i], sound->tracks[i].sample_rate,
                                           sound->tracks[i].sample_size) &&
                     has_memory;
    }
    return has_memory;
}

static void finish_indices(const struct recover_found *found, struct indices *indices)
{
    weir_index_finish(&indices->frames);
    for (uint32_t i = 0; i < found->sound.num_tracks; i++) {
        weir_audio_index_finish(&indices->audio[i]);
    }
}

// Make the index of pieces that lie at `offset` and behind it, each behind a fragment's head; 0:
// where they lie now. NULL: out of memory. The caller frees it.
static uint8_t *make_moov(const struct recover_found *found, uint64_t offset, size_t *size)
{
    struct indices indices;
    if (!init_indices(found, &indices)) {
        finish_indices(found, &indices);
        return NULL;
    }
    for (struct piece piece = {.frame = NULL}; next_piece(found, &piece);) {
        offset += offset > 0 ? WEIR_FRAGMENT_HEADER_SIZE : 0;
        const uint64_t at = offset > 0 ? offset : piece.offset;
        if (piece.frame) {
            weir_index_add(&indices.frames, at, piece.size, piece.frame->ticks);
        } else {
            weir_audio_index_add(&indices.audio[piece.run->track], at, piece.run->num_samples);
        }
        offset += offset > 0 ? piece.size : 0;
    }
    const struct weir_index_head head = {
        .moov = found->head + found->moov,
        .size = found->head_size - found->moov,
        .ticks_per_second = found->track.ticks_per_second,
        .ticks_per_frame = found->ticks_per_frame,
        .audio = indices.audio,
        .num_audio = found->sound.num_tracks,
        .has_timecode = found->has_timecode,
    };
    uint8_t *moov = weir_index_make_moov(&indices.frames, &head, size);
    finish_indices(found, &indices);
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
    for (struct piece piece = {.frame = NULL}; next_piece(found, &piece);) {
        end += WEIR_FRAGMENT_HEADER_SIZE + piece.size;
    }
    uint8_t patch[16];
    write_patch(end - found->moov, patch);
    weir_file_write(&writer->file, found->head, found->moov);
    weir_file_write(&writer->file, patch, sizeof(patch));
    const size_t behind = found->moov + sizeof(patch);
    return weir_file_write(&writer->file, found->head + behind, found->head_size - behind);
}

static void write_fragment_head(struct writer *writer, const struct piece *piece)
{
    const struct recover_found *found = writer->found;
    const uint32_t number = (uint32_t)(piece->num_frames + piece->num_runs);
    uint8_t head[WEIR_FRAGMENT_HEADER_SIZE];
    if (piece->frame) {
        weir_fragment_write(&(const struct weir_fragment){.number = number,
                                                          .ticks = piece->frame->ticks,
                                                          .duration = found->ticks_per_frame,
                                                          .size = piece->size},
                            head);
    } else {
        const struct recover_run *run = piece->run;
        weir_audio_fragment_write(
            &(const struct weir_audio_fragment){
                .number = number,
                .track = WEIR_FRAGMENT_FIRST_AUDIO + run->track,
                .position = run->position,
                .num_samples = run->num_samples,
                .sample_size = found->sound.tracks[run->track].sample_size},
            head);
    }
    weir_file_write(&writer->file, head, sizeof(head));
}

static bool read_piece(struct writer *writer, const struct piece *piece, uint32_t at, uint32_t size)
{
    const struct weir_view_source *source = &writer->params->source;
    if (piece->run && piece->run->is_silence) {
        memset(writer->piece, 0, size);
        return true;
    }
    return source->read(source->user, piece->offset + at, writer->piece, size);
}

static enum weir_result copy_piece(struct writer *writer, const struct piece *piece)
{
    write_fragment_head(writer, piece);
    for (uint32_t done = 0, part; done < piece->size; done += part) {
        const uint32_t left = piece->size - done;
        part = left < PIECE_SIZE ? left : PIECE_SIZE;
        if (!read_piece(writer, piece, done, part)) {
            cli_report_error("%s: %s %zu cannot be read; --check leaves such frames out",
                             writer->target->input, piece->frame ? "frame" : "sound before frame",
                             piece->num_frames - (piece->frame != NULL));
            return WEIR_ERROR_IO;
        }
        if (weir_file_write(&writer->file, writer->piece, part) != WEIR_OK) {
            return writer->file.state;
        }
    }
    return WEIR_OK;
}

static enum weir_result copy_pieces(struct writer *writer)
{
    enum weir_result result = WEIR_OK;
    struct piece piece = {.frame = NULL};
    while (result == WEIR_OK && next_piece(writer->found, &piece)) {
        result = copy_piece(writer, &piece);
        if (!writer->target->progress(writer->target->user, writer->file.size, piece.num_frames)) {
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
        result = copy_pieces(writer);
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
