// SPDX-License-Identifier: MIT
// A recording for tests of replays: every frame and sample is a function of its number, so that the
// movie of any part of it can be made again.
#include "replayed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/stream/audio/audio.h"
#include "capture/stream/clock/clock.h"
#include "movies.h"
#include "reference.h"
#include "testing.h"

const struct weir_audio_track replayed_tracks[REPLAYED_NUM_TRACKS] = {
    {.sample_rate = 48000, .num_channels = 1, .format = WEIR_SAMPLE_S16, .language = "eng"},
    {.sample_rate = 44100, .num_channels = 2, .format = WEIR_SAMPLE_S16},
};

uint64_t replayed_time_of(uint64_t frame)
{
    return frame * REPLAYED_SECOND / REPLAYED_FPS + (frame % 7) * 100000; // it jitters
}

void replayed_fill_frame(uint8_t *packet, uint64_t number)
{
    packet[0] = (uint8_t)(REPLAYED_FRAME_SIZE - 4);
    packet[1] = (REPLAYED_FRAME_SIZE - 4) >> 8;
    packet[2] = 0;
    packet[3] = 0xaf;
    uint64_t state = number * 2 + 1;
    for (int i = 4; i < REPLAYED_FRAME_SIZE; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        packet[i] = (uint8_t)(state >> 56);
    }
}

// Write a frame of a movie that begins at that time.
static void write_frame(struct weir_mux *mux, uint64_t number, uint64_t begin_ns)
{
    uint8_t packet[REPLAYED_FRAME_SIZE];
    replayed_fill_frame(packet, number);
    const uint64_t ticks = weir_ticks_from_ns(replayed_time_of(number), 90000);
    const uint64_t begin = weir_ticks_from_ns(begin_ns, 90000);
    const enum weir_result result = mux->ops->write(
        mux, &(struct weir_mux_packet){
                 .data = packet,
                 .size = REPLAYED_FRAME_SIZE,
                 .time_ns = replayed_time_of(number) - begin_ns,
                 .ticks = ticks > begin ? ticks - begin : 0,
             });
    test_expect(result == WEIR_OK, "frame %" PRIu64 ": %s", number, weir_result_name(result));
}

// Write samples [from, to) of a track, of a recording or of a movie that begins at `zero`.
static void write_samples(struct weir_mux *mux, uint32_t track, uint64_t from, uint64_t to,
                          uint64_t zero)
{
    const uint32_t channels = replayed_tracks[track].num_channels;
    while (from < to) {
        int16_t samples[2 * 4096];
        const uint32_t most = 1 + (uint32_t)(test_random() % 4096);
        const uint32_t num = to - from < most ? (uint32_t)(to - from) : most;
        for (uint32_t i = 0; i < num * channels; i++) {
            samples[i] = (int16_t)(((from * channels + i) * 2654435761u + track) >> 7);
        }
        const struct weir_mux_packet audio = {.track = 1 + track,
                                              .data = (const uint8_t *)samples,
                                              .num_samples = num,
                                              .size = num * channels * 2,
                                              .ticks = from - zero};
        test_expect(mux->ops->write(mux, &audio) == WEIR_OK, "sound");
        from += num;
    }
}

uint64_t replayed_position_at(uint32_t track, uint64_t time_ns)
{
    return (uint64_t)weir_audio_position((int64_t)time_ns, replayed_tracks[track].sample_rate);
}

static struct weir_mux_params movie_params(const char *path, uint32_t num_tracks)
{
    struct weir_mux_params params = test_movie(path, REPLAYED_SIDE, REPLAYED_SIDE);
    params.audio_tracks = replayed_tracks;
    params.num_audio_tracks = num_tracks;
    return params;
}

void replayed_open(struct replayed *replayed, const struct weir_mux_ops *inner, const char *path,
                   struct weir_replay_params params, uint32_t num_tracks)
{
    memset(replayed, 0, sizeof(*replayed));
    replayed->num_tracks = num_tracks;
    replayed->lag_ns = REPLAYED_SECOND / 10;
    const struct weir_mux_params mux = movie_params(path, num_tracks);
    static const int64_t zero_ns;
    params.stats = &replayed->stats;
    params.first_ns = &zero_ns;
    params.patience_ns = params.patience_ns > 0 ? params.patience_ns : 3600 * REPLAYED_SECOND;
    test_must(test_expect(weir_replay_open(&params, inner, &mux, &replayed->mux) == WEIR_OK,
                          "open: %s", test_log_text()),
              "that");
}

void replayed_play(struct replayed *replayed, uint64_t num_frames)
{
    for (uint64_t end = replayed->num_frames + num_frames; replayed->num_frames < end;) {
        write_frame(replayed->mux, replayed->num_frames, 0);
        const uint64_t now_ns = replayed_time_of(replayed->num_frames++);
        for (uint32_t i = 0; i < replayed->num_tracks && now_ns >= replayed->lag_ns; i++) {
            const uint64_t to = replayed_position_at(i, now_ns - replayed->lag_ns);
            write_samples(replayed->mux, i, replayed->positions[i], to, 0);
            replayed->positions[i] = to;
        }
    }
}

enum weir_result replayed_save(struct replayed *replayed, const char *path)
{
    return weir_replay_save((struct weir_replay *)replayed->mux, path, 0);
}

struct weir_replay_stats replayed_counts(const struct replayed *replayed)
{
    return weir_stats_snapshot(&replayed->stats).replay;
}

void replayed_wait_for_saved(const struct replayed *replayed, uint64_t num)
{
    for (;;) {
        const struct weir_replay_stats now = replayed_counts(replayed);
        if (now.written + now.failed >= num) {
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

void replayed_save_next(struct replayed *replayed, const char *path)
{
    while (replayed_save(replayed, path) == WEIR_NOT_READY) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

void replayed_save_and_wait(struct replayed *replayed, const char *path)
{
    const struct weir_replay_stats before = replayed_counts(replayed);
    replayed_save_next(replayed, path);
    replayed_play(replayed, 2 + replayed->lag_ns * REPLAYED_FPS / REPLAYED_SECOND);
    replayed_wait_for_saved(replayed, before.written + before.failed + 1);
}

void replayed_close(struct replayed *replayed, enum weir_result want)
{
    const enum weir_result result = replayed->mux->ops->close(replayed->mux);
    test_expect(result == want, "close: %s", weir_result_name(result));
}

// Make the movie that a replay of these frames must be, by the sink itself.
static void make_movie(const char *path, uint64_t begin_ns, uint64_t first, uint64_t last,
                       uint32_t num_tracks, const uint64_t *ends)
{
    const struct weir_mux_params params = movie_params(path, num_tracks);
    struct weir_mux *mux;
    test_must(test_expect(weir_mux_mov.open(&params, &mux) == WEIR_OK, "open %s", path), "that");
    for (uint64_t frame = first; frame <= last; frame++) {
        write_frame(mux, frame, begin_ns);
    }
    for (uint32_t i = 0; i < num_tracks; i++) {
        const uint64_t zero = replayed_position_at(i, begin_ns);
        write_samples(mux, i, zero, ends[i], zero);
    }
    test_expect(mux->ops->close(mux) == WEIR_OK, "close %s", path);
}

static void expect_from(const char *path, uint64_t begin_ns, uint64_t first, uint64_t last,
                        uint32_t num_tracks, const uint64_t *ends, const char *what)
{
    const char *model = test_path("model.mov");
    make_movie(model, begin_ns, first, last, num_tracks, ends);
    static struct movies got, want;
    movies_append(&got, path, (int)num_tracks);
    movies_append(&want, model, (int)num_tracks);
    movies_expect_same(what, &got, &want);
    movies_finish(&got);
    movies_finish(&want);
    reference_expect_frames(what, path, (int)(last - first + 1));
    unlink(model);
}

void replayed_expect_same(const char *path, uint64_t first, uint64_t last, uint32_t num_tracks,
                          const uint64_t *ends, const char *what)
{
    expect_from(path, replayed_time_of(first), first, last, num_tracks, ends, what);
}

void replayed_expect_window(const char *path, const struct replayed *replayed, uint64_t window_ns,
                            uint64_t num_frames, const char *what)
{
    const uint64_t last = num_frames - 1;
    const uint64_t end_ns = replayed_time_of(last) + REPLAYED_SECOND / REPLAYED_FPS;
    const uint64_t begin_ns = end_ns > window_ns ? end_ns - window_ns : 0;
    const uint64_t begin = weir_ticks_from_ns(begin_ns, 90000);
    uint64_t first = 0, ends[REPLAYED_NUM_TRACKS] = {0};
    while (weir_ticks_from_ns(replayed_time_of(first + 1), 90000) <= begin) {
        first++;
    }
    for (uint32_t i = 0; i < replayed->num_tracks; i++) {
        const uint64_t end = replayed_position_at(i, end_ns);
        ends[i] = end < replayed->positions[i] ? end : replayed->positions[i];
    }
    expect_from(path, weir_ticks_to_ns(begin, 90000), first, last, replayed->num_tracks, ends,
                what);
}
