// SPDX-License-Identifier: MIT
// A replay under load: frames and sound come as fast as the writer takes them, or four times as
// fast as they would while a replay is written, and another thread saves all the time. Memory and
// descriptors stay as they are.
//
// capture_replay_load [FRAMES WIDTH HEIGHT REPLAY_MS]; 216000 1920 1080 1000 are an hour's frames
// of 60 a second. docs/reliability.md has what it found.
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/stream/mux/replay.h"
#include "capture/stream/writer/writer.h"
#include "reference.h"
#include "testing.h"

#define SECOND UINT64_C(1000000000)
#define MAX_GROWTH_KIB 4096

enum { NUM_SLOTS = 4, FPS = 60, SAMPLES = 800, NUM_SAVES = 8, ROOM = 16 };

static const struct weir_audio_track track = {
    .sample_rate = 48000, .num_channels = 2, .format = WEIR_SAMPLE_S16};

struct load {
    uint64_t num_frames;
    uint32_t width, height, replay_ms;
    struct weir_ring ring;
    struct weir_stats stats;
    struct weir_drop_log drops;
    struct weir_audio sound;
    struct weir_pauses pauses;
    struct weir_writer writer;
    struct weir_encoding encoding;
    struct weir_replay *replay;
    uint8_t *slots[NUM_SLOTS];
    uint32_t frame_size;
    _Atomic uint64_t num_asked;
    uint64_t num_refused; // of the thread that saves
};

static enum weir_result wait_slot(void *user, uint32_t slot, uint64_t timeout_ns,
                                  struct weir_readback_data *data)
{
    const struct load *load = user;
    (void)timeout_ns;
    *data = (struct weir_readback_data){.data = load->slots[slot] + ROOM, .size = load->frame_size};
    return WEIR_OK;
}

static void release_slot(void *user, uint32_t slot)
{
    (void)user;
    (void)slot;
}

static void open_sink(struct load *load)
{
    const struct weir_audio_params sound = {
        .tracks = &track,
        .num_tracks = 1,
        .buffer_ms = 4000,
        .max_gap_ns = 3600 * SECOND,
        .max_frame_gap_ns = 3600 * SECOND,
        .waits = true,
        .stats = &load->stats,
        .log = &test_log,
        .pauses = &load->pauses,
        .ring = &load->ring,
    };
    struct weir_mux_params mux = test_movie(NULL, load->width, load->height);
    mux.audio_tracks = &track;
    mux.num_audio_tracks = 1;
    const struct weir_replay_params replay = {
        .window_ns = load->replay_ms * UINT64_C(1000000),
        .size = (load->frame_size + 8192ull) * (load->replay_ms * FPS / 1000 + 8),
        .stats = &load->stats,
    };
    if (!test_expect(
            weir_pauses_init(&load->pauses) && weir_audio_init(&load->sound, &sound) == WEIR_OK &&
                weir_replay_open(&replay, &weir_mux_null, &mux, &load->writer.mux) == WEIR_OK &&
                weir_writer_start(&load->writer) == WEIR_OK,
            "open: %s", test_log_text())) {
        exit(1);
    }
    load->replay = (struct weir_replay *)load->writer.mux;
}

static void open_load(struct load *load)
{
    const struct weir_packer_params packer = {
        .codec = WEIR_MOVIE_CODEC_HAP_Q, .width = load->width, .height = load->height};
    load->frame_size = test_texture_size(load->width, load->height);
    for (int i = 0; i < NUM_SLOTS; i++) {
        load->slots[i] = malloc(load->frame_size + ROOM);
        test_random_bytes(load->slots[i], load->frame_size + ROOM);
    }
    load->drops = (struct weir_drop_log){.stats = &load->stats, .log = &test_log};
    load->writer = (struct weir_writer){
        .ring = &load->ring,
        .stats = &load->stats,
        .drops = &load->drops,
        .audio = &load->sound,
        .log = test_log,
        .ticks_per_second = 90000,
    };
    load->encoding.source = (struct weir_slot_source){
        .wait = wait_slot, .release = release_slot, .user = load};
    if (weir_packer_create(&packer, &test_log, &load->encoding.packer) != WEIR_OK) {
        exit(1);
    }
    weir_ring_init(&load->ring, NUM_SLOTS);
    open_sink(load);
}

static bool is_saving(const struct load *load)
{
    const struct weir_replay_stats replays = weir_stats_snapshot(&load->stats).replay;
    return load->num_asked > replays.written + replays.failed;
}

static void present(struct load *load, uint64_t number)
{
    if (is_saving(load)) {
        nanosleep(&(struct timespec){.tv_nsec = (long)(SECOND / FPS / 4)}, NULL);
    }
    static const int16_t samples[2 * SAMPLES];
    const uint64_t time_ns = number * SECOND / FPS;
    weir_ring_reserve(&load->ring);
    weir_counts_begin(&load->stats.render);
    weir_counts_add(&load->stats.render, WEIR_COUNT(received), 1);
    weir_counts_end(&load->stats.render);
    atomic_fetch_add(&load->encoding.num_in_flight, 1);
    weir_ring_push(&load->ring, &(struct weir_ring_item){.encoding = &load->encoding,
                                                         .slot = (uint32_t)(number % NUM_SLOTS),
                                                         .is_submitted = true,
                                                         .is_encoded = true,
                                                         .number = number,
                                                         .time_ns = time_ns});
    weir_audio_push(&load->sound, 0, (const uint8_t *)samples, SAMPLES, (int64_t)time_ns);
}

static const char *replay_path(void)
{
    static char path[256];
    if (!path[0]) {
        snprintf(path, sizeof(path), "%s", test_path("replay.mov"));
    }
    return path;
}

// Save again and again; each takes the place of the one before.
static void *save_all_the_time(void *user)
{
    struct load *load = user;
    const uint64_t step = load->num_frames / (NUM_SAVES + 1);
    while (load->num_asked < NUM_SAVES) {
        if (weir_stats_snapshot(&load->stats).written >= (load->num_asked + 1) * step) {
            const enum weir_result result = weir_replay_save(load->replay, replay_path());
            load->num_asked += result == WEIR_OK;
            load->num_refused += result == WEIR_NOT_READY;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return NULL;
}

static void expect_replay(const struct load *load)
{
    char output[512];
    if (!test_has_ffprobe()) {
        return;
    }
    const int num = reference_count_frames(replay_path());
    test_expect(num > 0 && num <= (int)(load->replay_ms * FPS / 1000), "%d frames", num);
    const int status = test_run(output, sizeof(output),
                                "ffmpeg -nostdin -v error -xerror -i '%s' -f null -",
                                replay_path());
    test_expect(status == 0 && output[0] == '\0', "ffmpeg says %s", output);
}

static void close_load(struct load *load)
{
    test_expect(weir_writer_finish(&load->writer) == WEIR_OK, "close: %s", test_log_text());
    weir_audio_finish(&load->sound);
    weir_pauses_finish(&load->pauses);
    const struct weir_capture_stats stats = weir_stats_snapshot(&load->stats);
    test_expect(stats.written == load->num_frames && stats.dropped == 0, "the recording is whole");
    test_expect(stats.replay.written == load->num_asked && stats.replay.failed == 0 &&
                    load->num_asked == NUM_SAVES,
                "%" PRIu64 " replays asked for, %" PRIu64 " written", load->num_asked,
                stats.replay.written);
    printf("%" PRIu64 " frames of %ux%u, replay of %u ms: %" PRIu64 " saved, %" PRIu64
           " refused, %" PRIu64 " packets had no room\n",
           stats.written, load->width, load->height, load->replay_ms, stats.replay.written,
           load->num_refused, stats.replay.missed);
    weir_packer_destroy(&load->encoding.packer);
    weir_ring_finish(&load->ring);
    for (int i = 0; i < NUM_SLOTS; i++) {
        free(load->slots[i]);
    }
}

int main(int argc, char **argv)
{
    static struct load load = {.num_frames = 6000, .width = 64, .height = 64, .replay_ms = 1000};
    if (argc == 5) {
        load.num_frames = strtoull(argv[1], NULL, 10);
        load.width = (uint32_t)strtoul(argv[2], NULL, 10);
        load.height = (uint32_t)strtoul(argv[3], NULL, 10);
        load.replay_ms = (uint32_t)strtoul(argv[4], NULL, 10);
    }
    open_load(&load);
    const char *path = replay_path();
    pthread_t thread;
    pthread_create(&thread, NULL, save_all_the_time, &load);
    long first_kib = 0, most_kib = 0;
    int first_num = 0, most_num = 0;
    for (uint64_t i = 0; i < load.num_frames; i++) {
        present(&load, i);
        if ((i + 1) % (load.num_frames / 20) == 0) {
            const long kib = test_resident_kib();
            const int num = test_num_entries("/proc/self/fd");
            printf("frame %" PRIu64 ": %ld KiB resident, %d descriptors\n", i + 1, kib, num);
            first_kib = first_kib > 0 && i * 4 > load.num_frames ? first_kib : kib;
            first_num = first_num > 0 && i * 4 > load.num_frames ? first_num : num;
            most_kib = kib > most_kib ? kib : most_kib;
            most_num = num > most_num ? num : most_num;
        }
    }
    pthread_join(thread, NULL);
    close_load(&load);
    // A replay that is being written has a file, its folder and 1 MiB of memory.
    printf("from a quarter on %ld KiB more at most, %d descriptors more at most\n",
           most_kib - first_kib, most_num - first_num);
    expect_replay(&load);
    test_expect(most_num - first_num <= 4, "descriptors");
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    test_expect(most_kib - first_kib < MAX_GROWTH_KIB, "memory");
#endif
    unlink(path);
    return test_finish();
}
