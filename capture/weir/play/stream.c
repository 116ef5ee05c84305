// SPDX-License-Identifier: MIT
// A stream, from a network or a pipe: the process that decodes reads it, in whatever container, and
// its newest frame is shown as a picture.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/base/clock.h"
#include "capture/base/size.h"
#include "capture/base/thread.h"
#include "capture/files/source/input.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/play/show.h"

struct show_stream {
    cli_source *source;
    cli_source_frame *frame;
    bool is_paced; // else the sender sets the pace
    struct weir_picture next;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock; // of what follows
    pthread_cond_t stopped;
    struct weir_picture newest;
    struct show_stream_facts facts;
    bool stops;
};

bool show_stream_is(const char *path)
{
    struct stat status;
    return strcmp(path, "-") == 0 ||
           (stat(path, &status) == 0 ? S_ISFIFO(status.st_mode) : weir_input_is_url(path));
}

// Make the next frame, and the newest of it when its time has come.
static enum weir_result make_next(struct show_stream *stream, uint64_t *start_ns, bool *end)
{
    int64_t time_ns;
    WEIR_TRY(cli_source_take(stream->source, stream->frame, &time_ns, end));
    if (*end) {
        return WEIR_OK;
    }
    WEIR_TRY(cli_source_frame_convert(stream->frame, stream->next.texels, stream->next.pitch));
    // One that is late sets the clock back.
    *start_ns = weir_max(*start_ns, weir_clock_ns() - (uint64_t)time_ns);
    const uint64_t due_ns = *start_ns + (uint64_t)time_ns;
    pthread_mutex_lock(&stream->lock);
    while (stream->is_paced && !stream->stops && weir_clock_ns() < due_ns) {
        weir_thread_wait_until(&stream->stopped, &stream->lock, due_ns);
    }
    const struct weir_picture newest = stream->next;
    stream->next = stream->newest;
    stream->newest = newest;
    stream->facts.num_frames++;
    stream->facts.time_ns = time_ns;
    *end = stream->stops;
    pthread_mutex_unlock(&stream->lock);
    return WEIR_OK;
}

static void *run(void *user)
{
    struct show_stream *stream = user;
    uint64_t start_ns = weir_clock_ns();
    bool end = false;
    while (!end && make_next(stream, &start_ns, &end) == WEIR_OK) {
    }
    pthread_mutex_lock(&stream->lock);
    stream->facts.is_over = true;
    pthread_mutex_unlock(&stream->lock);
    return NULL;
}

static bool make_picture(struct weir_picture *picture, uint32_t width, uint32_t height)
{
    *picture = (struct weir_picture){
        .width = width,
        .height = height,
        .type = WEIR_PICTURE_8,
        .pitch = weir_round_up(4 * (size_t)width, WEIR_SOURCE_ALIGNMENT)};
    picture->texels = aligned_alloc(WEIR_SOURCE_ALIGNMENT, picture->pitch * height);
    return picture->texels != NULL;
}

static enum weir_result open_stream(struct show_stream *stream, const char *path)
{
    char *paths[] = {(char *)(uintptr_t)path};
    const struct weir_source_params params = {
        .paths = paths, .num_paths = 1, .keeps_alpha = true, .memory = cli_memory_use(0, 1, 16)};
    uint64_t start_ns = 0;
    bool end;
    WEIR_TRY(cli_source_open(&params, 0, &stream->source));
    const struct weir_source_info info = cli_source_get_info(stream->source);
    WEIR_TRY(cli_source_frame_create(stream->source, &stream->frame));
    if (!make_picture(&stream->next, info.width, info.height) ||
        !make_picture(&stream->newest, info.width, info.height)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    WEIR_TRY(make_next(stream, &start_ns, &end));
    stream->is_paced = !strstr(path, ":") || strncmp(path, "http", 4) == 0;
    stream->has_thread = weir_thread_start(&stream->thread, "weir-stream", run, stream);
    return stream->has_thread ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

enum weir_result show_stream_open(struct show *show, const char *path)
{
    struct show_stream *stream = show->stream = calloc(1, sizeof(*show->stream));
    if (!stream) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_init(&stream->lock, NULL);
    weir_thread_condition_init(&stream->stopped);
    show->info.color = WEIR_PLAY_COLOR_RGBA;
    show->info.num_frames = 1;
    show->info.duration_ns = INT64_MAX;
    return open_stream(stream, path);
}

void show_stream_close(struct show_stream *stream)
{
    if (!stream) {
        return;
    }
    pthread_mutex_lock(&stream->lock);
    stream->stops = true;
    pthread_cond_signal(&stream->stopped);
    pthread_mutex_unlock(&stream->lock);
    if (stream->has_thread) {
        cli_source_stop(stream->source);
        pthread_join(stream->thread, NULL);
    }
    cli_source_frame_destroy(&stream->frame);
    cli_source_close(&stream->source);
    weir_picture_free(&stream->next);
    weir_picture_free(&stream->newest);
    pthread_cond_destroy(&stream->stopped);
    pthread_mutex_destroy(&stream->lock);
    free(stream);
}

struct show_stream_facts show_stream_get(struct show_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    const struct show_stream_facts facts = stream->facts;
    pthread_mutex_unlock(&stream->lock);
    return facts;
}

enum weir_result show_stream_frame(struct show *show)
{
    struct show_stream *stream = show->stream;
    pthread_mutex_lock(&stream->lock);
    show->info.num_frames = stream->facts.num_frames;
    show->image.frame = stream->facts.num_frames - 1;
    const enum weir_result result = show_picture(show, &stream->newest);
    pthread_mutex_unlock(&stream->lock);
    return result;
}
