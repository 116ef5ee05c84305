// SPDX-License-Identifier: MIT
// The replay: a sink around another one that keeps the last seconds of what goes through it in
// memory, and writes them to a movie of their own when asked, on a thread of its own.
#include "capture/stream/mux/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/base/thread.h"
#include "capture/stream/clock/clock.h"

// Sound is written a tenth of a second behind its frames or more.
#define PATIENCE_NS 1000000000u

// Tell why a packet found no room: it is larger than the memory, or the replay that is being
// written takes the room.
static void tell_no_room(const struct weir_replay *replay, const struct weir_mux_packet *packet)
{
    if (weir_replay_record_room(packet) > replay->memory.size) {
        weir_log_printf(&replay->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_REPLAY_MEMORY,
                        "from " WEIR_SECONDS_FORMAT " on replays lack frames: one takes %" PRIu32
                        " bytes, and the memory of the replay is %" PRIu64
                        ". Remedy: more memory for it, or smaller frames",
                        WEIR_SECONDS(packet->time_ns), packet->size, replay->memory.size);
        return;
    }
    weir_log_printf(&replay->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_REPLAY_BEHIND,
                    "the replay that is being written leaves no room for %" PRIu32
                    " bytes of its %" PRIu64
                    ": the next one will have a gap from " WEIR_SECONDS_FORMAT
                    " on until there is room. Remedy: more memory for it, or a faster disk",
                    packet->size, replay->memory.size, WEIR_SECONDS(packet->time_ns));
}

// Keep a copy of what went to the sink inside.
static void keep(struct weir_replay *replay, const struct weir_mux_packet *packet)
{
    pthread_mutex_lock(&replay->mutex);
    uint8_t *room = weir_replay_memory_reserve(&replay->memory, packet);
    const bool tells = !room && !replay->has_told_no_room;
    replay->has_told_no_room = replay->has_told_no_room || tells;
    pthread_mutex_unlock(&replay->mutex);
    if (room) {
        memcpy(room, packet->data, packet->size); // nobody else looks at it before it is added
        pthread_mutex_lock(&replay->mutex);
        weir_replay_memory_add(&replay->memory);
        pthread_cond_signal(&replay->changed);
        pthread_mutex_unlock(&replay->mutex);
    } else {
        weir_counts_change(&replay->stats->writer, WEIR_COUNT(replay.missed), 1);
    }
    if (tells) {
        tell_no_room(replay, packet);
    }
}

// Forget what no movie can hold beside a frame.
static void forget_foreign(struct weir_replay *replay, const struct weir_mux_packet *packet)
{
    if (packet->format.number == replay->format &&
        packet->time_ns - replay->last_ns <= replay->movie.max_gap_ns) {
        return;
    }
    pthread_mutex_lock(&replay->mutex);
    weir_replay_memory_forget(&replay->memory);
    if (packet->format.number != replay->format) {
        replay->format = packet->format.number;
        replay->has_told_no_room = false;
    }
    pthread_mutex_unlock(&replay->mutex);
}

// Get when samples end, since the recording's first frame.
static uint64_t end_ns_of(const struct weir_replay *replay, const struct weir_mux_packet *samples)
{
    const uint64_t end = samples->ticks + samples->num_samples;
    const uint32_t rate = replay->tracks[samples->track - 1].sample_rate;
    return replay->origin_ns + weir_scale(end, 1000000000u, rate);
}

static enum weir_result write_replay(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    struct weir_replay *replay = (struct weir_replay *)mux;
    struct weir_mux_packet kept = *packet;
    const enum weir_result result = replay->inner->ops->write(replay->inner, packet);
    if (!replay->has_begun) {
        replay->has_begun = true;
        replay->origin_ns = replay->last_ns = packet->time_ns;
    }
    if (result != WEIR_OK) {
        return result;
    }
    if (packet->track > 0) {
        kept.time_ns = end_ns_of(replay, packet);
    } else {
        forget_foreign(replay, packet);
        replay->last_ns = packet->time_ns;
    }
    keep(replay, &kept);
    return WEIR_OK;
}

// Replays have no chapters: the recording has them.
static void write_chapter_replay(struct weir_mux *mux, const struct weir_mux_chapter *chapter)
{
    const struct weir_replay *replay = (const struct weir_replay *)mux;
    if (replay->inner->ops->write_chapter) {
        replay->inner->ops->write_chapter(replay->inner, chapter);
    }
}

static void end_replay(struct weir_mux *mux, uint64_t ticks)
{
    const struct weir_replay *replay = (struct weir_replay *)mux;
    if (replay->inner->ops->end) {
        replay->inner->ops->end(replay->inner, ticks);
    }
}

static void write_asked(struct weir_replay *replay)
{
    uint64_t num_frames = 0;
    const enum weir_result result = weir_replay_write_movie(replay, &num_frames);
    if (result == WEIR_OK) {
        weir_log_printf(&replay->log, WEIR_LOG_INFO, WEIR_LOG_CODE_REPLAY_WRITTEN,
                        "the replay '%s' is written: %" PRIu64 " frame%s", replay->path, num_frames,
                        num_frames == 1 ? "" : "s");
    } else {
        weir_log_printf(&replay->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_REPLAY_FAILED,
                        "the replay '%s' was not written (%s), and nothing is left of it; the "
                        "recording goes on",
                        replay->path, weir_result_name(result));
    }
    weir_counts_change(&replay->stats->replay,
                       result == WEIR_OK ? WEIR_COUNT(replay.written) : WEIR_COUNT(replay.failed),
                       1);
}

static void *run(void *user)
{
    struct weir_replay *replay = user;
    pthread_mutex_lock(&replay->mutex);
    for (;;) {
        while (!replay->path && !replay->is_ended) {
            pthread_cond_wait(&replay->changed, &replay->mutex);
        }
        if (!replay->path) {
            break;
        }
        pthread_mutex_unlock(&replay->mutex);
        write_asked(replay);
        pthread_mutex_lock(&replay->mutex);
        free(replay->path);
        replay->path = NULL;
        replay->memory.pin = UINT64_MAX;
    }
    pthread_mutex_unlock(&replay->mutex);
    return NULL;
}

// Get when a movie ends that was asked for at a time by the movie clock.
static uint64_t find_end(const struct weir_replay *replay, int64_t clock_ns)
{
    const uint64_t newest_ns = replay->memory.newest_ns;
    const uint64_t end_ns = clock_ns > *replay->first_ns
                                ? (uint64_t)clock_ns - (uint64_t)*replay->first_ns
                                : 0;
    const struct weir_mux_params *movie = &replay->movie;
    return end_ns > newest_ns
               ? end_ns
               : newest_ns + movie->rate_den * UINT64_C(1000000000) / movie->rate_num;
}

enum weir_result weir_replay_save(struct weir_replay *replay, const char *path, int64_t clock_ns)
{
    char *copy = strdup(path);
    if (!copy) {
        return weir_fail(&replay->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory to save a replay");
    }
    pthread_mutex_lock(&replay->mutex);
    const bool is_taken = !replay->path && replay->memory.has_frame;
    if (is_taken) {
        replay->path = copy;
        replay->memory.pin = replay->memory.oldest;
        replay->has_told_no_room = false;
        replay->asked_head = replay->memory.head;
        replay->asked_ns = replay->memory.newest_ns;
        replay->end_ns = find_end(replay, clock_ns);
        pthread_cond_signal(&replay->changed);
    }
    pthread_mutex_unlock(&replay->mutex);
    if (!is_taken) {
        free(copy);
    }
    return is_taken ? WEIR_OK : WEIR_NOT_READY;
}

static void destroy(struct weir_replay *replay)
{
    weir_replay_memory_finish(&replay->memory);
    pthread_cond_destroy(&replay->changed);
    pthread_mutex_destroy(&replay->mutex);
    free(replay);
}

static void stop(struct weir_replay *replay)
{
    pthread_mutex_lock(&replay->mutex);
    replay->is_ended = true;
    pthread_cond_signal(&replay->changed);
    pthread_mutex_unlock(&replay->mutex);
    pthread_join(replay->thread, NULL);
}

// The recording comes first.
static enum weir_result close_replay(struct weir_mux *mux)
{
    struct weir_replay *replay = (struct weir_replay *)mux;
    const enum weir_result result = replay->inner->ops->close(replay->inner);
    stop(replay);
    destroy(replay);
    return result;
}

static struct weir_mux_span span_of_replay(const struct weir_mux *mux, uint32_t track)
{
    return weir_mux_audio_span(((const struct weir_replay *)mux)->inner, track);
}

static const struct weir_mux_ops replay_ops = {
    .write = write_replay,
    .write_chapter = write_chapter_replay,
    .end = end_replay,
    .close = close_replay,
    .audio_span = span_of_replay,
};

// What a movie of the replay is opened with: as the recording, but whole or not at all, and without
// its time code.
static void describe_movie(struct weir_replay *replay, const struct weir_mux_params *mux)
{
    replay->movie = *mux;
    replay->movie.path = NULL;
    replay->movie.is_atomic = true;
    replay->movie.audio_tracks = replay->tracks;
    replay->movie.timecode = (struct weir_timecode){.frames_per_second = 0};
    for (uint32_t i = 0; i < mux->num_audio_tracks; i++) {
        replay->tracks[i] = mux->audio_tracks[i];
    }
}

static enum weir_result no_memory(const struct weir_log *log, uint64_t size)
{
    return weir_fail(log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                     "there is no thread, or no %" PRIu64
                     " MiB of memory, for the replay; give it less",
                     size >> 20);
}

enum weir_result weir_replay_open(const struct weir_replay_params *params,
                                  const struct weir_mux_ops *inner,
                                  const struct weir_mux_params *mux, struct weir_mux **out)
{
    struct weir_replay *replay = calloc(1, sizeof(*replay));
    if (!replay) {
        return no_memory(&mux->log, params->size);
    }
    replay->base.ops = &replay_ops;
    replay->stats = params->stats;
    replay->log = mux->log;
    replay->patience_ns = params->patience_ns > 0 ? params->patience_ns : PATIENCE_NS;
    replay->first_ns = params->first_ns;
    replay->constant_ticks = params->constant_ticks;
    describe_movie(replay, mux);
    pthread_mutex_init(&replay->mutex, NULL);
    weir_thread_condition_init(&replay->changed);
    if (!weir_replay_memory_init(&replay->memory, params->size, params->window_ns) ||
        !weir_thread_start(&replay->thread, "weir-replay", run, replay)) {
        destroy(replay);
        return no_memory(&mux->log, params->size);
    }
    const enum weir_result result = inner->open(mux, &replay->inner);
    if (result != WEIR_OK) {
        stop(replay);
        destroy(replay);
        return result;
    }
    *out = &replay->base;
    return WEIR_OK;
}
