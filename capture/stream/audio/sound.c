// SPDX-License-Identifier: MIT
// The sound of a capture: takes samples from any thread, and gives them to a sink on the writer's.
#include "capture/stream/audio/sound.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/clock.h"

// Sound is written when there is this much of it, so that a kill loses no more [1/s].
#define FRAGMENTS_PER_SECOND 10
// The most in a fragment, where there is more [1/s].
#define CHUNKS_PER_SECOND 4

static const struct weir_audio_loss full_loss = {
    "were dropped and become silence", "its buffer is full: the disk or the GPU is behind"};
static const struct weir_audio_loss gap_loss = {"of silence were put in",
                                                "nothing was handed over for that time"};
static const struct weir_audio_loss cut_loss = {
    "were cut", "by its time there is sound already, or the movie has not begun"};

static void count(struct weir_counts *counts, enum weir_count name, uint64_t num_samples)
{
    weir_counts_begin(counts);
    weir_counts_add(counts, name, num_samples);
    weir_counts_end(counts);
}

static void count_dropped(struct weir_counts *counts, enum weir_audio_drop_reason reason,
                          uint64_t num_samples)
{
    count(counts, (enum weir_count)(WEIR_COUNT_AUDIO_DROPPED + (int)reason), num_samples);
}

static bool init_track(struct weir_sound *sound, uint32_t index)
{
    const struct weir_sound_params *params = &sound->params;
    struct weir_sound_track *track = &sound->tracks[index];
    *track = (struct weir_sound_track){
        .format = params->tracks[index],
        .received = &params->stats->audio[index],
        .full = {.log = params->log, .track = index, .loss = full_loss},
        .gaps = {.log = params->log, .track = index, .loss = gap_loss},
        .cuts = {.log = params->log, .track = index, .loss = cut_loss},
    };
    const uint32_t sample_rate = track->format.sample_rate;
    track->sample_size = weir_audio_sample_size(track->format.format, track->format.num_channels);
    track->chunk_room = sample_rate / CHUNKS_PER_SECOND;
    weir_audio_timeline_init(&track->timeline, sample_rate, params->max_gap_ns);
    sem_init(&track->room, 0, 0);
    const size_t chunk_size = (size_t)track->chunk_room * track->sample_size;
    const uint64_t num_samples = (uint64_t)sample_rate * params->buffer_ms / 1000;
    track->chunk = malloc(chunk_size);
    if (!track->chunk ||
        !weir_audio_buffer_init(&track->buffer, (uint32_t)num_samples, track->sample_size)) {
        return false;
    }
    memset(track->chunk, 0, chunk_size); // touched before use
    return true;
}

enum weir_result weir_sound_init(struct weir_sound *sound, const struct weir_sound_params *params)
{
    *sound = (struct weir_sound){.params = *params};
    sound->params.num_tracks = 0;
    params->stats->num_audio = params->num_tracks;
    for (uint32_t i = 0; i < params->num_tracks; i++) {
        sound->params.num_tracks++;
        if (!init_track(sound, i)) {
            weir_log_printf(params->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                            "no memory for the buffer of sound track %u", i);
            return WEIR_ERROR_OUT_OF_MEMORY;
        }
    }
    sound->params.tracks = NULL;
    return WEIR_OK;
}

void weir_sound_finish(struct weir_sound *sound)
{
    for (uint32_t i = 0; i < sound->params.num_tracks; i++) {
        struct weir_sound_track *track = &sound->tracks[i];
        weir_audio_log_finish(&track->full);
        weir_audio_log_finish(&track->gaps);
        weir_audio_log_finish(&track->cuts);
        weir_audio_buffer_finish(&track->buffer);
        sem_destroy(&track->room);
        free(track->chunk);
    }
    sound->params.num_tracks = 0;
}

static bool is_fragment(const struct weir_sound_track *track)
{
    return weir_audio_buffer_filled(&track->buffer) / track->sample_size >=
           track->format.sample_rate / FRAGMENTS_PER_SECOND;
}

static void wake(struct weir_sound *sound)
{
    if (!atomic_exchange(&sound->is_woken, true)) {
        sound->params.wake(sound->params.user);
    }
}

// Sleep until the writer has looked at the buffer. It is woken after the flag is set, so it gives
// room after that, whether it took something or not.
static void wait_for_room(struct weir_sound *sound, struct weir_sound_track *track)
{
    atomic_store(&track->is_waiting, true);
    wake(sound);
    while (sem_wait(&track->room) != 0 && errno == EINTR) {
    }
}

static void give_room(struct weir_sound_track *track)
{
    if (atomic_exchange(&track->is_waiting, false)) {
        sem_post(&track->room);
    }
}

// Store what there is room for. Returns how many samples that were.
static uint32_t store(struct weir_sound *sound, struct weir_sound_track *track,
                      const uint8_t *samples, uint32_t num_samples, int64_t time_ns, bool is_rest)
{
    const struct weir_audio_call call = {
        .time_ns = time_ns,
        .num_samples = num_samples,
        .is_rest = is_rest,
        .num_missing = track->num_missing < UINT32_MAX ? (uint32_t)track->num_missing : UINT32_MAX,
    };
    const uint32_t stored = weir_audio_buffer_push(&track->buffer, &call, samples);
    track->num_missing = stored > 0 ? 0 : track->num_missing;
    if (is_fragment(track)) {
        wake(sound);
    }
    return stored;
}

enum weir_result weir_sound_push(struct weir_sound *sound, uint32_t index, const uint8_t *samples,
                                 uint32_t num_samples, int64_t time_ns)
{
    struct weir_sound_track *track = &sound->tracks[index];
    const uint64_t sample_rate = track->format.sample_rate;
    count(track->received, WEIR_COUNT_AUDIO_RECEIVED, num_samples);
    uint32_t done = 0;
    while (done < num_samples) {
        const int64_t begin_ns = time_ns + (int64_t)(done * UINT64_C(1000000000) / sample_rate);
        const uint32_t stored = store(sound, track, samples + (size_t)done * track->sample_size,
                                      num_samples - done, begin_ns, done > 0);
        done += stored;
        if (done < num_samples && !sound->params.waits) {
            const uint32_t lost = num_samples - done;
            track->num_missing += lost;
            count_dropped(track->received, WEIR_AUDIO_DROP_BUFFER_FULL, lost);
            weir_audio_log_lost(&track->full, lost, begin_ns, weir_clock_ns());
            return WEIR_DROPPED;
        }
        if (done < num_samples) {
            wait_for_room(sound, track);
        }
    }
    return WEIR_OK;
}

void weir_sound_begin(struct weir_sound *sound, int64_t zero_ns)
{
    sound->has_begun = true;
    sound->zero_ns = zero_ns;
}

// Begin with the oldest call, unless something is left of one. False: there is none.
static bool begin_call(struct weir_sound_track *track)
{
    return track->call.num_samples > 0 || weir_audio_buffer_begin(&track->buffer, &track->call);
}

// Leave out samples of the call that was begun.
static void leave_out(struct weir_sound *sound, struct weir_sound_track *track,
                      uint32_t num_samples, enum weir_audio_drop_reason reason)
{
    weir_audio_buffer_take(&track->buffer, NULL, num_samples);
    count_dropped(&sound->params.stats->writer, reason, num_samples);
}

// Give the chunk to the sink.
static enum weir_result flush(struct weir_sound *sound, uint32_t index, struct weir_mux *mux)
{
    struct weir_sound_track *track = &sound->tracks[index];
    struct weir_counts *counts = &sound->params.stats->writer;
    if (track->num_samples == 0) {
        return WEIR_OK;
    }
    const enum weir_result result = mux->ops->write_audio(
        mux, &(struct weir_mux_audio){
                 .track = index,
                 .data = track->chunk,
                 .num_samples = track->num_samples,
                 .size = track->num_samples * track->sample_size,
                 .position = track->position,
             });
    if (result == WEIR_OK) {
        count(counts, WEIR_COUNT_AUDIO_WRITTEN, track->num_samples);
        track->position += track->num_samples;
    } else {
        count_dropped(counts, WEIR_AUDIO_DROP_SINK, track->num_samples);
    }
    track->num_samples = 0;
    return result;
}

// Put samples of the call that was begun into the chunk, or silence. What a failure leaves of a
// call is dropped.
static enum weir_result put(struct weir_sound *sound, uint32_t index, struct weir_mux *mux,
                            uint64_t num_samples, bool is_silence)
{
    struct weir_sound_track *track = &sound->tracks[index];
    enum weir_result result = WEIR_OK;
    while (num_samples > 0 && result == WEIR_OK) {
        const uint32_t room = track->chunk_room - track->num_samples;
        const uint32_t part = num_samples < room ? (uint32_t)num_samples : room;
        uint8_t *at = track->chunk + (size_t)track->num_samples * track->sample_size;
        if (is_silence) {
            memset(at, 0, (size_t)part * track->sample_size);
            count(&sound->params.stats->writer, WEIR_COUNT_AUDIO_SILENCE, part);
        } else {
            weir_audio_buffer_take(&track->buffer, at, part);
        }
        track->num_samples += part;
        num_samples -= part;
        if (track->num_samples == track->chunk_room) {
            result = flush(sound, index, mux);
        }
    }
    if (!is_silence) {
        leave_out(sound, track, (uint32_t)num_samples,
                  WEIR_AUDIO_DROP_SINK); // none, if all went well
    }
    return result;
}

// Put the sample that was put last once more.
static enum weir_result repeat(struct weir_sound *sound, uint32_t index, struct weir_mux *mux)
{
    struct weir_sound_track *track = &sound->tracks[index];
    const uint32_t last = (track->num_samples > 0 ? track->num_samples : track->chunk_room) - 1;
    memmove(track->chunk + (size_t)track->num_samples * track->sample_size,
            track->chunk + (size_t)last * track->sample_size, track->sample_size);
    count(&sound->params.stats->writer, WEIR_COUNT_AUDIO_SILENCE, 1);
    return ++track->num_samples == track->chunk_room ? flush(sound, index, mux) : WEIR_OK;
}

// Tell what the host could have done better: gaps and overlaps that no full buffer made.
static void tell(struct weir_sound_track *track, const struct weir_audio_call *call,
                 const struct weir_audio_place *place, bool is_first)
{
    if (is_first) {
        return;
    }
    if (place->silence > call->num_missing) {
        weir_audio_log_lost(&track->gaps, place->silence, call->time_ns, weir_clock_ns());
    }
    if (place->cut > 0) {
        weir_audio_log_lost(&track->cuts, place->cut, call->time_ns, weir_clock_ns());
    }
}

// Write samples that no pause divides. `movie_ns`: their time by the movie clock.
static enum weir_result write_part(struct weir_sound *sound, uint32_t index, struct weir_mux *mux,
                                   const struct weir_audio_call *call, int64_t movie_ns)
{
    struct weir_sound_track *track = &sound->tracks[index];
    const bool is_first = !track->timeline.is_placed || track->timeline.has_seam;
    struct weir_audio_call since = *call;
    since.time_ns = weir_audio_time_since(movie_ns, sound->zero_ns);
    const struct weir_audio_place place = weir_audio_timeline_place(&track->timeline, &since);
    tell(track, call, &place, is_first);
    uint32_t left = call->num_samples - place.cut;
    leave_out(sound, track, place.cut, WEIR_AUDIO_DROP_TIME);
    enum weir_result result = put(sound, index, mux, place.silence, true);
    if (result == WEIR_OK && place.drift != 0) {
        left--;
        if (place.drift > 0) {
            result = put(sound, index, mux, 1, false);
            result = result == WEIR_OK ? repeat(sound, index, mux) : result;
        } else {
            leave_out(sound, track, 1, WEIR_AUDIO_DROP_TIME);
        }
    }
    if (result != WEIR_OK) {
        leave_out(sound, track, left, WEIR_AUDIO_DROP_SINK);
        return result;
    }
    return put(sound, index, mux, left, false);
}

// Write what waits. Behind a pause samples go where their time says: what is there ends where the
// pause began.
static enum weir_result write_track(struct weir_sound *sound, uint32_t index, struct weir_mux *mux,
                                    bool all)
{
    struct weir_sound_track *track = &sound->tracks[index];
    enum weir_result result = WEIR_OK;
    track->is_undecided = false;
    while (result == WEIR_OK && begin_call(track)) {
        const struct weir_pause_place place = weir_pauses_place_shared(sound->params.pauses,
                                                                       track->call.time_ns);
        track->is_undecided = place.is_open && !all;
        if (track->is_undecided) {
            break;
        }
        const struct weir_audio_call part = weir_audio_call_split(&track->call, place.until_ns,
                                                                  track->format.sample_rate);
        if (place.is_paused) {
            leave_out(sound, track, part.num_samples, WEIR_AUDIO_DROP_PAUSE);
            continue;
        }
        if (track->pause_number != place.number) {
            track->pause_number = place.number;
            weir_audio_timeline_break(&track->timeline);
        }
        result = write_part(sound, index, mux, &part, place.time_ns);
    }
    return result == WEIR_OK ? flush(sound, index, mux) : result;
}

// Drop the rest of the call that was begun, and all others until the buffer has at most `left`
// bytes.
static void drop_calls(struct weir_sound *sound, struct weir_sound_track *track, size_t left,
                       enum weir_audio_drop_reason reason)
{
    while (weir_audio_buffer_filled(&track->buffer) > left && begin_call(track)) {
        leave_out(sound, track, track->call.num_samples, reason);
        track->call.num_samples = 0;
    }
}

// Make room for what comes before the first frame, or in a pause without an end. Either may be from
// a while ago, so the latest half stays.
static void keep_latest(struct weir_sound *sound, struct weir_sound_track *track,
                        enum weir_audio_drop_reason reason)
{
    drop_calls(sound, track, track->buffer.size / 2, reason);
}

enum weir_result weir_sound_write(struct weir_sound *sound, struct weir_mux *mux, bool all)
{
    enum weir_result result = WEIR_OK;
    atomic_store(&sound->is_woken, false);
    for (uint32_t i = 0; i < sound->params.num_tracks && result == WEIR_OK; i++) {
        struct weir_sound_track *track = &sound->tracks[i];
        if (!sound->has_begun) {
            keep_latest(sound, track, WEIR_AUDIO_DROP_TIME);
        } else if (all || is_fragment(track)) {
            result = write_track(sound, i, mux, all);
            if (track->is_undecided) {
                keep_latest(sound, track, WEIR_AUDIO_DROP_PAUSE);
            }
        }
        give_room(track);
    }
    return result;
}

enum weir_result weir_sound_follow(struct weir_sound *sound, struct weir_mux *mux,
                                   uint64_t frame_ns)
{
    const uint64_t delay_ns = sound->params.buffer_ms * UINT64_C(1000000);
    enum weir_result result = WEIR_OK;
    if (sound->params.waits || frame_ns < delay_ns) {
        return result;
    }
    for (uint32_t i = 0; i < sound->params.num_tracks && result == WEIR_OK; i++) {
        struct weir_sound_track *track = &sound->tracks[i];
        const uint32_t sample_rate = track->format.sample_rate;
        const int64_t position = weir_audio_position((int64_t)(frame_ns - delay_ns), sample_rate);
        if (position - (int64_t)track->timeline.next < sample_rate / FRAGMENTS_PER_SECOND) {
            continue;
        }
        result = write_track(sound, i, mux, false);
        if (result == WEIR_OK) {
            const uint64_t silence = weir_audio_timeline_fill(&track->timeline, position);
            result = put(sound, i, mux, silence, true);
        }
        result = result == WEIR_OK ? flush(sound, i, mux) : result;
    }
    return result;
}

void weir_sound_drop(struct weir_sound *sound, enum weir_audio_drop_reason reason)
{
    atomic_store(&sound->is_woken, false);
    for (uint32_t i = 0; i < sound->params.num_tracks; i++) {
        drop_calls(sound, &sound->tracks[i], 0, reason);
        give_room(&sound->tracks[i]);
    }
}
