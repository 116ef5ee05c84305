// SPDX-License-Identifier: MIT
// Movies in memory for tests of recovery, changes of them, and what must be recovered then.
#include "recover_movie.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/movie/boxes.h"
#include "capture/stream/packet/packet.h"
#include "capture/weir/common/movie.h"
#include "testing.h"

struct movie_bytes movie_read(const char *path)
{
    struct movie_bytes movie = {.size = (size_t)test_file_size(path)};
    movie.bytes = malloc(movie.size + 1);
    FILE *file = fopen(path, "rb");
    test_expect(file && fread(movie.bytes, 1, movie.size, file) == movie.size, "read %s", path);
    fclose(file);
    return movie;
}

// All textures of a frame: blocks of which a half repeats, so that Snappy has something to do. The
// last byte is none of a text.
static void draw_texture(uint8_t *texture, uint32_t size)
{
    test_random_bytes(texture, size);
    memcpy(texture + size / 2, texture, size - size / 2);
    texture[size - 1] = 1;
}

// Not in step with the nominal rate: now early, now late.
static uint64_t ticks_of(uint32_t frame)
{
    return (uint64_t)frame * 1500 + (uint64_t)(frame % 3) * 700 * (frame > 0);
}

static void write_audio(const struct movie_params *params, struct weir_mux *mux, uint32_t frame)
{
    uint8_t *bytes = malloc(params->audio_size + 1);
    for (uint32_t i = 0; i < params->num_tracks; i++) {
        const struct weir_audio_track *track = &params->tracks[i];
        const uint32_t num = params->audio_size /
                             weir_audio_sample_size(track->format, track->num_channels);
        params->draw_audio(params->user, i, frame, bytes, params->audio_size);
        const struct weir_mux_packet audio = {.track = 1 + i,
                                              .data = bytes,
                                              .num_samples = num,
                                              .size = params->audio_size,
                                              .ticks = (uint64_t)frame * num};
        test_expect(mux->ops->write(mux, &audio) == WEIR_OK, "audio of frame %u", frame);
    }
    free(bytes);
}

static void write_frames(struct movie *movie, const struct movie_params *params,
                         struct weir_mux *mux, struct weir_packer *packer)
{
    const uint32_t size = (uint32_t)weir_movie_codec_frame_size(params->codec, params->width,
                                                                params->height) +
                          weir_packet_gap(params->codec, params->width, params->height);
    uint8_t *room = malloc(WEIR_PACKET_HEADROOM + size), *data = room + WEIR_PACKET_HEADROOM;
    for (uint32_t i = 0; i < movie->num_frames; i++) {
        draw_texture(data, size);
        const struct weir_packet packet = weir_packer_pack(packer, data);
        const struct weir_mux_packet given = {
            .data = packet.data, .size = packet.size, .ticks = ticks_of(i)};
        test_expect(mux->ops->write(mux, &given) == WEIR_OK, "frame %u", i);
        movie->frames[i] = (struct weir_piece){.size = packet.size, .time = ticks_of(i)};
        write_audio(params, mux, i);
    }
    free(room);
}

// By the bytes, not by what Weir reads of them: the track's number and the size of the data stand
// at the same place in every fragment.
static void find_fragments(struct movie *movie)
{
    enum { TRACK = 44, DATA = MOVIE_MOOF_SIZE - 8 };
    const struct movie_bytes *file = &movie->growing;
    uint32_t num_frames = 0;
    for (size_t at = 0; at + MOVIE_MOOF_SIZE <= file->size;) {
        if (memcmp(file->bytes + at + 4, "moof", 4) != 0) {
            at++;
            continue;
        }
        struct movie_fragment *fragment = &movie->fragments[movie->num_fragments++];
        fragment->begin = at;
        fragment->track = weir_boxes_read_u32(file->bytes + at + TRACK);
        at = fragment->end = at + DATA + weir_boxes_read_u32(file->bytes + at + DATA);
        if (fragment->track == 1) {
            movie->moofs[num_frames] = fragment->begin;
            movie->frames[num_frames++].offset = fragment->begin + MOVIE_MOOF_SIZE;
        }
    }
    test_expect(num_frames == movie->num_frames, "%u frames are in the file", num_frames);
}

void movie_make(struct movie *movie, const struct movie_params *params)
{
    *movie = (struct movie){
        .width = params->width, .height = params->height, .num_frames = params->num_frames};
    const char *path = test_path("made.mov");
    struct weir_mux_params mux_params = test_movie(path, params->width, params->height);
    mux_params.codec = params->codec;
    mux_params.audio_tracks = params->tracks;
    mux_params.num_audio_tracks = params->num_tracks;
    mux_params.timecode = params->timecode;
    const struct weir_packer_params packing = {
        .codec = params->codec,
        .width = params->width,
        .height = params->height,
        .snappy = params->packing != MOVIE_STORED,
        .num_chunks = params->packing == MOVIE_CHUNKS ? 4 : 1,
    };
    struct weir_packer *packer = NULL;
    struct weir_mux *mux = NULL;
    test_must(weir_packer_create(&packing, &test_log, &packer) == WEIR_OK &&
                  weir_mux_mov.open(&mux_params, &mux) == WEIR_OK,
              "a movie");
    write_frames(movie, params, mux, packer);
    movie->growing = movie_read(path);
    test_expect(mux->ops->close(mux) == WEIR_OK, "close");
    movie->closed = movie_read(path);
    weir_packer_destroy(&packer);
    remove(path);
    find_fragments(movie);
}

void movie_finish(struct movie *movie)
{
    free(movie->growing.bytes);
    free(movie->closed.bytes);
}

struct movie_bytes movie_copy(const struct movie_bytes *movie, size_t size)
{
    struct movie_bytes copy = {.bytes = malloc(size > 0 ? size : 1), .size = size};
    memcpy(copy.bytes, movie->bytes, size);
    return copy;
}

struct movie_bytes movie_changed(const struct movie_bytes *movie, const struct movie_change *change)
{
    const size_t rest = change->end < movie->size ? movie->size - change->end : 0;
    const size_t size = change->begin + change->size + rest;
    struct movie_bytes file = {.bytes = malloc(size > 0 ? size : 1), .size = size};
    memcpy(file.bytes, movie->bytes, change->begin);
    test_random_bytes(file.bytes + change->begin, change->size);
    memcpy(file.bytes + change->begin + change->size, movie->bytes + movie->size - rest, rest);
    return file;
}

static bool read_bytes(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct movie_bytes *movie = user;
    if (!test_expect(offset <= movie->size && size <= movie->size - offset,
                     "%zu bytes at %llu of %zu", size, (unsigned long long)offset, movie->size)) {
        return false;
    }
    memcpy(bytes, movie->bytes + offset, size);
    return true;
}

struct weir_view_source movie_source(struct movie_bytes *bytes)
{
    return (struct weir_view_source){.read = read_bytes, .user = bytes, .size = bytes->size};
}

bool movie_find(const struct movie *movie, struct weir_view_source source, bool checks_all,
                struct recover_found *found)
{
    const struct recover_params params = {.source = source,
                                          .size = {movie->width, movie->height},
                                          .rate = {60, 1},
                                          .checks_all = checks_all};
    return recover_find(&params, found);
}

uint64_t movie_place_of(const struct movie_change *change, uint64_t offset)
{
    const size_t size = change->end - change->begin;
    if (offset < change->begin || size == change->size) {
        return offset;
    }
    return offset < change->end ? UINT64_MAX : offset - size + change->size;
}

void movie_expect(const struct movie *movie, const struct movie_change *change, bool is_found,
                  const struct recover_found *found)
{
    const bool is_insertion = change->begin == change->end, is_cut = change->end == SIZE_MAX;
    const size_t num_found = found->movie.pictures.num_frames;
    size_t num = 0;
    // The movie begins with the first frame that is left, whose time beside audio may be lost.
    const uint64_t first = movie_place_of(change, movie->frames[0].offset);
    const bool may_shift = num_found > 0 && (movie_found_frame(found, 0)->offset != first ||
                                             (movie->num_fragments > movie->num_frames &&
                                              change->begin < movie->frames[0].offset));
    bool is_shifted = false;
    uint64_t shift = 0;
    for (uint32_t k = 0; k < movie->num_frames; k++) {
        const struct weir_piece *frame = &movie->frames[k];
        const struct weir_piece *piece = num < num_found ? movie_found_frame(found, num) : NULL;
        const bool is_there = piece && piece->offset == movie_place_of(change, frame->offset) &&
                              piece->size == frame->size;
        // Nothing tells if what follows a stored frame has hit its end as well.
        const uint64_t end = frame->offset + frame->size + (is_insertion || is_cut ? 0 : 8);
        const bool is_touched = frame->offset < change->end && change->begin < end;
        test_expect(is_there || is_touched, "%s [%zu, %zu): frame %u is lost", change->what,
                    change->begin, change->end, k);
        test_expect(!is_there || !is_touched || !is_insertion, "%s %zu: it is in frame %u",
                    change->what, change->begin, k);
        num += is_there;
        // Only where the head of a fragment is gone, or moved, may its frame have another time.
        if (!is_there || is_insertion ||
            (movie->moofs[k] < change->end && frame->offset > change->begin)) {
            continue;
        }
        shift = is_shifted ? shift : frame->time - piece->time;
        is_shifted = true;
        test_expect(piece->time == frame->time - shift && (shift == 0 || may_shift),
                    "%s [%zu, %zu): frame %u at %llu", change->what, change->begin, change->end, k,
                    (unsigned long long)piece->time);
    }
    test_expect(num == num_found && is_found == (num > 0), "%s [%zu, %zu): %zu are no frames: %s",
                change->what, change->begin, change->end, num_found - num, found->refusal);
}

void movie_check(const struct movie *movie, const struct movie_change *change,
                 struct movie_bytes file)
{
    struct recover_found found;
    const bool is_found = movie_find(movie, movie_source(&file), false, &found);
    movie_expect(movie, change, is_found, &found);
    recover_found_finish(&found);
    free(file.bytes);
}

const struct weir_piece *movie_found_frame(const struct recover_found *found, size_t i)
{
    const struct weir_piece *piece = found->movie.pieces;
    for (;; piece++) {
        if (piece->track == 0 && i-- == 0) {
            return piece;
        }
    }
}

static int get_input(void *user, uint32_t source, const char **name)
{
    (void)source;
    *name = "input";
    return *(const int *)user;
}

bool movie_recover(struct movie_bytes *movie, const char *output, struct recover_found *found)
{
    const struct recover_params params = {.source = movie_source(movie)};
    struct cli_progress progress = {.shown = false};
    int fd = memfd_create("input", 0);
    const struct cli_movie_target target = {
        .path = output, .open = get_input, .user = &fd, .progress = &progress};
    const bool is_found = recover_find(&params, found);
    test_expect(write(fd, movie->bytes, movie->size) == (ssize_t)movie->size, "memory");
    test_expect(!is_found || cli_movie_write(&found->movie, &target) == WEIR_OK, "%s is written",
                output);
    close(fd);
    return is_found;
}
