// SPDX-License-Identifier: MIT
// The audio of a capture: accepts samples on any thread, and writes them on the writer's.
#include "capture/stream/audio/audio.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/clock.h"
#include "capture/stream/state.h"

#define DEFAULT_AUDIO_MS 4000
#define MIN_AUDIO_MS 200
#define MAX_AUDIO_MS 60000
#define MIN_SAMPLE_RATE 1000
#define MAX_SAMPLE_RATE 768000
#define MAX_CHANNELS 16

static enum weir_result check_audio_track(const struct weir_log *log,
                                          const struct weir_audio_track *track)
{
    if (track->sample_rate < MIN_SAMPLE_RATE || track->sample_rate > MAX_SAMPLE_RATE) {
        return weir_params_out_of_range(log, "audio_tracks.sample_rate", track->sample_rate,
                                        MIN_SAMPLE_RATE, MAX_SAMPLE_RATE);
    }
    if (track->num_channels < 1 || track->num_channels > MAX_CHANNELS) {
        return weir_params_out_of_range(log, "audio_tracks.num_channels", track->num_channels, 1,
                                        MAX_CHANNELS);
    }
    if (!weir_layout_fits(track->layout, track->num_channels)) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_capture_params.audio.tracks.layout is 0x%x, for %u channels; use a "
                         "bit for each, or 0",
                         track->layout, track->num_channels);
    }
    if (weir_audio_sample_size(track->format, 1) == 0) {
        return weir_fail(
            log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
            "weir_capture_params.audio.tracks.format has the unknown value %d; use one "
            "of enum weir_sample_format",
            (int)track->format);
    }
    bool is_language = track->language[0] == 0 || track->language[3] == 0;
    for (int i = 0; i < 3 && track->language[0] != 0; i++) {
        is_language = is_language && track->language[i] >= 'a' && track->language[i] <= 'z';
    }
    if (!is_language) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                         "weir_capture_params.audio.tracks.language is not a code of ISO 639-2: "
                         "use three small letters such as \"eng\", or leave it empty");
    }
    return WEIR_OK;
}

enum weir_result weir_audio_check_params(const struct weir_log *log,
                                         struct weir_capture_params *params)
{
    if (params->audio.num_tracks > WEIR_MAX_AUDIO_TRACKS) {
        return weir_params_out_of_range(log, "audio.num_tracks", params->audio.num_tracks, 0,
                                        WEIR_MAX_AUDIO_TRACKS);
    }
    if (params->audio.num_tracks > 0 && !params->audio.tracks) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_params.audio.tracks is NULL, but audio.num_tracks is not 0");
    }
    if (params->audio.num_tracks > 0 && params->sink == WEIR_SINK_HASH) {
        return weir_fail(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                         "weir_capture_params.audio.tracks: WEIR_SINK_HASH has no audio, because "
                         "samples are cut into other packets in each run; use MOV or CALLBACK");
    }
    WEIR_TRY(weir_params_set_number(log, "audio.buffer_ms", &params->audio.buffer_ms,
                                    DEFAULT_AUDIO_MS, MIN_AUDIO_MS, MAX_AUDIO_MS));
    for (uint32_t i = 0; i < params->audio.num_tracks; i++) {
        WEIR_TRY(check_audio_track(log, &params->audio.tracks[i]));
    }
    return WEIR_OK;
}

// Audio is written when there is this much of it, so that a kill loses no more [1/s].
#define FRAGMENTS_PER_SECOND 10
// The most in a fragment, where there is more [1/s].
#define CHUNKS_PER_SECOND 4

static const struct weir_audio_loss full_loss = {
    "were dropped and become silence", "its buffer is full: the disk or the GPU is behind"};
static const struct weir_audio_loss gap_loss = {"of silence were added", "none came for that time"};
static const struct weir_audio_loss cut_loss = {"were cut",
                                                "the track has audio at that time already, or the "
                                                "movie has not begun, or its segment is complete"};

uint32_t weir_audio_sample_size(enum weir_sample_format format, uint32_t num_channels)
{
    static const uint32_t sizes[] = {
        [WEIR_SAMPLE_S16] = 2, [WEIR_SAMPLE_S24] = 3, [WEIR_SAMPLE_S32] = 4, [WEIR_SAMPLE_F32] = 4};
    const size_t i = (size_t)format;
    return i < sizeof(sizes) / sizeof(sizes[0]) ? sizes[i] * num_channels : 0;
}

static bool init_track(struct weir_audio *audio, uint32_t index)
{
    const struct weir_audio_params *params = &audio->params;
    struct weir_pcm_track *track = &audio->tracks[index];
    *track = (struct weir_pcm_track){
        .index = index,
        .format = params->tracks[index],
        .received = &params->stats->audio[index],
        .counts = &params->stats->writer,
        .pauses = params->pauses,
        .full = {.log = params->log, .track = index, .loss = full_loss},
        .gaps = {.log = params->log, .track = index, .loss = gap_loss},
        .cuts = {.log = params->log, .track = index, .loss = cut_loss},
    };
    const uint32_t sample_rate = track->format.sample_rate;
    track->sample_size = weir_audio_sample_size(track->format.format, track->format.num_channels);
    track->chunk_room = params->waits ? WEIR_AUDIO_CHUNK(sample_rate)
                                      : sample_rate / CHUNKS_PER_SECOND;
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

enum weir_result weir_audio_init(struct weir_audio *audio, const struct weir_audio_params *params)
{
    *audio = (struct weir_audio){.params = *params};
    audio->params.num_tracks = 0;
    params->stats->num_audio = params->num_tracks;
    for (uint32_t i = 0; i < params->num_tracks; i++) {
        audio->params.num_tracks++;
        if (!init_track(audio, i)) {
            return weir_fail(params->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                             "no memory for the buffer of audio track %u", i);
        }
    }
    audio->params.tracks = NULL;
    return WEIR_OK;
}

void weir_audio_finish(struct weir_audio *audio)
{
    for (uint32_t i = 0; i < audio->params.num_tracks; i++) {
        struct weir_pcm_track *track = &audio->tracks[i];
        weir_audio_log_finish(&track->full);
        weir_audio_log_finish(&track->gaps);
        weir_audio_log_finish(&track->cuts);
        weir_audio_buffer_finish(&track->buffer);
        sem_destroy(&track->room);
        free(track->chunk);
    }
    audio->params.num_tracks = 0;
}

static bool is_fragment(const struct weir_pcm_track *track)
{
    return weir_audio_buffer_filled(&track->buffer) / track->sample_size >=
           track->format.sample_rate / FRAGMENTS_PER_SECOND;
}

static void wake(struct weir_audio *audio)
{
    if (!atomic_exchange(&audio->is_woken, true)) {
        weir_ring_wake(audio->params.ring);
    }
}

// Sleep until the writer has looked at the buffer. It is woken after the flag is set, so it gives
// room after that, whether it took something or not.
static void wait_for_room(struct weir_audio *audio, struct weir_pcm_track *track)
{
    atomic_store(&track->is_waiting, true);
    wake(audio);
    while (sem_wait(&track->room) != 0 && errno == EINTR) {
    }
}

static void give_room(struct weir_pcm_track *track)
{
    if (atomic_exchange(&track->is_waiting, false)) {
        sem_post(&track->room);
    }
}

// Store what there is room for. Returns how many samples that were.
static uint32_t store(struct weir_audio *audio, struct weir_pcm_track *track,
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
        wake(audio);
    }
    return stored;
}

enum weir_result weir_audio_push(struct weir_audio *audio, uint32_t index, const uint8_t *samples,
                                 uint32_t num_samples, int64_t time_ns)
{
    struct weir_pcm_track *track = &audio->tracks[index];
    const uint64_t sample_rate = track->format.sample_rate;
    weir_counts_change(track->received, WEIR_COUNT(audio.received), num_samples);
    uint32_t done = 0;
    while (done < num_samples) {
        const int64_t begin_ns = time_ns + (int64_t)(done * UINT64_C(1000000000) / sample_rate);
        const uint32_t stored = store(audio, track, samples + (size_t)done * track->sample_size,
                                      num_samples - done, begin_ns, done > 0);
        done += stored;
        if (done < num_samples && !audio->params.waits) {
            const uint32_t lost = num_samples - done;
            track->num_missing += lost;
            weir_counts_change(track->received,
                               WEIR_COUNT(audio.dropped_by_reason) + WEIR_AUDIO_DROP_BUFFER_FULL,
                               lost);
            weir_audio_log_lost(&track->full, lost, -1, weir_clock_ns());
            return WEIR_DROPPED;
        }
        if (done < num_samples) {
            wait_for_room(audio, track);
        }
    }
    return WEIR_OK;
}

void weir_audio_begin(struct weir_audio *audio, int64_t zero_ns)
{
    audio->has_begun = true;
    audio->zero_ns = zero_ns;
}

void weir_audio_frame(struct weir_audio *audio, uint64_t frame_ns)
{
    if (frame_ns - audio->last_ns > audio->params.max_frame_gap_ns) {
        for (uint32_t i = 0; i < audio->params.num_tracks; i++) {
            struct weir_audio_timeline *timeline = &audio->tracks[i].timeline;
            timeline->resume = (uint64_t)weir_audio_position((int64_t)frame_ns,
                                                             timeline->sample_rate);
        }
    }
    audio->last_ns = frame_ns;
}

// Make room for what comes before the first frame, or in a pause without an end. Either may be from
// a while ago, so the latest half stays.
static void keep_latest(struct weir_pcm_track *track, enum weir_audio_drop_reason reason)
{
    weir_pcm_track_drop(track, track->buffer.size / 2, reason);
}

// True if it is time to write: for a fragment's worth, for a movie that waits, or for room.
static bool is_due(const struct weir_pcm_track *track, const struct weir_mux_span *span)
{
    const uint64_t end = weir_pcm_track_end(track);
    const uint64_t num_known = span->known > end ? span->known - end : 0;
    const uint32_t enough = track->format.sample_rate / FRAGMENTS_PER_SECOND;
    return (is_fragment(track) && num_known >= enough) || (span->is_wanted && num_known > 0) ||
           weir_pcm_track_excess(track) > 0;
}

// Get what the sink can use of a track. Offline that follows from the times of frames alone, so
// that a movie is the same in every run.
static struct weir_mux_span span_of(struct weir_audio *audio, struct weir_mux *mux,
                                    struct weir_pcm_track *track)
{
    struct weir_mux_span span = weir_mux_audio_span(mux, track->index);
    track->is_offline = audio->params.waits && span.known == UINT64_MAX;
    if (track->is_offline) {
        span.known = weir_movie_audio_due(audio->due_ticks, audio->params.ticks_per_second,
                                          track->format.sample_rate);
    }
    return span;
}

enum weir_result weir_audio_write(struct weir_audio *audio, struct weir_mux *mux, bool all)
{
    enum weir_result result = WEIR_OK;
    atomic_store(&audio->is_woken, false);
    for (uint32_t i = 0; i < audio->params.num_tracks && result == WEIR_OK; i++) {
        struct weir_pcm_track *track = &audio->tracks[i];
        if (!audio->has_begun) {
            keep_latest(track, WEIR_AUDIO_DROP_TIME);
            give_room(track);
            continue;
        }
        const struct weir_mux_span span = span_of(audio, mux, track);
        if (all || is_due(track, &span)) {
            result = weir_pcm_track_write(track, mux, audio->zero_ns, &span, all);
        }
        if (track->is_undecided) {
            keep_latest(track, WEIR_AUDIO_DROP_PAUSE);
        }
        give_room(track);
    }
    return result;
}

enum weir_result weir_audio_follow(struct weir_audio *audio, struct weir_mux *mux,
                                   uint64_t frame_ns)
{
    const uint64_t delay_ns = audio->params.buffer_ms * UINT64_C(1000000);
    enum weir_result result = WEIR_OK;
    if (audio->params.waits || frame_ns < delay_ns) {
        return result;
    }
    for (uint32_t i = 0; i < audio->params.num_tracks && result == WEIR_OK; i++) {
        struct weir_pcm_track *track = &audio->tracks[i];
        const uint32_t sample_rate = track->format.sample_rate;
        const int64_t position = weir_audio_position((int64_t)(frame_ns - delay_ns), sample_rate);
        if (position - (int64_t)track->timeline.next < sample_rate / FRAGMENTS_PER_SECOND) {
            continue;
        }
        const struct weir_mux_span span = weir_mux_audio_span(mux, i);
        result = weir_pcm_track_write(track, mux, audio->zero_ns, &span, false);
        if (result == WEIR_OK) {
            result = weir_pcm_track_fill(track, mux, position);
        }
    }
    return result;
}

void weir_audio_drop(struct weir_audio *audio, enum weir_audio_drop_reason reason)
{
    atomic_store(&audio->is_woken, false);
    for (uint32_t i = 0; i < audio->params.num_tracks; i++) {
        weir_pcm_track_drop(&audio->tracks[i], 0, reason);
        give_room(&audio->tracks[i]);
    }
}
