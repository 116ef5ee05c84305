// SPDX-License-Identifier: MIT
// Replays: their frames and samples are those of the recording, byte for byte, of the last seconds
// when they were asked for; under load, twice, at the end, and where the disk fails. FFmpeg is the
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

#include "movies.h"
#include "reference.h"
#include "replayed.h"
#include "testing.h"

// The disk of replays: waits, or is full from some write on.
static struct {
    atomic_bool is_held;
    sem_t go;
    atomic_int writes_left;     // INT32_MAX: any number
    atomic_bool is_full_at_end; // no room for the index
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

ssize_t __real_pwrite(int fd, const void *data, size_t size, off_t offset);
ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t offset);

ssize_t __wrap_pwrite(int fd, const void *data, size_t size, off_t offset)
{
    if (!is_of_recording && atomic_load(&disk.is_full_at_end)) {
        errno = ENOSPC;
        return -1;
    }
    return __real_pwrite(fd, data, size, offset);
}

// While the recording goes on, a second time, and when it is closed.
static void test_window(const struct weir_mux_ops *inner, const char *name, uint32_t num_tracks)
{
    const char *path = test_path(name), *replay = test_path("replay.mov");
    const uint64_t window_ns = 2 * REPLAYED_SECOND;
    struct replayed replayed;
    replayed_open(&replayed, inner, path,
                  (struct weir_replay_params){.window_ns = window_ns, .size = 8 << 20}, num_tracks);
    test_expect(replayed_save(&replayed, replay) == WEIR_NOT_READY, "no frame: nothing is begun");
    replayed_play(&replayed, 30);
    const int told = test_log_count(WEIR_LOG_CODE_REPLAY_WRITTEN);
    test_expect(replayed_save(&replayed, replay) == WEIR_OK, "save: a short one");
    replayed_play(&replayed, 300); // its sound comes in this time
    replayed_wait_for_saved(&replayed, 1);
    replayed_expect_window(replay, &replayed, window_ns, 30, "short");
    replayed_save_and_wait(&replayed, replay);
    replayed_expect_window(replay, &replayed, window_ns, 330, "second, in place of the first");
    replayed_play(&replayed, 100);
    replayed_save_next(&replayed, replay);
    replayed_close(&replayed, WEIR_OK);
    replayed_expect_window(replay, &replayed, window_ns, replayed.num_frames, "at the end");
    const struct weir_replay_stats stats = replayed_counts(&replayed);
    test_expect(stats.written == 3 && stats.failed == 0 && stats.missed == 0, "the counts");
    test_expect(test_log_count(WEIR_LOG_CODE_REPLAY_WRITTEN) == told + 3, "each is told");
    unlink(replay);
    if (inner == &weir_mux_mov) {
        replayed_expect_same(path, 0, replayed.num_frames - 1, num_tracks, replayed.positions,
                             "the recording");
    }
}

static uint64_t num_frames_of(const char *path)
{
    struct reference reference;
    reference_open(&reference, path);
    const uint64_t num = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0)->num_packets;
    reference_close(&reference);
    return num;
}

// What memory has no room for is missing at the beginning, where it begins with frame and sound.
static void test_memory_limit(void)
{
    const char *replay = test_path("replay.mov");
    for (int run = 0; run < 4; run++) {
        const uint64_t size = 50000 + test_random() % 1000000;
        struct replayed replayed;
        replayed_open(&replayed, &weir_mux_null, NULL,
                      (struct weir_replay_params){.window_ns = 100 * REPLAYED_SECOND, .size = size},
                      REPLAYED_NUM_TRACKS);
        replayed.lag_ns = test_random() % (REPLAYED_SECOND / 5);
        replayed_play(&replayed, 400);
        TEST_OK(replayed_save(&replayed, replay));
        replayed_close(&replayed, WEIR_OK);
        const uint64_t num = num_frames_of(replay),
                       record = REPLAYED_FRAME_SIZE + WEIR_REPLAY_UNIT + 60;
        // A frame's worth of sound is 4.5 KB and so takes about half of it.
        test_expect(num * record <= size && num + 15 > size / (2 * record + 2000),
                    "%" PRIu64 " frames in %" PRIu64 " bytes", num, size);
        uint64_t ends[REPLAYED_NUM_TRACKS];
        for (uint32_t i = 0; i < REPLAYED_NUM_TRACKS; i++) {
            ends[i] = replayed.positions[i]; // which the last frame does not cut
        }
        replayed_expect_same(replay, 400 - num, 399, REPLAYED_NUM_TRACKS, ends, "limit");
    }
}

// A disk that waits: the recording goes on, is whole, and the replay is what it was when it was
// asked for. What has no room is counted, and the next replay lacks it.
static void test_behind(void)
{
    static struct movies all, some;
    const char *path = test_path("take.mov"), *first = test_path("1.mov");
    const char *second = test_path("2.mov");
    const uint64_t size = 2 << 20;
    struct replayed replayed;
    replayed_open(&replayed, &weir_mux_mov, path,
                  (struct weir_replay_params){.window_ns = 100 * REPLAYED_SECOND, .size = size},
                  REPLAYED_NUM_TRACKS);
    replayed_play(&replayed, 100);
    const int told = test_log_count(WEIR_LOG_CODE_REPLAY_BEHIND);
    atomic_store(&disk.is_held, true);
    TEST_OK(replayed_save(&replayed, first));
    replayed_play(&replayed, 1000);
    test_expect(replayed_save(&replayed, second) == WEIR_NOT_READY, "one at a time");
    const struct weir_replay_stats stats = replayed_counts(&replayed);
    test_expect(stats.missed > 500 && stats.written == 0, "%" PRIu64 " packets had no room",
                stats.missed);
    test_expect(test_log_count(WEIR_LOG_CODE_REPLAY_BEHIND) == told + 1, "which is told once");
    test_expect(!test_file_exists(first), "nothing has the name before it is whole");
    atomic_store(&disk.is_held, false);
    for (int i = 0; i < 10000; i++) {
        sem_post(&disk.go);
    }
    replayed_wait_for_saved(&replayed, 1);
    replayed_expect_window(first, &replayed, 100 * REPLAYED_SECOND, 100, "held up");
    replayed_play(&replayed, 20);
    replayed_save_next(&replayed, second);
    replayed_close(&replayed, WEIR_OK);
    while (sem_trywait(&disk.go) == 0) {
    }
    movies_append(&all, path, 0);
    movies_append(&some, second, 0);
    test_expect(all.num_frames == 1120 && some.num_frames > 20 && some.num_frames < 1000,
                "%d frames, %d in the replay", all.num_frames, some.num_frames);
    int at = 0;
    for (int i = 0; i < some.num_frames; i++) {
        while (at < all.num_frames && strcmp(all.frames[at].hash, some.frames[i].hash) != 0) {
            at++;
        }
    }
    test_expect(at == all.num_frames - 1,
                "the replay has frames of the recording, in order, to the last");
    movies_finish(&all);
    movies_finish(&some);
    unlink(first);
    unlink(second);
    unlink(path);
}

// Frames of another kind that are larger than the whole memory: that is told once for each kind,
// and no disk or other replay is blamed.
static void test_large_kind(void)
{
    enum { SIZE = 1 << 16, LARGE = SIZE + 1 };
    static const uint8_t large[LARGE];
    struct replayed replayed;
    replayed_open(&replayed, &weir_mux_null, NULL,
                  (struct weir_replay_params){.window_ns = 100 * REPLAYED_SECOND, .size = SIZE}, 0);
    replayed_play(&replayed, 10);
    const int behind = test_log_count(WEIR_LOG_CODE_REPLAY_BEHIND);
    const int memory = test_log_count(WEIR_LOG_CODE_REPLAY_MEMORY);
    for (uint32_t i = 0; i < 6; i++) {
        const struct weir_mux_packet packet = {.data = large,
                                               .size = LARGE,
                                               .ticks = 1000000 + i,
                                               .time_ns = replayed_time_of(10 + i),
                                               .format = {.number = 1 + i / 3}};
        test_expect(replayed.mux->ops->write(replayed.mux, &packet) == WEIR_OK, "the sink goes on");
    }
    test_expect(replayed_counts(&replayed).missed == 6, "6 packets had no room");
    test_expect(test_log_count(WEIR_LOG_CODE_REPLAY_MEMORY) == memory + 2 &&
                    test_log_count(WEIR_LOG_CODE_REPLAY_BEHIND) == behind,
                "it is told for each kind, and as what it is");
    test_expect(
        strstr(test_log_text(), "one takes 65537 bytes, and the memory of the replay is 65536"),
        "it says %s", test_log_text());
    replayed_close(&replayed, WEIR_OK);
}

// Where it cannot be written, that is told and counted; nothing is left, what was there stays, and
// recording and replay go on.
static void test_failures(void)
{
    const char *path = test_path("take.mov"), *replay = test_path("old.mov");
    const char *missing = test_path("missing/replay.mov");
    struct replayed replayed;
    replayed_open(&replayed, &weir_mux_mov, path,
                  (struct weir_replay_params){.window_ns = REPLAYED_SECOND, .size = 4 << 20},
                  REPLAYED_NUM_TRACKS);
    replayed_play(&replayed, 120);
    FILE *old = fopen(replay, "w");
    fputs("old", old);
    fclose(old);
    const int told = test_log_count(WEIR_LOG_CODE_REPLAY_FAILED);
    const int full = test_log_count(WEIR_LOG_CODE_DISK_FULL);
    const int writes[] = {0, 1, 7, 40, INT32_MAX};
    for (int i = 0; i < 5; i++) {
        atomic_store(&disk.is_full_at_end, writes[i] == INT32_MAX);
        atomic_store(&disk.writes_left, writes[i]);
        replayed_save_and_wait(&replayed, replay);
        atomic_store(&disk.writes_left, INT32_MAX);
        atomic_store(&disk.is_full_at_end, false);
        char rest[8];
        test_expect(test_file_size(replay) == 3 &&
                        test_read_command((uint8_t *)rest, 8, "cat '%s'", replay) == 3,
                    "full disk after %d writes: what was there stays", writes[i]);
    }
    test_expect(test_log_count(WEIR_LOG_CODE_DISK_FULL) == full + 5, "the disk is full");
    replayed_save_and_wait(&replayed, missing);
    replayed_save_and_wait(&replayed, path); // which the recording itself writes
    const struct weir_replay_stats stats = replayed_counts(&replayed);
    test_expect(stats.failed == 7 && stats.written == 0 &&
                    test_log_count(WEIR_LOG_CODE_REPLAY_FAILED) == told + 7,
                "%" PRIu64 " failed", stats.failed);
    const uint64_t num_frames = replayed.num_frames;
    replayed_save_and_wait(&replayed, replay);
    replayed_close(&replayed, WEIR_OK);
    replayed_expect_window(replay, &replayed, REPLAYED_SECOND, num_frames, "after failures");
    replayed_expect_same(path, 0, replayed.num_frames - 1, REPLAYED_NUM_TRACKS, replayed.positions,
                         "the recording beside failures");
    char folder[256];
    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
    test_expect(test_num_entries(folder) == 2, "no other file is left: %d",
                test_num_entries(folder));
    unlink(path);
    unlink(replay);
}

// Sound that never comes is not waited for without end.
static void test_without_sound(void)
{
    const char *replay = test_path("replay.mov");
    struct replayed replayed;
    replayed_open(&replayed, &weir_mux_null, NULL,
                  (struct weir_replay_params){
                      .window_ns = REPLAYED_SECOND, .size = 4 << 20, .patience_ns = 1},
                  REPLAYED_NUM_TRACKS);
    replayed.lag_ns = UINT64_MAX;
    replayed_play(&replayed, 120);
    TEST_OK(replayed_save(&replayed, replay));
    replayed_wait_for_saved(&replayed, 1);
    replayed_expect_window(replay, &replayed, REPLAYED_SECOND, 120, "without sound");
    replayed_close(&replayed, WEIR_OK);
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
    struct replayed replayed;
    good_writes = 50;
    replayed_open(&replayed, &failing, NULL,
                  (struct weir_replay_params){.window_ns = REPLAYED_SECOND, .size = 4 << 20}, 0);
    replayed_play(&replayed, 50);
    uint8_t packet[REPLAYED_FRAME_SIZE];
    replayed_fill_frame(packet, 50);
    const struct weir_mux_packet lost = {
        .data = packet, .size = REPLAYED_FRAME_SIZE, .ticks = 1000000};
    test_expect(replayed.mux->ops->write(replayed.mux, &lost) == WEIR_ERROR_DISK_FULL,
                "the sink fails");
    TEST_OK(replayed_save(&replayed, replay));
    replayed_close(&replayed, WEIR_ERROR_DISK_FULL);
    replayed_expect_window(replay, &replayed, REPLAYED_SECOND, 50,
                           "after the recording has failed");
    unlink(replay);
}

int main(void)
{
    is_of_recording = true;
    sem_init(&disk.go, 0, 0);
    atomic_init(&disk.writes_left, INT32_MAX);
    test_window(&weir_mux_null, "none", 0);
    test_window(&weir_mux_null, "none", REPLAYED_NUM_TRACKS);
    test_window(&weir_mux_mov, "take.mov", REPLAYED_NUM_TRACKS);
    unlink(test_path("take.mov"));
    test_memory_limit();
    unlink(test_path("replay.mov"));
    test_behind();
    test_large_kind();
    test_failures();
    test_without_sound();
    test_failed_recording();
    return test_finish();
}
