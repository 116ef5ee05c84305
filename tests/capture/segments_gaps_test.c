// SPDX-License-Identifier: MIT
// Segments where frames stay away for longer than a movie can say, where audio is far behind or
// ahead, where frames change their size, and where there are many.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "recording.h"
#include "reference.h"
#include "testing.h"

// 29.97 frames a second
#define FRAME_NS (1001 * SECOND / 30000)

static const struct weir_audio_track stereo = {
    .sample_rate = 48000, .num_channels = 2, .format = WEIR_SAMPLE_S16};
static uint8_t samples[48000 * 4 * 6];

static struct weir_capture_params params_of(const char *path)
{
    return (struct weir_capture_params){
        .path = path,
        .segments.enable = true,
        .audio = {.tracks = &stereo, .num_tracks = 1, .buffer_ms = 1000},
    };
}

static struct weir_capture_params constant_params(const char *path)
{
    struct weir_capture_params params = params_of(path);
    params.timing.frame_rate = (struct weir_ratio){30000, 1001};
    params.timing.constant_rate = true;
    params.timing.timecode = "01:00:00:00";
    params.replay.length_ms = 100000;
    params.replay.max_bytes = 4 << 20;
    return params;
}

// Nothing of the audio was changed.
static struct weir_capture_stats end(struct recording *recording, const char *name,
                                     uint64_t num_segments)
{
    const struct weir_capture_stats stats = recording_end(recording, WEIR_OK);
    test_expect(stats.segments == num_segments && stats.audio.silence == 0 &&
                    stats.audio.dropped == 0,
                "%s: %" PRIu64 " segments, %" PRIu64 " samples of silence, %" PRIu64 " dropped",
                name, stats.segments, stats.audio.silence, stats.audio.dropped);
    return stats;
}

static void expect_timecode(const char *path, int frame)
{
    struct reference reference;
    char want[48];
    snprintf(want, sizeof(want), "01:%02d:%02d:%02d", frame / 1800, frame / 30 % 60, frame % 30);
    reference_open(&reference, path);
    const char *got = reference_tag(reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0),
                                    "timecode");
    test_expect(strcmp(got, want) == 0, "%s: time code %s, not %s", path, got, want);
    reference_close(&reference);
}

// 7 hours between two frames: a segment each, and no silence between them.
static void test_gap(void)
{
    static struct movies movies;
    const struct weir_capture_params params = params_of(test_path("gap.mov"));
    struct recording recording;
    recording_open(&recording, &params);
    for (int i = 0; i < 60; i++) {
        const int64_t time_ns = i * SECOND / 60 + (i < 30 ? 0 : 7 * 3600 * SECOND);
        recording_present(&recording, time_ns, i % 3 == 0);
        weir_capture_audio(recording.capture, 0, samples + (size_t)i * 3200, 800, time_ns);
    }
    end(&recording, "gap", 2);
    movies_append_segments(&movies, params.path, 1);
    test_expect(movies.num_frames == 60 && movies.first[1] == 30 && movies.duration == 90000,
                "gap: %d frames, %" PRId64 " ticks", movies.num_frames, movies.duration);
    test_expect(movies.sound_size[0] == 60 * 3200 &&
                    memcmp(movies.sound[0], samples, 60 * 3200) == 0,
                "gap: %zu bytes of sound", movies.sound_size[0]);
    movies_finish(&movies);
}

// A gap that constant rate does not fill: a segment each, nothing repeated, no silence. A replay
// has what comes after it.
static void test_constant_gap(void)
{
    enum { BEFORE = 40, AFTER = 12, GAP = 2100 }; // frames; 70 s
    static struct movies movies, replay;
    struct recording recording;
    const struct weir_capture_params params = constant_params(test_path("constant.mov"));
    const char *replay_path = test_path("replay.mov");
    recording_open(&recording, &params);
    for (int i = 0; i < BEFORE + AFTER; i++) {
        const int64_t time_ns = (i + (i < BEFORE ? 0 : GAP)) * INT64_C(1001) * SECOND / 30000;
        recording_present(&recording, time_ns, i % 3 == 0);
        recording_wait_written(&recording, 1);
        weir_capture_audio(recording.capture, 0, samples, i % 5 < 3 ? 1602 : 1601, time_ns);
    }
    recording_wait_written(&recording, BEFORE + AFTER);
    weir_capture_save_replay(recording.capture, replay_path, 0);
    test_expect(end(&recording, "constant gap", 2).repeated == 0, "constant gap: none is repeated");
    expect_timecode(segment_path(params.path, 2), BEFORE + GAP);
    movies_append_segments(&movies, params.path, 1);
    test_expect(movies.num_frames == BEFORE + AFTER && movies.first[1] == BEFORE &&
                    movies.duration == (BEFORE + AFTER) * 3003,
                "constant gap: %d frames, %" PRId64 " ticks", movies.num_frames, movies.duration);
    movies_append(&replay, replay_path, 1);
    test_expect(replay.num_frames == AFTER, "%d frames in the replay", replay.num_frames);
    unlink(replay_path);
    movies_finish(&movies);
    movies_finish(&replay);
}

// Audio that goes on through a gap belongs to the segment before it, up to the last sample.
static void test_audio_in_gap(void)
{
    enum { RATE = 1000, CALL = 10 * RATE, NUM = 7 * 360, LATE = 37 };
    static const struct weir_audio_track slow = {.sample_rate = RATE, .num_channels = 1};
    static struct movies movies;
    struct weir_capture_params params = params_of(test_path("audio.mov"));
    struct recording recording;
    params.audio.tracks = &slow;
    params.audio.buffer_ms = 40000;
    recording_open(&recording, &params);
    recording_present(&recording, 0, true);
    recording_wait_written(&recording, 1);
    for (int i = 0; i < NUM; i++) {
        weir_capture_audio(recording.capture, 0, samples + (size_t)i * 2, CALL, i * 10 * SECOND);
    }
    recording_present(&recording, NUM * 10 * SECOND - LATE * SECOND / RATE, false);
    end(&recording, "audio in a gap", 2);
    movies_append(&movies, segment_path(params.path, 1), 1);
    test_expect(movies.sound_size[0] == (NUM * CALL - LATE) * 2, "audio in a gap: %zu bytes",
                movies.sound_size[0]);
    movies_finish(&movies);
    movies_append_segments(&movies, params.path, 1);
    test_expect(movies.sound_size[0] == (size_t)NUM * CALL * 2 && movies.num_frames == 2,
                "audio in a gap: %zu bytes in all", movies.sound_size[0]);
    movies_finish(&movies);
}

// Audio that comes after its segment is complete, because so many others have begun, is dropped,
// counted and told; the rest is in place.
static void test_late(void)
{
    enum { NUM = 200, A_SEGMENT = 10, NUM_OPEN = 16, CALL = 960, SIZE = CALL * 4 };
    enum { LOST = NUM - NUM_OPEN * A_SEGMENT };
    static struct movies movies;
    struct weir_capture_params params = params_of(test_path("late.mov"));
    struct recording recording;
    params.audio.buffer_ms = 200;
    params.segments.length_ms = A_SEGMENT * 1000 / 50;
    recording_open(&recording, &params);
    for (int i = 0; i < NUM; i++) {
        recording_present(&recording, i * SECOND / 50, i % 3 == 0);
    }
    recording_wait_written(&recording, NUM);
    const int told = test_log_count(WEIR_LOG_CODE_AUDIO_DROPPED);
    for (int i = 0; i < NUM; i++) {
        weir_capture_audio(recording.capture, 0, samples + (size_t)i * SIZE, CALL, i * SECOND / 50);
    }
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    test_expect(stats.segments == NUM / A_SEGMENT && stats.audio.silence == 0 &&
                    stats.audio.dropped == LOST * CALL &&
                    stats.audio.dropped_by_reason[WEIR_AUDIO_DROP_TIME] == LOST * CALL,
                "late: %" PRIu64 " segments, %" PRIu64 " dropped, %" PRIu64 " of silence",
                stats.segments, stats.audio.dropped, stats.audio.silence);
    test_expect(test_log_count(WEIR_LOG_CODE_AUDIO_DROPPED) > told, "late: it is told");
    movies_append_segments(&movies, params.path, 1);
    test_expect(movies.num_frames == NUM && movies.sound_size[0] == (NUM - LOST) * SIZE &&
                    memcmp(movies.sound[0], samples + LOST * SIZE, movies.sound_size[0]) == 0,
                "late: the sound of the last %d is there, %zu bytes", NUM_OPEN,
                movies.sound_size[0]);
    movies_finish(&movies);
}

// Audio that is further ahead than memory holds: no segment begins, it is told, nothing is lost.
static void test_ahead(void)
{
    static struct movies movies[2];
    struct host host = host_draw(200, SECOND / 60, 15 * MS, false);
    const int told = test_log_count(WEIR_LOG_CODE_SEGMENT);
    host.lag[0] = host.lag[1] = -2 * SECOND;
    host.audio_end += 3 * SECOND;
    for (int i = 0; i < 2; i++) {
        const char *path = test_path("ahead.mov");
        const struct weir_capture_params params = {.path = path, .segments.length_ms = i * 400u};
        const struct weir_capture_stats stats = host_record(&host, &params, NULL);
        test_expect(stats.segments == (uint64_t)i, "ahead: %" PRIu64 " segments", stats.segments);
        movies_append(&movies[i], i > 0 ? segment_path(path, 1) : path, HOST_NUM_TRACKS);
    }
    movies_expect_same("ahead", &movies[1], &movies[0]);
    test_expect(test_log_count(WEIR_LOG_CODE_SEGMENT) > told, "ahead: it is told");
    movies_finish(&movies[0]);
    movies_finish(&movies[1]);
}

// Frames of another size: the points before them have packets of the old one. A replay has frames
// of one size.
static void test_sizes(void)
{
    static struct movies movies;
    struct recording recording;
    struct weir_capture_params params = constant_params(test_path("sizes.mov"));
    const char *replay = test_path("replay.mov");
    params.audio.num_tracks = 0;
    recording_open(&recording, &params);
    recording_present(&recording, 0, true);
    recording_present_random(&recording, 32, 8, 10 * FRAME_NS);
    recording_present_random(&recording, 32, 8, 11 * FRAME_NS);
    recording_wait_written(&recording, 3);
    TEST_OK(weir_capture_save_replay(recording.capture, replay, 0));
    test_expect(end(&recording, "sizes", 2).repeated == 9, "sizes: 9 are repeated");
    recording_finish(&recording);
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

// A recording of many segments takes no more memory than one of a few.
static void test_memory(void)
{
    enum { NUM_FRAMES = 120, WIDTH = 1024, HEIGHT = 512 };
    struct recording recording;
    struct weir_capture_params params = {.path = test_path("many.mov"),
                                         .segments = {.enable = true, .length_ms = 30}};
    long early = 0;
    recording_open_size(&recording, WIDTH, HEIGHT, &params);
    for (uint64_t i = 0; i < NUM_FRAMES; i++) {
        recording_present_green(&recording, WIDTH, HEIGHT, (int64_t)i * FRAME_NS);
        recording_wait_written(&recording, i + 1);
        early = i == NUM_FRAMES / 3 ? test_memory_kib() : early;
    }
    const long late = test_memory_kib();
    test_expect(late < early + 8192, "%ld KiB, then %ld", early, late);
    test_expect(recording_end(&recording, WEIR_OK).segments > NUM_FRAMES / 2, "many segments");
}

int main(void)
{
    test_random_bytes(samples, sizeof(samples));
    test_gap();
    test_constant_gap();
    test_audio_in_gap();
    test_late();
    test_ahead();
    test_sizes();
    test_memory();
    return test_finish();
}
