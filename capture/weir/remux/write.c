// SPDX-License-Identifier: MIT
// Writes a movie that is put together as the capture writes one: fragments in a plain movie.
#include "capture/weir/remux/write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/base/file.h"
#include "capture/movie/fragment.h"
#include "capture/weir/common/report.h"

#define PART_SIZE (1u << 20)

struct writer {
    const struct remux_movie *movie;
    const struct remux_target *target;
    struct weir_file file;
    uint8_t *part; // PART_SIZE bytes
    size_t num_frames;
};

static enum weir_result write_head(struct writer *writer)
{
    const struct remux_movie *movie = writer->movie;
    uint64_t end = movie->head_size;
    for (size_t i = 0; i < movie->num_pieces; i++) {
        end += WEIR_FRAGMENT_HEADER_SIZE + movie->pieces[i].size;
    }
    uint8_t patch[16];
    remux_write_patch(end - movie->moov, patch);
    weir_file_write(&writer->file, movie->head, movie->moov);
    weir_file_write(&writer->file, patch, sizeof(patch));
    const size_t behind = movie->moov + sizeof(patch);
    return weir_file_write(&writer->file, movie->head + behind, movie->head_size - behind);
}

static void write_fragment_head(struct writer *writer, const struct remux_piece *piece)
{
    const struct remux_movie *movie = writer->movie;
    const uint32_t number = (uint32_t)(piece - movie->pieces) + 1;
    uint8_t head[WEIR_FRAGMENT_HEADER_SIZE];
    if (piece->track == 0) {
        weir_fragment_write(&(const struct weir_fragment){.number = number,
                                                          .ticks = piece->time,
                                                          .duration = movie->ticks_per_frame,
                                                          .size = piece->size},
                            head);
    } else {
        weir_audio_fragment_write(
            &(const struct weir_audio_fragment){
                .number = number,
                .track = WEIR_FRAGMENT_FIRST_AUDIO + piece->track - 1,
                .position = piece->time,
                .num_samples = remux_piece_samples(movie, piece),
                .sample_size = movie->audio[piece->track - 1].sample_size},
            head);
    }
    weir_file_write(&writer->file, head, sizeof(head));
}

static bool read_part(struct writer *writer, const struct remux_piece *piece, uint64_t at,
                      size_t size)
{
    const struct remux_target *target = writer->target;
    if (piece->is_silence) {
        memset(writer->part, 0, size);
        return true;
    }
    return target->read(target->user, piece->source, piece->offset + at, writer->part, size);
}

// Get the number of a frame, or of the frame before samples, in its own file.
static size_t number_in_source(const struct remux_movie *movie, const struct remux_piece *piece)
{
    size_t num = 0;
    for (const struct remux_piece *at = movie->pieces; at <= piece; at++) {
        num += at->source == piece->source && at->track == 0;
    }
    return num;
}

static void report_unreadable(const struct writer *writer, const struct remux_piece *piece)
{
    const char *name = writer->target->name(writer->target->user, piece->source);
    cli_report_error("%s: %s %zu cannot be read; weir recover --check leaves such frames out", name,
                     piece->track == 0 ? "frame" : "sound behind frame",
                     number_in_source(writer->movie, piece));
}

static enum weir_result copy_piece(struct writer *writer, const struct remux_piece *piece)
{
    const uint64_t size = piece->size;
    write_fragment_head(writer, piece);
    for (uint64_t done = 0, part; done < size; done += part) {
        part = size - done < PART_SIZE ? size - done : PART_SIZE;
        const unsigned num_errors = cli_report_num_errors();
        if (!read_part(writer, piece, done, (size_t)part)) {
            if (cli_report_num_errors() == num_errors) {
                report_unreadable(writer, piece);
            }
            return WEIR_ERROR_IO;
        }
        if (weir_file_write(&writer->file, writer->part, (size_t)part) != WEIR_OK) {
            return writer->file.state;
        }
    }
    writer->num_frames += piece->track == 0;
    return WEIR_OK;
}

static enum weir_result copy_pieces(struct writer *writer)
{
    const struct remux_target *target = writer->target;
    enum weir_result result = WEIR_OK;
    for (size_t i = 0; result == WEIR_OK && i < writer->movie->num_pieces; i++) {
        result = copy_piece(writer, &writer->movie->pieces[i]);
        if (!target->progress(target->user, writer->file.size, writer->num_frames)) {
            cli_report_error("interrupted: %s was not made", target->path);
            return WEIR_ERROR_IO;
        }
    }
    return result;
}

// Give the file its name when all of it is on the disk: who sees it there may delete the originals.
static enum weir_result finish(struct writer *writer)
{
    if (weir_file_flush(&writer->file) != WEIR_OK) {
        return writer->file.state;
    }
    if (fdatasync(writer->file.fd) != 0) {
        cli_report_error("cannot store %s: %s", writer->target->path, strerror(errno));
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

enum weir_result remux_write(const struct remux_movie *movie, const struct remux_target *target)
{
    struct writer writer = {.movie = movie, .target = target};
    size_t moov_size;
    uint8_t *moov = remux_make_moov(movie, movie->head_size, &moov_size);
    writer.part = moov ? malloc(PART_SIZE) : NULL;
    if (!writer.part) {
        free(moov);
        cli_report_error("there is no memory for the index");
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    enum weir_result result = weir_file_open(&writer.file, target->path, &cli_log);
    if (result == WEIR_OK) {
        result = write_file(&writer, moov, moov_size);
        // Without a commit the file goes; that was told above.
        writer.file.state = result;
        const enum weir_result closed = weir_file_close(&writer.file);
        result = result == WEIR_OK ? closed : result;
    }
    free(writer.part);
    free(moov);
    return result;
}
