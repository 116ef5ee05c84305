// SPDX-License-Identifier: MIT
// The plain movie that is made of a description: what is read of its index is what was written.
#include <stdlib.h>
#include <string.h>

#include "capture/movie/head.h"
#include "capture/movie/read.h"
#include "capture/stream/mux/mux.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_FRAMES = 64, MAX_AUDIO = 2, MAX_RUNS = 32, FIELDS_SIZE = 64 };

// Sides, rate, ticks, if there is time code, sound tracks, how many frames of which sizes and
// times, how many runs of samples; what is left changes the head.
static size_t seed(unsigned index, uint8_t *data)
{
    struct fuzz_random random = fuzz_random(index);
    if (index >= 48) {
        return 0;
    }
    fuzz_fill(&random, data, FIELDS_SIZE);
    data[1] &= index & 1 ? 0xff : 0x07; // small and large sides
    data[3] &= index & 1 ? 0xff : 0x07;
    return FIELDS_SIZE + (index >= 24 ? 3 * (index - 23) : 0);
}

static uint32_t take_in(struct fuzz_bytes *bytes, uint32_t low, uint32_t high)
{
    return low + fuzz_take_u32(bytes) % (high - low + 1);
}

// Behind the index are the frames, and nothing reads them.
static bool read_index(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    const struct fuzz_bytes *index = user;
    const size_t left = offset < index->size ? index->size - (size_t)offset : 0;
    memset(bytes, 0, size);
    if (left > 0) {
        memcpy(bytes, index->data + offset, left < size ? left : size);
    }
    return true;
}

static void check_track(const struct weir_movie *movie, unsigned track,
                        const struct weir_movie *read, unsigned read_track)
{
    const struct weir_piece *got = weir_piece_first(read, read_track);
    const struct weir_piece *piece = weir_piece_first(movie, track);
    for (uint32_t i = 0; piece; piece = weir_piece_next(movie, piece), i++) {
        fuzz_expect(got && got->offset == piece->offset && got->size == piece->size &&
                        got->time == piece->time,
                    "piece %u of track %u", i, track);
        got = weir_piece_next(read, got);
    }
    fuzz_expect(!got, "no other piece of track %u", track);
}

// The index says of the movie what was written. A sound track without samples is left out.
static void check_movie(struct fuzz_bytes index, const struct weir_movie *movie)
{
    const struct weir_view_source source = {.read = read_index, .user = &index, .size = INT64_MAX};
    struct weir_movie_found found;
    struct weir_view view;
    fuzz_expect(weir_view_init(&view, &source, index.size), "memory");
    fuzz_expect(weir_movie_read(&view, &found) == WEIR_OK && found.is_ours &&
                    !found.is_fragmented && found.moov.begin == 0 && found.moov.end == index.size,
                "a plain movie");
    const struct weir_movie *read = &found.movie;
    fuzz_expect(weir_movie_read_tables(&view, found.tracks, &found.movie) == WEIR_OK, "memory");
    fuzz_expect(read->timecode.first.frames_per_second == movie->timecode.first.frames_per_second,
                "the time code");
    fuzz_expect(read->pictures.ticks_per_frame == weir_movie_last_duration(movie),
                "the last frame's duration");
    check_track(movie, 0, read, 0);
    uint32_t num_audio = 0;
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        if (movie->audio[i].num_samples > 0) {
            check_track(movie, 1 + i, read, 1 + num_audio++);
        }
    }
    fuzz_expect(read->num_audio == num_audio && !found.tracks[0].is_damaged &&
                    found.num_tracks ==
                        1 + num_audio + (movie->timecode.first.frames_per_second > 0),
                "%u tracks", found.num_tracks);
    weir_movie_finish(&found.movie);
    weir_view_finish(&view);
}

static void add_frames(struct weir_movie *movie, struct fuzz_bytes *bytes)
{
    struct fuzz_random random = fuzz_random(fuzz_take_u32(bytes));
    const uint32_t num_frames = fuzz_take_u8(bytes) % MAX_FRAMES;
    const bool same_size = (fuzz_take_u8(bytes) & 1) != 0;
    const uint32_t longest = take_in(bytes, 1, INT32_MAX);
    uint64_t offset = fuzz_take_u32(bytes), ticks = 0;
    for (uint32_t i = 0; i < num_frames; i++) {
        const uint32_t size = same_size ? 4096 : 1 + fuzz_below(&random, UINT32_MAX - 16);
        const struct weir_piece piece = {.offset = offset, .size = size, .time = ticks};
        fuzz_expect(weir_movie_add(movie, &piece), "memory");
        offset += size;
        ticks += 1 + fuzz_below(&random, longest);
    }
}

static uint32_t take_tracks(struct fuzz_bytes *bytes, struct weir_audio_track tracks[MAX_AUDIO])
{
    const uint32_t num = fuzz_take_u8(bytes) % (MAX_AUDIO + 1);
    for (uint32_t i = 0; i < num; i++) {
        tracks[i] = (struct weir_audio_track){
            .sample_rate = take_in(bytes, 1000, 768000),
            .num_channels = 1 + fuzz_take_u8(bytes) % 16,
            .format = (enum weir_sample_format)(fuzz_take_u8(bytes) % 4),
        };
    }
    return num;
}

static void add_samples(struct weir_movie *movie, unsigned track, struct fuzz_bytes *bytes)
{
    const uint32_t sample_size = movie->audio[track - 1].sample_size;
    struct fuzz_random random = fuzz_random(fuzz_take_u32(bytes));
    const uint32_t num_runs = fuzz_take_u8(bytes) % MAX_RUNS;
    uint64_t offset = fuzz_take_u32(bytes), time = 0;
    for (uint32_t i = 0; i < num_runs; i++) {
        const uint32_t num_samples = 1 + fuzz_below(&random, 3);
        const struct weir_piece piece = {
            .offset = offset, .size = num_samples * sample_size, .time = time, .track = track};
        fuzz_expect(weir_movie_add(movie, &piece), "memory");
        offset += piece.size;
        time += num_samples;
    }
}

static void run(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct weir_audio_track tracks[MAX_AUDIO];
    struct weir_mux_params params = TEST_LIST(
            .path = "fuzz.mov", .codec = WEIR_MOVIE_CODEC_HAP_Q,
            .format = {.width = take_in(&bytes, 1, 65535), .height = take_in(&bytes, 1, 65535)},
            .rate_num = take_in(&bytes, 1, INT32_MAX), .rate_den = take_in(&bytes, 1, INT32_MAX),
            .ticks_per_second = take_in(&bytes, 1, INT32_MAX),
            .ticks_per_frame = take_in(&bytes, 1, INT32_MAX),
            .timecode = {.frames_per_second = fuzz_take_u8(&bytes) & 1 ? 30 : 0},
            .audio_tracks = tracks, .log = fuzz_log);
    params.num_audio_tracks = take_tracks(&bytes, tracks);
    struct weir_movie movie;
    weir_mux_mov_describe(&params, &movie);
    add_frames(&movie, &bytes);
    for (uint32_t i = 0; i < params.num_audio_tracks; i++) {
        add_samples(&movie, 1 + i, &bytes);
    }
    size_t moov_size = 0;
    uint8_t *moov = weir_plain_make_moov(&movie, &moov_size);
    fuzz_expect(!moov == (movie.pictures.num_frames == 0), "a movie with frames is made");
    if (moov) {
        check_movie((struct fuzz_bytes){moov, moov_size}, &movie);
    }
    free(moov);
    weir_movie_finish(&movie);
}

const struct fuzz_target fuzz_target = {
    .name = "movie",
    .num_runs = 3000,
    .seed = seed,
    .run = run,
};
