// SPDX-License-Identifier: MIT
// The movie of a replay: the last seconds before the time until which it was asked for, with the
// sound of that time.
#include <time.h>

#include "capture/base/clock.h"
#include "capture/base/size.h"
#include "capture/base/thread.h"
#include "capture/stream/audio/audio.h"
#include "capture/stream/clock/clock.h"
#include "capture/stream/mux/replay.h"

struct movie {
    struct weir_replay *replay;
    struct weir_mux *mux;
    uint64_t begin_ns, begin_ticks;            // in the recording
    uint64_t begins[WEIR_MAX_AUDIO_TRACKS];    // of sound, in the recording's samples
    uint64_t positions[WEIR_MAX_AUDIO_TRACKS]; // where the next samples go
    uint64_t ends[WEIR_MAX_AUDIO_TRACKS];      // where sound ends
    uint64_t num_frames;
};

static uint64_t position_of(const struct weir_replay *replay, uint32_t track, uint64_t time_ns)
{
    return (uint64_t)weir_audio_position((int64_t)(time_ns - replay->origin_ns),
                                         replay->tracks[track].sample_rate);
}

static const struct weir_replay_record *record_at(struct weir_replay *replay, uint64_t *offset)
{
    pthread_mutex_lock(&replay->mutex);
    const struct weir_replay_record *record = weir_replay_memory_at(&replay->memory, offset);
    pthread_mutex_unlock(&replay->mutex);
    return record;
}

// True if memory has the sound from a frame on. `firsts`: the first sample of each track there.
static bool has_sound(const struct weir_replay *replay, const uint64_t *firsts, uint64_t frame_ns)
{
    bool has_all = true;
    for (uint32_t i = 0; i < replay->movie.num_audio_tracks; i++) {
        has_all = has_all && position_of(replay, i, frame_ns) >= firsts[i];
    }
    return has_all;
}

// Let a movie begin where the last seconds do, at a constant rate on a point.
static void place_begin(struct movie *movie)
{
    const struct weir_replay *replay = movie->replay;
    const uint64_t window_ns = replay->memory.window_ns;
    const uint64_t begin_ns = replay->end_ns > window_ns ? replay->end_ns - window_ns : 0;
    const uint32_t ticks_per_second = replay->movie.ticks_per_second;
    movie->begin_ticks = weir_ticks_from_ns(begin_ns, ticks_per_second);
    if (replay->constant_ticks > 0) {
        movie->begin_ticks -= movie->begin_ticks % replay->constant_ticks;
    }
    movie->begin_ns = weir_ticks_to_ns(movie->begin_ticks, ticks_per_second);
}

// Find the first frame that is shown in the last seconds and has its sound; if none has, the first
// one. NULL: there is no frame.
static const struct weir_replay_record *find_first(const struct movie *movie, uint64_t pin)
{
    struct weir_replay *replay = movie->replay;
    const struct weir_replay_record *record, *first = NULL;
    uint64_t from = pin;
    uint64_t firsts[WEIR_MAX_AUDIO_TRACKS] = {0};
    bool has_first[WEIR_MAX_AUDIO_TRACKS] = {false};
    for (uint64_t at = pin; (record = record_at(replay, &at)) && at < replay->asked_head;
         at += record->room) {
        const unsigned track = record->packet.track;
        if (track > 0 && !has_first[track - 1]) {
            has_first[track - 1] = true;
            firsts[track - 1] = record->packet.ticks;
        }
        from = track == 0 && record->packet.ticks <= movie->begin_ticks ? at : from;
    }
    for (uint64_t at = from; (record = record_at(replay, &at)) && at < replay->asked_head;
         at += record->room) {
        if (record->packet.track > 0) {
            continue;
        }
        if (has_sound(replay, firsts, weir_max(record->packet.time_ns, movie->begin_ns))) {
            return record;
        }
        first = first ? first : record;
    }
    return first;
}

// Show the last frame until the movie ends, at a constant rate by repeating it.
static enum weir_result write_end(struct movie *movie, struct weir_mux_packet packet)
{
    const struct weir_replay *replay = movie->replay;
    const uint64_t end_ticks = weir_ticks_from_ns(replay->end_ns, replay->movie.ticks_per_second);
    const uint64_t end = weir_max(end_ticks, movie->begin_ticks) - movie->begin_ticks;
    enum weir_result result = WEIR_OK;
    if (replay->constant_ticks == 0 && packet.ticks < end) {
        movie->mux->ops->end(movie->mux, end);
    }
    while (result == WEIR_OK && replay->constant_ticks > 0 &&
           packet.ticks + replay->constant_ticks < end) {
        packet.ticks += replay->constant_ticks;
        movie->num_frames++;
        result = movie->mux->ops->write(movie->mux, &packet);
    }
    return result;
}

// Write a frame, which may have begun before the movie.
static enum weir_result write_frame(struct movie *movie, struct weir_mux_packet packet)
{
    const bool is_last = packet.time_ns == movie->replay->asked_ns;
    movie->num_frames++;
    packet.ticks = weir_max(packet.ticks, movie->begin_ticks) - movie->begin_ticks;
    const enum weir_result result = movie->mux->ops->write(movie->mux, &packet);
    return result == WEIR_OK && is_last ? write_end(movie, packet) : result;
}

// Write what lies between begin and end of the movie, behind silence where memory lacks samples.
static enum weir_result write_audio(struct movie *movie, struct weir_mux_packet packet)
{
    const uint32_t track = packet.track - 1, sample_size = packet.size / packet.num_samples;
    const uint64_t zero = movie->begins[track], at = movie->positions[track];
    const uint64_t end = weir_min(packet.ticks + packet.num_samples, movie->ends[track]);
    if (end <= at) {
        return WEIR_OK;
    }
    const uint64_t begin = packet.ticks > at ? weir_min(packet.ticks, end) : at;
    const enum weir_result result = weir_mux_write_silence(
        movie->mux, track, &movie->replay->tracks[track], at - zero, begin - at);
    movie->positions[track] = end;
    if (result != WEIR_OK || begin == end) {
        return result;
    }
    packet.data += (begin - packet.ticks) * sample_size;
    packet.num_samples = (uint32_t)(end - begin);
    packet.size = packet.num_samples * sample_size;
    packet.ticks = begin - zero;
    return movie->mux->ops->write(movie->mux, &packet);
}

static enum weir_result write_record(struct movie *movie, const struct weir_replay_record *record)
{
    if (record->packet.track > 0) {
        return write_audio(movie, record->packet);
    }
    const bool is_in = record->packet.ticks > movie->begin_ticks &&
                       record->packet.time_ns <= movie->replay->asked_ns;
    return is_in ? write_frame(movie, record->packet) : WEIR_OK;
}

static bool has_all_sound(const struct movie *movie)
{
    bool has_all = true;
    for (uint32_t i = 0; i < movie->replay->movie.num_audio_tracks; i++) {
        has_all = has_all && movie->positions[i] >= movie->ends[i];
    }
    return has_all;
}

// Let go of the records before `offset`, and get the next one. Where there is none yet, wait for
// one until `until_ns`. NULL: none came.
static const struct weir_replay_record *next(struct weir_replay *replay, uint64_t *offset,
                                             uint64_t until_ns)
{
    const struct weir_replay_record *record;
    pthread_mutex_lock(&replay->mutex);
    replay->memory.pin = *offset;
    while (!(record = weir_replay_memory_at(&replay->memory, offset)) && !replay->is_ended &&
           weir_clock_ns() < until_ns) {
        weir_thread_wait_until(&replay->changed, &replay->mutex, until_ns);
    }
    pthread_mutex_unlock(&replay->mutex);
    return record;
}

// Write all records but that of the first frame, which is written.
static enum weir_result write_records(struct movie *movie, uint64_t offset)
{
    struct weir_replay *replay = movie->replay;
    enum weir_result result = WEIR_OK;
    uint64_t until_ns = 0;
    while (result == WEIR_OK) {
        if (offset >= replay->asked_head) {
            until_ns = until_ns > 0 ? until_ns : weir_clock_ns() + replay->patience_ns;
            if (has_all_sound(movie) || weir_clock_ns() >= until_ns) {
                break;
            }
        }
        const struct weir_replay_record *record = next(replay, &offset, until_ns);
        if (!record) {
            break;
        }
        result = write_record(movie, record);
        offset += record->room;
    }
    return result;
}

static void place_sound(struct movie *movie)
{
    for (uint32_t i = 0; i < movie->replay->movie.num_audio_tracks; i++) {
        movie->begins[i] = movie->positions[i] = position_of(movie->replay, i, movie->begin_ns);
        movie->ends[i] = position_of(movie->replay, i, movie->replay->end_ns);
    }
}

enum weir_result weir_replay_write_movie(struct weir_replay *replay, uint64_t *num_frames)
{
    const uint64_t pin = replay->memory.pin; // of this thread, while a movie is asked for
    struct movie movie = {.replay = replay};
    place_begin(&movie);
    const struct weir_replay_record *first = find_first(&movie, pin);
    if (!first) {
        return weir_fail(&replay->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NO_FRAMES,
                         "no frame is in the memory of the replay: it needs more");
    }
    movie.begin_ns = weir_max(movie.begin_ns, first->packet.time_ns);
    movie.begin_ticks = weir_max(movie.begin_ticks, first->packet.ticks);
    struct weir_mux_params params = replay->movie;
    params.path = replay->path;
    if (first->packet.format.number > 0) {
        params.format = first->packet.format;
    }
    WEIR_TRY(weir_mux_mov.open(&params, &movie.mux));
    place_sound(&movie);
    enum weir_result result = write_frame(&movie, first->packet);
    result = result == WEIR_OK ? write_records(&movie, pin) : result;
    const enum weir_result closed = movie.mux->ops->close(movie.mux);
    *num_frames = movie.num_frames;
    return result == WEIR_OK ? closed : result;
}
