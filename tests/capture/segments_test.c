// SPDX-License-Identifier: MIT
// Segments: put behind each other they are the movie that there would be without them, frame by
// frame and sample by sample, as FFmpeg reads them; also with pauses, a constant rate, time code
// and a replay, and when weir join has put them together, in any order.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/movie/read.h"
#include "capture/weir/commands.h"
#include "host.h"
#include "recover_movie.h"
#include "reference.h"
#include "testing.h"
#include "tests/sanitized.h"

enum { NEVER = 1000 }; // [s]

// A host and how it is recorded.
static const struct scenario {
    const char *name;
    int num_runs, num_frames;
    uint32_t fps[2];
    int64_t jitter_ms;     // of frames
    int least_ms, most_ms; // by which audio is late
    int second_s;          // when the second track begins
    int tail_ms;           // the most by which the end is behind the last frame. 0: none is said
    bool is_thin, has_constant_rate;
    const char *timecode;
    uint64_t first_number; // of its time code
    uint32_t length_ms, replay_ms;
    uint64_t max_bytes;
    int least, most; // segments
} scenarios[] = {
    TEST_LIST(.name = "duration", .num_runs = 3, .num_frames = 200, .fps = {60, 1}, .jitter_ms = 15,
              .least_ms = -200, .most_ms = 400, .tail_ms = 3000, .length_ms = 400, .least = 3,
              .most = 9),
    TEST_LIST(.name = "size", .num_runs = 1, .num_frames = 240, .fps = {60, 1}, .jitter_ms = 15,
              .least_ms = -200, .most_ms = 400, .max_bytes = 256 << 10, .least = 5, .most = 20),
    TEST_LIST(.name = "a second track that begins late", .num_runs = 2, .num_frames = 60,
              .fps = {25, 1}, .jitter_ms = 20, .second_s = 1, .length_ms = 510, .least = 3,
              .most = 5),
    TEST_LIST(.name = "a second track that never begins", .num_runs = 1, .num_frames = 60,
              .fps = {25, 1}, .jitter_ms = 20, .second_s = NEVER, .length_ms = 510, .least = 3,
              .most = 5),
    TEST_LIST(.name = "constant rate, pauses, time code and a replay", .num_runs = 3,
              .num_frames = 200, .fps = {30000, 1001}, .least_ms = -150, .most_ms = 150,
              .is_thin = true, .has_constant_rate = true, .timecode = "00:00:59;00",
              .first_number = 59 * 30, .length_ms = 700, .replay_ms = 1000, .least = 5, .most = 25),
    TEST_LIST(.name = "constant rate up to an end", .num_runs = 2, .num_frames = 60, .fps = {25, 1},
              .second_s = 1, .tail_ms = 5000, .has_constant_rate = true, .length_ms = 700,
              .least = 4, .most = 11),
    TEST_LIST(.name = "midnight", .num_runs = 1, .num_frames = 100, .fps = {30000, 1001},
              .jitter_ms = 20, .timecode = "23:59:58;15", .first_number = 2589408 - 45,
              .length_ms = 1000, .least = 4, .most = 4),
};

// Paths that last.
static char whole_path[300], take_path[300], joined_path[300], segments[HOST_MAX_SEGMENTS][300];

static struct host draw_host(const struct scenario *scenario)
{
    const int64_t frame_ns = SECOND * scenario->fps[1] / scenario->fps[0];
    struct host host = host_draw(scenario->num_frames, frame_ns, scenario->jitter_ms * MS,
                                 scenario->is_thin);
    const uint64_t range_ms = (uint64_t)(scenario->most_ms - scenario->least_ms + 1);
    host.audio_jitter = scenario->is_thin ? 0 : 20 * MS;
    host.first[1] = (uint64_t)scenario->second_s * host_tracks[1].sample_rate;
    for (int i = 0; i < HOST_NUM_TRACKS; i++) {
        host.lag[i] = (scenario->least_ms + (int64_t)(test_random() % range_ms)) * MS;
    }
    if (scenario->tail_ms > 0) {
        host.end = host.audio_end + (int64_t)test_below((uint64_t)(scenario->tail_ms * MS));
        host.audio_end += (int64_t)test_below(SECOND / 2); // the buffer holds it
    }
    return host;
}

static struct weir_capture_params params_of(const struct scenario *scenario, const char *path)
{
    return (struct weir_capture_params){
        .path = path,
        .timing = {.frame_rate = {scenario->fps[0], scenario->fps[1]},
                   .constant_rate = scenario->has_constant_rate,
                   .timecode = scenario->timecode},
    };
}

// Drop frame, by the rule: frames ;00 and ;01 are left out in each minute but every tenth.
static void write_timecode(char text[16], uint64_t number)
{
    uint64_t minute = 0, left = number % 2589408;
    for (uint64_t size = 1800; left >= size; size = minute % 10 == 0 ? 1800 : 1798) {
        left -= size;
        minute++;
    }
    left += minute % 10 == 0 ? 0 : 2;
    snprintf(text, 16, "%02d:%02d:%02d;%02d", (int)(minute / 60 % 24), (int)(minute % 60),
             (int)(left / 30 % 60), (int)(left % 30));
}

static void expect_timecode(const struct scenario *scenario, const char *path, uint64_t ticks)
{
    struct reference reference;
    char want[16] = "";
    if (scenario->timecode) {
        write_timecode(want, scenario->first_number + (ticks + 1501) / 3003);
    }
    reference_open(&reference, path);
    const char *got = reference_tag(reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0),
                                    "timecode");
    test_expect(strcmp(got, want) == 0, "%s: %s: time code %s, not %s", scenario->name, path, got,
                want);
    reference_close(&reference);
}

// Each says which recording it belongs to, and when it begins.
static void expect_box(const char *path, uint32_t number, int64_t start,
                       uint8_t recording[WEIR_RECORDING_ID_SIZE])
{
    struct movie_bytes file = movie_read(path);
    struct weir_view view;
    struct weir_segment own = {.number = 0};
    const struct weir_view_source source = movie_source(&file);
    const bool is_read = weir_view_init(&view, &source, 4096) && weir_segment_read(&view, &own);
    const bool is_same = memcmp(own.recording, recording, sizeof(own.recording)) == 0;
    test_expect(is_read && own.number == number && own.ticks_per_second == 90000 &&
                    own.start_ticks == (uint64_t)start && is_same == (number > 1),
                "segment %u: number %u, starts at %" PRIu64 ", not %" PRId64, number, own.number,
                own.start_ticks, start);
    memcpy(recording, own.recording, sizeof(own.recording));
    weir_view_finish(&view);
    free(file.bytes);
}

// A segment has the samples from the time of its first frame to that of the next one's.
static void expect_num_samples(const char *name, const struct movies *own, int64_t start)
{
    for (int i = 0; i < HOST_NUM_TRACKS && own->sound_size[i] > 0; i++) {
        const uint32_t rate = host_tracks[i].sample_rate;
        const uint64_t begin = weir_segment_position((uint64_t)start, 90000, rate);
        const uint64_t end = weir_segment_position((uint64_t)(start + own->duration), 90000, rate);
        test_expect(host_num_samples(own, i) == end - begin,
                    "%s: track %d from %" PRId64 " on: %" PRIu64 " samples, not %" PRIu64, name, i,
                    start, host_num_samples(own, i), end - begin);
    }
}

// Check each segment by itself, and append all.
static void read_segments(const struct scenario *scenario, int num, struct movies *all)
{
    static uint8_t recording[WEIR_RECORDING_ID_SIZE]; // that of the last one
    static struct movies own;
    for (int i = 0; i < num; i++) {
        const int64_t start = all->duration, size = test_file_size(segments[i]);
        expect_box(segments[i], (uint32_t)i + 1, start, recording);
        expect_timecode(scenario, segments[i], (uint64_t)start);
        test_expect(scenario->max_bytes == 0 || (uint64_t)size <= scenario->max_bytes ||
                        i + 1 == num,
                    "%s: segment %d has %" PRId64 " bytes", scenario->name, i + 1, size);
        movies_append(&own, segments[i], HOST_NUM_TRACKS);
        if (i + 1 < num && scenario->second_s == 0) {
            expect_num_samples(scenario->name, &own, start);
        }
        movies_finish(&own);
        movies_append(all, segments[i], HOST_NUM_TRACKS);
    }
}

// Each sample that is in the movie is there once, in order, and all is counted.
static void expect_once(const struct movies *movies, const struct weir_capture_stats *stats)
{
    uint64_t num = 0, num_silent = 0;
    bool is_rising = true;
    for (int track = 0; track < HOST_NUM_TRACKS; track++) {
        uint32_t last = 0;
        for (uint64_t i = 0; i < host_num_samples(movies, track); i++, num++) {
            const uint32_t number = host_sample(movies, track, i);
            num_silent += number == 0;
            is_rising = is_rising && (number == 0 || number > last);
            last = number > last ? number : last;
        }
    }
    test_expect(is_rising, "each sample once, in order");
    test_expect(num == stats->audio.written && num_silent == stats->audio.silence,
                "%" PRIu64 " samples, %" PRIu64 " silent; counted %" PRIu64 ", %" PRIu64, num,
                num_silent, stats->audio.written, stats->audio.silence);
    test_expect((uint64_t)movies->num_frames == stats->written + stats->repeated,
                "%d frames, %" PRIu64 " and %" PRIu64 " counted", movies->num_frames,
                stats->written, stats->repeated);
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

// Any order of the files gives the recording, with the time code of the first; a movie by itself
// too.
static void test_join(const struct scenario *scenario, const struct movies *whole, int num)
{
    static struct movies got;
    char *files[HOST_MAX_SEGMENTS];
    bool warns;
    for (int i = 0; i < num; i++) {
        const int other = (int)(test_random() % (uint64_t)(i + 1));
        files[i] = files[other];
        files[other] = segments[i];
    }
    for (int run = 0; run < 2; run++) {
        test_expect(host_join(files, run == 0 ? num : 1, NULL, joined_path, &warns) == 0 && !warns,
                    "%s: %d segments are joined", scenario->name, num);
        expect_timecode(scenario, joined_path, 0);
        movies_append(&got, joined_path, HOST_NUM_TRACKS);
        movies_expect_same("joined", &got, whole);
        movies_finish(&got);
        files[0] = whole_path;
    }
}

// Where one is missing, all others are at their times; without the first the movie begins with the
// second.
static void test_missing(const struct scenario *scenario, const struct movies *whole,
                         const struct movies *all, int num)
{
    static struct movies got, lost;
    const int missing = 1 + (int)(test_random() % (uint64_t)(num - 2));
    char *files[HOST_MAX_SEGMENTS];
    bool warns;
    for (int i = 0, n = 0; i < num; i++) {
        files[n] = segments[i];
        n += i != missing;
    }
    test_expect(host_join(files, num - 1, NULL, joined_path, &warns) == 1 &&
                    !test_file_exists(joined_path),
                "%s: one is missing", scenario->name);
    test_expect(host_join(files, num - 1, "--gaps", joined_path, &warns) == 0 && !warns,
                "%s: --gaps", scenario->name);
    expect_timecode(scenario, joined_path, 0);
    movies_append(&got, joined_path, HOST_NUM_TRACKS);
    movies_append(&lost, segments[missing], HOST_NUM_TRACKS);
    const int begin = all->first[missing];
    const uint64_t silent = host_expect_gap("a gap", &got, whole, begin, begin + lost.num_frames);
    test_expect(silent == host_num_samples(&lost, 0),
                "%s: %" PRIu64 " samples are silent, %" PRIu64 " were lost", scenario->name, silent,
                host_num_samples(&lost, 0));
    movies_finish(&got);
    movies_finish(&lost);
    test_expect(host_join(files + 1, num - 2, "--gaps", joined_path, &warns) == 0 && !warns,
                "%s: without the first", scenario->name);
    expect_timecode(scenario, joined_path,
                    (uint64_t)all->frames[all->first[missing > 1 ? 1 : 2]].time);
    test_expect(reference_count_frames(joined_path) > 0, "its frames decode");
}

// A segment that was cut and recovered is still that segment: what is left of it is where it was,
// and so is all that follows.
static void test_recovered(const struct scenario *scenario, const struct movies *whole,
                           const struct movies *all, int num)
{
    static struct movies got;
    char *files[HOST_MAX_SEGMENTS];
    bool warns;
    for (int i = 0; i < num; i++) {
        files[i] = segments[i];
    }
    const int damaged = (int)(test_random() % (uint64_t)(num - 1));
    const int begin = all->first[damaged], before = all->first[damaged + 1] - begin;
    char *arguments[] = {"weir", "recover", "--quiet", "--in-place", segments[damaged]};
    test_expect(truncate(segments[damaged], test_file_size(segments[damaged]) / 3) == 0 &&
                    cli_program_run(&cli_weir_program, 5, arguments) == 0,
                "%s: segment %d of %d is recovered", scenario->name, damaged + 1, num);
    const int left = reference_count_frames(segments[damaged]);
    test_expect(host_join(files, num, NULL, joined_path, &warns) == 0,
                "%s: a recovered segment is joined", scenario->name);
    movies_append(&got, joined_path, HOST_NUM_TRACKS);
    test_expect(left > 0 && left <= before, "%s: %d frames of %d are left", scenario->name, left,
                before);
    test_expect(host_expect_gap("recovered", &got, whole, begin + left, begin + before) > 0,
                "silence up to the next one");
    movies_finish(&got);
}

static void test_scenario(const struct scenario *scenario)
{
    static struct movies whole, all;
    const struct host host = draw_host(scenario);
    const char *replay = scenario->replay_ms > 0 ? test_path("replay.mov") : NULL;
    struct weir_capture_params params = params_of(scenario, whole_path);
    host_record(&host, &params, NULL);
    movies_append(&whole, whole_path, HOST_NUM_TRACKS);
    expect_timecode(scenario, whole_path, 0);
    params = params_of(scenario, take_path);
    params.segments.length_ms = scenario->length_ms;
    params.segments.max_bytes = scenario->max_bytes;
    params.replay.length_ms = scenario->replay_ms;
    const struct weir_capture_stats stats = host_record(&host, &params, replay);
    const int num = (int)stats.segments;
    if (!test_expect(num >= scenario->least && num <= scenario->most, "%s: %d segments",
                     scenario->name, num)) {
        return;
    }
    for (int i = 0; i < num; i++) {
        snprintf(segments[i], sizeof(segments[i]), "%s", segment_path(take_path, i + 1));
    }
    test_expect(!test_file_exists(segment_path(take_path, num + 1)), "no more than are counted");
    read_segments(scenario, num, &all);
    movies_expect_same(scenario->name, &all, &whole);
    expect_once(&all, &stats);
    if (replay) {
        expect_replay(replay, &all);
    }
    test_join(scenario, &whole, num);
    // Segments that begin behind the last frame may have no audio that could be missing.
    if (scenario->tail_ms == 0 || !scenario->has_constant_rate) {
        test_missing(scenario, &whole, &all, num);
        test_recovered(scenario, &whole, &all, num);
    }
    movies_finish(&whole);
    movies_finish(&all);
    for (int i = 0; i < num; i++) {
        unlink(segments[i]);
    }
}

int main(void)
{
    snprintf(whole_path, sizeof(whole_path), "%s", test_path("whole.mov"));
    snprintf(take_path, sizeof(take_path), "%s", test_path("take.mov"));
    snprintf(joined_path, sizeof(joined_path), "%s", test_path("joined.mov"));
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        for (int run = 0; run < scenarios[i].num_runs; run += SANITIZED_STRIDE) {
            test_scenario(&scenarios[i]);
        }
    }
    return test_finish();
}
