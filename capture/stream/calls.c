// SPDX-License-Identifier: MIT
// The calls of a capture beside frames: audio, pauses, chapters and replays. Each is checked, and
// handed to the part that it is for. The chapters that wait for the frames of their time.
#include <weir/capture.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/utf8.h"
#include "capture/stream/state.h"
#include "capture/stream/writer/writer.h"

bool weir_pending_chapters_init(struct weir_pending_chapters *chapters, struct weir_pauses *pauses)
{
    *chapters = (struct weir_pending_chapters){.pauses = pauses};
    chapters->items = calloc(WEIR_MAX_CHAPTERS, sizeof(chapters->items[0]));
    pthread_mutex_init(&chapters->lock, NULL);
    return chapters->items;
}

void weir_pending_chapters_finish(struct weir_pending_chapters *chapters)
{
    free(chapters->items);
    chapters->items = NULL;
    pthread_mutex_destroy(&chapters->lock);
}

// Add a chapter. False: there is no room; `is_first_left_out` says if it is the first one left out.
static bool add_chapter(struct weir_pending_chapters *chapters,
                        const struct weir_pending_chapter *chapter, bool *is_first_left_out)
{
    pthread_mutex_lock(&chapters->lock);
    const bool has_room = chapters->num < WEIR_MAX_CHAPTERS;
    if (has_room) {
        uint32_t place = chapters->num++;
        for (; place > 0 && chapters->items[place - 1].time_ns > chapter->time_ns; place--) {
            chapters->items[place] = chapters->items[place - 1];
        }
        chapters->items[place] = *chapter;
    }
    *is_first_left_out = !has_room && !chapters->has_left_out;
    chapters->has_left_out = chapters->has_left_out || !has_room;
    pthread_mutex_unlock(&chapters->lock);
    return has_room;
}

// The movie clock does not go back, so chapters are in the order of its times too.
static uint64_t time_in_movie(const struct weir_pending_chapters *chapters, int64_t first_ns)
{
    const int64_t movie_ns =
        weir_pauses_place_shared(chapters->pauses, chapters->items[0].time_ns).time_ns;
    return movie_ns > first_ns ? (uint64_t)movie_ns - (uint64_t)first_ns : 0;
}

bool weir_pending_chapters_next(struct weir_pending_chapters *chapters, int64_t first_ns,
                                uint64_t until_ns, struct weir_pending_chapter *chapter,
                                uint64_t *time_ns)
{
    pthread_mutex_lock(&chapters->lock);
    *time_ns = chapters->num > 0 ? time_in_movie(chapters, first_ns) : until_ns;
    const bool is_due = *time_ns < until_ns;
    if (is_due) {
        *chapter = chapters->items[0];
        chapters->num--;
        memmove(&chapters->items[0], &chapters->items[1],
                chapters->num * sizeof(chapters->items[0]));
    }
    pthread_mutex_unlock(&chapters->lock);
    return is_due;
}

// The calls.

enum weir_result weir_capture_audio(weir_capture *capture, uint32_t track, const void *samples,
                                    uint32_t num_samples, int64_t time_ns)
{
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    if (!samples) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_audio: samples is required");
    }
    if (track >= capture->params.audio.num_tracks) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_capture_audio: there is no track %u; weir_capture_params.audio has "
                         "%u, numbered from 0",
                         track, capture->params.audio.num_tracks);
    }
    const enum weir_result pushed = weir_audio_push(&capture->audio, track, samples, num_samples,
                                                    time_ns);
    const enum weir_result failure = weir_writer_failure(&capture->writer);
    return failure != WEIR_OK ? failure : pushed;
}

// Check that a pause or its end comes after the last frame, which is in the movie or left out, and
// not before the last such call.
static enum weir_result check_time(const weir_capture *capture, const char *call, int64_t time_ns)
{
    const struct weir_pauses *pauses = &capture->pauses;
    const struct weir_pause *last = pauses->num > 0 ? &pauses->items[pauses->num - 1] : NULL;
    const int64_t last_ns = !last ? INT64_MIN : pauses->is_open ? last->begin_ns : last->end_ns;
    if (capture->times.has_last && time_ns <= capture->times.last_ns) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_TIME_NOT_INCREASING,
                         "%s: time_ns %" PRId64 " is not after that of the last frame, %" PRId64
                         "; use the time of the next frame",
                         call, time_ns, capture->times.last_ns);
    }
    if (time_ns < last_ns) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_TIME_NOT_INCREASING,
                         "%s: time_ns %" PRId64 " is before that of the last %s, %" PRId64
                         "; use a clock that does not go back",
                         call, time_ns, pauses->is_open ? "pause" : "resume", last_ns);
    }
    return WEIR_OK;
}

enum weir_result weir_capture_pause(weir_capture *capture, int64_t time_ns)
{
    static const char call[] = "weir_capture_pause";
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    if (capture->pauses.is_open) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_PAUSE_STATE,
                         "%s: the capture is paused already", call);
    }
    WEIR_TRY(check_time(capture, call, time_ns));
    if (!weir_pauses_begin(&capture->pauses, time_ns)) {
        return weir_fail(&capture->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "%s: no memory for one more pause; the capture goes on", call);
    }
    return WEIR_OK;
}

enum weir_result weir_capture_resume(weir_capture *capture, int64_t time_ns)
{
    static const char call[] = "weir_capture_resume";
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    if (!capture->pauses.is_open) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_PAUSE_STATE,
                         "%s: the capture is not paused", call);
    }
    WEIR_TRY(check_time(capture, call, time_ns));
    weir_pauses_end(&capture->pauses, time_ns);
    return WEIR_OK;
}

enum weir_result weir_capture_chapter(weir_capture *capture, int64_t time_ns, const char *title)
{
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    struct weir_pending_chapter chapter = {.time_ns = time_ns};
    size_t size;
    if (!title || !weir_utf8_fit(title, WEIR_MAX_CHAPTER_TITLE, &size)) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID,
                         title ? WEIR_LOG_CODE_CHAPTER : WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_chapter: title %s",
                         title ? "is not UTF-8: convert it" : "is required; it may be empty");
    }
    memcpy(chapter.title, title, size);
    const enum weir_result failure = weir_writer_failure(&capture->writer);
    bool is_first_left_out;
    if (failure != WEIR_OK || capture->params.sink != WEIR_SINK_MOV ||
        add_chapter(&capture->chapters, &chapter, &is_first_left_out)) {
        return failure;
    }
    if (is_first_left_out) {
        weir_log_printf(&capture->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_CHAPTER,
                        "%d chapters already wait for frames of their time: further ones are "
                        "dropped until such frames come",
                        WEIR_MAX_CHAPTERS);
    }
    return WEIR_DROPPED;
}

enum weir_result weir_capture_save_replay(weir_capture *capture, const char *path, int64_t time_ns)
{
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    if (!path || !path[0]) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_save_replay: path is required");
    }
    if (!capture->replay) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_capture_save_replay: this capture keeps no replay; open it with "
                         "weir_capture_params.replay.length_ms");
    }
    return weir_replay_save(capture->replay, path,
                            weir_pauses_place_shared(&capture->pauses, time_ns).time_ns);
}

struct weir_capture_stats weir_capture_get_stats(const weir_capture *capture)
{
    return capture ? weir_stats_snapshot(&capture->stats) : (struct weir_capture_stats){0};
}

struct weir_capture_params weir_capture_get_params(const weir_capture *capture)
{
    return capture ? capture->params : (struct weir_capture_params){0};
}
