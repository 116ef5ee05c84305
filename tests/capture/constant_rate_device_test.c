// SPDX-License-Identifier: MIT
// Constant rate on a device: slots that are few, frames that are dropped, and gaps that are too
// long to be filled.
#include <weir/capture.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rig.h"
#include "testing.h"

#define SECOND_NS INT64_C(1000000000)

static void expect_packets(const char *path, uint64_t num)
{
    char output[256], want[256];
    if (test_has_ffprobe()) {
        test_run(output, sizeof(output),
                 "ffprobe -v error -select_streams v -count_frames -of csv=p=0 -show_entries "
                 "stream=r_frame_rate,avg_frame_rate,nb_frames,nb_read_frames '%s'",
                 path);
        snprintf(want, sizeof(want), "50/1,50/1,%" PRIu64 ",%" PRIu64 "\n", num, num);
        test_expect(strcmp(output, want) == 0, "ffprobe says %s, want %s", output, want);
        test_run(
            output, sizeof(output),
            "ffprobe -v error -select_streams v -of csv=p=0 -show_entries stream_tags=timecode "
            "'%s'",
            path);
        test_expect(strcmp(output, "09:59:59:49\n") == 0, "the time code is %s", output);
    }
}

static struct weir_capture_params constant(const struct rig *rig, const char *path)
{
    struct weir_capture_params params = rig_params(rig, path, WEIR_SINK_MOV);
    params.timing.constant_rate = true;
    params.timing.frame_rate = (struct weir_ratio){50, 1};
    params.num_slots = 2;
    params.timing.timecode = "09:59:59:49";
    return params;
}

// Every third frame is missing, and every other point has two; both policies, with two slots.
static void test_slots(struct rig *rig, enum weir_policy policy)
{
    const char *path = test_path("slots.mov");
    struct weir_capture_params params = constant(rig, path);
    params.policy = policy;
    // The packet that is repeated lies in its slot.
    params.rate.compression = WEIR_COMPRESSION_SNAPPY;
    params.rate.packing = policy == WEIR_POLICY_WAIT ? WEIR_PACKING_GPU : WEIR_PACKING_CPU;
    weir_capture *capture = rig_open(rig, &params);
    uint64_t num_skipped = 0;
    for (int i = 0; i < 90; i++) {
        if (i % 3 == 2 && i < 89) {
            continue;
        }
        const int64_t time_ns = i * SECOND_NS / 50;
        enum weir_result result = rig_present(rig, capture, time_ns);
        test_expect(result == WEIR_OK || (policy == WEIR_POLICY_DROP && result == WEIR_DROPPED),
                    "frame %d: %s", i, weir_result_name(result));
        // Of the same point: only if the first one was dropped.
        const enum weir_result second = rig_present(rig, capture, time_ns + SECOND_NS / 1000);
        test_expect(result == WEIR_DROPPED || second == WEIR_SKIPPED, "frame %d again: %s", i,
                    weir_result_name(second));
        num_skipped += second == WEIR_SKIPPED;
    }
    struct weir_capture_stats stats;
    test_expect(weir_capture_close(&capture, &stats) == WEIR_OK, "close");
    rig_expect_sum(&stats);
    test_expect(stats.skipped == num_skipped, "%" PRIu64 " skipped", stats.skipped);
    test_expect(policy == WEIR_POLICY_DROP || (stats.written == 61 && stats.repeated == 29),
                "%" PRIu64 " written, %" PRIu64 " repeated", stats.written, stats.repeated);
    expect_packets(path, stats.written + stats.repeated);
}

// A minute is filled; what is longer is told, and a pause is no gap.
static void test_gap(struct rig *rig)
{
    const char *path = test_path("gap.mov");
    const struct weir_capture_params params = constant(rig, path);
    weir_capture *capture = rig_open(rig, &params);
    const int before = rig->harness.log_codes[WEIR_LOG_CODE_TIME_GAP];
    test_expect(rig_present(rig, capture, 0) == WEIR_OK, "the first");
    test_expect(rig_present(rig, capture, 60 * SECOND_NS) == WEIR_OK, "after a minute");
    test_expect(rig_present(rig, capture, 120 * SECOND_NS + 1) == WEIR_DROPPED, "after more");
    test_expect(rig->harness.log_codes[WEIR_LOG_CODE_TIME_GAP] == before + 1, "it is told");
    test_expect(weir_capture_pause(capture, 121 * SECOND_NS) == WEIR_OK &&
                    weir_capture_resume(capture, 1000 * SECOND_NS) == WEIR_OK,
                "a pause after it");
    test_expect(rig_present(rig, capture, 1000 * SECOND_NS) == WEIR_DROPPED, "61 s of the movie");
    rig_expect_end(capture, WEIR_OK, 2, 2);
    expect_packets(path, 3001);

    capture = rig_open(rig, &params);
    test_expect(rig_present(rig, capture, 0) == WEIR_OK, "the first");
    test_expect(weir_capture_pause(capture, SECOND_NS) == WEIR_OK &&
                    weir_capture_resume(capture, 1000 * SECOND_NS) == WEIR_OK,
                "a pause");
    test_expect(rig_present(rig, capture, 1000 * SECOND_NS) == WEIR_OK, "after it");
    rig_expect_end(capture, WEIR_OK, 2, 0);
    expect_packets(path, 51);
}

// A max_rate that is lower thins the frames out, one that is not changes nothing.
static void test_max_rate(struct rig *rig)
{
    const char *path = test_path("paced.mov");
    for (uint32_t max_rate = 25; max_rate <= 100; max_rate *= 2) {
        struct weir_capture_params params = constant(rig, path);
        params.timing.max_rate = (struct weir_ratio){max_rate, 1};
        weir_capture *capture = rig_open(rig, &params);
        for (int i = 0; i <= 60; i++) {
            rig_present(rig, capture, i * SECOND_NS / 50);
        }
        rig_expect_end(capture, WEIR_OK, max_rate == 25 ? 31 : 61, 0);
        expect_packets(path, 61);
    }
}

int main(void)
{
    static struct rig rig;
    rig_init(&rig, false);
    test_slots(&rig, WEIR_POLICY_WAIT);
    test_slots(&rig, WEIR_POLICY_DROP);
    test_gap(&rig);
    test_max_rate(&rig);
    rig_finish(&rig);
    return test_finish();
}
