// SPDX-License-Identifier: MIT
// What a host may call between frames, and what becomes of it in the movie, as FFmpeg reads it:
// pauses, rates, gaps and chapters, by scenarios; sidecars. end_test.c has replays.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"
#include "reference.h"
#include "testing.h"

#define MS INT64_C(1000000)
enum { DAY = 24 * 3600 * 1000 };

enum call { FRAME = 1, LOSE, PAUSE, RESUME };

// A call at a time [ms + ns], and what it answers.
struct step {
    enum call call;
    int64_t ms, ns;
    enum weir_result want;
};

struct scenario {
    const char *name;
    struct step steps[25]; // up to the first without a call
    const char *times;     // of the frames of the movie [ms]
    size_t num_points;     // with a constant rate, in place of them
    struct {
        int64_t ms;
        const char *title;
    } chapters[3];        // that begin behind the last step
    const char *titles;   // of the movie, each with its time [100 ns]
    uint32_t fps;         // of a constant rate. 0 = variable
    uint32_t max_rate;    // 0 = all
    int lost;             // frames that are dropped for another reason than their times
    int states, too_soon; // messages about pauses, and about times that are too early
    int gaps;             // messages about gaps
};

static const struct scenario scenarios[] = {
    {
        .name = "pauses before the first frame, long, of later times, of no length, at the end",
        .steps = TEST_LIST({PAUSE, 0, 0, WEIR_OK}, {FRAME, 10, 0, WEIR_SKIPPED},
                           {RESUME, 20, 0, WEIR_OK}, {FRAME, 100, 0, WEIR_OK},
                           {FRAME, 110, 0, WEIR_OK}, {PAUSE, 115, 0, WEIR_OK},
                           {LOSE, 120, 0, WEIR_SKIPPED}, {FRAME, 3600000, 0, WEIR_SKIPPED},
                           {RESUME, 7200000, 0, WEIR_OK}, {FRAME, 7200000, 0, WEIR_OK},
                           {FRAME, 7200010, 0, WEIR_OK}, {PAUSE, 7200050, 0, WEIR_OK},
                           {RESUME, 7200070, 0, WEIR_OK}, {FRAME, 7200040, 0, WEIR_OK},
                           {FRAME, 7200050, 0, WEIR_SKIPPED}, {FRAME, 7200069, 0, WEIR_SKIPPED},
                           {FRAME, 7200070, 0, WEIR_OK}, {PAUSE, 7200075, 0, WEIR_OK},
                           {RESUME, 7200075, 0, WEIR_OK}, {PAUSE, 7200075, 0, WEIR_OK},
                           {RESUME, 7200076, 0, WEIR_OK}, {FRAME, 7200076, 0, WEIR_OK},
                           {PAUSE, 7200080, 0, WEIR_OK}, {FRAME, 7200090, 0, WEIR_SKIPPED}),
        .times = "0 10 15 25 55 65 70 ",
        .chapters = {{3600000, "in a pause"}, {7200040, "caf\xc3\xa9"}, {0, "first"}},
        .titles = "0,first 150000,in a pause 550000,caf\xc3\xa9 ",
    },
    {
        .name = "calls that are refused change nothing",
        .steps = TEST_LIST({RESUME, 0, 0, WEIR_ERROR_INVALID}, {FRAME, 0, 0, WEIR_OK},
                           {FRAME, 10, 0, WEIR_OK}, {PAUSE, 10, 0, WEIR_ERROR_INVALID},
                           {FRAME, 20, 0, WEIR_OK}, {PAUSE, 30, 0, WEIR_OK},
                           {PAUSE, 40, 0, WEIR_ERROR_INVALID}, {RESUME, 30, -1, WEIR_ERROR_INVALID},
                           {FRAME, 50, 0, WEIR_SKIPPED}, {RESUME, 50, 0, WEIR_ERROR_INVALID},
                           {RESUME, 60, 0, WEIR_OK}, {RESUME, 60, 0, WEIR_ERROR_INVALID},
                           {PAUSE, 60, -1, WEIR_ERROR_INVALID}, {FRAME, 60, 0, WEIR_OK}),
        .times = "0 10 20 30 ",
        .states = 3,
        .too_soon = 4,
    },
    {
        .name = "max_rate goes on behind a pause that is longer than a movie can say",
        .steps = TEST_LIST({FRAME, 0, 0, WEIR_OK}, {FRAME, 10, 0, WEIR_SKIPPED},
                           {FRAME, 20, 0, WEIR_OK}, {FRAME, 30, 0, WEIR_SKIPPED},
                           {PAUSE, 35, 0, WEIR_OK}, {RESUME, 35 + DAY, 0, WEIR_OK},
                           {FRAME, 40 + DAY, 0, WEIR_OK}, {FRAME, 50 + DAY, 0, WEIR_SKIPPED},
                           {FRAME, 60 + DAY, 0, WEIR_OK}),
        .times = "0 20 40 60 ",
        .max_rate = 50,
    },
    {
        // 7 hours later are too late: 6.6 are the limit.
        .name = "times that do not follow are dropped",
        .steps = TEST_LIST({FRAME, 0, 1000, WEIR_OK}, {FRAME, 0, 1000, WEIR_DROPPED},
                           {FRAME, 0, 999, WEIR_DROPPED}, {FRAME, 50000, 1000, WEIR_OK},
                           {FRAME, 0, INT64_MIN, WEIR_DROPPED}, {FRAME, 6 * 3600000, 1000, WEIR_OK},
                           {FRAME, 13 * 3600000, 0, WEIR_DROPPED},
                           {FRAME, 0, INT64_MAX, WEIR_DROPPED},
                           {FRAME, 0, INT64_MAX, WEIR_DROPPED}),
        .times = "0 50000 21600000 ",
        .too_soon = 1, // one message a second, whatever the reason
    },
    {
        .name = "constant rate: a minute is filled, what is longer is dropped, a pause is no gap",
        .steps = TEST_LIST({FRAME, 0, 0, WEIR_OK}, {FRAME, 60000, 0, WEIR_OK},
                           {FRAME, 120000, 1, WEIR_DROPPED}, {PAUSE, 121000, 0, WEIR_OK},
                           {RESUME, 1000000, 0, WEIR_OK},
                           {FRAME, 1000000, 0, WEIR_DROPPED}), // 61 s of the movie
        .fps = 50,
        .gaps = 1,
        .num_points = 3001,
    },
    {
        .name =
            "constant rate: a lost frame is filled in; behind a pause it goes on from where it was",
        .steps = TEST_LIST({FRAME, 0, 0, WEIR_OK}, {LOSE, 20, 0, WEIR_DROPPED},
                           {PAUSE, 1000, 0, WEIR_OK}, {RESUME, 1000000, 0, WEIR_OK},
                           {FRAME, 1000000, 0, WEIR_OK}),
        .fps = 50,
        .lost = 1,
        .num_points = 51,
    },
    {
        .name = "constant rate: a lower max_rate thins frames out",
        .steps = TEST_LIST({FRAME, 0, 0, WEIR_OK}, {FRAME, 20, 0, WEIR_SKIPPED},
                           {FRAME, 40, 0, WEIR_OK}, {FRAME, 60, 0, WEIR_SKIPPED},
                           {FRAME, 80, 0, WEIR_OK}),
        .fps = 50,
        .max_rate = 25,
        .num_points = 5,
    },
    {
        .name = "constant rate: a higher max_rate changes nothing",
        .steps = TEST_LIST({FRAME, 0, 0, WEIR_OK}, {FRAME, 20, 0, WEIR_OK},
                           {FRAME, 21, 0, WEIR_SKIPPED}, {FRAME, 40, 0, WEIR_OK}),
        .fps = 50,
        .max_rate = 100,
        .num_points = 3,
    },
};

static enum weir_result take_step(struct recording *recording, const struct step *step)
{
    const int64_t time_ns = step->ms * MS + step->ns;
    switch (step->call) {
    case PAUSE:
        return weir_capture_pause(recording->capture, time_ns);
    case RESUME:
        return weir_capture_resume(recording->capture, time_ns);
    case LOSE:
        return recording_lose(recording, RECORDING_SIDE, RECORDING_SIDE, time_ns);
    default:
        return recording_present(recording, time_ns, false);
    }
}

static void expect_movie(const struct scenario *scenario, const char *path)
{
    char times[1024] = "", titles[256] = "";
    size_t at = 0;
    struct reference movie;
    reference_open(&movie, path);
    const struct reference_stream *frames = reference_stream(&movie, AVMEDIA_TYPE_VIDEO, 0);
    for (size_t i = 0; i < frames->num_packets; i++) {
        const int64_t ms = frames->packets[i].pts / 90;
        if (scenario->fps == 0) {
            at += (size_t)snprintf(times + at, sizeof(times) - at, "%" PRId64 " ", ms);
        } else {
            test_expect(ms == (int64_t)i * 1000 / scenario->fps, "%s: point %zu at %" PRId64 " ms",
                        scenario->name, i, ms);
        }
    }
    at = 0;
    for (unsigned i = 0; movie.format && i < movie.format->nb_chapters; i++) {
        const AVChapter *chapter = movie.format->chapters[i];
        at += (size_t)snprintf(titles + at, sizeof(titles) - at, "%" PRId64 ",%s ", chapter->start,
                               av_dict_get(chapter->metadata, "title", NULL, 0)->value);
    }
    test_expect(scenario->fps > 0 || strcmp(times, scenario->times) == 0, "%s: frames at %s",
                scenario->name, times);
    test_expect(strcmp(titles, scenario->titles ? scenario->titles : "") == 0, "%s: chapters %s",
                scenario->name, titles);
    test_expect(scenario->fps == 0 || frames->num_packets == scenario->num_points, "%s: %zu points",
                scenario->name, frames->num_packets);
    test_expect(scenario->fps == 0 || strcmp(reference_tag(frames, "timecode"), "09:59:59:49") == 0,
                "%s: time code %s", scenario->name, reference_tag(frames, "timecode"));
    reference_close(&movie);
}

static void test_scenario(const struct scenario *scenario)
{
    static const enum weir_log_code codes[] = {
        WEIR_LOG_CODE_PAUSE_STATE, WEIR_LOG_CODE_TIME_NOT_INCREASING, WEIR_LOG_CODE_TIME_GAP};
    const int want[] = {scenario->states, scenario->too_soon, scenario->gaps};
    const char *path = test_path("scenario.mov");
    struct weir_capture_params params = {.path = path};
    struct recording recording;
    int before[3];
    params.timing.max_rate = (struct weir_ratio){scenario->max_rate, scenario->max_rate > 0};
    if (scenario->fps > 0) {
        params.timing.constant_rate = true;
        params.timing.frame_rate = (struct weir_ratio){scenario->fps, 1};
        params.timing.timecode = "09:59:59:49";
    }
    for (int i = 0; i < 3; i++) {
        before[i] = test_log_count(codes[i]);
    }
    recording_open(&recording, &params);
    uint64_t num[4] = {0}; // written, skipped, dropped
    for (const struct step *step = scenario->steps; step->call; step++) {
        const enum weir_result result = take_step(&recording, step);
        test_expect(result == step->want, "%s: at %" PRId64 " ms: %s", scenario->name, step->ms,
                    weir_result_name(result));
        const enum weir_result kinds[] = {WEIR_OK, WEIR_SKIPPED, WEIR_DROPPED};
        for (int i = 0; i < 3 && step->call <= LOSE; i++) {
            num[i] += result == kinds[i];
        }
    }
    for (int i = 0; i < 3 && scenario->chapters[i].title; i++) {
        test_expect(weir_capture_chapter(recording.capture, scenario->chapters[i].ms * MS,
                                         scenario->chapters[i].title) == WEIR_OK,
                    "%s: chapter %d", scenario->name, i);
    }
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    test_expect(stats.written == num[0] && stats.skipped == num[1] && stats.dropped == num[2] &&
                    stats.dropped_by_reason[WEIR_DROP_TIME] + (uint64_t)scenario->lost == num[2],
                "%s: %" PRIu64 " written, %" PRIu64 " skipped", scenario->name, stats.written,
                stats.skipped);
    for (int i = 0; i < 3; i++) {
        test_expect(test_log_count(codes[i]) - before[i] == want[i], "%s: %d messages of code %d",
                    scenario->name, test_log_count(codes[i]) - before[i], (int)codes[i]);
    }
    expect_movie(scenario, path);
}

// A title that is no UTF-8 is refused.
static void test_title(void)
{
    struct recording recording;
    const int before = test_log_count(WEIR_LOG_CODE_CHAPTER);
    recording_open(&recording, &(struct weir_capture_params){.sink = WEIR_SINK_NULL});
    test_expect(weir_capture_chapter(recording.capture, 0, "caf\xe9") == WEIR_ERROR_INVALID &&
                    test_log_count(WEIR_LOG_CODE_CHAPTER) == before + 1,
                "a title that is no UTF-8");
    recording_end(&recording, WEIR_OK);
}

static void test_no_replay(void)
{
    struct recording recording;
    recording_open(&recording, &(struct weir_capture_params){.sink = WEIR_SINK_NULL});
    test_expect(weir_capture_save_replay(recording.capture, test_path("none.mov"), 0) ==
                    WEIR_ERROR_INVALID,
                "a capture without a replay");
    recording_end(&recording, WEIR_OK);
}

// Every dropped frame is in the sidecar, with number, time in the movie, and reason.
static void test_sidecar(void)
{
    const char *path = test_path("take.mov"), *json = test_path("take.mov.json");
    struct recording recording;
    char output[1024];
    recording_open(&recording, &(struct weir_capture_params){.path = path, .movie.sidecar = true});
    recording_present(&recording, 1000, false);
    recording_present(&recording, 2000, false);
    recording_present(&recording, 2000, false);
    recording_lose(&recording, RECORDING_SIDE, RECORDING_SIDE, 3000);
    recording_present(&recording, 500, false);
    test_expect(weir_capture_pause(recording.capture, 5000) == WEIR_OK &&
                    weir_capture_resume(recording.capture, 9000) == WEIR_OK,
                "pause and resume");
    recording_lose(&recording, RECORDING_SIDE, RECORDING_SIDE, 9500);
    test_expect(!test_file_exists(json), "it comes at the end");
    recording_end(&recording, WEIR_OK);
    if (test_run(output, sizeof(output), "python3 --version") == 0) {
        const int status = test_run(
            output, sizeof(output),
            "python3 -c \"import json; s = json.load(open('%s')); t = s['statistics']; "
            "d = [(x['frame'], x['time_ns'], x['reason']) for x in s['drops']]; "
            "assert d == [(2, 1000, 'time'), (3, 2000, 'ring_full'), (4, -500, 'time'), "
            "(5, 4500, 'ring_full')], d; "
            "assert t['received'] == t['written'] + t['dropped'] + t['skipped']; "
            "r = t['dropped_by_reason']; assert sum(r.values()) == t['dropped'] == len(d); "
            "assert s['result'] == 'WEIR_OK' and s['width'] == 16; "
            "assert s['first_time_ns'] == 1000 and s['last_time_ns'] == 2000\"",
            json);
        test_expect(status == 0, "python3 says %s", output);
    }
    unlink(path);
    unlink(json);
}

int main(void)
{
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        test_scenario(&scenarios[i]);
    }
    test_title();
    test_no_replay();
    test_sidecar();
    return test_finish();
}
