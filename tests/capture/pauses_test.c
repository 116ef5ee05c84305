// SPDX-License-Identifier: MIT
// Pauses: what they make of any time, by a model that adds them up; and a movie with hundreds of
// them, in which every sample and every frame is where the model says, by FFmpeg's programs.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/stream/clock/clock.h"
#include "recording.h"
#include "reference.h"
#include "testing.h"
#include "tests/sanitized.h"

#define SECOND_NS INT64_C(1000000000)
enum { NUM_PAUSES = 300 / SANITIZED_STRIDE, RATE = 8000, LATE_NS = 80000000 };

struct span {
    int64_t begin_ns, end_ns;
};

static bool is_paused(const struct span *spans, int num, int64_t time_ns)
{
    for (int i = 0; i < num; i++) {
        if (time_ns >= spans[i].begin_ns && time_ns < spans[i].end_ns) {
            return true;
        }
    }
    return false;
}

// The time without all that pauses have of it before.
static int64_t without(const struct span *spans, int num, int64_t time_ns)
{
    int64_t left = time_ns;
    for (int i = 0; i < num && spans[i].begin_ns < time_ns; i++) {
        const int64_t end_ns = spans[i].end_ns < time_ns ? spans[i].end_ns : time_ns;
        left -= end_ns - spans[i].begin_ns;
    }
    return left;
}

static void test_places(void)
{
    static struct span spans[NUM_PAUSES];
    struct weir_pauses pauses;
    test_expect(weir_pauses_init(&pauses), "no memory");
    int64_t time_ns = -(int64_t)test_below(1000 * (uint64_t)SECOND_NS);
    for (int i = 0; i < NUM_PAUSES; i++) {
        spans[i].begin_ns = time_ns + (int64_t)(test_below(4) ? test_below(60) : 0);
        spans[i].end_ns = spans[i].begin_ns + (int64_t)(test_below(4) ? test_below(60) : 0);
        time_ns = spans[i].end_ns;
        test_expect(weir_pauses_begin(&pauses, spans[i].begin_ns), "no memory");
        const struct weir_pause_place open = weir_pauses_place(&pauses, spans[i].begin_ns + 5);
        test_expect(open.is_open && open.is_paused && open.until_ns == INT64_MAX, "open %d", i);
        weir_pauses_end(&pauses, spans[i].end_ns);
    }
    const int64_t begin_ns = spans[0].begin_ns - 100;
    for (int64_t at = begin_ns; at < time_ns + 100; at++) {
        const struct weir_pause_place place = weir_pauses_place_shared(&pauses, at);
        test_expect(place.is_paused == is_paused(spans, NUM_PAUSES, at) && !place.is_open &&
                        place.time_ns == without(spans, NUM_PAUSES, at),
                    "at %" PRId64 ": %" PRId64, at, place.time_ns);
        // What holds now holds until then, and no longer.
        const bool is_last = place.until_ns == INT64_MAX;
        const struct weir_pause_place before = weir_pauses_place(&pauses, place.until_ns - 1);
        test_expect(place.until_ns > at && before.number == place.number &&
                        before.is_paused == place.is_paused &&
                        (is_last ||
                         weir_pauses_place(&pauses, place.until_ns).number != place.number ||
                         place.is_paused),
                    "at %" PRId64 " until %" PRId64, at, place.until_ns);
    }
    weir_pauses_finish(&pauses);
}

static void test_extremes(void)
{
    struct weir_pauses pauses;
    test_expect(weir_pauses_init(&pauses), "no memory");
    struct weir_pause_place place = weir_pauses_place(&pauses, INT64_MIN);
    test_expect(place.time_ns == INT64_MIN && !place.is_paused, "no pause");
    weir_pauses_begin(&pauses, INT64_MIN);
    place = weir_pauses_place(&pauses, INT64_MAX);
    test_expect(place.is_open && place.time_ns == INT64_MIN, "a pause of all times");
    weir_pauses_end(&pauses, INT64_MAX - 1);
    place = weir_pauses_place(&pauses, INT64_MAX);
    test_expect(!place.is_paused && place.time_ns == INT64_MIN + 1, "after it: %" PRId64,
                place.time_ns);
    weir_pauses_finish(&pauses);
}

// A host whose sound tells the number of each sample, and whose frames come at random times.
struct host {
    struct recording recording;
    struct span spans[NUM_PAUSES];
    int num_spans;
    int64_t *frames; // the times that the movie should have
    int num_frames, most_frames;
    int64_t zero_ns; // of its sound
    int32_t position;
};

static int64_t time_of(const struct host *host, int64_t position)
{
    return host->zero_ns + position / RATE * SECOND_NS + position % RATE * SECOND_NS / RATE;
}

// Hand over the sound up to a time, in calls of odd lengths.
static void hand_over_sound(struct host *host, int64_t until_ns)
{
    int32_t samples[500];
    while (time_of(host, host->position) < until_ns) {
        const uint32_t num = 1 + (uint32_t)test_below(sizeof(samples) / sizeof(samples[0]));
        for (uint32_t i = 0; i < num; i++) {
            samples[i] = host->position + 1 + (int32_t)i; // 0 is silence
        }
        weir_capture_audio(host->recording.capture, 0, samples, num, time_of(host, host->position));
        host->position += (int32_t)num;
    }
}

static void hand_over_frame(struct host *host, int64_t time_ns)
{
    recording_present(&host->recording, time_ns, host->num_frames % 2);
    if (!is_paused(host->spans, host->num_spans, time_ns) && host->num_frames < host->most_frames) {
        host->frames[host->num_frames++] = time_ns;
    }
}

// Record between pauses. What was handed over of the sound when a pause begins is of a time before
// it, and may be late; when it ends, it may be of a time after that.
static void record(struct host *host)
{
    int64_t now_ns = host->zero_ns + SECOND_NS / 2;
    for (int i = 0; i < NUM_PAUSES; i++) {
        struct span *span = &host->spans[i];
        for (uint64_t left = test_below(6) + (i == 0); left > 0; left--) {
            now_ns += 1 + (int64_t)test_below(30000000);
            hand_over_frame(host, now_ns);
            hand_over_sound(host, now_ns - LATE_NS - (int64_t)test_below(LATE_NS));
        }
        span->begin_ns = now_ns += 1 + (int64_t)test_below(20000000);
        span->end_ns = INT64_MAX;
        host->num_spans++;
        weir_capture_pause(host->recording.capture, span->begin_ns);
        for (uint64_t left = test_below(4); left > 0; left--) {
            now_ns += 1 + (int64_t)test_below(i % 100 == 0 ? 3000000000 : 30000000);
            hand_over_frame(host, now_ns);
            hand_over_sound(host, now_ns - (int64_t)test_below(LATE_NS));
        }
        span->end_ns = ++now_ns;
        // The resume comes late: most times after the writer has looked at that sound.
        hand_over_sound(host, now_ns + (int64_t)test_below(4 * LATE_NS));
        nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
        weir_capture_resume(host->recording.capture, span->end_ns);
        // What was handed over already is of the time up to here.
        const int64_t there_ns = time_of(host, host->position);
        now_ns = there_ns > now_ns ? there_ns : now_ns;
    }
    now_ns += 1;
    hand_over_frame(host, now_ns);
    hand_over_sound(host, now_ns);
}

// Every sample of the movie is at its place by the model, within the rounding of two times, and
// none is missing but for that at the seams.
static void check_sound(const struct host *host, const struct reference_stream *track,
                        uint64_t written)
{
    const int32_t *sound = (const int32_t *)(const void *)track->bytes;
    const size_t num = track->size / sizeof(sound[0]);
    test_expect(num == written, "%zu samples of %" PRIu64, num, written);
    const int64_t first_ns = without(host->spans, NUM_PAUSES, host->frames[0]);
    uint64_t num_there = 0, num_wanted = 0;
    int64_t worst = 0;
    int32_t last = 0;
    for (size_t i = 0; i < num; i++) {
        if (sound[i] == 0) {
            continue;
        }
        const int64_t time_ns = time_of(host, sound[i] - 1);
        const int64_t movie_ns = without(host->spans, NUM_PAUSES, time_ns) - first_ns;
        const int64_t off_ns = movie_ns - (int64_t)i * SECOND_NS / RATE;
        worst = llabs(off_ns) > worst ? llabs(off_ns) : worst;
        test_expect(!is_paused(host->spans, NUM_PAUSES, time_ns),
                    "sample %" PRId32 " is of a pause", sound[i]);
        test_expect(sound[i] > last, "sample %" PRId32 " after %" PRId32, sound[i], last);
        last = sound[i];
        num_there++;
    }
    test_expect(worst <= SECOND_NS / RATE, "a sample is off by %" PRId64 " ns", worst);
    for (int32_t i = 0; i < host->position; i++) {
        const int64_t time_ns = time_of(host, i);
        // One that is less than half a sample early is at the first frame.
        num_wanted += time_ns > host->frames[0] - SECOND_NS / RATE / 2 &&
                      !is_paused(host->spans, NUM_PAUSES, time_ns);
    }
    test_expect(num_there + NUM_PAUSES + 1 >= num_wanted && num_there <= num_wanted,
                "%" PRIu64 " of %" PRIu64 " samples", num_there, num_wanted);
}

static void check_frames(const struct host *host, const struct reference_stream *frames)
{
    const int64_t first_ns = without(host->spans, NUM_PAUSES, host->frames[0]);
    uint64_t next = 0;
    test_expect(frames->num_packets == (size_t)host->num_frames, "%zu frames of %d",
                frames->num_packets, host->num_frames);
    for (int i = 0; i < host->num_frames && (size_t)i < frames->num_packets; i++) {
        const uint64_t ns = (uint64_t)(without(host->spans, NUM_PAUSES, host->frames[i]) -
                                       first_ns);
        const uint64_t ticks = (ns * 9 + 50000) / 100000;
        const uint64_t want = ticks < next ? next : ticks; // two of one tick
        next = want + 1;
        test_expect(frames->packets[i].pts == (int64_t)want,
                    "frame %d at %" PRId64 ", want %" PRIu64, i, frames->packets[i].pts, want);
    }
}

static void test_movie_of_pauses(void)
{
    static const struct weir_audio_track mono = {
        .sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32};
    const char *path = test_path("pauses.mov");
    struct host *host = calloc(1, sizeof(*host));
    host->most_frames = 20 * NUM_PAUSES;
    host->frames = calloc((size_t)host->most_frames, sizeof(host->frames[0]));
    host->zero_ns = -(int64_t)test_below((uint64_t)SECOND_NS * 1000);
    recording_open(
        &host->recording,
        &(struct weir_capture_params){.path = path, .audio = {.tracks = &mono, .num_tracks = 1}});
    record(host);
    const struct weir_capture_stats stats = recording_end(&host->recording, WEIR_OK);
    test_expect(stats.received == stats.written + stats.skipped &&
                    stats.written == (uint64_t)host->num_frames,
                "%" PRIu64 " frames written, %" PRIu64 " skipped", stats.written, stats.skipped);
    test_expect(stats.audio.dropped_by_reason[WEIR_AUDIO_DROP_PAUSE] > 0 &&
                    test_log_count(WEIR_LOG_CODE_AUDIO_DROPPED) == 0,
                "samples in pauses are counted, not told: %s", test_log_text());
    struct reference reference;
    reference_open(&reference, path);
    check_sound(host, reference_stream(&reference, AVMEDIA_TYPE_AUDIO, 0), stats.audio.written);
    check_frames(host, reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0));
    reference_close(&reference);
    free(host->frames);
    free(host);
}

// Closed while it is paused: what comes before the pause is in the movie, and nothing else.
static void test_close_in_pause(void)
{
    static const struct weir_audio_track mono = {
        .sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32};
    static int32_t samples[RATE];
    struct recording recording;
    recording_open(&recording,
                   &(struct weir_capture_params){.sink = WEIR_SINK_NULL,
                                                 .audio = {.tracks = &mono, .num_tracks = 1}});
    recording_present(&recording, 0, false);
    weir_capture_pause(recording.capture, SECOND_NS / 4);
    recording_present(&recording, SECOND_NS / 4, false);
    for (int i = 0; i < 10; i++) {
        weir_capture_audio(recording.capture, 0, samples, RATE, i * SECOND_NS);
    }
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    test_expect(stats.written == 1 && stats.skipped == 1 && stats.audio.written == RATE / 4 &&
                    stats.audio.dropped_by_reason[WEIR_AUDIO_DROP_PAUSE] == 10 * RATE - RATE / 4,
                "closed in a pause: %" PRIu64 " samples written, %" PRIu64 " of the pause",
                stats.audio.written, stats.audio.dropped_by_reason[WEIR_AUDIO_DROP_PAUSE]);
}

int main(void)
{
    test_places();
    test_extremes();
    test_movie_of_pauses();
    test_close_in_pause();
    return test_finish();
}
