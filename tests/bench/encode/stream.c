// SPDX-License-Identifier: MIT
// Frames a second through weir_capture_frame(), and what a call of it costs the render thread.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <weir/capture.h>

#include "capture/base/clock.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "tests/bench/encode/encode.h"
#include "tests/bench/timing.h"

enum { MAX_CALLS = 1 << 20, MAX_IMAGES = BENCH_MAX_STREAM_IMAGES, FRAME_RATE = 60 };

// Times of the calls that took their frame, touched before the first frame.
static struct calls {
    uint64_t wall[MAX_CALLS], cpu[MAX_CALLS]; // [ns]
    size_t num;
} calls;

static uint64_t cpu_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// A render loop: an image is rendered again only after Weir has given it back.
static enum weir_result send_frames(struct cli_gpu *gpu, const struct bench_options *options,
                                    const struct bench_images *images, struct weir_ratio pace,
                                    weir_capture *capture)
{
    struct weir_point released[MAX_IMAGES] = {{0}};
    const uint32_t num_images = (uint32_t)options->images;
    const uint64_t start = weir_clock_ns();
    const uint64_t until = start + options->milliseconds * 1000000;
    enum weir_result result = WEIR_OK;
    for (uint64_t k = 0; result >= WEIR_OK && calls.num < MAX_CALLS && !cli_interrupted(); k++) {
        if (pace.num != 0) {
            bench_sleep_until(start + k * 1000000000u * pace.den / pace.num, options->spin);
        }
        if (weir_clock_ns() >= until) {
            break;
        }
        const uint32_t i = (uint32_t)(k % num_images);
        result = weir_gpu_wait(gpu->work, released[i], UINT64_MAX);
        if (result != WEIR_OK) {
            break;
        }
        const struct weir_frame frame = {
            .image = images->images[i].weir,
            .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
            .queue_family = gpu->queue.family,
            .time_ns = (int64_t)(k * 1000000000u / FRAME_RATE),
        };
        const uint64_t cpu = cpu_ns(CLOCK_THREAD_CPUTIME_ID), wall = weir_clock_ns();
        result = weir_capture_frame(capture, &frame, &released[i]);
        calls.wall[calls.num] = weir_clock_ns() - wall;
        calls.cpu[calls.num] = cpu_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
        calls.num += result == WEIR_OK;
    }
    for (uint32_t i = 0; i < num_images; i++) {
        weir_gpu_wait(gpu->work, released[i], UINT64_MAX);
    }
    return result < WEIR_OK ? result : WEIR_OK;
}

enum weir_result bench_stream_measure(struct cli_gpu *gpu, const struct bench_options *options,
                                      const struct bench_row *row,
                                      const struct bench_images *images,
                                      struct bench_stream *stream)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/weir-bench-%ld.mov", options->dir, (long)getpid());
    weir_capture *capture = NULL;
    enum weir_result result = weir_capture_open(
        gpu->context,
        weir_capture_params(.path = stream->file ? path : NULL,
                            .sink = stream->file ? WEIR_SINK_MOV : WEIR_SINK_NULL,
                            .codec = row->movie->codec,
                            .encoding = {.effort = row->effort, .steady = row->is_steady},
                            .rate = {.quality = row->is_rdo ? (uint32_t)options->quality : 0,
                                     .compression = row->is_rdo || options->snappy
                                                        ? WEIR_COMPRESSION_SNAPPY
                                                        : WEIR_COMPRESSION_NONE,
                                     .num_chunks = WEIR_CHUNKS_AUTO},
                            .policy = stream->policy, .like = images->images[0].weir,
                            .timing = {.frame_rate = {FRAME_RATE, 1}}),
        &capture);
    if (result != WEIR_OK) {
        return result;
    }
    memset(&calls, 1, sizeof(calls)); // first touch here, not in the loop
    calls.num = 0;
    const uint64_t start = weir_clock_ns(), cpu_start = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
    result = send_frames(gpu, options, images, stream->pace, capture);
    const enum weir_result closed = weir_capture_close(&capture, &stream->stats);
    stream->seconds = (double)(weir_clock_ns() - start) / 1e9;
    stream->cpu_seconds = (double)(cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_start) / 1e9;
    if (stream->file) {
        unlink(path);
    }
    stream->call = bench_times_of(calls.wall, calls.num);
    stream->cpu = bench_times_of(calls.cpu, calls.num);
    if (result == WEIR_OK && closed == WEIR_OK && stream->policy == WEIR_POLICY_WAIT &&
        stream->stats.dropped > 0) {
        cli_report_error("%" PRIu64 " of %" PRIu64 " frames were lost, though the stream waits",
                         stream->stats.dropped, stream->stats.received);
        return WEIR_ERROR_DATA;
    }
    return result != WEIR_OK ? result : closed;
}
