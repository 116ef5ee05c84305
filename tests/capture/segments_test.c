// SPDX-License-Identifier: MIT
// Segments: put behind each other they are the movie that there would be without them, frame by
// frame and sample by sample, as FFmpeg reads them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/movie/read.h"
#include "capture/stream/clock/clock.h"
#include "movies.h"
#include "recording.h"
#include "testing.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)
enum { MAX_FRAMES = 1000, MAX_SAMPLES = 48000 * 40, NUM_TRACKS = 2 };

static const struct weir_audio_track tracks[NUM_TRACKS] = {
    {.sample_rate = 48000, .num_channels = 2, .format = WEIR_SAMPLE_S16},
    {.sample_rate = 44100, .num_channels = 1, .format = WEIR_SAMPLE_S24},
};
static uint8_t samples[MAX_SAMPLES * 4];

// What a host does: frames, and calls of sound with time stamps that jitter, each `lag` after or
// before its time.
struct host {
    int num_frames;
    int64_t times[MAX_FRAMES];
    bool is_white[MAX_FRAMES];
    uint64_t jitter_seed;
    int64_t jitter_ns;
    int64_t lag_ns[NUM_TRACKS];
    int64_t sound_end_ns;
};

static void draw_frames(struct host *host, int num_frames, int64_t frame_ns, int64_t jitter_ns)
{
    host->num_frames = num_frames;
    const int64_t begin = (int64_t)(test_random() % (uint64_t)SECOND);
    for (int i = 0; i < num_frames; i++) {
        const int64_t off = jitter_ns > 0 ? (int64_t)(test_random() % (uint64_t)jitter_ns) : 0;
        host->times[i] = begin + i * frame_ns + (i > 0 ? off : 0);
        host->is_white[i] = test_random() & 1;
    }
    host->sound_end_ns = host->times[num_frames - 1];
}

static struct host draw_host(int num_frames)
{
    struct host host = {.jitter_ns = 20 * MS, .jitter_seed = test_random()};
    draw_frames(&host, num_frames, SECOND / 60, 15 * MS);
    for (int i = 0; i < NUM_TRACKS; i++) {
        host.lag_ns[i] = (int64_t)(test_random() % 600) * MS - 200 * MS;
    }
    return host;
}

struct sound_state {
    uint64_t num[NUM_TRACKS];
    uint64_t seed;
};

// Hand over the calls of a track whose turn has come. They begin half a second before the movie.
static void hand_sound(struct recording *recording, const struct host *host,
                       struct sound_state *state, uint32_t track, int64_t until_ns)
{
    const uint64_t rate = tracks[track].sample_rate, call = rate / 100;
    const uint32_t size = weir_audio_sample_size(tracks[track].format, tracks[track].num_channels);
    const int64_t begin = host->times[0] - SECOND / 2;
    for (;;) {
        const int64_t time_ns = begin + (int64_t)(state->num[track] * SECOND / rate);
        if (time_ns + host->lag_ns[track] > until_ns || time_ns > host->sound_end_ns) {
            return;
        }
        state->seed = state->seed * 6364136223846793005u + 1442695040888963407u;
        const int64_t jitter = host->jitter_ns > 0
                                   ? (int64_t)((state->seed >> 33) % (uint64_t)host->jitter_ns)
                                   : 0;
        const size_t at = state->num[track] % (MAX_SAMPLES / 2) * size;
        weir_capture_audio(recording->capture, track, samples + at, (uint32_t)call,
                           time_ns + jitter);
        state->num[track] += call;
    }
}

static struct weir_capture_stats record(const struct host *host,
                                        const struct weir_capture_params *params)
{
    struct recording recording;
    struct sound_state state = {.seed = host->jitter_seed};
    struct weir_capture_stats stats;
    recording_open(&recording, params);
    for (int i = 0; i < host->num_frames; i++) {
        recording_present(&recording, host->times[i], host->is_white[i]);
        // Before the first frame not all sound is kept.
        recording_wait_written(&recording, 1);
        for (uint32_t track = 0; track < params->audio.num_tracks; track++) {
            hand_sound(&recording, host, &state, track, host->times[i]);
        }
    }
    for (uint32_t track = 0; track < params->audio.num_tracks; track++) {
        hand_sound(&recording, host, &state, track, INT64_MAX);
    }
    const enum weir_result result = recording_close(&recording, &stats);
    test_expect(result == WEIR_OK, "close: %s", test_log_text());
    test_expect(stats.received == stats.written && stats.written == (uint64_t)host->num_frames,
                "%d frames", host->num_frames);
    return stats;
}

static void expect_frames(const char *name, const struct movies *got, const struct movies *want)
{
    test_expect(got->num_frames == want->num_frames && got->duration == want->duration,
                "%s: %d frames, %lld ticks; without segments %d, %lld", name, got->num_frames,
                (long long)got->duration, want->num_frames, (long long)want->duration);
    for (int i = 0; i < got->num_frames && i < want->num_frames; i++) {
        const struct movies_frame *a = &got->frames[i], *b = &want->frames[i];
        if (!test_expect(
                a->time == b->time && a->duration == b->duration && strcmp(a->hash, b->hash) == 0,
                "%s: frame %d at %lld for %lld, not at %lld for %lld", name, i, (long long)a->time,
                (long long)a->duration, (long long)b->time, (long long)b->duration)) {
            return;
        }
    }
}

static void expect_sound(const char *name, const struct movies *got, const struct movies *want)
{
    for (int i = 0; i < NUM_TRACKS; i++) {
        const size_t size = got->sound_size[i] < want->sound_size[i] ? got->sound_size[i]
                                                                     : want->sound_size[i];
        size_t same = 0;
        while (same < size && got->sound[i][same] == want->sound[i][same]) {
            same++;
        }
        test_expect(got->sound_size[i] == want->sound_size[i] && same == size,
                    "%s: track %d has %zu bytes; without segments %zu, the first %zu alike", name,
                    i, got->sound_size[i], want->sound_size[i], same);
    }
}

static int64_t position_at(const struct host *host, int frame, uint32_t rate)
{
    const uint64_t ns = (uint64_t)(host->times[frame] - host->times[0]);
    return (int64_t)weir_segment_position(weir_ticks_from_ns(ns, 90000), 90000, rate);
}

// Each segment has the samples from the time of its first frame to that of the next one's.
static void expect_samples(const char *name, const struct host *host, const char *path)
{
    struct movies all = {.num_frames = 0};
    for (int number = 1; test_file_exists(segment_path(path, number)); number++) {
        struct movies own = {.num_frames = 0};
        const int first = all.num_frames;
        movies_append(&own, segment_path(path, number), NUM_TRACKS);
        all.num_frames += own.num_frames;
        for (int i = 0; i < NUM_TRACKS && all.num_frames < host->num_frames; i++) {
            const uint32_t rate = tracks[i].sample_rate;
            const int64_t want = position_at(host, all.num_frames, rate) -
                                 position_at(host, first, rate);
            const int64_t got = (int64_t)own.sound_size[i] /
                                weir_audio_sample_size(tracks[i].format, tracks[i].num_channels);
            test_expect(got == want, "%s: segment %d, track %d: %lld samples, not %lld", name,
                        number, i, (long long)got, (long long)want);
        }
        movies_finish(&own);
    }
}

// Record with segments and without, and compare. Returns how many there were.
static int compare(const char *name, const struct host *host, struct weir_capture_params params)
{
    static struct movies segments, whole;
    params.audio.tracks = tracks;
    params.audio.num_tracks = NUM_TRACKS;
    params.path = test_path("whole.mov");
    const struct weir_capture_segments_params lengths = params.segments;
    params.segments = (struct weir_capture_segments_params){.enable = false};
    record(host, &params);
    movies_append(&whole, params.path, NUM_TRACKS);
    params.path = test_path("take.mov");
    params.segments = lengths;
    const struct weir_capture_stats stats = record(host, &params);
    expect_samples(name, host, params.path);
    movies_append_segments(&segments, params.path, NUM_TRACKS);
    expect_frames(name, &segments, &whole);
    expect_sound(name, &segments, &whole);
    test_expect(stats.segments == (uint64_t)segments.num_movies, "%s: %d movies, %llu counted",
                name, segments.num_movies, (unsigned long long)stats.segments);
    const int num = segments.num_movies;
    movies_finish(&segments);
    movies_finish(&whole);
    return num;
}

static void test_duration(void)
{
    for (int i = 0; i < 2; i++) {
        const struct host host = draw_host(200);
        const int num = compare(
            "duration", &host,
            (struct weir_capture_params){.audio.buffer_ms = 1000, .segments.length_ms = 400});
        test_expect(num >= 3 && num <= 9, "duration: %d segments", num);
    }
}

static void test_size(void)
{
    enum { LIMIT = 256 << 10 };
    const struct host host = draw_host(240);
    const char *path = test_path("size.mov");
    record(&host, &(struct weir_capture_params){
                      .segments.enable = true,
                      .path = path,
                      .audio = {.tracks = tracks, .num_tracks = NUM_TRACKS, .buffer_ms = 1000},
                      .segments.max_bytes = LIMIT});
    int number = 1;
    for (; test_file_exists(segment_path(path, number)); number++) {
        const long long size = test_file_size(segment_path(path, number));
        const bool is_last = !test_file_exists(segment_path(path, number + 1));
        test_expect(size <= LIMIT || is_last, "size: segment %d has %lld bytes", number, size);
        unlink(segment_path(path, number));
    }
    test_expect(number > 4, "size: %d segments", number - 1);
    compare("size", &host,
            (struct weir_capture_params){.audio.buffer_ms = 1000, .segments.max_bytes = LIMIT});
}

// 7 hours between two frames: a segment each, and no silence between them.
static void test_gap(void)
{
    static struct movies movies;
    struct host host = {.jitter_ns = 0};
    const char *path = test_path("gap.mov");
    draw_frames(&host, 60, SECOND / 60, 0);
    for (int i = 30; i < 60; i++) {
        host.times[i] += 7 * 3600 * SECOND;
    }
    struct recording recording;
    struct weir_capture_stats stats;
    recording_open(&recording,
                   &(struct weir_capture_params){
                       .segments.enable = true,
                       .path = path,
                       .audio = {.tracks = tracks, .num_tracks = 1, .buffer_ms = 1000}});
    for (int i = 0; i < 60; i++) {
        recording_present(&recording, host.times[i], i % 3 == 0);
        weir_capture_audio(recording.capture, 0, samples + i * 3200, 800, host.times[i]);
    }
    test_expect(recording_close(&recording, &stats) == WEIR_OK && stats.segments == 2 &&
                    stats.audio.silence == 0 && stats.audio.dropped == 0,
                "gap: %llu segments, %llu samples of silence, %llu dropped",
                (unsigned long long)stats.segments, (unsigned long long)stats.audio.silence,
                (unsigned long long)stats.audio.dropped);
    movies_append_segments(&movies, path, 1);
    test_expect(movies.num_frames == 60 && movies.first[1] == 30 && movies.duration == 90000,
                "gap: %d frames, %lld ticks", movies.num_frames, (long long)movies.duration);
    test_expect(movies.sound_size[0] == 60 * 3200 &&
                    memcmp(movies.sound[0], samples, 60 * 3200) == 0,
                "gap: %zu bytes of sound", movies.sound_size[0]);
    movies_finish(&movies);
}

// Sound that goes on through such a gap belongs to the segment before it, up to the last sample.
static void test_sound_in_gap(void)
{
    enum { RATE = 1000, CALL = 10 * RATE, NUM = 7 * 360, LATE = 37 };
    static const struct weir_audio_track slow = {.sample_rate = RATE, .num_channels = 1};
    static struct movies movies;
    const char *path = test_path("sound.mov");
    struct recording recording;
    struct weir_capture_stats stats;
    recording_open(&recording,
                   &(struct weir_capture_params){
                       .segments.enable = true,
                       .path = path,
                       .audio = {.tracks = &slow, .num_tracks = 1, .buffer_ms = 40000}});
    recording_present(&recording, 0, true);
    recording_wait_written(&recording, 1);
    for (int i = 0; i < NUM; i++) {
        weir_capture_audio(recording.capture, 0, samples + i * 2, CALL, i * 10 * SECOND);
    }
    recording_present(&recording, NUM * 10 * SECOND - LATE * SECOND / RATE, false);
    test_expect(recording_close(&recording, &stats) == WEIR_OK && stats.segments == 2 &&
                    stats.audio.silence == 0 && stats.audio.dropped == 0,
                "sound in a gap: %llu of silence, %llu dropped",
                (unsigned long long)stats.audio.silence, (unsigned long long)stats.audio.dropped);
    movies_append(&movies, segment_path(path, 1), 1);
    test_expect(movies.sound_size[0] == (NUM * CALL - LATE) * 2, "sound in a gap: %zu bytes",
                movies.sound_size[0]);
    movies_finish(&movies);
    movies_append_segments(&movies, path, 1);
    test_expect(movies.sound_size[0] == (size_t)NUM * CALL * 2 && movies.num_frames == 2,
                "sound in a gap: %zu bytes in all", movies.sound_size[0]);
    movies_finish(&movies);
}

// Sound that comes after its segment is complete, because so many others have begun, is dropped,
// counted and told; the rest is in place.
static void test_late(void)
{
    enum { NUM = 200, A_SEGMENT = 10, NUM_OPEN = 16, CALL = 960, SIZE = CALL * 4 };
    enum { LOST = NUM - NUM_OPEN * A_SEGMENT };
    static struct movies movies;
    const char *path = test_path("late.mov");
    struct recording recording;
    struct weir_capture_stats stats;
    recording_open(&recording, &(struct weir_capture_params){
                                   .segments.enable = true,
                                   .path = path,
                                   .audio = {.tracks = tracks, .num_tracks = 1, .buffer_ms = 200},
                                   .segments.length_ms = A_SEGMENT * 1000 / 50});
    for (int i = 0; i < NUM; i++) {
        recording_present(&recording, i * SECOND / 50, i % 3 == 0);
    }
    recording_wait_written(&recording, NUM);
    const int told = test_log_count(WEIR_LOG_CODE_AUDIO_DROPPED);
    for (int i = 0; i < NUM; i++) {
        weir_capture_audio(recording.capture, 0, samples + (size_t)i * SIZE, CALL, i * SECOND / 50);
    }
    test_expect(recording_close(&recording, &stats) == WEIR_OK && stats.segments == NUM / A_SEGMENT,
                "late: %llu segments", (unsigned long long)stats.segments);
    test_expect(stats.audio.dropped == LOST * CALL && stats.audio.silence == 0 &&
                    stats.audio.dropped_by_reason[WEIR_AUDIO_DROP_TIME] == LOST * CALL,
                "late: %llu dropped, %llu of silence", (unsigned long long)stats.audio.dropped,
                (unsigned long long)stats.audio.silence);
    test_expect(test_log_count(WEIR_LOG_CODE_AUDIO_DROPPED) > told, "late: it is told");
    movies_append_segments(&movies, path, 1);
    test_expect(movies.num_frames == NUM && movies.sound_size[0] == (NUM - LOST) * SIZE &&
                    memcmp(movies.sound[0], samples + LOST * SIZE, movies.sound_size[0]) == 0,
                "late: the sound of the last %d is there, %zu bytes", NUM_OPEN,
                movies.sound_size[0]);
    movies_finish(&movies);
}

// Sound that is further ahead than memory holds: no segment begins, it is told, nothing is lost.
static void test_ahead(void)
{
    struct host host = draw_host(200);
    host.lag_ns[0] = host.lag_ns[1] = -2 * SECOND;
    host.sound_end_ns += 3 * SECOND;
    const int told = test_log_count(WEIR_LOG_CODE_SEGMENT);
    const int num = compare(
        "ahead", &host,
        (struct weir_capture_params){.audio.buffer_ms = 1000, .segments.length_ms = 400});
    test_expect(num == 1 && test_log_count(WEIR_LOG_CODE_SEGMENT) > told, "ahead: %d segments",
                num);
}

static bool read_file(void *user, uint64_t offset, uint8_t *bytes, size_t size)
{
    return fseek(user, (long)offset, SEEK_SET) == 0 && fread(bytes, 1, size, user) == size;
}

static bool read_box(const char *path, struct weir_segment *segment)
{
    FILE *file = fopen(path, "rb");
    struct weir_view view;
    const struct weir_view_source source = {
        .read = read_file, .user = file, .size = (uint64_t)test_file_size(path)};
    const bool is_read = file && weir_view_init(&view, &source, 4096) &&
                         weir_segment_read(&view, segment);
    weir_view_finish(&view);
    fclose(file);
    return is_read;
}

// Each says which recording it belongs to, and when it begins.
static void test_boxes(void)
{
    static struct movies movies;
    struct weir_segment first = {.number = 0}, own;
    const char *path = test_path("boxes.mov");
    for (int round = 0; round < 2; round++) {
        const struct host host = draw_host(60);
        const struct weir_segment before = first;
        record(&host, &(struct weir_capture_params){
                          .segments.enable = true, .path = path, .segments.length_ms = 300});
        test_expect(read_box(segment_path(path, 1), &first), "boxes: the first");
        test_expect(memcmp(before.recording, first.recording, sizeof(first.recording)) != 0,
                    "boxes: another recording");
        movies = (struct movies){.num_frames = 0};
        for (int number = 1; number <= 3; number++) {
            const int64_t start = movies.duration;
            const char *segment = segment_path(path, number);
            test_expect(read_box(segment, &own) && own.number == (uint32_t)number &&
                            own.ticks_per_second == 90000 && own.start_ticks == (uint64_t)start &&
                            memcmp(own.recording, first.recording, sizeof(own.recording)) == 0,
                        "boxes: segment %d: number %u, starts at %llu, not %lld", number,
                        own.number, (unsigned long long)own.start_ticks, (long long)start);
            movies_append(&movies, segment, 0);
        }
        movies_finish(&movies);
    }
}

int main(void)
{
    test_random_bytes(samples, sizeof(samples));
    test_duration();
    test_size();
    test_gap();
    test_sound_in_gap();
    test_late();
    test_ahead();
    test_boxes();
    return test_finish();
}
