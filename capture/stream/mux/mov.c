// SPDX-License-Identifier: MIT
// The movie sink: a QuickTime movie. While it grows it is a chain of fragments, one a frame and
// some a second of each sound track, so that a kill at any time leaves everything that was written
// readable; when it is closed it becomes a plain movie with an index. docs/capture.md says why.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/fail.h"
#include "capture/base/file.h"
#include "capture/movie/boxes.h"
#include "capture/movie/fragment.h"
#include "capture/movie/index.h"
#include "capture/stream/mux/header.h"
#include "capture/stream/mux/mux.h"

// Frames from this size on are written past the system's cache [bytes].
#define DIRECT_SIZE (256u << 10)

struct mov {
    struct weir_mux base;
    struct weir_mux_params params; // without its path
    struct weir_file file;
    struct weir_mov_header header;
    struct weir_index index;
    struct weir_audio_index audio[WEIR_MAX_AUDIO_TRACKS];
    struct weir_chapters chapters;
    uint32_t num_lost_chapters;
    uint32_t num_fragments;
    uint64_t first_ticks;
    uint64_t end_ticks; // of the last frame; 0: it has the nominal duration
};

static void destroy(struct mov *mov)
{
    weir_mov_header_finish(&mov->header);
    weir_index_finish(&mov->index);
    weir_chapters_finish(&mov->chapters);
    for (uint32_t i = 0; i < mov->params.num_audio_tracks; i++) {
        weir_audio_index_finish(&mov->audio[i]);
    }
    free(mov);
}

// Fill up the block with an empty box of at most 4103 bytes, as direct writes are of whole blocks.
static void write_padding(struct mov *mov, uint64_t end)
{
    static const uint8_t zeros[2 * WEIR_FILE_BLOCK];
    const uint32_t padding = mov->file.is_direct ? weir_boxes_padding(end, WEIR_FILE_BLOCK) : 0;
    if (padding > 0) {
        uint8_t head[8];
        struct weir_boxes boxes = {.bytes = head, .room = sizeof(head)};
        weir_boxes_u32(&boxes, padding);
        weir_boxes_u32(&boxes, WEIR_BOX('f', 'r', 'e', 'e'));
        weir_file_write(&mov->file, head, sizeof(head));
        weir_file_write(&mov->file, zeros, padding - sizeof(head));
    }
}

static bool make_indices(struct mov *mov)
{
    const struct weir_mux_params *params = &mov->params;
    bool is_made = weir_index_init(&mov->index);
    for (uint32_t i = 0; is_made && i < params->num_audio_tracks; i++) {
        const struct weir_audio_track *track = &params->audio_tracks[i];
        is_made = weir_audio_index_init(&mov->audio[i], track->sample_rate,
                                        weir_audio_sample_size(track->format, track->num_channels));
    }
    return is_made;
}

static enum weir_result make(struct mov *mov, const struct weir_mux_params *params)
{
    if (!make_indices(mov)) {
        return weir_fail(&params->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory for the index of '%s'", params->path);
    }
    enum weir_result result = weir_mov_header_init(&mov->header, params);
    if (result == WEIR_OK) {
        result = weir_file_open(&mov->file, params->path, &params->log);
    }
    if (result != WEIR_OK) {
        return result;
    }
    if (params->is_atomic) {
        weir_file_make_atomic(&mov->file);
    }
    if (params->nominal_size >= DIRECT_SIZE) {
        weir_file_go_direct(&mov->file);
    }
    weir_file_write(&mov->file, mov->header.bytes, mov->header.size);
    write_padding(mov, mov->header.size);
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

// Write a fragment and commit it. `offset` gets where the data lies in the file.
static enum weir_result write_fragment(struct mov *mov,
                                       const uint8_t head[WEIR_FRAGMENT_HEADER_SIZE],
                                       const uint8_t *data, uint32_t size, uint64_t *offset)
{
    *offset = mov->file.size + WEIR_FRAGMENT_HEADER_SIZE;
    const uint64_t end = *offset + size;
    weir_file_write(&mov->file, head, WEIR_FRAGMENT_HEADER_SIZE);
    weir_file_write(&mov->file, data, size);
    write_padding(mov, end);
    return weir_file_commit(&mov->file);
}

static enum weir_result write_mov(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    struct mov *mov = (struct mov *)mux;
    if (mov->index.num_entries == 0) {
        mov->first_ticks = packet->ticks;
    }
    const struct weir_fragment fragment = {
        .number = ++mov->num_fragments,
        .ticks = packet->ticks - mov->first_ticks,
        .duration = mov->params.ticks_per_frame,
        .size = packet->size,
    };
    uint8_t head[WEIR_FRAGMENT_HEADER_SIZE];
    uint64_t offset;
    weir_fragment_write(&fragment, head);
    const enum weir_result result = write_fragment(mov, head, packet->data, packet->size, &offset);
    if (result == WEIR_OK) {
        weir_index_add(&mov->index, offset, packet->size, fragment.ticks);
    }
    return result;
}

static enum weir_result write_audio_mov(struct weir_mux *mux, const struct weir_mux_audio *audio)
{
    struct mov *mov = (struct mov *)mux;
    const struct weir_audio_fragment fragment = {
        .number = ++mov->num_fragments,
        .track = WEIR_FRAGMENT_FIRST_AUDIO + audio->track,
        .position = audio->position,
        .num_samples = audio->num_samples,
        .sample_size = audio->size / audio->num_samples,
    };
    uint8_t head[WEIR_FRAGMENT_HEADER_SIZE];
    uint64_t offset;
    weir_audio_fragment_write(&fragment, head);
    const enum weir_result result = write_fragment(mov, head, audio->data, audio->size, &offset);
    if (result == WEIR_OK) {
        weir_audio_index_add(&mov->audio[audio->track], offset, audio->num_samples);
    }
    return result;
}

static void write_chapter_mov(struct weir_mux *mux, const struct weir_mux_chapter *chapter)
{
    struct mov *mov = (struct mov *)mux;
    const uint64_t ticks = chapter->ticks > mov->first_ticks ? chapter->ticks - mov->first_ticks
                                                             : 0;
    const uint64_t time = weir_chapter_time(ticks, mov->params.ticks_per_second);
    mov->num_lost_chapters += weir_chapters_add(&mov->chapters, time, chapter->title) != WEIR_OK;
}

// Leave out the chapters that begin when the last frame has ended, and tell of all that are left
// out.
static void settle_chapters(struct mov *mov, uint64_t ticks_per_frame)
{
    const uint64_t end = mov->index.last_ticks + ticks_per_frame;
    const uint32_t num = mov->num_lost_chapters +
                         weir_chapters_cut(&mov->chapters,
                                           weir_chapter_time(end, mov->params.ticks_per_second));
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
    struct weir_index_head head = weir_mov_header_head(&mov->header, &mov->params);
    if (mov->end_ticks > mov->first_ticks + mov->index.last_ticks) {
        head.ticks_per_frame = (uint32_t)(mov->end_ticks - mov->first_ticks -
                                          mov->index.last_ticks);
    }
    head.audio = mov->audio;
    head.num_audio = mov->params.num_audio_tracks;
    head.chapters = &mov->chapters;
    settle_chapters(mov, head.ticks_per_frame);
    uint8_t *moov = weir_index_make_moov(&mov->index, &head, &moov_size);
    if (!moov) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    struct weir_file_patch patch = {.offset = mov->header.moov};
    memcpy(patch.before, mov->header.bytes + mov->header.moov, sizeof(patch.before));
    struct weir_boxes boxes = {.bytes = patch.after, .room = sizeof(patch.after)};
    weir_boxes_u32(&boxes, 1); // the size follows in 64 bits
    weir_boxes_u32(&boxes, WEIR_BOX('m', 'd', 'a', 't'));
    weir_boxes_u64(&boxes, mov->file.committed - mov->header.moov);
    const enum weir_result result = weir_file_seal(&mov->file, moov, moov_size, &patch);
    free(moov);
    return result;
}

static enum weir_result close_mov(struct weir_mux *mux)
{
    struct mov *mov = (struct mov *)mux;
    const enum weir_result plain = mov->index.num_entries > 0 ? become_plain(mov) : WEIR_OK;
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
    destroy(mov);
    return result;
}

void weir_mux_mov_end(struct weir_mux *mux, uint64_t ticks)
{
    struct mov *mov = (struct mov *)mux;
    const uint64_t last = mov->first_ticks + mov->index.last_ticks;
    if (ticks > last && ticks - last <= INT32_MAX) {
        mov->end_ticks = ticks;
    }
}

uint64_t weir_mux_mov_size(const struct weir_mux *mux)
{
    const struct mov *mov = (const struct mov *)mux;
    const struct weir_index_head head = weir_mov_header_head(&mov->header, &mov->params);
    uint64_t size = mov->file.size + weir_index_room(&mov->index, head.size) +
                    weir_chapters_size(&mov->chapters);
    for (uint32_t i = 0; i < mov->params.num_audio_tracks; i++) {
        size += weir_audio_index_size(&mov->audio[i]);
    }
    return size;
}

const struct weir_mux_ops weir_mux_mov = {
    .open = open_mov,
    .write = write_mov,
    .write_audio = write_audio_mov,
    .write_chapter = write_chapter_mov,
    .close = close_mov,
};
