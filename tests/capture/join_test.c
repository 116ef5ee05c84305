// SPDX-License-Identifier: MIT
// weir join: segments in any order become the recording again, frame by frame and sample by sample,
// as FFmpeg reads it; where one is missing, the others are at their times.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/weir/commands.h"
#include "movies.h"
#include "recording.h"
#include "reference.h"
#include "testing.h"

enum {
    NUM_FRAMES = 60,
    FPS = 25,
    FRAME_NS = 1000000000 / FPS,
    RATE = 24000, // a tick is more than a quarter of a sample
    CALL = RATE / FPS,
    NUM_TRACKS = 2,
    SECOND_TRACK = 1000000,
    MAX_SEGMENTS = 8,
    NEVER = 1000000
};

static const struct weir_audio_track tracks[NUM_TRACKS] = {
    {.sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32},
    {.sample_rate = RATE, .num_channels = 1, .format = WEIR_SAMPLE_S32, .language = "fra"},
};

// Names that last.
static char whole[300], take[300], joined[300], segments[MAX_SEGMENTS][300];

// What a host hands over: frames at times that vary, and samples that are numbered, beginning with
// 1 in the first track and with 1000001 in the second one, which begins with a frame.
struct host {
    int num_frames, first_of_second;
    int64_t times[NUM_FRAMES];
    bool is_white[NUM_FRAMES];
};

static struct host draw_host(int num_frames, int first_of_second)
{
    struct host host = {.num_frames = num_frames, .first_of_second = first_of_second};
    for (int i = 0; i < num_frames; i++) {
        const int64_t jitter = i > 0 ? (int64_t)(test_random() % (FRAME_NS / 2)) : 0;
        host.times[i] = (int64_t)i * FRAME_NS + jitter;
        host.is_white[i] = test_random() & 1;
    }
    return host;
}

static void hand_sound(struct recording *recording, const struct host *host, int frame)
{
    int32_t samples[CALL];
    for (int track = 0; track < NUM_TRACKS; track++) {
        for (int n = 0; n < CALL; n++) {
            samples[n] = frame * CALL + n + 1 + track * SECOND_TRACK;
        }
        if (track == 0 || frame >= host->first_of_second) {
            weir_capture_audio(recording->capture, (uint32_t)track, samples, CALL,
                               (int64_t)frame * FRAME_NS);
        }
    }
}

// Record frames begin .. end - 1; 0 ns: without segments. Returns how many segments there are.
static int record(const struct host *host, const char *path, int begin, int end,
                  uint32_t segment_ms)
{
    struct recording recording;
    struct weir_capture_stats stats;
    recording_open(&recording, &(struct weir_capture_params){
                                   .path = path,
                                   .audio = {.tracks = tracks, .num_tracks = NUM_TRACKS},
                                   .timing.frame_rate = {FPS, 1},
                                   .segments.length_ms = segment_ms});
    for (int i = begin; i < end; i++) {
        recording_present(&recording, host->times[i], host->is_white[i]);
        recording_wait_written(&recording, 1); // before the first frame not all sound is kept
        hand_sound(&recording, host, i);
    }
    test_expect(recording_close(&recording, &stats) == WEIR_OK && stats.audio.dropped == 0,
                "recorded: %s", test_log_text());
    return (int)stats.segments;
}

static struct host record_whole(int first_of_second)
{
    const struct host host = draw_host(NUM_FRAMES, first_of_second);
    record(&host, whole, 0, NUM_FRAMES, 0);
    return host;
}

// Record the same as segments of a random length, which is not that of frames, `least` or more of
// them. Returns how many they are.
static int record_segments(const struct host *host, int least)
{
    const int64_t length_ns = (int64_t)host->num_frames * FRAME_NS;
    const int num = least + (int)(test_random() % (uint64_t)(MAX_SEGMENTS - least));
    const int64_t segment_ns = length_ns / num +
                               (int64_t)(test_random() % (uint64_t)(length_ns / num / num));
    const int got = record(host, take, 0, host->num_frames, (uint32_t)(segment_ns / 1000000));
    test_expect(got >= least && got <= MAX_SEGMENTS, "%d segments", got);
    for (int i = 0; i < MAX_SEGMENTS; i++) {
        snprintf(segments[i], sizeof(segments[i]), "%s", segment_path(take, i + 1));
    }
    return got;
}

// Run weir join of files with an option or NULL. Returns its status.
static int join(char *const *files, int num, const char *option)
{
    char *arguments[MAX_SEGMENTS + 5] = {"weir", "join", "--quiet"};
    int count = 3;
    if (option) {
        arguments[count++] = (char *)option;
    }
    for (int i = 0; i < num; i++) {
        arguments[count++] = files[i];
    }
    arguments[count++] = joined;
    remove(joined);
    return cli_program_run(&cli_weir_program, count, arguments);
}

// Compare frames and sound, but for frames begin .. end - 1, which only `want` has.
static void expect_frames(const char *what, const struct movies *got, const struct movies *want,
                          int begin, int end)
{
    int num_wrong = 0;
    for (int i = 0, at = 0; i < want->num_frames; i++) {
        if (i >= begin && i < end) {
            continue;
        }
        const struct movies_frame *a = &got->frames[at++], *b = &want->frames[i];
        const bool lasts = i + 1 == begin; // up to the frame after the gap
        num_wrong += a->time != b->time || (!lasts && a->duration != b->duration) ||
                     strcmp(a->hash, b->hash) != 0;
    }
    test_expect(num_wrong == 0 && got->num_frames == want->num_frames - (end - begin),
                "%s: %d frames, %d of them are not those at their times", what, got->num_frames,
                num_wrong);
}

static void expect_same(const char *what, const struct movies *want)
{
    static struct movies got;
    movies_append(&got, joined, NUM_TRACKS);
    expect_frames(what, &got, want, 0, 0);
    for (int i = 0; i < NUM_TRACKS; i++) {
        test_expect(got.sound_size[i] == want->sound_size[i] &&
                        (want->sound_size[i] == 0 ||
                         memcmp(got.sound[i], want->sound[i], want->sound_size[i]) == 0),
                    "%s: track %d: %zu bytes and %zu", what, i, got.sound_size[i],
                    want->sound_size[i]);
    }
    movies_finish(&got);
}

// Any order of the files gives the recording, also where the second track begins late.
static void test_whole(int first_of_second)
{
    static struct movies want;
    const struct host host = record_whole(first_of_second);
    const int num = record_segments(&host, 2);
    char *files[MAX_SEGMENTS];
    for (int i = 0; i < num; i++) {
        files[i] = segments[i];
    }
    for (int i = num - 1; i > 0; i--) {
        const int other = (int)(test_random() % (uint64_t)(i + 1));
        char *const file = files[i];
        files[i] = files[other];
        files[other] = file;
    }
    test_expect(join(files, num, NULL) == 0, "%d segments are joined", num);
    movies_append(&want, whole, NUM_TRACKS);
    expect_same("segments", &want);
    files[0] = segments[0];
    rename(joined, files[0]);
    test_expect(join(files, 1, NULL) == 0, "one movie is joined");
    expect_same("one movie", &want);
    movies_finish(&want);
}

// Check that all samples of the first track are in their places, but for silence. Returns how many
// are silent.
static size_t expect_sound_in_place(const struct movies *got)
{
    const int32_t *samples = (const int32_t *)(const void *)got->sound[0];
    size_t num_wrong = 0, num_silent = 0;
    for (size_t i = 0; i < got->sound_size[0] / sizeof(samples[0]); i++) {
        num_silent += samples[i] == 0;
        num_wrong += samples[i] != 0 && samples[i] != (int32_t)i + 1;
    }
    test_expect(num_wrong == 0, "%zu samples are not in their places", num_wrong);
    return num_silent;
}

static void test_gap(void)
{
    static struct movies got, want, segment;
    const struct host host = record_whole(0);
    const int num = record_segments(&host, 3);
    const int missing = 1 + (int)(test_random() % (uint64_t)(num - 2));
    char *files[MAX_SEGMENTS];
    int begin = 0;
    for (int i = 0, n = 0; i < num; i++) {
        if (i != missing) {
            files[n++] = segments[i];
        }
        begin += i < missing ? reference_count_frames(segments[i]) : 0;
    }
    test_expect(join(files, num - 1, NULL) == 1 && !test_file_exists(joined), "one is missing");
    test_expect(join(files, num - 1, "--gaps") == 0, "--gaps");
    movies_append(&got, joined, NUM_TRACKS);
    movies_append(&want, whole, NUM_TRACKS);
    movies_append(&segment, segments[missing], NUM_TRACKS);
    expect_frames("a gap", &got, &want, begin, begin + segment.num_frames);
    const int num_missing = (int)(segment.sound_size[0] / sizeof(int32_t));
    const int num_silent = (int)expect_sound_in_place(&got);
    test_expect(num_silent == num_missing, "%d samples are silent, %d are missing", num_silent,
                num_missing);
    movies_finish(&got);
    movies_finish(&want);
    movies_finish(&segment);
}

// A segment that was cut and recovered is still that segment: what is left of it is where it was,
// and so is all that follows.
static void test_recovered(void)
{
    static struct movies got, want;
    const struct host host = record_whole(0);
    const int num = record_segments(&host, 2);
    char *files[MAX_SEGMENTS];
    int begins[MAX_SEGMENTS + 1] = {0}, damaged;
    for (int i = 0; i < num; i++) {
        files[i] = segments[i];
        begins[i + 1] = begins[i] + reference_count_frames(segments[i]);
    }
    do { // one of which a quarter has frames, and not all of them
        damaged = (int)(test_random() % (uint64_t)num);
    } while (begins[damaged + 1] - begins[damaged] < 8);
    const int begin = begins[damaged], before = begins[damaged + 1] - begin;
    const int64_t size = test_file_size(segments[damaged]);
    char *arguments[] = {"weir", "recover", "--quiet", "--in-place", segments[damaged]};
    test_expect(truncate(segments[damaged], size / 4) == 0 &&
                    cli_program_run(&cli_weir_program, 5, arguments) == 0,
                "segment %d of %d is recovered", damaged + 1, num);
    const int left = reference_count_frames(segments[damaged]);
    test_expect(join(files, num, NULL) == 0, "a recovered segment is joined");
    movies_append(&got, joined, NUM_TRACKS);
    movies_append(&want, whole, NUM_TRACKS);
    test_expect(left > 0 && left < before, "%d frames of %d are left", left, before);
    expect_frames("recovered", &got, &want, begin + left, begin + before);
    test_expect((expect_sound_in_place(&got) > 0) == (damaged + 1 < num),
                "silence up to the next one");
    movies_finish(&got);
    movies_finish(&want);
}

// Movies that are no segments follow each other; the sound of each begins with its frames.
static void test_end_to_end(void)
{
    static struct movies want;
    struct host host = draw_host(50, 0);
    for (int i = 0; i < host.num_frames; i++) {
        host.times[i] = (int64_t)i * FRAME_NS; // sound is as long as the frames
    }
    const int cut = 10 + (int)(test_random() % 30);
    char first[300], second[300];
    snprintf(first, sizeof(first), "%s", test_path("first.mov"));
    snprintf(second, sizeof(second), "%s", test_path("second.mov"));
    record(&host, whole, 0, host.num_frames, 0);
    record(&host, first, 0, cut, 0);
    record(&host, second, cut, host.num_frames, 0);
    record(&host, take, cut, host.num_frames, UINT32_MAX);
    snprintf(segments[0], sizeof(segments[0]), "%s", segment_path(take, 1));
    char *movies[] = {first, second}, *mixed[] = {first, segments[0]};
    movies_append(&want, whole, NUM_TRACKS);
    test_expect(join(movies, 2, NULL) == 0, "movies of no recording");
    expect_same("movies", &want);
    test_expect(join(mixed, 2, NULL) == 1 && !test_file_exists(joined), "a segment and a movie");
    test_expect(join(mixed, 2, "--end-to-end") == 0, "a segment and a movie, end to end");
    expect_same("end to end", &want);
    movies_finish(&want);
}

int main(void)
{
    snprintf(whole, sizeof(whole), "%s", test_path("whole.mov"));
    snprintf(take, sizeof(take), "%s", test_path("take.mov"));
    snprintf(joined, sizeof(joined), "%s", test_path("joined.mov"));
    for (int i = 0; i < 3; i++) {
        test_whole(0);
    }
    test_whole(25);
    test_whole(NEVER);
    test_gap();
    for (int i = 0; i < 3; i++) {
        test_recovered();
    }
    test_end_to_end();
    return test_finish();
}
