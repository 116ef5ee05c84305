// SPDX-License-Identifier: MIT
// A recording for tests of replays: every frame and sample is a function of its number, so that the
// movie of any part of it can be made again.
#include "replay_tape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/stream/audio/timeline.h"
#include "capture/stream/clock/ticks.h"
#include "judge.h"
#include "testing.h"

const struct weir_audio_track tape_tracks[TAPE_NUM_TRACKS] = {
    {.sample_rate = 48000, .num_channels = 1, .format = WEIR_SAMPLE_S16, .language = "eng"},
    {.sample_rate = 44100, .num_channels = 2, .format = WEIR_SAMPLE_S16},
};

uint64_t tape_time_of(uint64_t frame)
{
    return frame * TAPE_SECOND / TAPE_FPS + (frame % 7) * 100000; // it jitters
}

void tape_fill_frame(uint8_t *packet, uint64_t number)
{
    packet[0] = (uint8_t)(TAPE_FRAME_SIZE - 4);
    packet[1] = (TAPE_FRAME_SIZE - 4) >> 8;
    packet[2] = 0;
    packet[3] = 0xaf;
    uint64_t state = number * 2 + 1;
    for (int i = 4; i < TAPE_FRAME_SIZE; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        packet[i] = (uint8_t)(state >> 56);
    }
}

static void write_frame(struct weir_mux *mux, uint64_t number, uint64_t first)
{
    uint8_t packet[TAPE_FRAME_SIZE];
    tape_fill_frame(packet, number);
    const uint64_t ticks = weir_ticks_from_ns(tape_time_of(number), 90000);
    const enum weir_result result = mux->ops->write(
        mux, &(struct weir_mux_packet){
                 .data = packet,
                 .size = TAPE_FRAME_SIZE,
                 .time_ns = tape_time_of(number) - tape_time_of(first),
                 .ticks = ticks - weir_ticks_from_ns(tape_time_of(first), 90000),
             });
    test_expect(result == WEIR_OK, "frame %" PRIu64 ": %s", number, weir_result_name(result));
}

// Write samples [from, to) of a track, of a recording or of a movie that begins at `zero`.
static void write_samples(struct weir_mux *mux, uint32_t track, uint64_t from, uint64_t to,
                          uint64_t zero)
{
    const uint32_t channels = tape_tracks[track].num_channels;
    while (from < to) {
        int16_t samples[2 * 4096];
        const uint32_t most = 1 + (uint32_t)(test_random() % 4096);
        const uint32_t num = to - from < most ? (uint32_t)(to - from) : most;
        for (uint32_t i = 0; i < num * channels; i++) {
            samples[i] = (int16_t)(((from * channels + i) * 2654435761u + track) >> 7);
        }
        const struct weir_mux_audio audio = {.track = track,
                                             .data = (const uint8_t *)samples,
                                             .num_samples = num,
                                             .size = num * channels * 2,
                                             .position = from - zero};
        test_expect(mux->ops->write_audio(mux, &audio) == WEIR_OK, "sound");
        from += num;
    }
}

uint64_t tape_position_at(uint32_t track, uint64_t time_ns)
{
    return (uint64_t)weir_audio_position((int64_t)time_ns, tape_tracks[track].sample_rate);
}

static struct weir_mux_params movie_params(const char *path, uint32_t num_tracks)
{
    struct weir_mux_params params = test_movie(path, TAPE_SIDE, TAPE_SIDE);
    params.audio_tracks = tape_tracks;
    params.num_audio_tracks = num_tracks;
    return params;
}

void tape_open(struct tape *tape, const struct weir_mux_ops *inner, const char *path,
               struct weir_replay_params params, uint32_t num_tracks)
{
    memset(tape, 0, sizeof(*tape));
    tape->num_tracks = num_tracks;
    tape->lag_ns = TAPE_SECOND / 10;
    const struct weir_mux_params mux = movie_params(path, num_tracks);
    params.stats = &tape->stats;
    params.patience_ns = params.patience_ns > 0 ? params.patience_ns : 3600 * TAPE_SECOND;
    if (!test_expect(weir_replay_open(&params, inner, &mux, &tape->mux) == WEIR_OK, "open: %s",
                     test_log_text())) {
        exit(1);
    }
}

void tape_play(struct tape *tape, uint64_t num_frames)
{
    for (uint64_t end = tape->num_frames + num_frames; tape->num_frames < end;) {
        write_frame(tape->mux, tape->num_frames, 0);
        const uint64_t now_ns = tape_time_of(tape->num_frames++);
        for (uint32_t i = 0; i < tape->num_tracks && now_ns >= tape->lag_ns; i++) {
            const uint64_t to = tape_position_at(i, now_ns - tape->lag_ns);
            write_samples(tape->mux, i, tape->positions[i], to, 0);
            tape->positions[i] = to;
        }
    }
}

enum weir_result tape_save(struct tape *tape, const char *path)
{
    return weir_replay_save((struct weir_replay *)tape->mux, path);
}

struct weir_replay_stats tape_counts(const struct tape *tape)
{
    return weir_stats_snapshot(&tape->stats).replay;
}

void tape_wait_for_saved(const struct tape *tape, uint64_t num)
{
    for (;;) {
        const struct weir_replay_stats now = tape_counts(tape);
        if (now.written + now.failed >= num) {
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

void tape_save_next(struct tape *tape, const char *path)
{
    while (tape_save(tape, path) == WEIR_NOT_READY) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

void tape_save_and_wait(struct tape *tape, const char *path)
{
    const struct weir_replay_stats before = tape_counts(tape);
    tape_save_next(tape, path);
    tape_play(tape, 2 + tape->lag_ns * TAPE_FPS / TAPE_SECOND);
    tape_wait_for_saved(tape, before.written + before.failed + 1);
}

void tape_close(struct tape *tape, enum weir_result want)
{
    const enum weir_result result = tape->mux->ops->close(tape->mux);
    test_expect(result == want, "close: %s", weir_result_name(result));
}

char *tape_describe(const char *path, uint32_t num_tracks)
{
    struct judge judge;
    char *text = NULL, hash[33];
    size_t size;
    FILE *lines = open_memstream(&text, &size);
    judge_open(&judge, path);
    test_expect(!judge.complaint[0], "%s: FFmpeg says %s", path, judge.complaint);
    const struct judge_stream *frames = judge_stream(&judge, AVMEDIA_TYPE_VIDEO, 0);
    for (size_t i = 0; i < frames->num_packets; i++) {
        const struct judge_packet *packet = &frames->packets[i];
        judge_hash(frames->bytes + packet->offset, packet->size, hash);
        fprintf(lines, "%" PRId64 " for %" PRId64 " %zu %s\n", packet->pts, packet->duration,
                packet->size, hash);
    }
    for (uint32_t i = 0; i < num_tracks; i++) {
        const struct judge_stream *sound = judge_stream(&judge, AVMEDIA_TYPE_AUDIO, i);
        judge_hash(sound->bytes, sound->size, hash);
        fprintf(lines, "sound %zu %s", sound->size, hash);
        if (sound->facts) {
            fprintf(lines, " at %" PRId64 " for %" PRId64, sound->facts->start_time,
                    sound->facts->duration);
        }
        fprintf(lines, "\n");
    }
    fclose(lines);
    judge_close(&judge);
    return text;
}

// Make the movie that a replay of these frames must be, by the sink itself.
static void make_movie(const char *path, uint64_t first, uint64_t last, uint32_t num_tracks,
                       const uint64_t *ends)
{
    const struct weir_mux_params params = movie_params(path, num_tracks);
    struct weir_mux *mux;
    if (!test_expect(weir_mux_mov.open(&params, &mux) == WEIR_OK, "open %s", path)) {
        exit(1);
    }
    for (uint64_t frame = first; frame <= last; frame++) {
        write_frame(mux, frame, first);
    }
    for (uint32_t i = 0; i < num_tracks; i++) {
        const uint64_t zero = tape_position_at(i, tape_time_of(first));
        write_samples(mux, i, zero, ends[i], zero);
    }
    test_expect(mux->ops->close(mux) == WEIR_OK, "close %s", path);
}

void tape_expect_same(const char *path, uint64_t first, uint64_t last, uint32_t num_tracks,
                      const uint64_t *ends, const char *what)
{
    const char *model = test_path("model.mov");
    make_movie(model, first, last, num_tracks, ends);
    char *found = tape_describe(path, num_tracks), *want = tape_describe(model, num_tracks);
    test_expect(strcmp(found, want) == 0,
                "%s: frames %" PRIu64 " to %" PRIu64 ":\n%.600s\n---\n%.600s", what, first, last,
                found, want);
    judge_expect_frames(what, path, (int)(last - first + 1));
    free(found);
    free(want);
    unlink(model);
}

void tape_expect_window(const char *path, const struct tape *tape, uint64_t window_ns,
                        uint64_t num_frames, const char *what)
{
    const uint64_t last = num_frames - 1;
    uint64_t first = 0, ends[TAPE_NUM_TRACKS] = {0};
    while (tape_time_of(first) + window_ns <= tape_time_of(last)) {
        first++;
    }
    for (uint32_t i = 0; i < tape->num_tracks; i++) {
        const uint64_t end = tape_position_at(i, tape_time_of(last) + TAPE_SECOND / TAPE_FPS);
        ends[i] = end < tape->positions[i] ? end : tape->positions[i];
    }
    tape_expect_same(path, first, last, tape->num_tracks, ends, what);
}
