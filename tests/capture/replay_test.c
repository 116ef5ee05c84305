// SPDX-License-Identifier: MIT
// Replays: their frames and samples are those of the recording, byte for byte, of the last seconds
// when they were asked for; under load, twice, at the end, and where the disk fails. ffmpeg is the
// judge: a movie of the same frames and samples that the sink itself writes must be the same.
#include <errno.h>
#include <inttypes.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "capture/stream/audio/timeline.h"
#include "capture/stream/clock/ticks.h"
#include "capture/stream/mux/replay.h"
#include "testing.h"

#define SECOND UINT64_C(1000000000)

enum { SIDE = 64, FRAME_SIZE = SIDE * SIDE + 4, FPS = 60, NUM_TRACKS = 2 };

static const struct weir_audio_track tracks[NUM_TRACKS] = {
    {.sample_rate = 48000, .num_channels = 1, .format = WEIR_SAMPLE_S16, .language = "eng"},
    {.sample_rate = 44100, .num_channels = 2, .format = WEIR_SAMPLE_S16},
};

// The disk of replays: waits, or is full from some write on.
static struct {
    atomic_bool is_held;
    sem_t go;
    atomic_int writes_left; // INT32_MAX: any number
} disk;

ssize_t __real_writev(int fd, const struct iovec *parts, int num);
ssize_t __wrap_writev(int fd, const struct iovec *parts, int num);

static _Thread_local bool is_of_recording;

ssize_t __wrap_writev(int fd, const struct iovec *parts, int num)
{
    if (!is_of_recording) {
        if (atomic_load(&disk.is_held)) {
            sem_wait(&disk.go);
        }
        if (atomic_load(&disk.writes_left) != INT32_MAX &&
            atomic_fetch_sub(&disk.writes_left, 1) <= 0) {
            errno = ENOSPC;
            return -1;
        }
    }
    return __real_writev(fd, parts, num);
}

// A recording of which everything is a function of its number.
struct tape {
    struct weir_mux *mux;
    struct weir_stats stats;
    uint64_t num_frames, lag_ns; // how far sound is behind
    uint64_t positions[NUM_TRACKS];
    uint32_t num_tracks;
};

static uint64_t time_of(uint64_t frame)
{
    return frame * SECOND / FPS + (frame % 7) * 100000; // it jitters
}

static void fill_frame(uint8_t *packet, uint64_t number)
{
    packet[0] = (uint8_t)(FRAME_SIZE - 4);
    packet[1] = (FRAME_SIZE - 4) >> 8;
    packet[2] = 0;
    packet[3] = 0xaf;
    uint64_t state = number * 2 + 1;
    for (int i = 4; i < FRAME_SIZE; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        packet[i] = (uint8_t)(state >> 56);
    }
}

static void write_frame(struct weir_mux *mux, uint64_t number, uint64_t first)
{
    uint8_t packet[FRAME_SIZE];
    fill_frame(packet, number);
    const uint64_t ticks = weir_ticks_from_ns(time_of(number), 90000);
    const enum weir_result result = mux->ops->write(
        mux, &(struct weir_mux_packet){
                 .data = packet,
                 .size = FRAME_SIZE,
                 .time_ns = time_of(number) - time_of(first),
                 .ticks = ticks - weir_ticks_from_ns(time_of(first), 90000),
             });
    test_expect(result == WEIR_OK, "frame %" PRIu64 ": %s", number, weir_result_name(result));
}

// Write samples [from, to) of a track, of a recording or of a movie that begins at `zero`.
static void write_samples(struct weir_mux *mux, uint32_t track, uint64_t from, uint64_t to,
                          uint64_t zero)
{
    const uint32_t channels = tracks[track].num_channels;
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

static uint64_t position_at(uint32_t track, uint64_t time_ns)
{
    return (uint64_t)weir_audio_position((int64_t)time_ns, tracks[track].sample_rate);
}

static struct weir_mux_params movie_params(const char *path, uint32_t num_tracks)
{
    struct weir_mux_params params = test_movie(path, SIDE, SIDE);
    params.audio_tracks = tracks;
    params.num_audio_tracks = num_tracks;
    return params;
}

static void open_tape(struct tape *tape, const struct weir_mux_ops *inner, const char *path,
                      uint64_t window_ns, uint64_t size, uint32_t num_tracks)
{
    memset(tape, 0, sizeof(*tape));
    tape->num_tracks = num_tracks;
    tape->lag_ns = SECOND / 10;
    const struct weir_mux_params params = movie_params(path, num_tracks);
    const struct weir_replay_params replay = {
        .window_ns = window_ns, .size = size, .stats = &tape->stats};
    if (!test_expect(weir_replay_open(&replay, inner, &params, &tape->mux) == WEIR_OK, "open: %s",
                     test_log_text())) {
        exit(1);
    }
}

static void play(struct tape *tape, uint64_t num_frames)
{
    for (uint64_t end = tape->num_frames + num_frames; tape->num_frames < end;) {
        write_frame(tape->mux, tape->num_frames, 0);
        const uint64_t now_ns = time_of(tape->num_frames++);
        for (uint32_t i = 0; i < tape->num_tracks && now_ns >= tape->lag_ns; i++) {
            const uint64_t to = position_at(i, now_ns - tape->lag_ns);
            write_samples(tape->mux, i, tape->positions[i], to, 0);
            tape->positions[i] = to;
        }
    }
}

static enum weir_result save(struct tape *tape, const char *path)
{
    return weir_replay_save((struct weir_replay *)tape->mux, path);
}

static struct weir_replay_stats counts(const struct tape *tape)
{
    return weir_stats_snapshot(&tape->stats).replay;
}

static void wait_for_saved(const struct tape *tape, uint64_t num)
{
    for (;;) {
        const struct weir_replay_stats now = counts(tape);
        if (now.written + now.failed >= num) {
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

// Save, and let go of the path, which is when the next one may be saved.
static void save_and_wait(struct tape *tape, const char *path)
{
    const struct weir_replay_stats before = counts(tape);
    while (save(tape, path) == WEIR_NOT_READY) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    wait_for_saved(tape, before.written + before.failed + 1);
}

static void close_tape(struct tape *tape, enum weir_result want)
{
    const enum weir_result result = tape->mux->ops->close(tape->mux);
    test_expect(result == want, "close: %s", weir_result_name(result));
}

// What ffmpeg finds in a movie: packets of frames with times, sizes and hashes, and a hash of each
// track's samples.
static char *describe(const char *path, uint32_t num_tracks)
{
    enum { ROOM = 1 << 20 };
    char *text = calloc(1, ROOM);
    int status = test_run(text, ROOM / 2,
                          "ffmpeg -nostdin -v error -i '%s' -map 0:v -c copy -f framemd5 -", path);
    for (uint32_t i = 0; i < num_tracks; i++) {
        const size_t used = strlen(text);
        status |= test_run(text + used, ROOM - used,
                           "ffmpeg -nostdin -v error -i '%s' -map 0:a:%u -c copy -f md5 - && "
                           "ffprobe -v error -select_streams a:%u -of csv=p=0 "
                           "-show_entries stream=start_pts,duration_ts '%s'",
                           path, i, i, path);
    }
    test_expect(status == 0, "ffmpeg reads %s", path);
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
        const uint64_t zero = position_at(i, time_of(first));
        write_samples(mux, i, zero, ends[i], zero);
    }
    test_expect(mux->ops->close(mux) == WEIR_OK, "close %s", path);
}

static void expect_same(const char *path, uint64_t first, uint64_t last, uint32_t num_tracks,
                        const uint64_t *ends, const char *what)
{
    const char *model = test_path("model.mov");
    if (!test_has_ffprobe()) {
        return;
    }
    make_movie(model, first, last, num_tracks, ends);
    char *found = describe(path, num_tracks), *want = describe(model, num_tracks);
    test_expect(strcmp(found, want) == 0,
                "%s: frames %" PRIu64 " to %" PRIu64 ":\n%.600s\n---\n%.600s", what, first, last,
                found, want);
    test_expect(test_count_frames(path) == (int)(last - first + 1), "%s: ffprobe decodes all",
                what);
    free(found);
    free(want);
    unlink(model);
}

// With memory enough, a replay is the last seconds; with sound up to the end of its last frame.
static void expect_window(const char *path, const struct tape *tape, uint64_t window_ns,
                          uint64_t num_frames, const char *what)
{
    const uint64_t last = num_frames - 1;
    uint64_t first = 0, ends[NUM_TRACKS] = {0};
    while (time_of(first) + window_ns <= time_of(last)) {
        first++;
    }
    for (uint32_t i = 0; i < tape->num_tracks; i++) {
        const uint64_t end = position_at(i, time_of(last) + SECOND / FPS);
        ends[i] = end < tape->positions[i] ? end : tape->positions[i];
    }
    expect_same(path, first, last, tape->num_tracks, ends, what);
}

// While the recording goes on, a second time, and when it is closed.
static void test_window(const struct weir_mux_ops *inner, const char *name, uint32_t num_tracks)
{
    const char *path = test_path(name), *replay = test_path("replay.mov");
    const uint64_t window_ns = 2 * SECOND;
    struct tape tape;
    open_tape(&tape, inner, path, window_ns, 8 << 20, num_tracks);
    test_expect(save(&tape, replay) == WEIR_NOT_READY, "no frame: nothing is begun");
    play(&tape, 30);
    const int told = test_log_count(WEIR_LOG_CODE_REPLAY_WRITTEN);
    test_expect(save(&tape, replay) == WEIR_OK, "save: a short one");
    play(&tape, 300); // its sound comes in this time
    wait_for_saved(&tape, 1);
    expect_window(replay, &tape, window_ns, 30, "short");
    save_and_wait(&tape, replay);
    expect_window(replay, &tape, window_ns, 330, "second, in place of the first");
    play(&tape, 100);
    test_expect(save(&tape, replay) == WEIR_OK, "save at the end");
    close_tape(&tape, WEIR_OK);
    expect_window(replay, &tape, window_ns, 430, "at the end");
    const struct weir_replay_stats stats = counts(&tape);
    test_expect(stats.written == 3 && stats.failed == 0 && stats.missed == 0, "the counts");
    test_expect(test_log_count(WEIR_LOG_CODE_REPLAY_WRITTEN) == told + 3, "each is told");
    unlink(replay);
    if (inner == &weir_mux_mov && test_has_ffprobe()) {
        expect_same(path, 0, 429, num_tracks, tape.positions, "the recording");
    }
}

static uint64_t num_frames_of(const char *path)
{
    char output[64];
    test_run(output, sizeof(output),
             "ffprobe -v error -select_streams v -of csv=p=0 -show_entries stream=nb_frames '%s'",
             path);
    return strtoull(output, NULL, 10);
}

// What memory has no room for is missing at the beginning, where it begins with frame and sound.
static void test_memory_limit(void)
{
    const char *replay = test_path("replay.mov");
    for (int run = 0; run < 4; run++) {
        const uint64_t size = 50000 + test_random() % 1000000;
        struct tape tape;
        open_tape(&tape, &weir_mux_null, NULL, 100 * SECOND, size, NUM_TRACKS);
        tape.lag_ns = test_random() % (SECOND / 5);
        play(&tape, 400);
        test_expect(save(&tape, replay) == WEIR_OK, "save");
        close_tape(&tape, WEIR_OK);
        if (!test_has_ffprobe()) {
            return;
        }
        const uint64_t num = num_frames_of(replay), record = FRAME_SIZE + WEIR_REPLAY_UNIT + 60;
        // A frame's worth of sound is 4.5 KB and so takes about half of it.
        test_expect(num * record <= size && num + 15 > size / (2 * record + 2000),
                    "%" PRIu64 " frames in %" PRIu64 " bytes", num, size);
        uint64_t ends[NUM_TRACKS];
        for (uint32_t i = 0; i < NUM_TRACKS; i++) {
            ends[i] = tape.positions[i]; // which the last frame does not cut
        }
        expect_same(replay, 400 - num, 399, NUM_TRACKS, ends, "limit");
    }
}

// Lines of the packets of a movie's frames in framemd5's output: the hashes alone.
static size_t list_hashes(const char *path, char hashes[][33], size_t room)
{
    char *text = describe(path, 0);
    size_t num = 0;
    for (char *line = strtok(text, "\n"); line && num < room; line = strtok(NULL, "\n")) {
        if (line[0] != '#') {
            snprintf(hashes[num++], 33, "%s", strrchr(line, ' ') + 1);
        }
    }
    free(text);
    return num;
}

// A disk that waits: the recording goes on, is whole, and the replay is what it was when it was
// asked for. What has no room is counted, and the next replay lacks it.
static void test_behind(void)
{
    enum { MAX_FRAMES = 1500 };
    static char all[MAX_FRAMES][33], some[MAX_FRAMES][33];
    const char *path = test_path("take.mov"), *first = test_path("1.mov");
    const char *second = test_path("2.mov");
    const uint64_t size = 2 << 20;
    struct tape tape;
    open_tape(&tape, &weir_mux_mov, path, 100 * SECOND, size, NUM_TRACKS);
    play(&tape, 100);
    const int told = test_log_count(WEIR_LOG_CODE_REPLAY_BEHIND);
    atomic_store(&disk.is_held, true);
    test_expect(save(&tape, first) == WEIR_OK, "save");
    play(&tape, 1000);
    test_expect(save(&tape, second) == WEIR_NOT_READY, "one at a time");
    const struct weir_replay_stats stats = counts(&tape);
    test_expect(stats.missed > 500 && stats.written == 0, "%" PRIu64 " packets had no room",
                stats.missed);
    test_expect(test_log_count(WEIR_LOG_CODE_REPLAY_BEHIND) == told + 1, "which is told once");
    test_expect(!test_file_exists(first), "nothing has the name before it is whole");
    atomic_store(&disk.is_held, false);
    for (int i = 0; i < 10000; i++) {
        sem_post(&disk.go);
    }
    wait_for_saved(&tape, 1);
    expect_window(first, &tape, 100 * SECOND, 100, "held up");
    play(&tape, 20);
    save_and_wait(&tape, second);
    close_tape(&tape, WEIR_OK);
    while (sem_trywait(&disk.go) == 0) {
    }
    if (!test_has_ffprobe()) {
        return;
    }
    const size_t num_all = list_hashes(path, all, MAX_FRAMES);
    const size_t num = list_hashes(second, some, MAX_FRAMES);
    test_expect(num_all == 1120 && num > 20 && num < 1000, "%zu frames, %zu in the replay", num_all,
                num);
    size_t at = 0;
    for (size_t i = 0; i < num; i++) {
        while (at < num_all && strcmp(all[at], some[i]) != 0) {
            at++;
        }
    }
    test_expect(at == num_all - 1, "the replay has frames of the recording, in order, to the last");
    unlink(first);
    unlink(second);
    unlink(path);
}

// Where it cannot be written, that is told and counted; nothing is left, what was there stays, and
// recording and replay go on.
static void test_failures(void)
{
    const char *path = test_path("take.mov"), *replay = test_path("old.mov");
    const char *missing = test_path("missing/replay.mov");
    struct tape tape;
    open_tape(&tape, &weir_mux_mov, path, SECOND, 4 << 20, NUM_TRACKS);
    play(&tape, 120);
    FILE *old = fopen(replay, "w");
    fputs("old", old);
    fclose(old);
    const int told = test_log_count(WEIR_LOG_CODE_REPLAY_FAILED);
    const int full = test_log_count(WEIR_LOG_CODE_DISK_FULL);
    const int writes[] = {0, 1, 7, 40};
    for (int i = 0; i < 4; i++) {
        atomic_store(&disk.writes_left, writes[i]);
        save_and_wait(&tape, replay);
        atomic_store(&disk.writes_left, INT32_MAX);
        char rest[8];
        test_expect(test_file_size(replay) == 3 &&
                        test_read_command((uint8_t *)rest, 8, "cat '%s'", replay) == 3,
                    "full disk after %d writes: what was there stays", writes[i]);
        play(&tape, 10);
    }
    test_expect(test_log_count(WEIR_LOG_CODE_DISK_FULL) == full + 4, "the disk is full");
    save_and_wait(&tape, missing);
    save_and_wait(&tape, path); // which the recording itself writes
    const struct weir_replay_stats stats = counts(&tape);
    test_expect(stats.failed == 6 && stats.written == 0 &&
                    test_log_count(WEIR_LOG_CODE_REPLAY_FAILED) == told + 6,
                "%" PRIu64 " failed", stats.failed);
    save_and_wait(&tape, replay);
    close_tape(&tape, WEIR_OK);
    expect_window(replay, &tape, SECOND, 160, "after failures");
    if (test_has_ffprobe()) {
        expect_same(path, 0, 159, NUM_TRACKS, tape.positions, "the recording beside failures");
    }
    char folder[256];
    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
    test_expect(test_num_entries(folder) == 2, "no other file is left: %d",
                test_num_entries(folder));
    unlink(path);
    unlink(replay);
}

// A sink that fails: what came before can still be saved.
static int good_writes;

static enum weir_result open_failing(const struct weir_mux_params *params, struct weir_mux **out);

static enum weir_result write_failing(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    (void)mux;
    (void)packet;
    return good_writes-- > 0 ? WEIR_OK : WEIR_ERROR_DISK_FULL;
}

static enum weir_result close_failing(struct weir_mux *mux)
{
    (void)mux;
    return WEIR_ERROR_DISK_FULL;
}

static const struct weir_mux_ops failing = {
    .open = open_failing, .write = write_failing, .close = close_failing};

static enum weir_result open_failing(const struct weir_mux_params *params, struct weir_mux **out)
{
    static struct weir_mux mux = {&failing};
    (void)params;
    *out = &mux;
    return WEIR_OK;
}

static void test_failed_recording(void)
{
    const char *replay = test_path("replay.mov");
    struct tape tape;
    good_writes = 50;
    open_tape(&tape, &failing, NULL, SECOND, 4 << 20, 0);
    play(&tape, 50);
    uint8_t packet[FRAME_SIZE];
    fill_frame(packet, 50);
    const struct weir_mux_packet lost = {.data = packet, .size = FRAME_SIZE, .ticks = 1000000};
    test_expect(tape.mux->ops->write(tape.mux, &lost) == WEIR_ERROR_DISK_FULL, "the sink fails");
    test_expect(save(&tape, replay) == WEIR_OK, "save");
    close_tape(&tape, WEIR_ERROR_DISK_FULL);
    expect_window(replay, &tape, SECOND, 50, "after the recording has failed");
    unlink(replay);
}

int main(void)
{
    is_of_recording = true;
    sem_init(&disk.go, 0, 0);
    atomic_init(&disk.writes_left, INT32_MAX);
    test_window(&weir_mux_null, "none", 0);
    test_window(&weir_mux_null, "none", NUM_TRACKS);
    test_window(&weir_mux_mov, "take.mov", NUM_TRACKS);
    unlink(test_path("take.mov"));
    test_memory_limit();
    unlink(test_path("replay.mov"));
    test_behind();
    test_failures();
    test_failed_recording();
    return test_finish();
}
