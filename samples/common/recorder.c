// SPDX-License-Identifier: MIT
// The recording: opens a movie for each size of the picture, hands frames over, and counts.
#include "recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "process.h"
#include "report.h"

#define MAX_CALLS (1u << 18)

static int64_t now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool recorder_init(const struct gpu *gpu, const struct options *options, struct recorder *recorder)
{
    *recorder = (struct recorder){.gpu = gpu, .options = options};
    if (options->replay > 0) {
        process_note_replay();
    }
    recorder->wall = calloc(MAX_CALLS, sizeof(*recorder->wall));
    recorder->cpu = calloc(MAX_CALLS, sizeof(*recorder->cpu));
    return (recorder->wall && recorder->cpu) || report("out of memory");
}

bool recorder_finish(struct recorder *recorder)
{
    bool ok = recorder_stop(recorder);
    free(recorder->wall);
    free(recorder->cpu);
    recorder->wall = recorder->cpu = NULL;
    return ok;
}

// Put what tells movies apart between the name of the output and its ending.
static bool name_movie(const struct recorder *recorder, const char *addition, char path[4096])
{
    const char *output = recorder->options->output ? recorder->options->output
                                                   : recorder->options->default_output;
    const char *slash = strrchr(output, '/'), *dot = strrchr(output, '.');
    if (!dot || (slash && dot < slash)) {
        dot = output + strlen(output);
    }
    const int length = snprintf(path, 4096, "%.*s%s%s", (int)(dot - output), output, addition, dot);
    if (length >= 4096) {
        return report("--output is too long");
    }
    return !options_collide(path, recorder->options->picture) &&
           !options_collide(path, recorder->options->reference);
}

// FILE.mov for the first segment, FILE-2.mov for the second.
static bool name_segment(struct recorder *recorder)
{
    char count[16] = "";
    if (recorder->num_segments > 0) {
        snprintf(count, sizeof(count), "-%" PRIu32, recorder->num_segments + 1);
    }
    return name_movie(recorder, count, recorder->path);
}

bool recorder_save_replay(struct recorder *recorder)
{
    char path[4096], count[32];
    snprintf(count, sizeof(count), "-replay-%" PRIu32, recorder->num_replays + 1);
    if (!recorder->capture || !name_movie(recorder, count, path)) {
        return report("no replay is saved while nothing is recorded");
    }
    const enum weir_result result = weir_capture_save_replay(recorder->capture, path);
    if (result == WEIR_NOT_READY) {
        return report("no replay is saved: there is no frame, or another one is being written");
    }
    ++recorder->num_replays;
    return weir_ok(result, path);
}

// 0 is never on the command line, and the default in the params.
static uint32_t sync_ms(float seconds)
{
    return seconds == 0 ? WEIR_SYNC_NEVER : seconds < 0.001f ? 1 : (uint32_t)(seconds * 1000);
}

// Blocks of BC7 keep up with a renderer at the least effort only.
static enum weir_effort effort_of(enum weir_movie_codec codec)
{
    return codec == WEIR_MOVIE_CODEC_HAP_R ? WEIR_EFFORT_FAST : WEIR_EFFORT_DEFAULT;
}

bool recorder_start(struct recorder *recorder, const weir_image *like)
{
    const struct options *options = recorder->options;
    if (!name_segment(recorder)) {
        return false;
    }
    const uint32_t fps = options->fps ? options->fps : 60, max_rate = options->max_rate;
    const bool is_limited = max_rate > 0 && (options->fps == 0 || max_rate < fps);
    const struct weir_capture_params *params = weir_capture_params(
            .path = recorder->path, .sink = options->sink, .codec = options->codec,
            .effort = effort_of(options->codec), .compression = options->compression,
            .policy = options->policy, .like = like, .frame_rate_num = is_limited ? max_rate : fps,
            .frame_rate_den = 1, .max_rate_num = max_rate, .max_rate_den = max_rate > 0,
            .constant_rate = options->constant_rate, .timecode = options->timecode,
            .sync_ms = sync_ms(options->sync), .replay_ms = (uint32_t)(options->replay * 1000),
            .sidecar = options->sidecar, .steady = options->steady, .quality = options->quality,
            .rate = options->rate, .segment_ms = options->segment_ms,
            .segment_bytes = options->segment_bytes);
    if (!weir_ok(weir_capture_open(recorder->gpu->weir, params, &recorder->capture),
                 recorder->path)) {
        return false;
    }
    ++recorder->num_segments;
    recorder->is_paused = false;
    if (recorder->number == 0) {
        recorder->begin_ns = now(CLOCK_MONOTONIC);
    }
    return true;
}

static void add_quality(struct weir_quality_stats *sum, const struct weir_quality_stats *quality)
{
    const uint64_t frames = sum->frames + quality->frames;
    if (quality->frames == 0) {
        return;
    }
    sum->mean_db = (sum->mean_db * (double)sum->frames +
                    quality->mean_db * (double)quality->frames) /
                   (double)frames;
    sum->least = sum->frames == 0 || quality->least < sum->least ? quality->least : sum->least;
    sum->most = quality->most > sum->most ? quality->most : sum->most;
    sum->last = quality->last;
    sum->frames = frames;
}

static void add_stats(struct weir_capture_stats *sum, const struct weir_capture_stats *stats)
{
    sum->received += stats->received;
    sum->written += stats->written;
    sum->dropped += stats->dropped;
    for (int i = 0; i < WEIR_MAX_DROP_REASONS; ++i) {
        sum->dropped_by_reason[i] += stats->dropped_by_reason[i];
    }
    sum->skipped += stats->skipped;
    sum->in_flight += stats->in_flight;
    sum->repeated += stats->repeated;
    sum->bytes += stats->bytes;
    sum->gpu_ns += stats->gpu_ns;
    sum->host_ns += stats->host_ns;
    sum->host_max_ns = stats->host_max_ns > sum->host_max_ns ? stats->host_max_ns
                                                             : sum->host_max_ns;
    sum->wait_ns += stats->wait_ns;
    sum->degrade.changes += stats->degrade.changes;
    sum->replay.written += stats->replay.written;
    sum->replay.failed += stats->replay.failed;
    sum->degrade.half_rate_skipped += stats->degrade.half_rate_skipped;
    sum->segments += stats->segments;
    add_quality(&sum->quality, &stats->quality);
}

bool recorder_goes_on(const struct recorder *recorder)
{
    return recorder->options->segment_ms > 0 || recorder->options->segment_bytes > 0;
}

bool recorder_stop(struct recorder *recorder)
{
    if (!recorder->capture) {
        return true;
    }
    struct weir_capture_stats stats = {0};
    enum weir_result result = weir_capture_close(&recorder->capture, &stats);
    add_stats(&recorder->closed, &stats);
    recorder->end_ns = now(CLOCK_MONOTONIC);
    if (!weir_ok(result, recorder->path)) {
        return false;
    }
    return recorder->options->policy != WEIR_POLICY_WAIT || stats.dropped == 0 ||
           report("%s lacks %" PRIu64 " of %" PRIu64 " frames", recorder->path, stats.dropped,
                  stats.received);
}

bool recorder_pause(struct recorder *recorder, bool pauses)
{
    if (!recorder->capture || recorder->is_paused == pauses) {
        return true;
    }
    const int64_t time_ns = recorder_time(recorder);
    const enum weir_result result = pauses ? weir_capture_pause(recorder->capture, time_ns)
                                           : weir_capture_resume(recorder->capture, time_ns);
    recorder->is_paused = result == WEIR_OK ? pauses : recorder->is_paused;
    return weir_ok(result, recorder->path);
}

int64_t recorder_time(const struct recorder *recorder)
{
    const uint32_t fps = recorder->options->fps;
    if (fps) {
        return (int64_t)(recorder->number * 1000000000 / fps);
    }
    return now(CLOCK_MONOTONIC) - recorder->begin_ns;
}

bool recorder_frame(struct recorder *recorder, const struct weir_frame *frame,
                    struct weir_point *released)
{
    const uint64_t call = recorder->num_calls++ % MAX_CALLS;
    const int64_t wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
    enum weir_result result = weir_capture_frame(recorder->capture, frame, released);
    recorder->cpu[call] = (uint32_t)(now(CLOCK_THREAD_CPUTIME_ID) - cpu);
    const int64_t spent = now(CLOCK_MONOTONIC) - wall;
    recorder->wall[call] = spent > UINT32_MAX ? UINT32_MAX : (uint32_t)spent;
    ++recorder->number;
    if (recorder->options->replay > 0 && process_wants_replay()) {
        recorder_save_replay(recorder); // what fails of it is told, and ends nothing
    }
    return weir_ok(result, recorder->path);
}

struct weir_capture_stats recorder_stats(struct recorder *recorder)
{
    struct weir_capture_stats sum = recorder->closed, open;
    if (recorder->capture) {
        open = weir_capture_get_stats(recorder->capture);
        add_stats(&sum, &open);
    }
    return sum;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void print_cost(const char *name, uint32_t *costs, uint64_t num)
{
    qsort(costs, num, sizeof(*costs), ascending);
    printf("  %-10s median %.1f us, p99.9 %.1f us, max %.1f us\n", name,
           costs[(num - 1) / 2] * 1e-3, costs[(num - 1) * 999 / 1000] * 1e-3,
           costs[num - 1] * 1e-3);
}

void recorder_print(struct recorder *recorder)
{
    const struct weir_capture_stats stats = recorder_stats(recorder);
    const uint64_t num = recorder->num_calls < MAX_CALLS ? recorder->num_calls : MAX_CALLS;
    const double seconds = (double)(recorder->end_ns - recorder->begin_ns) * 1e-9;
    if (num == 0) {
        return;
    }
    printf("frames received %" PRIu64 ", written %" PRIu64 ", dropped %" PRIu64
           " (ring full %" PRIu64 ", time %" PRIu64 ", sink %" PRIu64 ", device %" PRIu64
           "), skipped %" PRIu64 ", repeated %" PRIu64 "\n",
           stats.received, stats.written, stats.dropped,
           stats.dropped_by_reason[WEIR_DROP_RING_FULL], stats.dropped_by_reason[WEIR_DROP_TIME],
           stats.dropped_by_reason[WEIR_DROP_SINK], stats.dropped_by_reason[WEIR_DROP_DEVICE],
           stats.skipped, stats.repeated);
    const uint64_t num_segments = recorder_goes_on(recorder) ? stats.segments
                                                             : recorder->num_segments;
    printf("bytes %" PRIu64 " in %" PRIu64 " segment%s, %.1f MB/s, %.1f frames/s over %.2f s\n",
           stats.bytes, num_segments, num_segments == 1 ? "" : "s",
           (double)stats.bytes * 1e-6 / seconds, (double)stats.received / seconds, seconds);
    if (recorder->num_replays > 0) {
        printf("replays written %" PRIu64 ", failed %" PRIu64 "\n", stats.replay.written,
               stats.replay.failed);
    }
    if (stats.degrade.changes > 0) {
        printf("degraded: %" PRIu64 " changes, %" PRIu64 " frames skipped for half the rate\n",
               stats.degrade.changes, stats.degrade.half_rate_skipped);
    }
    if (stats.quality.frames > 0) {
        printf("%.2f dB, quality %.1f to %.1f\n", stats.quality.mean_db, stats.quality.least,
               stats.quality.most);
    }
    if (stats.written > 0 && stats.gpu_ns > 0) {
        printf("GPU time a frame for encoding: %.1f us\n",
               (double)stats.gpu_ns * 1e-3 / (double)stats.written);
    }
    printf("the render thread's cost of weir_capture_frame(), slept %.1f ms for free slots:\n",
           (double)stats.wait_ns * 1e-6);
    print_cost("wall clock", recorder->wall, num);
    print_cost("CPU", recorder->cpu, num);
}
