// SPDX-License-Identifier: MIT
// Segments together with pauses, a constant rate, time code and a replay: put behind each other
// they are the movie that there would be without segments, as FFmpeg reads them.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/stream/mux/replay.h"
#include "movies.h"
#include "recording.h"
#include "reference.h"
#include "testing.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)
// 29.97 frames a second, 30 numbers a second, of which two a minute are left out.
#define FRAME_NS (1001 * SECOND / 30000)
enum { NUM_FRAMES = 200, RATE = 48000, CALL = RATE / 100, FIRST_NUMBER = 59 * 30 };

static const struct weir_audio_track track = {
    .sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32};

// Frames of which every fifth is missing, and pauses that begin between them.
struct host {
    int64_t times[NUM_FRAMES];
    bool is_white[NUM_FRAMES];
    bool pauses_before[NUM_FRAMES]; // resumed just before the frame
    int64_t lead_ns;                // of sound before its frames
    int64_t num_samples;            // that were handed over
    int64_t begin_ns;
};

static struct host draw_host(void)
{
    struct host host = {.lead_ns = (int64_t)(test_random() % 300) * MS - 150 * MS};
    int64_t time_ns = host.begin_ns = (int64_t)(test_random() % (uint64_t)SECOND);
    for (int i = 0; i < NUM_FRAMES; i++) {
        host.times[i] = time_ns;
        host.is_white[i] = test_random() & 1;
        time_ns += test_random() % 5 ? FRAME_NS : 3 * FRAME_NS;
        host.pauses_before[i] = i > 0 && i % 70 == 0;
        time_ns += i + 1 < NUM_FRAMES && (i + 1) % 70 == 0 ? 5 * SECOND : 0;
    }
    return host;
}

// Hand over samples that say their number, from 1 on, up to a time.
static void hand_sound(struct recording *recording, struct host *host, int64_t until_ns)
{
    int32_t samples[CALL];
    for (;;) {
        const int64_t time_ns = host->begin_ns + host->num_samples * SECOND / RATE;
        if (time_ns > until_ns) {
            return;
        }
        for (int i = 0; i < CALL; i++) {
            samples[i] = (int32_t)++host->num_samples;
        }
        weir_capture_audio(recording->capture, 0, samples, CALL, time_ns);
    }
}

static int64_t pause_begin(const struct host *host, int frame)
{
    return host->times[frame] - 5 * SECOND - FRAME_NS / 2;
}

// Until when sound is handed over with a frame: no call that a pause divides before its begin is
// known.
static int64_t sound_until(const struct host *host, int frame)
{
    const int64_t until = host->times[frame] + host->lead_ns;
    int next = frame + 1;
    while (next < NUM_FRAMES && !host->pauses_before[next]) {
        next++;
    }
    const int64_t most = next < NUM_FRAMES ? pause_begin(host, next) - 10 * MS : INT64_MAX;
    return until < most ? until : most;
}

static struct weir_capture_params params_of(const char *path)
{
    return (struct weir_capture_params){
        .path = path,
        .segments.enable = true,
        .audio = {.tracks = &track, .num_tracks = 1, .buffer_ms = 1000},
        .timing.frame_rate = {30000, 1001},
        .timing.constant_rate = true,
        .timing.timecode = "00:00:59;00",
    };
}

static struct weir_capture_stats record(struct host *host, const struct weir_capture_params *params,
                                        const char *replay)
{
    struct recording recording;
    struct weir_capture_stats stats;
    uint64_t num_taken = 0;
    host->num_samples = 0;
    recording_open(&recording, params);
    for (int i = 0; i < NUM_FRAMES; i++) {
        if (host->pauses_before[i]) {
            weir_capture_pause(recording.capture, pause_begin(host, i));
            weir_capture_resume(recording.capture, host->times[i] - FRAME_NS / 2);
        }
        num_taken += recording_present(&recording, host->times[i], host->is_white[i]) == WEIR_OK;
        recording_wait_written(&recording, 1); // before the first frame not all sound is kept
        hand_sound(&recording, host, sound_until(host, i));
    }
    hand_sound(&recording, host, host->times[NUM_FRAMES - 1]);
    recording_wait_written(&recording, num_taken);
    if (replay) {
        weir_capture_save_replay(recording.capture, replay);
    }
    test_expect(recording_close(&recording, &stats) == WEIR_OK, "close: %s", test_log_text());
    test_expect(stats.received == NUM_FRAMES && stats.dropped == 0 &&
                    stats.written + stats.skipped == NUM_FRAMES && stats.repeated > 0,
                "%" PRIu64 " written, %" PRIu64 " skipped, %" PRIu64 " dropped, %" PRIu64
                " repeated",
                stats.written, stats.skipped, stats.dropped, stats.repeated);
    test_expect(stats.audio.dropped == stats.audio.dropped_by_reason[WEIR_AUDIO_DROP_PAUSE] +
                                           stats.audio.dropped_by_reason[WEIR_AUDIO_DROP_TIME],
                "sound is left out in pauses");
    return stats;
}

static void expect_same(const struct movies *got, const struct movies *want)
{
    test_expect(got->num_frames == want->num_frames && got->duration == want->duration,
                "%d frames, %" PRId64 " ticks; without segments %d, %" PRId64, got->num_frames,
                got->duration, want->num_frames, want->duration);
    for (int i = 0; i < got->num_frames && i < want->num_frames; i++) {
        const struct movies_frame *a = &got->frames[i], *b = &want->frames[i];
        if (!test_expect(a->time == i * INT64_C(3003) && a->time == b->time &&
                             a->duration == b->duration && strcmp(a->hash, b->hash) == 0,
                         "frame %d at %" PRId64, i, a->time)) {
            break;
        }
    }
    const int32_t *a = (const int32_t *)(const void *)got->sound[0];
    const int32_t *b = (const int32_t *)(const void *)want->sound[0];
    const size_t num = got->sound_size[0] / sizeof(a[0]);
    size_t same = 0;
    while (same < num && got->sound_size[0] == want->sound_size[0] && a[same] == b[same]) {
        same++;
    }
    test_expect(same == num && got->sound_size[0] == want->sound_size[0],
                "%zu samples, without segments %zu; number %zu is another one", num,
                want->sound_size[0] / sizeof(b[0]), same);
}

// Each sample that is in the movie is there once, in order.
static void expect_once(const struct movies *movies, const struct weir_capture_stats *stats)
{
    const int32_t *samples = (const int32_t *)(const void *)movies->sound[0];
    const size_t num = movies->sound_size[0] / sizeof(samples[0]);
    int32_t last = 0;
    uint64_t num_silent = 0;
    bool is_rising = true;
    for (size_t i = 0; i < num; i++) {
        num_silent += samples[i] == 0;
        is_rising = is_rising && (samples[i] == 0 || samples[i] > last);
        last = samples[i] > last ? samples[i] : last;
    }
    test_expect(is_rising, "each sample once, in order");
    test_expect(num == stats->audio.written && num_silent == stats->audio.silence,
                "%zu samples, %" PRIu64 " silent; counted %" PRIu64 ", %" PRIu64, num, num_silent,
                stats->audio.written, stats->audio.silence);
    test_expect((uint64_t)movies->num_frames == stats->written + stats->repeated,
                "%d frames, %" PRIu64 " and %" PRIu64 " counted", movies->num_frames,
                stats->written, stats->repeated);
}

// Drop frame, by the rule: frames ;00 and ;01 are left out in each minute but every tenth.
static void write_timecode(char text[16], int number)
{
    int minute = 0, left = number;
    for (int size = 1800; left >= size; size = minute % 10 == 0 ? 1800 : 1798) {
        left -= size;
        minute++;
    }
    left += minute % 10 == 0 ? 0 : 2;
    snprintf(text, 16, "%02d:%02d:%02d;%02d", minute / 60 % 24, minute % 60, left / 30 % 60,
             left % 30);
}

static void expect_timecode(const char *path, int number)
{
    struct reference reference;
    char want[16];
    write_timecode(want, FIRST_NUMBER + number);
    reference_open(&reference, path);
    const char *got = reference_tag(reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0),
                                    "timecode");
    test_expect(strcmp(got, want) == 0, "%s: time code %s, not %s", path, got, want);
    reference_close(&reference);
}

static void expect_timecodes(const char *path)
{
    static struct movies movies;
    for (int number = 1; test_file_exists(segment_path(path, number)); number++) {
        expect_timecode(segment_path(path, number), movies.num_frames);
        movies_append(&movies, segment_path(path, number), 0);
    }
    movies_finish(&movies);
}

// The frames of a replay are the last ones.
static void expect_replay(const char *path, const struct movies *all)
{
    static struct movies replay;
    movies_append(&replay, path, 1);
    unlink(path);
    const int first = all->num_frames - replay.num_frames;
    test_expect(first > 0 && replay.num_frames >= 25 && replay.num_frames <= 31,
                "replay: %d frames", replay.num_frames);
    for (int i = 0; i < replay.num_frames && first > 0; i++) {
        test_expect(strcmp(replay.frames[i].hash, all->frames[first + i].hash) == 0,
                    "replay: frame %d", i);
    }
    movies_finish(&replay);
}

static void test_together(void)
{
    static struct movies whole, segments;
    struct host host = draw_host();
    const char *replay = test_path("replay.mov");
    struct weir_capture_params params = params_of(test_path("whole.mov"));
    params.segments.enable = false;
    record(&host, &params, NULL);
    movies_append(&whole, params.path, 1);
    expect_timecode(params.path, 0);
    params = params_of(test_path("take.mov"));
    params.segments.length_ms = 700;
    params.replay.length_ms = 1000;
    const struct weir_capture_stats stats = record(&host, &params, replay);
    expect_timecodes(params.path);
    movies_append_segments(&segments, params.path, 1);
    test_expect(segments.num_movies >= 5 && stats.segments == (uint64_t)segments.num_movies,
                "%d segments, %" PRIu64 " counted", segments.num_movies, stats.segments);
    expect_same(&segments, &whole);
    expect_once(&segments, &stats);
    expect_replay(replay, &segments);
    movies_finish(&segments);
    movies_finish(&whole);
}

// A gap that constant rate does not fill: a segment each, nothing repeated, no silence. A replay
// has what comes after it.
static void test_gap(void)
{
    enum { BEFORE = 40, AFTER = 12, GAP = 2100 }; // frames; 70 s
    static struct movies movies, replay;
    struct recording recording;
    struct weir_capture_stats stats;
    int32_t samples[1602] = {0};
    struct weir_capture_params params = params_of(test_path("gap.mov"));
    const char *replay_path = test_path("replay.mov");
    params.replay.length_ms = 100000;
    params.replay.max_bytes = 4 << 20;
    recording_open(&recording, &params);
    for (int i = 0; i < BEFORE + AFTER; i++) {
        const int64_t time_ns = (i + (i < BEFORE ? 0 : GAP)) * INT64_C(1001) * SECOND / 30000;
        recording_present(&recording, time_ns, i % 3 == 0);
        recording_wait_written(&recording, 1);
        weir_capture_audio(recording.capture, 0, samples, i % 5 < 3 ? 1602 : 1601, time_ns);
    }
    recording_wait_written(&recording, BEFORE + AFTER);
    weir_capture_save_replay(recording.capture, replay_path);
    const enum weir_result closed = recording_close(&recording, &stats);
    test_expect(closed == WEIR_OK && stats.segments == 2 && stats.repeated == 0 &&
                    stats.audio.silence == 0,
                "gap: %" PRIu64 " segments, %" PRIu64 " repeated, %" PRIu64 " of silence",
                stats.segments, stats.repeated, stats.audio.silence);
    expect_timecode(segment_path(params.path, 2), BEFORE + GAP);
    movies_append_segments(&movies, params.path, 1);
    test_expect(movies.num_frames == BEFORE + AFTER && movies.first[1] == BEFORE &&
                    movies.duration == (BEFORE + AFTER) * 3003,
                "gap: %d frames, %" PRId64 " ticks", movies.num_frames, movies.duration);
    movies_append(&replay, replay_path, 1);
    test_expect(replay.num_frames == AFTER, "gap: %d frames in the replay", replay.num_frames);
    unlink(replay_path);
    movies_finish(&movies);
    movies_finish(&replay);
}

// Frames of another size: the points before them have packets of the old one. A replay has frames
// of one size.
static void test_sizes(void)
{
    static struct movies movies;
    struct recording recording;
    struct weir_capture_params params = params_of(test_path("sizes.mov"));
    const char *replay = test_path("replay.mov");
    params.audio.num_tracks = 0;
    params.replay.length_ms = 100000;
    params.replay.max_bytes = 4 << 20;
    recording_open(&recording, &params);
    recording_present(&recording, 0, true);
    recording_present_random(&recording, 32, 8, 10 * FRAME_NS);
    recording_present_random(&recording, 32, 8, 11 * FRAME_NS);
    recording_wait_written(&recording, 3);
    test_expect(weir_capture_save_replay(recording.capture, replay) == WEIR_OK, "save");
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    recording_finish(&recording);
    test_expect(stats.segments == 2 && stats.repeated == 9,
                "sizes: %" PRIu64 " segments, %" PRIu64 " repeated", stats.segments,
                stats.repeated);
    expect_timecode(segment_path(params.path, 2), 10);
    movies_append_segments(&movies, params.path, 0);
    test_expect(movies.num_frames == 12 && movies.first[1] == 10 &&
                    strcmp(movies.frames[9].hash, movies.frames[0].hash) == 0 &&
                    strcmp(movies.frames[10].hash, movies.frames[0].hash) != 0,
                "sizes: %d frames, the second segment from %d on", movies.num_frames,
                movies.first[1]);
    struct reference reference;
    reference_open(&reference, replay);
    const struct reference_stream *frames = reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0);
    test_expect(frames->num_packets == 2 && frames->facts->codecpar->width == 32 &&
                    frames->facts->codecpar->height == 8,
                "sizes: the replay has %zu frames", frames->num_packets);
    reference_close(&reference);
    unlink(replay);
    movies_finish(&movies);
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        test_together();
    }
    test_gap();
    test_sizes();
    return test_finish();
}
