// SPDX-License-Identifier: MIT
// Writes a plain movie of frames and samples that lie in files already, as the capture writes one:
// with the fragments that it grew by in it.
#include "capture/weir/common/movie.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/base/file.h"
#include "capture/movie/fragment.h"
#include "capture/movie/head.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/interrupt.h"

#define PART_SIZE (1u << 20)

struct writer {
    const struct weir_movie *movie;
    const struct cli_movie_target *target;
    struct weir_head head;
    uint8_t *moov; // the index
    size_t moov_size;
    struct weir_file file;
    uint8_t *part; // PART_SIZE bytes
    size_t num_frames;
};

static void write_fragment_head(struct writer *writer, const struct weir_piece *piece)
{
    const struct weir_movie *movie = writer->movie;
    uint8_t head[WEIR_FRAGMENT_HEADER_SIZE];
    weir_fragment_write(movie, piece, (uint32_t)(piece - movie->pieces) + 1, head);
    weir_file_write(&writer->file, head, sizeof(head));
}

// Get the number of a frame, or of the frame before samples, in its own file.
static size_t number_in_source(const struct weir_movie *movie, const struct weir_piece *piece)
{
    size_t num = 0;
    for (const struct weir_piece *at = movie->pieces; at <= piece; at++) {
        num += at->source == piece->source && at->track == 0;
    }
    return num;
}

static bool read_part(struct writer *writer, const struct weir_piece *piece, uint64_t at,
                      size_t size)
{
    const struct cli_movie_target *target = writer->target;
    if (piece->is_silence) {
        memset(writer->part, 0, size);
        return true;
    }
    const char *name;
    const int fd = target->open(target->user, piece->source, &name);
    return fd >= 0 &&
           (cli_read_at(fd, piece->offset + at, writer->part, size) ||
            cli_fail(false,
                     "%s: %s %zu cannot be read; weir recover --check leaves such frames out", name,
                     piece->track == 0 ? "frame" : "audio behind frame",
                     number_in_source(writer->movie, piece)));
}

static enum weir_result write_padding(struct writer *writer)
{
    const uint64_t end = writer->file.size + writer->file.num_staged;
    return weir_file_write(&writer->file, writer->part,
                           weir_movie_padding(writer->movie, end, writer->part));
}

static enum weir_result copy_piece(struct writer *writer, const struct weir_piece *piece)
{
    const uint64_t size = piece->size;
    write_fragment_head(writer, piece);
    for (uint64_t done = 0, part; done < size; done += part) {
        part = size - done < PART_SIZE ? size - done : PART_SIZE;
        if (!read_part(writer, piece, done, (size_t)part)) {
            return WEIR_ERROR_IO;
        }
        WEIR_TRY(weir_file_write(&writer->file, writer->part, (size_t)part));
    }
    WEIR_TRY(write_padding(writer));
    writer->num_frames += piece->track == 0;
    return WEIR_OK;
}

static enum weir_result copy_pieces(struct writer *writer)
{
    const struct cli_movie_target *target = writer->target;
    enum weir_result result = WEIR_OK;
    for (size_t i = 0; result == WEIR_OK && i < writer->movie->num_pieces; i++) {
        result = copy_piece(writer, &writer->movie->pieces[i]);
        cli_progress_update(target->progress, writer->num_frames,
                            writer->movie->pictures.num_frames, writer->file.size);
        CLI_FAIL_IF(cli_interrupted(), WEIR_ERROR_IO, "interrupted: %s was not made", target->path);
    }
    return result;
}

// Give the file its name when all of it is on the disk: who sees it there may delete the originals.
static enum weir_result finish(struct writer *writer)
{
    if (weir_file_flush(&writer->file) != WEIR_OK) {
        return writer->file.state;
    }
    CLI_FAIL_IF(fdatasync(writer->file.fd) != 0, WEIR_ERROR_IO, "cannot store %s: %s",
                writer->target->path, strerror(errno));
    return weir_file_commit(&writer->file);
}

static enum weir_result write_file(struct writer *writer)
{
    WEIR_TRY(weir_file_write(&writer->file, writer->head.bytes, writer->head.size));
    WEIR_TRY(write_padding(writer));
    WEIR_TRY(copy_pieces(writer));
    WEIR_TRY(weir_file_write(&writer->file, writer->moov, writer->moov_size));
    return finish(writer);
}

// Make the head and the index of the movie as it is written. False: out of memory.
static bool make_boxes(struct writer *writer)
{
    struct weir_movie placed = *writer->movie;
    struct weir_head *head = &writer->head;
    const size_t size = placed.num_pieces * sizeof(placed.pieces[0]);
    placed.pieces = malloc(size);
    if (weir_head_make(&placed, head) && placed.pieces) {
        uint64_t end = head->size + weir_movie_padding(&placed, head->size, writer->part);
        memcpy(placed.pieces, writer->movie->pieces, size);
        for (uint32_t i = 0; i < placed.num_pieces; i++) {
            placed.pieces[i].offset = end + WEIR_FRAGMENT_HEADER_SIZE;
            end = placed.pieces[i].offset + placed.pieces[i].size;
            end += weir_movie_padding(&placed, end, writer->part);
        }
        weir_plain_write_patch(end - head->moov, head->bytes + head->moov);
        writer->moov = weir_plain_make_moov(&placed, &writer->moov_size);
    }
    free(placed.pieces);
    return writer->moov;
}

enum weir_result cli_movie_write(const struct weir_movie *movie,
                                 const struct cli_movie_target *target)
{
    struct writer writer = {.movie = movie, .target = target, .part = malloc(PART_SIZE)};
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (!writer.part || !make_boxes(&writer)) {
        cli_report_error("no memory is left for the index");
    } else {
        result = weir_file_open(&writer.file, target->path, &cli_log);
    }
    if (result == WEIR_OK) {
        result = write_file(&writer);
        // Without a commit the file goes; the reason was reported above.
        writer.file.state = result;
        const enum weir_result closed = weir_file_close(&writer.file);
        result = result == WEIR_OK ? closed : result;
    }
    free(writer.head.bytes);
    free(writer.moov);
    free(writer.part);
    return result;
}
