// SPDX-License-Identifier: MIT
// Movies in memory for tests of recovery, and what is recovered of them.
#include "recover_movie.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/stream/packet/packet.h"
#include "capture/weir/common/movie_write.h"
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

static void write_sound(const struct movie_params *params, struct weir_mux *mux, uint32_t frame)
{
    uint8_t *bytes = malloc(params->sound_size);
    const uint32_t num_samples = params->sound_size / 4;
    params->draw_sound(params->user, bytes, params->sound_size);
    const struct weir_mux_packet audio = {.data = bytes,
                                          .track = 1,
                                          .num_samples = num_samples,
                                          .size = num_samples * 4,
                                          .ticks = (uint64_t)frame * num_samples};
    test_expect(mux->ops->write(mux, &audio) == WEIR_OK, "sound of frame %u", frame);
    free(bytes);
}

static void write_frames(struct movie *movie, const struct movie_params *params,
                         struct weir_mux *mux, struct weir_packer *packer, uint32_t size)
{
    uint8_t *room = malloc(WEIR_PACKET_HEADROOM + size), *data = room + WEIR_PACKET_HEADROOM;
    for (uint32_t i = 0; i < movie->num_frames; i++) {
        draw_texture(data, size);
        const struct weir_packet packet = weir_packer_pack(packer, data);
        const struct weir_mux_packet given = {
            .data = packet.data, .size = packet.size, .ticks = ticks_of(i)};
        test_expect(mux->ops->write(mux, &given) == WEIR_OK, "frame %u", i);
        movie->frames[i] = (struct weir_piece){.size = packet.size, .time = ticks_of(i)};
        if (params->draw_sound) {
            write_sound(params, mux, i);
        }
    }
    free(room);
}

// By the bytes, not by what Weir reads of them: the track's number stands in each fragment.
static bool is_frame_at(const uint8_t *bytes)
{
    return memcmp(bytes + 4, "moof", 4) == 0 && bytes[47] == 1;
}

static void find_frames(struct movie *movie)
{
    const struct movie_bytes *file = &movie->growing;
    size_t at = 0;
    for (uint32_t i = 0; i < movie->num_frames; i++) {
        while (at + 108 < file->size && !is_frame_at(file->bytes + at)) {
            at++;
        }
        movie->moofs[i] = at;
        movie->frames[i].offset = at + 108;
        at += 108 + movie->frames[i].size;
    }
    test_expect(at <= file->size, "every frame is in the file");
}

void movie_make(struct movie *movie, enum weir_movie_codec codec, uint32_t width, uint32_t height,
                uint32_t num_frames, enum movie_packing packing)
{
    movie_make_with(movie, &(const struct movie_params){.codec = codec,
                                                        .width = width,
                                                        .height = height,
                                                        .num_frames = num_frames,
                                                        .packing = packing});
}

void movie_make_with(struct movie *movie, const struct movie_params *given)
{
    static const struct weir_audio_track stereo = {
        .sample_rate = 48000, .num_channels = 2, .format = WEIR_SAMPLE_S16};
    const enum weir_movie_codec codec = given->codec;
    const uint32_t width = given->width, height = given->height;
    *movie = (struct movie){.width = width, .height = height, .num_frames = given->num_frames};
    const char *path = test_path("made.mov");
    const uint32_t size = (uint32_t)weir_movie_codec_frame_size(codec, width, height) +
                          weir_packet_gap(codec, width, height);
    struct weir_mux_params params = test_movie(path, width, height);
    params.codec = codec;
    params.audio_tracks = &stereo;
    params.num_audio_tracks = given->draw_sound ? 1 : 0;
    movie->ticks_per_frame = params.ticks_per_frame;
    const struct weir_packer_params packing_params = {
        .codec = codec,
        .width = width,
        .height = height,
        .snappy = given->packing != MOVIE_STORED,
        .num_chunks = given->packing == MOVIE_CHUNKS ? 4 : 1,
    };
    struct weir_packer *packer;
    struct weir_mux *mux;
    if (!test_expect(weir_packer_create(&packing_params, &test_log, &packer) == WEIR_OK &&
                         weir_mux_mov.open(&params, &mux) == WEIR_OK,
                     "a movie is begun")) {
        exit(1);
    }
    write_frames(movie, given, mux, packer, size);
    movie->growing = movie_read(path);
    test_expect(mux->ops->close(mux) == WEIR_OK, "close");
    movie->closed = movie_read(path);
    weir_packer_destroy(&packer);
    remove(path);
    find_frames(movie);
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

static bool read_piece(void *user, uint32_t source, uint64_t offset, uint8_t *bytes, size_t size)
{
    (void)source;
    return read_bytes(user, offset, bytes, size);
}

static const char *name_input(void *user, uint32_t source)
{
    (void)user;
    (void)source;
    return "input";
}

static bool go_on(void *user, uint64_t bytes, size_t num_frames)
{
    (void)user;
    (void)bytes;
    (void)num_frames;
    return true;
}

bool movie_recover(struct movie_bytes *movie, const char *output, struct recover_found *found)
{
    const struct recover_params params = {.source = movie_source(movie)};
    const struct cli_movie_target target = {
        .path = output, .read = read_piece, .name = name_input, .progress = go_on, .user = movie};
    if (!recover_find(&params, found)) {
        return false;
    }
    test_expect(cli_movie_write(&found->movie, &target) == WEIR_OK, "%s is written", output);
    return true;
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
