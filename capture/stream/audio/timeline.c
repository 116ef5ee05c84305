// SPDX-License-Identifier: MIT
// The timeline of an audio track: where the samples of a call go, by its time and by what is there.
//
// Nobody should hear that audio and picture differ: viewers notice audio that is 45 ms early
// (ITU-R BT.1359-1). Nor should anybody hear a seam that need not be. Times of calls jitter, by the
// rounding of a clock or by a thread that runs late, so a call that is less off than that follows
// the one before. Two clocks that differ by 100 ppm are 5 ms apart after 50 s, in all calls alike:
// what the least of many deviations shows is no jitter. Single samples that come twice or not at
// all are not heard.
#include "capture/stream/audio/audio.h"

#include "capture/movie/movie.h"

#define NS_PER_SECOND 1000000000
#define TOLERANCES_PER_SECOND 25 // 40 ms
#define DRIFTS_PER_SECOND 200    // 5 ms
#define WINDOW_SECONDS 10

void weir_audio_timeline_init(struct weir_audio_timeline *timeline, uint32_t sample_rate,
                              uint64_t max_gap_ns)
{
    *timeline = (struct weir_audio_timeline){
        .sample_rate = sample_rate,
        .max_gap = (uint64_t)weir_audio_position((int64_t)max_gap_ns, sample_rate),
        .end = WEIR_AUDIO_MAX_SAMPLES,
    };
}

int64_t weir_audio_position(int64_t time_ns, uint32_t sample_rate)
{
    int64_t seconds = time_ns / NS_PER_SECOND, rest = time_ns % NS_PER_SECOND;
    if (rest < 0) {
        seconds--;
        rest += NS_PER_SECOND;
    }
    return seconds * sample_rate + (rest * sample_rate + NS_PER_SECOND / 2) / NS_PER_SECOND;
}

int64_t weir_audio_time_since(int64_t time_ns, int64_t zero_ns)
{
    const int64_t most = INT64_MAX / 2;
    if (time_ns >= zero_ns) {
        const uint64_t since = (uint64_t)time_ns - (uint64_t)zero_ns;
        return since < (uint64_t)most ? (int64_t)since : most;
    }
    const uint64_t before = (uint64_t)zero_ns - (uint64_t)time_ns;
    return before < (uint64_t)most ? -(int64_t)before : -most;
}

static void begin_window(struct weir_audio_timeline *timeline)
{
    timeline->window_end = (int64_t)timeline->next +
                           (int64_t)WINDOW_SECONDS * timeline->sample_rate;
    timeline->least = INT64_MAX;
    timeline->most = INT64_MIN;
    timeline->drift = 0;
}

// Watch how far calls are off: after a window, all of them by `drift` samples at least.
static void watch(struct weir_audio_timeline *timeline, int64_t off)
{
    const int64_t heard = timeline->sample_rate / DRIFTS_PER_SECOND;
    timeline->least = off < timeline->least ? off : timeline->least;
    timeline->most = off > timeline->most ? off : timeline->most;
    if ((int64_t)timeline->next < timeline->window_end) {
        return;
    }
    const int64_t drift = timeline->least > heard   ? timeline->least
                          : timeline->most < -heard ? timeline->most
                                                    : 0;
    begin_window(timeline);
    timeline->drift = drift;
}

// Place a call by its time: behind silence, or without what is there already.
static struct weir_audio_place place_by_time(const struct weir_audio_timeline *timeline,
                                             int64_t position, uint32_t num_samples)
{
    const int64_t gap = position - (int64_t)timeline->next;
    if (gap >= 0 && (uint64_t)gap <= timeline->max_gap) {
        return (struct weir_audio_place){.silence = (uint64_t)gap};
    }
    const bool is_cut_short = gap < 0 && -gap < num_samples;
    return (struct weir_audio_place){.cut = is_cut_short ? (uint32_t)-gap : num_samples};
}

// Place a call behind the one before it.
static struct weir_audio_place place_in_turn(struct weir_audio_timeline *timeline,
                                             uint32_t num_missing)
{
    struct weir_audio_place place = {.silence = num_missing};
    if (timeline->drift > 0) {
        place.drift = 1;
        timeline->drift--;
    } else if (timeline->drift < 0) {
        place.drift = -1;
        timeline->drift++;
    }
    return place;
}

// True if a call follows the one before it whatever its time is. The rest of a call goes where the
// call itself does.
static bool is_in_turn(const struct weir_audio_timeline *timeline,
                       const struct weir_audio_call *call, int64_t off)
{
    const int64_t tolerance = timeline->sample_rate / TOLERANCES_PER_SECOND;
    const bool follows = call->is_rest ? !timeline->is_cut : off <= tolerance && off >= -tolerance;
    return timeline->is_placed && !timeline->has_seam && follows;
}

// True if audio goes on with this call after a gap that gets no silence.
static bool resumes(const struct weir_audio_timeline *timeline, int64_t position,
                    uint32_t num_samples)
{
    const int64_t tolerance = timeline->sample_rate / TOLERANCES_PER_SECOND;
    return position > (int64_t)timeline->next + tolerance &&
           position + num_samples > (int64_t)timeline->resume;
}

struct weir_audio_place weir_audio_timeline_place(struct weir_audio_timeline *timeline,
                                                  const struct weir_audio_call *call)
{
    const uint32_t num_samples = call->num_samples;
    const int64_t position = weir_audio_position(call->time_ns, timeline->sample_rate);
    const uint64_t jump = resumes(timeline, position, num_samples)
                              ? weir_audio_timeline_jump(timeline, timeline->resume)
                              : 0;
    const uint32_t num_missing = jump > 0 ? 0 : call->num_missing;
    const int64_t off = position - (int64_t)(timeline->next + num_missing);
    const bool in_turn = is_in_turn(timeline, call, off);
    struct weir_audio_place place = in_turn ? place_in_turn(timeline, num_missing)
                                            : place_by_time(timeline, position, num_samples);
    const uint64_t end = timeline->next + place.silence + num_samples - place.cut +
                         (uint64_t)(int64_t)place.drift;
    timeline->is_cut = place.cut == num_samples || end > timeline->end;
    if (timeline->is_cut) {
        return (struct weir_audio_place){.jump = jump, .cut = num_samples};
    }
    place.jump = jump;
    timeline->next = end;
    timeline->has_seam = false;
    if (in_turn) {
        watch(timeline, off);
    } else {
        timeline->is_placed = true;
        begin_window(timeline);
    }
    return place;
}

void weir_audio_timeline_break(struct weir_audio_timeline *timeline)
{
    timeline->has_seam = true;
}

uint64_t weir_audio_timeline_fill(struct weir_audio_timeline *timeline, int64_t position)
{
    if (position <= (int64_t)timeline->next || position > (int64_t)timeline->end) {
        return 0;
    }
    const uint64_t silence = (uint64_t)position - timeline->next;
    timeline->next = (uint64_t)position;
    timeline->is_placed = true;
    begin_window(timeline);
    return silence;
}

uint64_t weir_audio_timeline_jump(struct weir_audio_timeline *timeline, uint64_t position)
{
    if (position <= timeline->next) {
        return 0;
    }
    const uint64_t jump = position - timeline->next;
    timeline->next = position;
    timeline->is_placed = false; // the next call goes where its time is
    return jump;
}
