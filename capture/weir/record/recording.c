// SPDX-License-Identifier: MIT
// The recording as a whole: when frames are recorded, into which takes, and when it ends.
#include "capture/weir/record/recording.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/base/clock.h"
#include "capture/base/system.h"
#include "capture/weir/record/live/page.h"

bool record_recording_init(struct record_recording *recording,
                           const struct record_settings *settings, const char *program, int wake)
{
    const uint64_t memory = weir_memory_of_machine("");
    *recording = (struct record_recording){
        .settings = settings,
        .page = recording->page,
        .first_path = settings->receiver.is_all
                          ? strdup(settings->receiver.address)
                          : record_name_first(settings->options->output, program, time(NULL)),
        .path_number = 1,
        .wake = wake,
        .most_memory = memory == UINT64_MAX ? UINT64_MAX : memory / 4 * 3,
    };
    return recording->first_path != NULL;
}

static void free_takes(struct record_take *takes)
{
    while (takes) {
        struct record_take *next = takes->next;
        record_take_destroy(takes);
        takes = next;
    }
}

void record_recording_finish(struct record_recording *recording)
{
    while (recording->windows) {
        struct record_window *next = recording->windows->next;
        free(recording->windows);
        recording->windows = next;
    }
    free_takes(recording->closed);
    recording->closed = NULL;
    free(recording->first_path);
    recording->first_path = NULL;
}

static int64_t now_ns(void)
{
    return (int64_t)weir_clock_ns();
}

// Get when --duration ends; pauses move that. INT64_MAX: it does not, or the first frame has not
// come.
static int64_t end_of_duration(const struct record_recording *recording)
{
    const uint64_t duration_ns = recording->settings->duration_ns;
    const uint64_t end_ns = (uint64_t)recording->first_ns + (uint64_t)recording->paused_ns +
                            duration_ns;
    return duration_ns > 0 && recording->has_limit && end_ns < INT64_MAX ? (int64_t)end_ns
                                                                         : INT64_MAX;
}

static bool is_too_late(const struct record_recording *recording, int64_t time_ns)
{
    const int64_t end_ns = end_of_duration(recording);
    return end_ns < INT64_MAX && time_ns >= end_ns;
}

bool record_start(struct record_recording *recording)
{
    if (recording->state == RECORD_PAUSED) {
        const int64_t now = now_ns();
        recording->paused_ns += now - recording->pause_ns;
        for (struct record_window *w = recording->windows; w; w = w->next) {
            if (w->take) {
                record_take_resume(w->take, now);
                record_take_limit_audio(w->take, end_of_duration(recording));
            }
        }
    } else if (recording->state != RECORD_WAITING && recording->state != RECORD_STOPPED) {
        return false;
    } else {
        recording->has_limit = false;
        recording->paused_ns = 0;
    }
    recording->has_begun = true;
    recording->state = RECORD_ON;
    return true;
}

bool record_pause(struct record_recording *recording)
{
    if (recording->state != RECORD_ON) {
        return false;
    }
    recording->pause_ns = now_ns();
    for (struct record_window *w = recording->windows; w; w = w->next) {
        if (w->take) {
            record_take_pause(w->take, recording->pause_ns);
        }
    }
    recording->state = RECORD_PAUSED;
    return true;
}

static int64_t earliest(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

// Get when the movie of a window ends at that time: then, with --duration, or with the window.
static int64_t end_of(const struct record_recording *recording, const struct record_window *window,
                      int64_t time_ns)
{
    const int64_t end_ns = earliest(time_ns, end_of_duration(recording));
    return window->num_streams > 0 ? end_ns : earliest(end_ns, window->left_ns);
}

// Close the movie of a window, which is recorded until a time at most.
static void close_take(struct record_recording *recording, struct record_window *window,
                       int64_t end_ns)
{
    struct record_take *take = window->take;
    window->take = NULL;
    if (take) {
        take->next = recording->closing;
        recording->closing = take;
        record_take_close(take, end_of(recording, window, end_ns));
    }
}

// Close the movies, which end at that time.
static bool stop_at(struct record_recording *recording, int64_t end_ns)
{
    if (recording->state == RECORD_STOPPED || recording->state == RECORD_OVER) {
        return false;
    }
    for (struct record_window *w = recording->windows; w; w = w->next) {
        close_take(recording, w, end_ns);
    }
    recording->state = RECORD_STOPPED;
    return true;
}

bool record_stop(struct record_recording *recording)
{
    return stop_at(recording, now_ns());
}

void record_end(struct record_recording *recording)
{
    record_stop(recording);
    recording->state = RECORD_OVER;
}

unsigned record_mark(struct record_recording *recording, const char *title)
{
    unsigned num = 0;
    for (struct record_window *w = recording->windows; w; w = w->next) {
        num += w->take && w->num_streams > 0 &&
               weir_capture_chapter(w->take->capture, now_ns(), title) == WEIR_OK;
    }
    return num;
}

unsigned record_replay(struct record_recording *recording, const char *path)
{
    unsigned num = 0;
    uint32_t number = 1;
    for (struct record_window *w = recording->windows; w; w = w->next) {
        char *name = w->take ? record_name_free(path, &number) : NULL;
        num += name && weir_capture_save_replay(w->take->capture, name,
                                                end_of(recording, w, now_ns())) == WEIR_OK;
        free(name);
    }
    return num;
}

// Close the movie of a window, and forget it.
static void forget_window(struct record_recording *recording, struct record_window **at)
{
    struct record_window *window = *at;
    close_take(recording, window, now_ns());
    *at = window->next;
    free(window);
}

// Forget the window of a connection that was left first, if one is not shown any more.
static void forget_oldest(struct record_recording *recording, uint64_t connection)
{
    struct record_window **oldest = NULL;
    for (struct record_window **at = &recording->windows; *at; at = &(*at)->next) {
        if ((*at)->connection == connection && (*at)->num_streams == 0 &&
            (!oldest || (*at)->left_ns < (*oldest)->left_ns)) {
            oldest = at;
        }
    }
    if (oldest) {
        forget_window(recording, oldest);
    }
}

struct record_window *record_window_get(struct record_recording *recording, uint64_t connection,
                                        uint64_t id, unsigned most)
{
    struct record_window **end = &recording->windows;
    unsigned num = 0;
    for (; *end; end = &(*end)->next) {
        if ((*end)->connection == connection && (*end)->id == id) {
            return *end;
        }
        num += (*end)->connection == connection;
    }
    if (num >= most) {
        forget_oldest(recording, connection);
        for (end = &recording->windows; *end; end = &(*end)->next) {
        }
    }
    struct record_window *window = calloc(1, sizeof(*window));
    if (window) {
        window->connection = connection;
        window->id = id;
        window->number = ++recording->num_windows;
        *end = window;
    }
    return window;
}

void record_window_remove_all(struct record_recording *recording, uint64_t connection)
{
    struct record_window **at = &recording->windows;
    while (*at) {
        if ((*at)->connection == connection) {
            forget_window(recording, at);
        } else {
            at = &(*at)->next;
        }
    }
}

bool record_window_any_left(const struct record_recording *recording, uint64_t connection)
{
    bool any = false, all_failed = true;
    for (const struct record_window *w = recording->windows; w; w = w->next) {
        if (w->connection == connection) {
            any = true;
            all_failed = all_failed && w->has_failed;
        }
    }
    return !any || !all_failed;
}

static void fail_window(struct record_recording *recording, struct record_window *window)
{
    recording->has_failed = true;
    window->has_failed = true;
    close_take(recording, window, now_ns());
}

// Get the take that a frame belongs to, which is begun with its first one. NULL: it is not
// recorded.
static struct record_take *take_of(struct record_recording *recording,
                                   const struct record_stream *stream, int64_t time_ns)
{
    struct record_window *window = stream->window;
    if (window->take || window->has_failed || recording->state != RECORD_ON) {
        return window->take;
    }
    char *path = recording->settings->receiver.is_all
                     ? strdup(recording->first_path)
                     : record_name_hold(recording->first_path, &recording->path_number);
    window->take = path ? record_take_open(&(struct record_take_params){
                              .settings = recording->settings,
                              .path = path,
                              .number = ++recording->num_takes,
                              .window = window->number,
                              .width = stream->width,
                              .height = stream->height,
                              .wake = recording->wake,
                              .audio = recording->audio,
                              .start_ns = time_ns,
                          })
                        : NULL;
    if (!window->take) {
        fail_window(recording, window);
    }
    return window->take;
}

// Show the small picture of a frame of the first window that is open.
static void show(const struct record_recording *recording, const struct record_stream *stream,
                 const struct record_slot *slot, const struct link_frame *frame)
{
    const struct record_window *window = recording->windows;
    while (window && window->num_streams == 0) {
        window = window->next;
    }
    if (slot && frame->has_preview && stream->window == window &&
        stream->accept.sizes[LINK_PREVIEW] > 0) {
        const uint64_t offset = stream->accept.offsets[LINK_PREVIEW];
        record_page_show(recording->page, &(const struct weir_preview_picture){
                                              .width = stream->preview_width,
                                              .height = stream->preview_height,
                                              .time_ns = frame->time_ns,
                                              .blocks = record_stream_data(stream, slot) + offset,
                                          });
    }
}

void record_frame(struct record_recording *recording, struct record_stream *stream,
                  const struct link_frame *frame, struct record_slot *slot)
{
    const bool ends = recording->state == RECORD_ON && is_too_late(recording, frame->time_ns);
    show(recording, stream, slot, frame);
    struct record_take *take = ends ? NULL : take_of(recording, stream, frame->time_ns);
    if (!take) {
        if (slot) {
            record_slot_release(slot);
        }
        if (ends) {
            record_stop(recording);
        }
        return;
    }
    const enum weir_result result = record_take_frame(
        take, &(struct weir_blocks){
                  .width = stream->width,
                  .height = stream->height,
                  .data = slot ? record_stream_data(stream, slot) : NULL,
                  .time_ns = frame->time_ns,
                  .owner = slot,
              });
    if (result == WEIR_OK && !recording->has_limit) {
        recording->has_limit = true;
        recording->first_ns = frame->time_ns;
    }
    record_take_limit_audio(take, end_of_duration(recording));
    recording->num_frames += result == WEIR_OK;
    if (result < WEIR_OK) {
        fail_window(recording, stream->window);
    } else if (recording->settings->options->frames > 0 &&
               !recording->settings->options->constant_rate &&
               take->num_frames >= recording->settings->options->frames) {
        stop_at(recording, frame->time_ns);
    }
}

// Frames of the time before the end may be on their way for a moment.
static void end_by_duration(struct record_recording *recording)
{
    const int64_t late_ns = 1000000000;
    if (recording->state == RECORD_ON && is_too_late(recording, now_ns() - late_ns)) {
        record_stop(recording);
    }
}

// Closed takes are in the order in which they began.
static void finish_take(struct record_recording *recording, struct record_take *take)
{
    struct record_take **at = &recording->closed;
    while (*at && (*at)->params.number < take->params.number) {
        at = &(*at)->next;
    }
    take->next = *at;
    *at = take;
    recording->has_failed = record_take_finish(take) < WEIR_OK || recording->has_failed;
}

void record_tick(struct record_recording *recording)
{
    end_by_duration(recording);
    struct record_take **at = &recording->closing;
    while (*at) {
        struct record_take *take = *at;
        if (!atomic_load(&take->is_closed)) {
            at = &take->next;
            continue;
        }
        *at = take->next;
        finish_take(recording, take);
    }
}
