// SPDX-License-Identifier: MIT
// The capture as a whole on a device: every frame arrives, every frame is counted, drops have their
// reasons, and the frame path allocates nothing.
#include <weir/capture.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#include "fixture.h"
#include "reference.h"
#include "testing.h"
#include "tests/allocations.h"
#include "tests/sanitized.h"

static void test_stream(struct fixture *fixture, enum weir_compression compression,
                        uint32_t num_chunks, enum weir_packing packing)
{
    enum { NUM_FRAMES = 90 };
    const char *path = test_path("stream.mov");
    struct weir_capture_params params = fixture_params(fixture, path, WEIR_SINK_MOV);
    params.rate.compression = compression;
    params.rate.num_chunks = num_chunks;
    params.rate.packing = packing;
    params.num_slots = 3;
    params.timing.frame_rate = (struct weir_ratio){30, 1};
    weir_capture *capture = fixture_open(fixture, &params);
    struct weir_capture_stats stats;
    for (int i = 0; i < NUM_FRAMES; i++) {
        // From a clock of its own, and from before its zero.
        const enum weir_result result = fixture_present(fixture, capture,
                                                        -500000000 + (int64_t)i * 1000000000 / 30);
        test_expect(result == WEIR_OK, "frame %d: %s", i, weir_result_name(result));
        stats = weir_capture_get_stats(capture);
        fixture_expect_sum(&stats);
        test_expect(stats.received == (uint64_t)i + 1 && stats.in_flight <= 3, "frame %d", i);
    }
    test_expect(stats.host_ns >= stats.host_max_ns && stats.host_max_ns > 0, "host time");
    fixture_expect_end(capture, WEIR_OK, NUM_FRAMES, 0);
    char output[512];
    if (test_has_ffprobe()) {
        test_run(output, sizeof(output),
                 "ffprobe -v error -count_frames -of csv=p=0 -show_entries stream=codec_tag_string,"
                 "width,height,r_frame_rate,avg_frame_rate,nb_frames,nb_read_frames '%s'",
                 path);
        test_expect(strcmp(output, "HapY,70,46,30/1,30/1,90,90\n") == 0, "ffprobe says %s", output);
    }
    unlink(path);
}

// The GPU is held up, so the ring fills to the last slot, and not further.
static void test_drop(struct fixture *fixture)
{
    VkSemaphore gate = fixture_make_gate(fixture);
    struct weir_capture_params params = fixture_params(fixture, NULL, WEIR_SINK_NULL);
    params.policy = WEIR_POLICY_DROP;
    params.num_slots = 4;
    weir_capture *capture = fixture_open(fixture, &params);
    for (int i = 0; i < 7; i++) {
        const enum weir_result result = fixture_hand_over(fixture, capture, gate, i * 1000);
        test_expect(result == (i < 4 ? WEIR_OK : WEIR_DROPPED), "frame %d: %s", i,
                    weir_result_name(result));
    }
    const struct weir_capture_stats stats = weir_capture_get_stats(capture);
    test_expect(stats.in_flight == 4 && stats.dropped_by_reason[WEIR_DROP_RING_FULL] == 3,
                "4 in flight, 3 dropped");
    fixture_expect_sum(&stats);
    fixture_open_gate(fixture, gate);
    fixture_expect_end(capture, WEIR_OK, 4, 3);
    fixture_close_gate(fixture, gate);
}

// Frames that are dropped without end do not fill the log: a line a second, and one at the end.
static void test_drop_log(struct fixture *fixture)
{
    struct weir_capture_params params = fixture_params(fixture, NULL, WEIR_SINK_NULL);
    weir_capture *capture = fixture_open(fixture, &params);
    const enum weir_log_code codes[] = {WEIR_LOG_CODE_FRAME_DROPPED,
                                        WEIR_LOG_CODE_TIME_NOT_INCREASING};
    const int before[] = {fixture->harness.log_codes[codes[0]],
                          fixture->harness.log_codes[codes[1]]};
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < 1000; i++) {
        const enum weir_result want = i == 0 ? WEIR_OK : WEIR_DROPPED;
        test_expect(fixture_present(fixture, capture, -i) == want, "frame %d", i);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    fixture_expect_end(capture, WEIR_OK, 1, 999);
    const int seconds = (int)(end.tv_sec - begin.tv_sec) + 1;
    for (int i = 0; i < 2; i++) {
        const int lines = fixture->harness.log_codes[codes[i]] - before[i];
        test_expect(lines >= 1 && lines <= seconds + 2, "%d lines of code %d in %d s", lines,
                    (int)codes[i], seconds);
    }
}

// Every third frame is missing, and every other point has two; both policies, with two slots.
static void test_constant_rate(struct fixture *fixture, enum weir_policy policy)
{
    const char *path = test_path("slots.mov");
    struct weir_capture_params params = fixture_params(fixture, path, WEIR_SINK_MOV);
    params.timing.constant_rate = true;
    params.timing.frame_rate = (struct weir_ratio){50, 1};
    params.num_slots = 2;
    params.policy = policy;
    // The packet that is repeated lies in its slot.
    params.rate.compression = WEIR_COMPRESSION_SNAPPY;
    params.rate.packing = policy == WEIR_POLICY_WAIT ? WEIR_PACKING_GPU : WEIR_PACKING_CPU;
    weir_capture *capture = fixture_open(fixture, &params);
    uint64_t num_skipped = 0;
    for (int i = 0; i < 90; i++) {
        if (i % 3 == 2 && i < 89) {
            continue;
        }
        const int64_t time_ns = i * INT64_C(1000000000) / 50;
        enum weir_result result = fixture_present(fixture, capture, time_ns);
        test_expect(result == WEIR_OK || (policy == WEIR_POLICY_DROP && result == WEIR_DROPPED),
                    "frame %d: %s", i, weir_result_name(result));
        // Of the same point: only if the first one was dropped.
        const enum weir_result second = fixture_present(fixture, capture,
                                                        time_ns + INT64_C(1000000000) / 1000);
        test_expect(result == WEIR_DROPPED || second == WEIR_SKIPPED, "frame %d again: %s", i,
                    weir_result_name(second));
        num_skipped += second == WEIR_SKIPPED;
    }
    struct weir_capture_stats stats;
    TEST_OK(weir_capture_close(&capture, &stats));
    fixture_expect_sum(&stats);
    test_expect(stats.skipped == num_skipped, "%" PRIu64 " skipped", stats.skipped);
    test_expect(policy == WEIR_POLICY_DROP || (stats.written == 61 && stats.repeated == 29),
                "%" PRIu64 " written, %" PRIu64 " repeated", stats.written, stats.repeated);
    reference_expect_frames("constant rate", path, (int)(stats.written + stats.repeated));
    unlink(path);
}

// A sanitizer keeps what was freed for a while, and that grows.
enum { MAX_GROWTH_KIB = SANITIZED_ADDRESS ? 512 * 1024 : 4096 };

// With the queue that renders: no hand-over of owners, which this host does in submissions of its
// own.
static void test_steady_state(struct fixture *fixture)
{
    enum { NUM_FRAMES = 4000 / SANITIZED_STRIDE, WARM_UP = NUM_FRAMES / 10 };
    struct weir_capture_params params = fixture_params(fixture, test_path("long.mov"),
                                                       WEIR_SINK_MOV);
    const struct weir_audio_track track = {.sample_rate = 48000, .num_channels = 2};
    static const int16_t samples[2 * 800];
    params.audio.tracks = &track;
    params.audio.num_tracks = 1;
    params.replay.length_ms = 500;
    params.movie.sidecar = true;
    weir_capture *capture = fixture_open(fixture, &params);
    const struct weir_frame first = fixture_frame(fixture, -1);
    harness_release(&fixture->harness, &first);
    int before = 0;
    long kib = 0;
    for (int i = 0; i < NUM_FRAMES; i++) {
        if (i == WARM_UP) {
            before = num_allocations;
            kib = resident_size() / 1024;
        }
        struct weir_frame frame = fixture_frame(fixture, i * INT64_C(16666667));
        frame.queue_family = weir_context_get_queue(fixture->harness.context).family;
        const enum weir_result result = weir_capture_frame(capture, &frame, NULL);
        const enum weir_result heard = weir_capture_audio(capture, 0, samples, 800, frame.time_ns);
        if (!test_expect(result == WEIR_OK && heard == WEIR_OK, "frame %d: %s, %s", i,
                         weir_result_name(result), weir_result_name(heard))) {
            break;
        }
    }
    test_expect(num_allocations == before, "%d allocations on the frame path",
                num_allocations - before);
    const long growth = resident_size() / 1024 - kib;
    printf("%d frames: %ld KiB more resident\n", NUM_FRAMES - WARM_UP, growth);
    test_expect(growth < MAX_GROWTH_KIB, "memory grew by %ld KiB", growth);
    fixture_expect_end(capture, WEIR_OK, NUM_FRAMES, 0);
}

int main(void)
{
    for (int shared = 0; shared < 2; shared++) {
        struct fixture fixture;
        fixture_init(&fixture, shared);
        test_stream(&fixture, WEIR_COMPRESSION_NONE, 0, WEIR_PACKING_AUTO);
        test_stream(&fixture, WEIR_COMPRESSION_SNAPPY, 8,
                    shared ? WEIR_PACKING_CPU : WEIR_PACKING_GPU);
        if (shared) {
            test_drop(&fixture);
            test_drop_log(&fixture);
            test_constant_rate(&fixture, WEIR_POLICY_WAIT);
            test_constant_rate(&fixture, WEIR_POLICY_DROP);
            test_steady_state(&fixture);
        }
        fixture_finish(&fixture);
    }
    return test_finish();
}
