// SPDX-License-Identifier: MIT
// The sidecar without a movie: Python's reader of JSON finds in it what was put in, from two
// threads, and how much had no room; a disk that is full leaves nothing.
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture/stream/sidecar.h"
#include "testing.h"

enum { NUM_PASSED = 4096 }; // that find room

static atomic_bool is_full;

ssize_t __real_writev(int fd, const struct iovec *parts, int num);
ssize_t __wrap_writev(int fd, const struct iovec *parts, int num);

ssize_t __wrap_writev(int fd, const struct iovec *parts, int num)
{
    if (atomic_load(&is_full)) {
        errno = ENOSPC;
        return -1;
    }
    return __real_writev(fd, parts, num);
}

static const struct weir_audio_track tracks[] = {
    {.sample_rate = 48000, .num_channels = 2, .format = WEIR_SAMPLE_F32, .language = "eng"},
    {.sample_rate = 44100, .num_channels = 1, .format = WEIR_SAMPLE_S24},
};

static struct weir_sidecar *open_sidecar(const char *path, struct weir_ring *ring)
{
    const struct weir_capture_params params = {
        .policy = WEIR_POLICY_WAIT,
        .num_slots = 8,
        .rate = {.num_chunks = 1, .quality = 77, .bytes_per_second = UINT64_C(1) << 62}};
    struct weir_mux_params movie = test_movie(path, 1918, 1078);
    movie.audio_tracks = tracks;
    movie.num_audio_tracks = 2;
    movie.sync_ns = 1;
    struct weir_sidecar *sidecar = NULL;
    test_must(TEST_OK(weir_sidecar_open(path, &params, &movie, ring, &sidecar)), "that");
    return sidecar;
}

// Numbers that are all different.
static struct weir_capture_stats any_stats(uint64_t written)
{
    struct weir_capture_stats stats = {.received = 101, .written = written, .dropped = 103};
    for (int i = 0; i < 4; i++) {
        stats.dropped_by_reason[i] = 110 + (uint64_t)i;
    }
    stats.skipped = 104;
    stats.bytes = UINT64_C(1) << 63;
    stats.gpu_ns = 105;
    stats.host_ns = 106;
    stats.host_max_ns = 107;
    stats.wait_ns = 108;
    stats.pack_ns = 109;
    stats.write_ns = 120;
    stats.repeated = 137;
    stats.segments = 138;
    stats.replay = (struct weir_replay_stats){126, 127, 128};
    stats.audio = (struct weir_audio_stats){.received = 129,
                                            .written = 130,
                                            .silence = 131,
                                            .dropped = 132,
                                            .dropped_by_reason = {133, 134, 135, 136}};
    stats.quality = (struct weir_quality_stats){.frames = 139,
                                                .mean_db = 41.00625,
                                                .last = 62.5,
                                                .least = 1,
                                                .most = 99.99999,
                                                .rate_short = 140,
                                                .rate_over = 141};
    return stats;
}

static void close_sidecar(struct weir_sidecar **sidecar, uint64_t written)
{
    weir_sidecar_close(sidecar, &(struct weir_sidecar_end){.stats = any_stats(written),
                                                           .result = WEIR_ERROR_DISK_FULL,
                                                           .first_ns = INT64_MIN,
                                                           .last_ns = INT64_MAX});
    test_expect(!*sidecar, "it is gone");
}

static const char script[] =
    "import json, sys\n"
    "s = json.load(open(sys.argv[1]), parse_float=None)\n"
    "drops, lost = eval(sys.argv[2])\n"
    "assert [(d['frame'], d['time_ns'], d['reason']) for d in s.pop('drops')] == drops\n"
    "assert s.pop('num_drops_not_listed') == lost\n"
    "assert len(s.pop('opened')) == 20 and s.pop('weir_version')\n"
    "assert s.pop('statistics') == {'received': 101, 'written': 102, 'dropped': 103,\n"
    "  'skipped': 104, 'bytes': 1 << 63, 'gpu_ns': 105, 'host_ns': 106, 'host_max_ns': 107,\n"
    "  'wait_ns': 108, 'pack_ns': 109, 'write_ns': 120, 'repeated': 137, 'segments': 138,\n"
    "  'dropped_by_reason': {'ring_full': 110, 'time': 111, 'sink': 112, 'device': 113},\n"
    "  'replay': {'written': 126, 'failed': 127, 'missed': 128},\n"
    "  'audio': {'received': 129, 'written': 130, 'silence': 131, 'dropped': 132,\n"
    "    'dropped_buffer_full': 133, 'dropped_time': 134, 'dropped_sink': 135,\n"
    "    'dropped_pause': 136},\n"
    "  'quality': {'frames': 139, 'mean_db': 41.0063, 'last': 62.5, 'least': 1.0, 'most': 100.0,\n"
    "    'rate_short': 140, 'rate_over': 141}}\n"
    "assert s == {'format': 2, 'codec': 'hap_q', 'width': 1918, 'height': 1078,\n"
    "  'frame_rate': [60, 1], 'max_rate': [0, 0], 'ticks_per_second': 90000,\n"
    "  'compression': 'none', 'num_chunks': 1, 'policy': 'wait', 'num_slots': 8,\n"
    "  'quality': 77, 'rate': 1 << 62,\n"
    "  'audio_tracks': [{'sample_rate': 48000, 'num_channels': 2, 'format': 'f32',\n"
    "    'language': 'eng'}, {'sample_rate': 44100, 'num_channels': 1, 'format': 's24',\n"
    "    'language': 'und'}],\n"
    "  'first_time_ns': -2**63, 'last_time_ns': 2**63 - 1,\n"
    "  'result': 'WEIR_ERROR_DISK_FULL'}, s\n";

static void expect_content(const char *path, const char *drops, const char *what)
{
    const char *program = test_path("check.py");
    char output[2048];
    FILE *file = fopen(program, "w");
    fputs(script, file);
    fclose(file);
    const int status = test_run(output, sizeof(output), "python3 '%s' '%s.json' \"%s\"", program,
                                path, drops);
    test_expect(status == 0, "%s: %s", what, output);
    unlink(program);
}

static void test_content(void)
{
    const char *path = test_path("a.mov");
    struct weir_sidecar *sidecar = open_sidecar(path, NULL);
    close_sidecar(&sidecar, 102);
    expect_content(path, "([], 0)", "no drop");
    sidecar = open_sidecar(path, NULL);
    weir_sidecar_send(sidecar, &(struct weir_sidecar_drop){1, -5, WEIR_DROP_TIME});
    weir_sidecar_write(sidecar, &(struct weir_sidecar_drop){0, 7, WEIR_DROP_SINK});
    weir_sidecar_write_sent(sidecar);
    weir_sidecar_send(sidecar, &(struct weir_sidecar_drop){2, INT64_MAX, WEIR_DROP_RING_FULL});
    weir_sidecar_send(sidecar, &(struct weir_sidecar_drop){UINT64_MAX, 0, WEIR_DROP_DEVICE});
    close_sidecar(&sidecar, 102);
    expect_content(path,
                   "([(0, 7, 'sink'), (1, -5, 'time'), (2, 2**63 - 1, 'ring_full'), "
                   "(2**64 - 1, 0, 'device')], 0)",
                   "one of each");
}

// Nobody takes the drops: so many find room, and the others are counted.
static void test_overflow(void)
{
    const char *path = test_path("b.mov");
    struct weir_ring ring;
    weir_ring_init(&ring, 2);
    struct weir_sidecar *sidecar = open_sidecar(path, &ring);
    for (uint64_t i = 0; i < NUM_PASSED + 904; i++) {
        weir_sidecar_send(sidecar, &(struct weir_sidecar_drop){i, (int64_t)i * 3, WEIR_DROP_TIME});
    }
    struct weir_ring_item item;
    test_expect(weir_ring_pop(&ring, &item) == WEIR_RING_WOKEN, "the writer is woken");
    close_sidecar(&sidecar, 102);
    expect_content(path, "([(i, 3 * i, 'time') for i in range(4096)], 904)", "too many");
    weir_ring_finish(&ring);
}

struct passing {
    struct weir_sidecar *sidecar;
    atomic_bool is_done;
};

static void *pass_many(void *user)
{
    struct passing *passing = user;
    for (uint64_t i = 0; i < 100000; i++) {
        weir_sidecar_send(passing->sidecar,
                          &(struct weir_sidecar_drop){i, (int64_t)i, WEIR_DROP_RING_FULL});
    }
    atomic_store(&passing->is_done, true);
    return NULL;
}

// Two threads: what is listed is right and in order, and with the rest it is all.
static void test_threads(void)
{
    const char *path = test_path("c.mov");
    struct weir_ring ring;
    weir_ring_init(&ring, 2);
    struct passing passing = {.sidecar = open_sidecar(path, &ring)};
    pthread_t thread;
    pthread_create(&thread, NULL, pass_many, &passing);
    while (!atomic_load(&passing.is_done)) {
        weir_sidecar_write_sent(passing.sidecar);
    }
    pthread_join(thread, NULL);
    close_sidecar(&passing.sidecar, 102);
    weir_ring_finish(&ring);
    char output[1024];
    const int status = test_run(
        output, sizeof(output),
        "python3 -c \"import json; s = json.load(open('%s.json')); d = s['drops']; "
        "f = [x['frame'] for x in d]; "
        "assert f == sorted(set(f)) and all(x['time_ns'] == x['frame'] for x in d); "
        "assert len(f) + s['num_drops_not_listed'] == 100000 and len(f) >= 4096\"",
        path);
    test_expect(status == 0, "two threads: %s", output);
}

static void test_failures(void)
{
    const char *path = test_path("d.mov"), *json = test_path("d.mov.json");
    const int told = test_log_count(WEIR_LOG_CODE_SIDECAR_FAILED);
    struct weir_sidecar *sidecar = open_sidecar(path, NULL);
    close_sidecar(&sidecar, 0);
    test_expect(!test_file_exists(json), "no frame, no file");
    sidecar = open_sidecar(path, NULL);
    atomic_store(&is_full, true);
    close_sidecar(&sidecar, 102);
    atomic_store(&is_full, false);
    test_expect(test_log_count(WEIR_LOG_CODE_SIDECAR_FAILED) == told + 1 && !test_file_exists(json),
                "a full disk is told, and nothing is left");
    char folder[256];
    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
    test_expect(test_num_entries(folder) == 3, "no other file: %d", test_num_entries(folder));
}

int main(void)
{
    char output[64];
    if (test_run(output, sizeof(output), "python3 --version") != 0) {
        printf("python3, the judge of JSON, is not installed\n");
        return 77;
    }
    test_content();
    test_overflow();
    test_threads();
    test_failures();
    return test_finish();
}
