// SPDX-License-Identifier: MIT
// The recording: opens a movie for each size of the picture, and hands frames over.
#include "loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "report.h"

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void recorder_init(const struct gpu *gpu, const struct sample *sample, struct recorder *recorder)
{
    *recorder = (struct recorder){.gpu = gpu, .sample = sample};
    if (sample->options.capture.replay.length_ms > 0) {
        process_note_replay();
    }
}

// Put what tells movies apart between the name of the output and its ending.
static bool name_movie(const struct recorder *recorder, const char *addition, char path[4096])
{
    const char *output = recorder->sample->options.output
                             ? recorder->sample->options.output
                             : recorder->sample->options.default_output;
    const char *slash = strrchr(output, '/'), *dot = strrchr(output, '.');
    if (!dot || (slash && dot < slash)) {
        dot = output + strlen(output);
    }
    const int length = snprintf(path, 4096, "%.*s%s%s", (int)(dot - output), output, addition, dot);
    if (length >= 4096) {
        return report("--output is too long");
    }
    return !options_collide(path, recorder->sample->options.picture);
}

bool recorder_start(struct recorder *recorder, const weir_image *like)
{
    const uint32_t fps = recorder->sample->options.fps;
    struct weir_capture_params params = recorder->sample->options.capture;
    char count[16] = ""; // FILE.mov for the first movie, FILE-2.mov for the second
    if (recorder->num_movies > 0) {
        snprintf(count, sizeof(count), "-%" PRIu32, recorder->num_movies + 1);
    }
    if (!name_movie(recorder, count, recorder->path)) {
        return false;
    }
    const bool is_limited = params.timing.max_rate.num > 0 &&
                            (fps == 0 || params.timing.max_rate.num < fps);
    params.path = recorder->path;
    params.like = like;
    params.timing.frame_rate = (struct weir_ratio){is_limited ? params.timing.max_rate.num
                                                   : fps      ? fps
                                                              : 60,
                                                   1};
    if (!weir_ok(weir_capture_open(recorder->gpu->weir, &params, &recorder->capture),
                 recorder->path)) {
        return false;
    }
    ++recorder->num_movies;
    recorder->is_paused = false;
    recorder->opened_ns = now();
    if (recorder->number == 0) {
        recorder->begin_ns = recorder->opened_ns;
    }
    return true;
}

bool recorder_goes_on(const struct recorder *recorder)
{
    const struct weir_capture_params *params = &recorder->sample->options.capture;
    return params->segments.length_ms > 0 || params->segments.max_bytes > 0;
}

static void print(const struct weir_capture_stats *stats, double seconds)
{
    const uint64_t *dropped = stats->dropped_by_reason;
    printf("frames received %" PRIu64 ", written %" PRIu64 ", dropped %" PRIu64
           " (ring full %" PRIu64 ", time %" PRIu64 ", sink %" PRIu64 ", device %" PRIu64
           "), skipped %" PRIu64 ", repeated %" PRIu64 "\n",
           stats->received, stats->written, stats->dropped, dropped[WEIR_DROP_RING_FULL],
           dropped[WEIR_DROP_TIME], dropped[WEIR_DROP_SINK], dropped[WEIR_DROP_DEVICE],
           stats->skipped, stats->repeated);
    const uint64_t num_segments = stats->segments > 0 ? stats->segments : 1;
    printf("bytes %" PRIu64 " in %" PRIu64 " segment%s, %.1f MB/s, %.1f frames/s over %.2f s\n",
           stats->bytes, num_segments, num_segments == 1 ? "" : "s",
           (double)stats->bytes * 1e-6 / seconds, (double)stats->received / seconds, seconds);
    if (stats->replay.written + stats->replay.failed > 0) {
        printf("replays written %" PRIu64 ", failed %" PRIu64 "\n", stats->replay.written,
               stats->replay.failed);
    }
    if (stats->quality.frames > 0) {
        printf("%.2f dB, quality %.1f to %.1f\n", stats->quality.mean_db, stats->quality.least,
               stats->quality.most);
    }
    if (stats->written > 0 && stats->gpu_ns > 0) {
        printf("GPU time a frame for encoding: %.1f us\n",
               (double)stats->gpu_ns * 1e-3 / (double)stats->written);
    }
}

bool recorder_stop(struct recorder *recorder)
{
    if (!recorder->capture) {
        return true;
    }
    struct weir_capture_stats stats = {0};
    // The last picture is shown until now.
    const enum weir_result result = weir_capture_close_at(&recorder->capture,
                                                          recorder_time(recorder), &stats);
    if (stats.received > 0) {
        print(&stats, (double)(now() - recorder->opened_ns) * 1e-9);
    }
    if (!weir_ok(result, recorder->path)) {
        return false;
    }
    return recorder->sample->options.capture.policy != WEIR_POLICY_WAIT || stats.dropped == 0 ||
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
    const uint32_t fps = recorder->sample->options.fps;
    return fps ? (int64_t)(recorder->number * 1000000000 / fps) : now() - recorder->begin_ns;
}

bool recorder_frame(struct recorder *recorder, const struct weir_frame *frame,
                    struct weir_point *released)
{
    const struct sample *sample = recorder->sample;
    const enum weir_result result = sample->hand_over
                                        ? sample->hand_over(sample->state, recorder->capture, frame,
                                                            released)
                                        : weir_capture_frame(recorder->capture, frame, released);
    ++recorder->number;
    if (recorder->sample->options.capture.replay.length_ms > 0 && process_wants_replay()) {
        recorder_save_replay(recorder); // what fails of it is told, and ends nothing
    }
    return weir_ok(result, recorder->path);
}

bool recorder_save_replay(struct recorder *recorder)
{
    char path[4096], count[32];
    snprintf(count, sizeof(count), "-replay-%" PRIu32, recorder->num_replays + 1);
    if (!recorder->capture || !name_movie(recorder, count, path)) {
        return report("no replay is saved while nothing is recorded");
    }
    const enum weir_result result = weir_capture_save_replay(recorder->capture, path,
                                                             recorder_time(recorder));
    if (result == WEIR_NOT_READY) {
        return report("no replay is saved: there is no frame, or another one is being written");
    }
    ++recorder->num_replays;
    return weir_ok(result, path);
}
