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

#include "recording.h"
#include "reference.h"
#include "testing.h"
#include "tests/sanitized.h"

#define SECOND INT64_C(1000000000)
enum { FPS = 60, SAMPLES = 800, NUM_SAVES = 8, MAX_GROWTH_KIB = 4096 };

struct load {
    uint64_t num_frames;
    uint32_t width, height, replay_ms;
    struct recording recording;
    _Atomic uint64_t num_asked;
    uint64_t num_refused; // of the thread that saves
    char path[256];
};

static void open_load(struct load *load)
{
    static const struct weir_audio_track track = {.sample_rate = 48000, .num_channels = 2};
    snprintf(load->path, sizeof(load->path), "%s", test_path("replay.mov"));
    recording_open_size(&load->recording, load->width, load->height,
                        &(struct weir_capture_params){
                            .sink = WEIR_SINK_NULL,
                            .codec = WEIR_MOVIE_CODEC_HAP,
                            .audio = {.tracks = &track, .num_tracks = 1},
                            .replay = {.length_ms = load->replay_ms},
                            .policy = WEIR_POLICY_WAIT,
                            .num_slots = RECORDING_NUM_SLOTS,
                        });
}

static bool is_saving(const struct load *load)
{
    const struct weir_capture_stats stats = weir_capture_get_stats(load->recording.capture);
    return load->num_asked > stats.replay.written + stats.replay.failed;
}

static void present(struct load *load, int64_t time_ns)
{
    static const int16_t samples[2 * SAMPLES];
    if (is_saving(load)) {
        nanosleep(&(struct timespec){.tv_nsec = SECOND / FPS / 4}, NULL);
    }
    recording_present_green(&load->recording, load->width, load->height, time_ns);
    weir_capture_audio(load->recording.capture, 0, samples, SAMPLES, time_ns);
}

// Save again and again; each takes the place of the one before.
static void *save_all_the_time(void *user)
{
    struct load *load = user;
    weir_capture *capture = load->recording.capture;
    const uint64_t step = load->num_frames / (NUM_SAVES + 1);
    while (load->num_asked < NUM_SAVES) {
        if (weir_capture_get_stats(capture).written >= (load->num_asked + 1) * step) {
            const enum weir_result result = weir_capture_save_replay(capture, load->path, 0);
            load->num_asked += result == WEIR_OK;
            load->num_refused += result == WEIR_NOT_READY;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return NULL;
}

static void close_load(struct load *load)
{
    const struct weir_capture_stats stats = recording_end(&load->recording, WEIR_OK);
    test_expect(stats.written == load->num_frames && stats.dropped == 0, "the recording is whole");
    test_expect(stats.replay.written == NUM_SAVES && stats.replay.failed == 0,
                "%" PRIu64 " replays were written", stats.replay.written);
    printf("%" PRIu64 " frames of %ux%u, replay of %u ms: %" PRIu64 " saved, %" PRIu64
           " refused, %" PRIu64 " packets had no room\n",
           stats.written, load->width, load->height, load->replay_ms, stats.replay.written,
           load->num_refused, stats.replay.missed);
    const int num = reference_count_frames(load->path);
    test_expect(num > 0 && num <= (int)(load->replay_ms * FPS / 1000), "%d frames", num);
    unlink(load->path);
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
    pthread_t thread;
    pthread_create(&thread, NULL, save_all_the_time, &load);
    long first_kib = 0, most_kib = 0;
    int first_num = 0, most_num = 0;
    for (uint64_t i = 0; i < load.num_frames; i++) {
        present(&load, (int64_t)i * SECOND / FPS);
        if ((i + 1) % (load.num_frames / 20) == 0) {
            const long kib = test_memory_kib();
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
    test_expect(most_num - first_num <= 4, "descriptors");
    test_expect(SANITIZED_ADDRESS || SANITIZED_THREAD || most_kib - first_kib < MAX_GROWTH_KIB,
                "memory");
    return test_finish();
}
