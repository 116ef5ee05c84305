// SPDX-License-Identifier: MIT
// What a capture makes beside its movie, on a device: replays, and the sidecar of its drops.
#include <weir/capture.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "rig.h"
#include "testing.h"

#define SECOND INT64_C(1000000000)

static void wait_for_replays(weir_capture *capture, uint64_t num)
{
    while (weir_capture_get_stats(capture).replay.written +
               weir_capture_get_stats(capture).replay.failed <
           num) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void expect_frames(const char *path, const char *first, int num)
{
    char output[256], want[64];
    if (!test_has_ffprobe()) {
        return;
    }
    test_run(output, sizeof(output),
             "ffprobe -v error -select_streams v -count_frames -of csv=p=0 "
             "-show_entries stream=width,height,start_time,nb_read_frames '%s'",
             path);
    snprintf(want, sizeof(want), "70,46,%s,%d\n", first, num);
    test_expect(strcmp(output, want) == 0, "ffprobe says %s, not %s", output, want);
}

// A replay buffer: nothing but the replay is written.
static void test_replay(struct rig *rig, enum weir_sink sink)
{
    const char *path = test_path("take.mov"), *replay = test_path("replay.mov");
    struct weir_capture_params params = rig_params(rig, path, sink);
    params.replay.length_ms = 500;
    weir_capture *capture = rig_open(rig, &params);
    test_expect(weir_capture_save_replay(capture, replay) == WEIR_NOT_READY, "no frame yet");
    for (int i = 0; i < 50; i++) {
        test_expect(rig_present(rig, capture, i * SECOND / 50) == WEIR_OK, "frame %d", i);
    }
    while (weir_capture_get_stats(capture).written < 50) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    test_expect(weir_capture_save_replay(capture, replay) == WEIR_OK, "save");
    wait_for_replays(capture, 1);
    expect_frames(replay, "0.000000", 25);
    test_expect(weir_capture_save_replay(NULL, replay) == WEIR_ERROR_INVALID &&
                    weir_capture_save_replay(capture, NULL) == WEIR_ERROR_INVALID &&
                    weir_capture_save_replay(capture, "") == WEIR_ERROR_INVALID,
                "NULL and no name");
    rig_present(rig, capture, 2 * SECOND);
    rig_expect_end(capture, WEIR_OK, 51, 0);
    test_expect(test_file_exists(path) == (sink == WEIR_SINK_MOV), "the recording");
    unlink(path);
    unlink(replay);
}

static void test_no_replay(struct rig *rig)
{
    const struct weir_capture_params params = rig_params(rig, NULL, WEIR_SINK_NULL);
    weir_capture *capture = rig_open(rig, &params);
    test_expect(weir_capture_save_replay(capture, test_path("none.mov")) == WEIR_ERROR_INVALID,
                "a capture without a replay");
    rig_expect_end(capture, WEIR_OK, 0, 0);
}

static void expect_sidecar(const char *path, const char *drops)
{
    char output[1024];
    const int status = test_run(
        output, sizeof(output),
        "python3 -c \"import json; s = json.load(open('%s.json')); t = s['statistics']; "
        "d = [(x['frame'], x['time_ns'], x['reason']) for x in s['drops']]; assert d == %s, d; "
        "assert t['received'] == t['written'] + t['dropped'] + t['skipped']; "
        "r = t['dropped_by_reason']; assert sum(r.values()) == t['dropped'] == len(d); "
        "assert s['result'] == 'WEIR_OK' and s['width'] == 70; "
        "assert s['first_time_ns'] == 1000 and s['last_time_ns'] == 2000\"",
        path, drops);
    test_expect(status == 0, "python3 says %s", output);
}

// Every dropped frame is in it, with number, time in the movie, and reason.
static void test_sidecar(struct rig *rig)
{
    const char *path = test_path("take.mov");
    VkSemaphore gate = rig_make_gate(rig);
    struct weir_capture_params params = rig_params(rig, path, WEIR_SINK_MOV);
    params.policy = WEIR_POLICY_DROP;
    params.num_slots = 2;
    params.movie.sidecar = true;
    weir_capture *capture = rig_open(rig, &params);
    static const int64_t times[] = {1000, 2000, 2000, 3000, 500, 4000};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        rig_hand_over(rig, capture, gate, times[i]);
    }
    test_expect(weir_capture_pause(capture, 5000) == WEIR_OK &&
                    weir_capture_resume(capture, 9000) == WEIR_OK,
                "pause and resume");
    rig_hand_over(rig, capture, gate, 9500);
    test_expect(!test_file_exists(test_path("take.mov.json")), "it comes at the end");
    rig_open_gate(rig, gate);
    rig_expect_end(capture, WEIR_OK, 2, 5);
    rig_close_gate(rig, gate);
    char output[64];
    if (test_run(output, sizeof(output), "python3 --version") == 0) {
        expect_sidecar(path, "[(2, 1000, 'time'), (3, 2000, 'ring_full'), (4, -500, 'time'), "
                             "(5, 3000, 'ring_full'), (6, 4500, 'ring_full')]");
    }
    unlink(path);
    unlink(test_path("take.mov.json"));
}

static void test_no_sidecar(struct rig *rig)
{
    const char *path = test_path("take.mov"), *json = test_path("take.mov.json");
    struct weir_capture_params params = rig_params(rig, path, WEIR_SINK_MOV);
    params.movie.sidecar = true;
    weir_capture *capture = rig_open(rig, &params);
    rig_expect_end(capture, WEIR_OK, 0, 0);
    test_expect(!test_file_exists(path) && !test_file_exists(json), "no frame: no file");
    mkdir(json, 0777);
    test_expect(weir_capture_open(rig->harness.context, &params, &capture) == WEIR_ERROR_IO &&
                    !capture && !test_file_exists(path),
                "a sidecar that cannot be made");
    rmdir(json);
}

int main(void)
{
    struct rig rig;
    rig_init(&rig, true);
    test_replay(&rig, WEIR_SINK_NULL);
    test_replay(&rig, WEIR_SINK_MOV);
    test_no_replay(&rig);
    test_sidecar(&rig);
    test_no_sidecar(&rig);
    rig_finish(&rig);
    return test_finish();
}
