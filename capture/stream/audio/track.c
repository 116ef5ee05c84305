// SPDX-License-Identifier: MIT
// An audio track on the writer's side: reads calls from its buffer, and writes samples.
#include "capture/stream/audio/audio.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture/base/clock.h"

#define NS_PER_SECOND 1000000000u
#define LOG_INTERVAL_NS 1000000000u

void weir_audio_log_lost(struct weir_audio_log *log, uint64_t num_samples, int64_t time_ns,
                         uint64_t now_ns)
{
    log->num_lost += num_samples;
    if (log->logged_ns > 0 && now_ns - log->logged_ns < LOG_INTERVAL_NS) {
        return;
    }
    char at[48] = "";
    if (time_ns >= 0) {
        snprintf(at, sizeof(at), " at %.3f s of the movie", (double)time_ns * 1e-9);
    }
    weir_log_printf(log->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_AUDIO_DROPPED,
                    "audio track %" PRIu32 ": %" PRIu64 " samples %s%s, %" PRIu64 " so far: %s",
                    log->track, log->num_lost - log->num_logged, log->loss.what, at, log->num_lost,
                    log->loss.why);
    log->num_logged = log->num_lost;
    log->logged_ns = now_ns;
}

void weir_audio_log_finish(struct weir_audio_log *log)
{
    if (log->num_lost > log->num_logged) {
        weir_log_printf(log->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_AUDIO_DROPPED,
                        "audio track %" PRIu32 ": %" PRIu64 " more samples %s, %" PRIu64
                        " in all: %s",
                        log->track, log->num_lost - log->num_logged, log->loss.what, log->num_lost,
                        log->loss.why);
        log->num_logged = log->num_lost;
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void count_dropped(struct weir_pcm_track *track, enum weir_audio_drop_reason reason,
                          uint64_t num_samples)
{
    weir_counts_change(track->counts, WEIR_COUNT(audio.dropped_by_reason) + reason, num_samples);
}

uint64_t weir_pcm_track_end(const struct weir_pcm_track *track)
{
    return track->position + track->num_samples;
}

// A quarter of the buffer stays free for who hands audio over.
uint64_t weir_pcm_track_excess(const struct weir_pcm_track *track)
{
    const size_t most = track->buffer.size / 4 * 3;
    const size_t filled = weir_audio_buffer_filled(&track->buffer);
    return filled > most ? (filled - most + track->sample_size - 1) / track->sample_size : 0;
}

// Leave out samples that are the next ones in the buffer.
static void discard(struct weir_pcm_track *track, uint32_t num_samples,
                    enum weir_audio_drop_reason reason)
{
    weir_audio_buffer_read(&track->buffer, NULL, num_samples);
    count_dropped(track, reason, num_samples);
}

// Begin with the oldest call, unless something is left of one. False: there is none.
static bool begin_call(struct weir_pcm_track *track)
{
    return track->call.num_samples > 0 || weir_audio_buffer_begin(&track->buffer, &track->call);
}

void weir_pcm_track_drop(struct weir_pcm_track *track, size_t most,
                         enum weir_audio_drop_reason reason)
{
    const struct weir_audio_buffer *buffer = &track->buffer;
    if (most == 0) {
        count_dropped(track, reason, track->num_samples);
        track->num_samples = 0;
    }
    if (weir_audio_buffer_filled(buffer) > most) {
        discard(track, track->rest.num_samples, reason);
        track->rest = (struct weir_pcm_rest){0};
    }
    while (weir_audio_buffer_filled(buffer) > most && begin_call(track)) {
        discard(track, track->call.num_samples, reason);
        track->call.num_samples = 0;
    }
}

// Give the chunk to the sink.
static enum weir_result flush(struct weir_pcm_track *track, struct weir_mux *mux)
{
    if (track->num_samples == 0) {
        return WEIR_OK;
    }
    const enum weir_result result = mux->ops->write(
        mux, &(struct weir_mux_packet){
                 .track = 1 + track->index,
                 .data = track->chunk,
                 .num_samples = track->num_samples,
                 .size = track->num_samples * track->sample_size,
                 .ticks = track->position,
             });
    if (result == WEIR_OK) {
        weir_counts_change(track->counts, WEIR_COUNT(audio.written), track->num_samples);
        track->position += track->num_samples;
    } else {
        count_dropped(track, WEIR_AUDIO_DROP_SINK, track->num_samples);
    }
    track->num_samples = 0;
    return result;
}

// Put samples of the call that was begun into the chunk, or silence. What a failure leaves of a
// call is dropped.
static enum weir_result put(struct weir_pcm_track *track, struct weir_mux *mux,
                            uint64_t num_samples, bool is_silence)
{
    enum weir_result result = WEIR_OK;
    while (num_samples > 0 && result == WEIR_OK) {
        const uint32_t room = track->chunk_room - track->num_samples;
        const uint32_t part = num_samples < room ? (uint32_t)num_samples : room;
        uint8_t *at = track->chunk + (size_t)track->num_samples * track->sample_size;
        if (is_silence) {
            memset(at, 0, (size_t)part * track->sample_size);
            weir_counts_change(track->counts, WEIR_COUNT(audio.silence), part);
        } else {
            weir_audio_buffer_read(&track->buffer, at, part);
        }
        track->num_samples += part;
        num_samples -= part;
        if (track->num_samples == track->chunk_room) {
            result = flush(track, mux);
        }
    }
    if (!is_silence) {
        discard(track, (uint32_t)num_samples,
                WEIR_AUDIO_DROP_SINK); // none, if all went well
    }
    return result;
}

// Put the sample that was put last once more.
static enum weir_result repeat(struct weir_pcm_track *track, struct weir_mux *mux)
{
    const uint32_t last = (track->num_samples > 0 ? track->num_samples : track->chunk_room) - 1;
    memmove(track->chunk + (size_t)track->num_samples * track->sample_size,
            track->chunk + (size_t)last * track->sample_size, track->sample_size);
    weir_counts_change(track->counts, WEIR_COUNT(audio.silence), 1);
    return ++track->num_samples == track->chunk_room ? flush(track, mux) : WEIR_OK;
}

// Log what the host could have done better: gaps and overlaps that no full buffer made.
static void log_losses(struct weir_pcm_track *track, const struct weir_audio_call *call,
                       const struct weir_audio_place *place, int64_t movie_ns, bool is_first)
{
    if (is_first) {
        return;
    }
    if (place->silence > call->num_missing) {
        weir_audio_log_lost(&track->gaps, place->silence, movie_ns, weir_clock_ns());
    }
    if (place->cut > 0) {
        weir_audio_log_lost(&track->cuts, place->cut, movie_ns, weir_clock_ns());
    }
}

// Place samples that no pause divides. `movie_ns`: their time since the first frame, by the movie
// clock.
static void place_part(struct weir_pcm_track *track, const struct weir_audio_call *part,
                       int64_t movie_ns)
{
    const struct weir_audio_timeline *timeline = &track->timeline;
    const bool is_first = (!timeline->is_placed && timeline->next == 0) || timeline->has_seam;
    struct weir_audio_call since = *part;
    since.time_ns = movie_ns;
    const struct weir_audio_place place = weir_audio_timeline_place(&track->timeline, &since);
    log_losses(track, part, &place, movie_ns, is_first);
    discard(track, place.cut, WEIR_AUDIO_DROP_TIME);
    track->rest = (struct weir_pcm_rest){
        .jump = place.jump,
        .silence = place.silence,
        .drift = place.drift,
        .num_samples = part->num_samples - place.cut,
    };
}

// Get how many samples, from the first on, come before a time.
static uint32_t num_before(const struct weir_audio_call *call, int64_t until_ns, uint64_t rate)
{
    const uint64_t ns = (uint64_t)until_ns - (uint64_t)call->time_ns;
    const uint64_t num = ns / NS_PER_SECOND * rate +
                         (ns % NS_PER_SECOND * rate + NS_PER_SECOND - 1) / NS_PER_SECOND;
    return num < call->num_samples ? (uint32_t)num : call->num_samples;
}

// Split off the samples before a time, which is after that of the call. The others stay in the
// call; there may be none.
static struct weir_audio_call split(struct weir_audio_call *call, int64_t until_ns,
                                    uint32_t sample_rate)
{
    struct weir_audio_call part = *call;
    part.num_samples = num_before(call, until_ns, sample_rate);
    call->num_samples -= part.num_samples;
    call->num_missing = 0;
    call->is_rest = true;
    if (call->num_samples > 0) {
        call->time_ns += (int64_t)((uint64_t)part.num_samples * NS_PER_SECOND / sample_rate);
    }
    return part;
}

// Begin with the next samples that belong to the movie. Behind a pause they go where their time
// says: what is there ends where the pause began. False: there are none, or it is not known yet.
static bool begin_part(struct weir_pcm_track *track, int64_t zero_ns, bool all)
{
    while (begin_call(track)) {
        const struct weir_pause_place place = weir_pauses_place_shared(track->pauses,
                                                                       track->call.time_ns);
        track->is_undecided = place.is_open && !all;
        if (track->is_undecided) {
            return false;
        }
        const struct weir_audio_call part = split(&track->call, place.until_ns,
                                                  track->format.sample_rate);
        if (!place.is_paused) {
            if (track->pause_number != place.number) {
                track->pause_number = place.number;
                weir_audio_timeline_break(&track->timeline);
            }
            place_part(track, &part, weir_audio_time_since(place.time_ns, zero_ns));
            return true;
        }
        discard(track, part.num_samples, WEIR_AUDIO_DROP_PAUSE);
    }
    return false;
}

// Put the first sample of a call twice, or leave it out.
static enum weir_result put_drift(struct weir_pcm_track *track, struct weir_mux *mux)
{
    struct weir_pcm_rest *rest = &track->rest;
    enum weir_result result = WEIR_OK;
    rest->num_samples--;
    if (rest->drift > 0) {
        result = put(track, mux, 1, false);
        result = result == WEIR_OK ? repeat(track, mux) : result;
    } else {
        discard(track, 1, WEIR_AUDIO_DROP_TIME);
    }
    rest->drift = 0;
    return result;
}

static enum weir_result jump(struct weir_pcm_track *track, struct weir_mux *mux,
                             uint64_t num_samples)
{
    const enum weir_result result = num_samples > 0 ? flush(track, mux) : WEIR_OK;
    track->position += num_samples;
    return result;
}

// Put what is left of the call, up to a position.
static enum weir_result put_rest(struct weir_pcm_track *track, struct weir_mux *mux, uint64_t until)
{
    struct weir_pcm_rest *rest = &track->rest;
    enum weir_result result = jump(track, mux, rest->jump);
    rest->jump = 0;
    uint64_t end = weir_pcm_track_end(track);
    const uint64_t silence = least(rest->silence, until > end ? until - end : 0);
    if (result == WEIR_OK) {
        rest->silence -= silence;
        result = put(track, mux, silence, true);
    }
    if (result == WEIR_OK && rest->silence == 0 && rest->drift != 0 && end + silence + 2 <= until) {
        result = put_drift(track, mux);
    }
    end = weir_pcm_track_end(track);
    if (result == WEIR_OK && rest->silence == 0 && rest->drift == 0) {
        const uint64_t num = least(rest->num_samples, until > end ? until - end : 0);
        rest->num_samples -= (uint32_t)num;
        result = put(track, mux, num, false);
    }
    if (result != WEIR_OK) {
        discard(track, rest->num_samples, WEIR_AUDIO_DROP_SINK);
        *rest = (struct weir_pcm_rest){0};
    }
    return result;
}

// The movie before that position is complete: what is left for it is late.
static void give_up(struct weir_pcm_track *track, uint64_t begin)
{
    struct weir_pcm_rest *rest = &track->rest;
    const uint64_t rate = track->format.sample_rate;
    if (track->position >= begin) {
        return;
    }
    uint64_t late = begin - track->position; // the chunk is empty between two writes
    const uint64_t unput = least(rest->jump, late);
    rest->jump -= unput;
    late -= unput;
    const uint64_t silence = least(rest->silence, late);
    rest->silence -= silence;
    late -= silence;
    const uint32_t num = (uint32_t)least(rest->num_samples, late);
    rest->num_samples -= num;
    discard(track, num, WEIR_AUDIO_DROP_TIME);
    if (num > 0) {
        const uint64_t since_ns = begin / rate * UINT64_C(1000000000) +
                                  begin % rate * UINT64_C(1000000000) / rate;
        weir_audio_log_lost(&track->cuts, num, (int64_t)since_ns, weir_clock_ns());
        track->timeline.next -= (uint64_t)(int64_t)rest->drift; // it is not put any more
        rest->drift = 0;
    }
    track->position = begin;
    weir_audio_timeline_jump(&track->timeline, begin);
}

static bool has_rest(const struct weir_pcm_track *track)
{
    const struct weir_pcm_rest *rest = &track->rest;
    return rest->jump > 0 || rest->silence > 0 || rest->num_samples > 0;
}

// True if the next step of the call that was begun, or of the next one, ends before a position.
static bool may_put(const struct weir_pcm_track *track, uint64_t until)
{
    const uint64_t step = track->rest.drift != 0 ? 2 : 1;
    return weir_pcm_track_end(track) + track->rest.jump + step <= until;
}

enum weir_result weir_pcm_track_write(struct weir_pcm_track *track, struct weir_mux *mux,
                                      int64_t zero_ns, const struct weir_mux_span *span, bool all)
{
    const uint64_t known = all ? UINT64_MAX : span->known;
    enum weir_result result = WEIR_OK;
    give_up(track, span->begin);
    track->is_undecided = false;
    track->timeline.end = span->end;
    for (;;) {
        const uint64_t pressed = weir_pcm_track_end(track) + weir_pcm_track_excess(track);
        const uint64_t until = known > pressed ? known : pressed;
        if (result != WEIR_OK || !may_put(track, until) ||
            !(has_rest(track) || begin_part(track, zero_ns, all))) {
            break;
        }
        result = put_rest(track, mux, until);
    }
    return result == WEIR_OK && (all || !track->is_offline) ? flush(track, mux) : result;
}

enum weir_result weir_pcm_track_fill(struct weir_pcm_track *track, struct weir_mux *mux,
                                     int64_t position)
{
    struct weir_audio_timeline *timeline = &track->timeline;
    if (timeline->resume > timeline->next) {
        if (position < (int64_t)timeline->resume) {
            return WEIR_OK; // in a gap that no movie can say
        }
        WEIR_TRY(jump(track, mux, weir_audio_timeline_jump(timeline, timeline->resume)));
    }
    const uint64_t silence = weir_audio_timeline_fill(timeline, position);
    WEIR_TRY(put(track, mux, silence, true));
    return flush(track, mux);
}
