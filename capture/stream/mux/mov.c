// SPDX-License-Identifier: MIT
// The movie sink: a QuickTime movie. While it grows it is a chain of fragments, one a frame and
// some a second of each sound track, so that a kill at any time leaves everything that was written
// readable; when it is closed it becomes a plain movie with an index. docs/capture.md says why.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/file.h"
#include "capture/movie/boxes.h"
#include "capture/movie/fragment.h"
#include "capture/movie/head.h"
#include "capture/stream/mux/mux.h"

struct mov {
    struct weir_mux base;
    struct weir_mux_params params; // without its path
    struct weir_file file;
    struct weir_movie movie;
    uint64_t moov;      // where the first moov box begins
    uint32_t moov_size; // [bytes]
    uint8_t moov_head[WEIR_PLAIN_PATCH_SIZE];
    uint32_t num_lost_chapters;
    uint32_t num_fragments;
    uint64_t first_ticks;
    uint64_t end_ticks; // of the last frame; 0: it has the nominal duration
};

static void destroy(struct mov *mov)
{
    weir_movie_finish(&mov->movie);
    free(mov);
}

// Fill up the block with an empty box, as direct writes are of whole blocks.
static void write_padding(struct mov *mov, uint64_t end)
{
    uint8_t bytes[2 * WEIR_MOVIE_BLOCK];
    weir_file_write(&mov->file, bytes, weir_movie_padding(&mov->movie, end, bytes));
}

static enum weir_result open_file(struct mov *mov, const struct weir_mux_params *params,
                                  const struct weir_head *head)
{
    enum weir_result result = params->is_nofollow
                                  ? weir_file_open_nofollow(&mov->file, params->path, &params->log)
                                  : weir_file_open(&mov->file, params->path, &params->log);
    if (result != WEIR_OK) {
        return result;
    }
    if (params->is_atomic) {
        mov->file.is_atomic = true;
    }
    if (params->format.nominal_size >= WEIR_MOVIE_DIRECT_SIZE) {
        weir_file_go_direct(&mov->file);
    }
    weir_file_write(&mov->file, head->bytes, head->size);
    write_padding(mov, head->size);
    // Flush, so that a full disk is noticed now.
    result = weir_file_flush(&mov->file);
    if (result == WEIR_OK && params->sync_ns > 0) {
        result = weir_file_sync_every(&mov->file, params->sync_ns);
    }
    if (result != WEIR_OK) {
        weir_file_close(&mov->file);
    }
    return result;
}

static enum weir_result make(struct mov *mov, const struct weir_mux_params *params)
{
    struct weir_head head;
    weir_mux_mov_describe(params, &mov->movie);
    if (!weir_movie_reserve(&mov->movie) || !weir_head_make(&mov->movie, &head)) {
        return weir_fail(&params->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory for the index of '%s'", params->path);
    }
    mov->moov = head.moov;
    mov->moov_size = (uint32_t)(head.size - head.moov);
    memcpy(mov->moov_head, head.bytes + head.moov, sizeof(mov->moov_head));
    const enum weir_result result = open_file(mov, params, &head);
    free(head.bytes);
    return result;
}

static enum weir_result open_mov(const struct weir_mux_params *params, struct weir_mux **out)
{
    struct mov *mov = weir_mux_make(sizeof(*mov), &weir_mux_mov, &params->log);
    if (!mov) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    mov->params = *params;
    const enum weir_result result = make(mov, params);
    mov->params.path = NULL;
    mov->params.audio_tracks = NULL;
    mov->params.segment = NULL;
    if (result != WEIR_OK) {
        destroy(mov);
        return result;
    }
    *out = &mov->base;
    return WEIR_OK;
}

// Write a packet as a fragment, and commit it.
static enum weir_result write_mov(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    struct mov *mov = (struct mov *)mux;
    uint8_t head[WEIR_FRAGMENT_HEADER_SIZE];
    if (mov->movie.num_pieces == 0) {
        mov->first_ticks = packet->ticks;
    }
    struct weir_piece piece = {
        .time = packet->track > 0 ? packet->ticks : packet->ticks - mov->first_ticks,
        .size = packet->size,
        .track = packet->track,
    };
    weir_fragment_write(&mov->movie, &piece, ++mov->num_fragments, head);
    piece.offset = mov->file.size + sizeof(head);
    weir_file_write(&mov->file, head, sizeof(head));
    weir_file_write(&mov->file, packet->data, piece.size);
    write_padding(mov, piece.offset + piece.size);
    const enum weir_result result = weir_file_commit(&mov->file);
    if (result == WEIR_OK) {
        weir_movie_add(&mov->movie, &piece);
    }
    return result;
}

static void write_chapter_mov(struct weir_mux *mux, const struct weir_mux_chapter *chapter)
{
    struct mov *mov = (struct mov *)mux;
    const uint64_t ticks = chapter->ticks > mov->first_ticks ? chapter->ticks - mov->first_ticks
                                                             : 0;
    const uint64_t time = weir_chapter_time(ticks, mov->params.ticks_per_second);
    mov->num_lost_chapters += weir_chapters_add(&mov->movie.chapters, time, chapter->title) !=
                              WEIR_OK;
}

// Leave out the chapters that begin when the last frame has ended, and tell of all that are left
// out.
static void settle_chapters(struct mov *mov)
{
    const uint32_t num = mov->num_lost_chapters +
                         weir_chapters_cut(&mov->movie.chapters,
                                           weir_chapter_time(weir_movie_end(&mov->movie),
                                                             mov->params.ticks_per_second));
    if (num > 0) {
        weir_log_printf(&mov->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_CHAPTER,
                        "'%s' lacks %" PRIu32 " chapter%s: they begin after its last frame, or "
                        "are more than the %d that a movie holds",
                        mov->file.path, num, num == 1 ? "" : "s", WEIR_MAX_CHAPTERS);
    }
}

// Append a moov box that lists every frame and all samples. Then change the head of the first moov
// into that of one large mdat box, which ends where the new moov begins.
static enum weir_result become_plain(struct mov *mov)
{
    size_t moov_size = 0;
    const uint64_t last_ticks = mov->first_ticks + mov->movie.pictures.last_time;
    if (mov->end_ticks > last_ticks) {
        mov->movie.pictures.last_duration = (uint32_t)(mov->end_ticks - last_ticks);
    }
    settle_chapters(mov);
    uint8_t *moov = weir_plain_make_moov(&mov->movie, &moov_size);
    if (!moov) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    struct weir_file_patch patch = {.offset = mov->moov};
    memcpy(patch.before, mov->moov_head, sizeof(patch.before));
    weir_plain_write_patch(mov->file.committed - mov->moov, patch.after);
    const enum weir_result result = weir_file_seal(&mov->file, moov, moov_size, &patch);
    free(moov);
    return result;
}

enum weir_result weir_mux_mov_close(struct weir_mux *mux, bool *is_displaced)
{
    struct mov *mov = (struct mov *)mux;
    const enum weir_result plain = mov->movie.pictures.num_frames > 0 ? become_plain(mov) : WEIR_OK;
    if (plain != WEIR_OK && mov->params.is_atomic) {
        weir_file_fail(&mov->file, plain);
    } else if (plain == WEIR_ERROR_DISK_FULL || plain == WEIR_ERROR_OUT_OF_MEMORY) {
        weir_log_printf(&mov->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_NO_INDEX,
                        "'%s' has every frame that was written, but no index at its end: there is "
                        "no %s for it; some players open it slowly or not at all. Remedy: weir "
                        "recover FILE --in-place",
                        mov->file.path, plain == WEIR_ERROR_DISK_FULL ? "room" : "memory");
    }
    const enum weir_result result = weir_file_close(&mov->file);
    *is_displaced = mov->file.is_displaced;
    destroy(mov);
    return result;
}

static enum weir_result close_mov(struct weir_mux *mux)
{
    bool is_displaced;
    return weir_mux_mov_close(mux, &is_displaced);
}

static void end_mov(struct weir_mux *mux, uint64_t ticks)
{
    struct mov *mov = (struct mov *)mux;
    const uint64_t last = mov->first_ticks + mov->movie.pictures.last_time;
    if (ticks > last && ticks - last <= INT32_MAX) {
        mov->end_ticks = ticks;
    }
}

uint64_t weir_mux_mov_size(const struct weir_mux *mux)
{
    const struct mov *mov = (const struct mov *)mux;
    return mov->file.size + weir_plain_room(&mov->movie, mov->moov_size);
}

const struct weir_mux_ops weir_mux_mov = {
    .open = open_mov,
    .write = write_mov,
    .write_chapter = write_chapter_mov,
    .end = end_mov,
    .close = close_mov,
};
