// SPDX-License-Identifier: MIT
// A take: what is recorded of a window from a start to the next stop, and becomes a movie.
#include "capture/weir/record/recording.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/posix/place.h"
#include "capture/base/thread.h"
#include "capture/weir/common/report.h"

static void wake_up(int wake)
{
    const uint64_t one = 1;
    // It can only fail where the counter is full, and then the other side wakes up anyway.
    (void)!write(wake, &one, sizeof(one));
}

static void release(void *user, void *owner)
{
    const struct record_take *take = user;
    record_slot_release(owner);
    wake_up(take->params.wake);
}

// A name that was held for a movie that is not made.
static void drop_name(const struct record_take_params *params)
{
    if (!params->settings->receiver.is_all) {
        record_name_drop(params->path);
    }
}

static void start_audio(struct record_take *take)
{
    const struct record_take_params *params = &take->params;
    take->feed = params->audio ? record_feed_start(params->audio, take->capture, params->start_ns)
                               : NULL;
    if (params->audio && !take->feed) {
        cli_report_warning("%s has no audio: no thread can be started for it", take->params.path);
    }
}

// A receiver that does not take the last packets does not hold up the end for ever.
static bool is_late(void *user)
{
    struct record_take *take = user;
    const int64_t closing_ns = atomic_load(&take->closing_ns);
    return closing_ns > 0 && (int64_t)weir_clock_ns() - closing_ns > 2000000000;
}

struct record_take *record_take_open(const struct record_take_params *params)
{
    struct record_take *take = calloc(1, sizeof(*take));
    struct weir_capture_params capture = params->settings->capture;
    capture.path = params->path;
    capture.audio.tracks = &record_feed_track;
    capture.audio.num_tracks = params->audio ? 1 : 0;
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    const unsigned num_errors = cli_report_num_errors();
    if (take) {
        take->params = *params;
        take->keeps_segments = capture.segments.length_ms > 0 || capture.segments.max_bytes > 0;
        const struct cli_receiver *receiver = &params->settings->receiver;
        result = cli_receiver_open(receiver, true, is_late, take, &capture, &take->receiver);
    }
    if (result == WEIR_OK) {
        result = weir_capture_open_blocks(&(struct weir_blocks_params){.width = params->width,
                                                                       .height = params->height,
                                                                       .release = release,
                                                                       .user = take,
                                                                       .log = cli_log},
                                          &capture, &take->capture);
    }
    if (result == WEIR_OK) {
        start_audio(take);
        return take;
    }
    cli_report_no_memory(result, num_errors);
    drop_name(params);
    if (take) {
        record_take_destroy(take);
    } else {
        free(params->path);
    }
    return NULL;
}

enum weir_result record_take_frame(struct record_take *take, const struct weir_blocks *blocks)
{
    const enum weir_result result = weir_capture_blocks(take->capture, blocks);
    if (result == WEIR_OK) {
        take->first_ns = take->num_frames == 0 ? blocks->time_ns : take->first_ns;
        take->num_frames++;
        take->params.width = blocks->width;
        take->params.height = blocks->height;
    } else if (blocks->owner) {
        record_slot_release(blocks->owner);
        wake_up(take->params.wake);
    }
    if (result >= WEIR_OK && blocks->time_ns > take->last_ns) {
        take->last_ns = blocks->time_ns;
    }
    if (result < WEIR_OK && take->result == WEIR_OK) {
        take->result = result;
    }
    return result;
}

// Times of pauses lie behind the last frame, which a program may say to be in the future.
static int64_t pause_time(const struct record_take *take, int64_t now_ns)
{
    return now_ns > take->last_ns ? now_ns : take->last_ns + 1;
}

void record_take_pause(struct record_take *take, int64_t now_ns)
{
    const int64_t time_ns = pause_time(take, now_ns);
    if (!take->is_paused && weir_capture_pause(take->capture, time_ns) == WEIR_OK) {
        take->is_paused = true;
        take->pause_ns = time_ns;
    }
}

void record_take_resume(struct record_take *take, int64_t now_ns)
{
    const int64_t time_ns = pause_time(take, now_ns);
    if (take->is_paused && weir_capture_resume(take->capture, time_ns) == WEIR_OK) {
        take->is_paused = false;
        take->pauses_ns += time_ns - take->pause_ns;
    }
}

static void *run_closer(void *user)
{
    struct record_take *take = user;
    const int wake = take->params.wake;
    record_feed_end(take->feed, take->end_ns);
    atomic_store(&take->closing_ns, (int64_t)weir_clock_ns());
    const enum weir_result result = weir_capture_close_at(&take->capture, take->end_ns,
                                                          &take->stats);
    take->sent = cli_receiver_close(&take->receiver);
    take->result = take->result == WEIR_OK ? result : take->result;
    atomic_store(&take->is_closed, true);
    wake_up(wake);
    return NULL;
}

void record_take_limit_audio(struct record_take *take, int64_t end_ns)
{
    record_feed_limit(take->feed, end_ns);
}

void record_take_close(struct record_take *take, int64_t end_ns)
{
    take->end_ns = end_ns;
    take->has_closer = weir_thread_start(&take->closer, "weir-close", run_closer, take);
    if (!take->has_closer) {
        run_closer(take);
    }
}

// A movie of one segment gets the name that was asked for. After WEIR_ERROR_IO another program may
// have put a file in the segment's place.
static void name_single(struct record_take *take)
{
    char *segment = record_name_segment(take->params.path);
    if (!segment) {
        return;
    }
    const bool is_certain = take->result != WEIR_ERROR_IO;
    const int error = is_certain ? weir_place_rename(AT_FDCWD, segment, take->params.path) : 0;
    if (is_certain && error == 0) {
        free(segment);
        return;
    }
    cli_report_warning("%s stays under that name: %s", segment,
                       is_certain ? strerror(error) : "it may be another program's");
    free(take->params.path);
    take->params.path = segment;
}

enum weir_result record_take_finish(struct record_take *take)
{
    if (take->has_closer) {
        pthread_join(take->closer, NULL);
        take->has_closer = false;
    }
    if (take->stats.written == 0) {
        drop_name(&take->params);
    } else if (take->stats.segments == 1 && !take->keeps_segments) {
        name_single(take);
    }
    return take->result;
}

void record_take_destroy(struct record_take *take)
{
    if (take) {
        cli_receiver_close(&take->receiver);
        free(take->params.path);
        free(take);
    }
}
