// SPDX-License-Identifier: MIT
// Pause and resume on a device: which frames are in the movie and when, by ffprobe, what is refused
// and changes nothing, and that pauses work beside max_rate and with chapters.
#include <weir/capture.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"
#include "testing.h"

#define MS INT64_C(1000000)

// Frames at the times of the movie [ms], by ffprobe.
static void expect_times(const char *path, const char *want)
{
    char output[512];
    if (test_has_ffprobe()) {
        test_run(output, sizeof(output),
                 "ffprobe -v error -show_entries packet=pts -of csv=p=0 '%s' | awk '{printf \"%%d "
                 "\", $1 / 90}'",
                 path);
        test_expect(strcmp(output, want) == 0, "frames at %s, want %s", output, want);
    }
}

// Chapters by ffprobe: the time of each [100 ns], and its title.
static void expect_chapters(const char *path, const char *want)
{
    char output[512];
    if (test_has_ffprobe()) {
        test_run(output, sizeof(output),
                 "ffprobe -v error -show_entries chapter=start:chapter_tags=title -of csv=p=0 '%s' "
                 "| tr '\\n' ' '",
                 path);
        test_expect(strcmp(output, want) == 0, "chapters %s, want %s", output, want);
    }
}

static void present(struct rig *rig, weir_capture *capture, int64_t ms, enum weir_result want)
{
    const enum weir_result result = rig_present(rig, capture, ms * MS);
    test_expect(result == want, "frame at %" PRId64 " ms: %s", ms, weir_result_name(result));
}

static void test_times(struct rig *rig)
{
    const char *path = test_path("pause.mov");
    const struct weir_capture_params params = rig_params(rig, path, WEIR_SINK_MOV);
    weir_capture *capture = rig_open(rig, &params);
    // Before the first frame: the movie begins after it.
    test_expect(weir_capture_pause(capture, 0) == WEIR_OK, "pause before the first frame");
    present(rig, capture, 10, WEIR_SKIPPED);
    test_expect(weir_capture_resume(capture, 20 * MS) == WEIR_OK, "resume");
    present(rig, capture, 100, WEIR_OK);
    present(rig, capture, 110, WEIR_OK);
    test_expect(weir_capture_pause(capture, 115 * MS) == WEIR_OK, "pause");
    present(rig, capture, 120, WEIR_SKIPPED);
    present(rig, capture, 3600000, WEIR_SKIPPED);
    test_expect(weir_capture_resume(capture, 7200000 * MS) == WEIR_OK, "resume");
    present(rig, capture, 7200000, WEIR_OK); // at 15
    present(rig, capture, 7200010, WEIR_OK); // at 25
    // In the future, both: frames before it are recorded.
    test_expect(weir_capture_pause(capture, 7200050 * MS) == WEIR_OK, "pause later");
    test_expect(weir_capture_resume(capture, 7200070 * MS) == WEIR_OK, "resume later");
    present(rig, capture, 7200040, WEIR_OK); // at 55
    present(rig, capture, 7200050, WEIR_SKIPPED);
    present(rig, capture, 7200069, WEIR_SKIPPED);
    present(rig, capture, 7200070, WEIR_OK); // at 65
    // Of no length, and one after the other.
    test_expect(weir_capture_pause(capture, 7200075 * MS) == WEIR_OK &&
                    weir_capture_resume(capture, 7200075 * MS) == WEIR_OK &&
                    weir_capture_pause(capture, 7200075 * MS) == WEIR_OK &&
                    weir_capture_resume(capture, 7200076 * MS) == WEIR_OK,
                "pauses that touch");
    present(rig, capture, 7200076, WEIR_OK); // at 70
    test_expect(weir_capture_pause(capture, 7200080 * MS) == WEIR_OK, "pause until the end");
    present(rig, capture, 7200090, WEIR_SKIPPED);
    test_expect(weir_capture_chapter(capture, 3600000 * MS, "in a pause") == WEIR_OK &&
                    weir_capture_chapter(capture, 7200040 * MS, "caf\xc3\xa9") == WEIR_OK &&
                    weir_capture_chapter(capture, 0, "first") == WEIR_OK,
                "chapters");
    const int refused = rig->harness.log_codes[WEIR_LOG_CODE_CHAPTER];
    test_expect(weir_capture_chapter(capture, 0, "caf\xe9") == WEIR_ERROR_INVALID &&
                    rig->harness.log_codes[WEIR_LOG_CODE_CHAPTER] == refused + 1,
                "a title that is no UTF-8");
    const struct weir_capture_stats stats = weir_capture_get_stats(capture);
    test_expect(stats.skipped == 6, "%" PRIu64 " skipped", stats.skipped);
    rig_expect_end(capture, WEIR_OK, 7, 0);
    expect_times(path, "0 10 15 25 55 65 70 ");
    expect_chapters(path, "0,first 150000,in a pause 550000,caf\xc3\xa9 ");
}

// What is refused is named, and changes nothing.
static void test_refused(struct rig *rig)
{
    const char *path = test_path("refused.mov");
    const struct weir_capture_params params = rig_params(rig, path, WEIR_SINK_MOV);
    weir_capture *capture = rig_open(rig, &params);
    const int states = rig->harness.log_codes[WEIR_LOG_CODE_PAUSE_STATE];
    const int times = rig->harness.log_codes[WEIR_LOG_CODE_TIME_NOT_INCREASING];
    test_expect(weir_capture_resume(capture, 0) == WEIR_ERROR_INVALID, "resume without a pause");
    present(rig, capture, 0, WEIR_OK);
    present(rig, capture, 10, WEIR_OK);
    test_expect(weir_capture_pause(capture, 10 * MS) == WEIR_ERROR_INVALID, "pause at a frame");
    present(rig, capture, 20, WEIR_OK);
    test_expect(weir_capture_pause(capture, 30 * MS) == WEIR_OK, "pause");
    test_expect(weir_capture_pause(capture, 40 * MS) == WEIR_ERROR_INVALID, "pause twice");
    test_expect(weir_capture_resume(capture, 30 * MS - 1) == WEIR_ERROR_INVALID,
                "resume before the pause");
    present(rig, capture, 50, WEIR_SKIPPED);
    test_expect(weir_capture_resume(capture, 50 * MS) == WEIR_ERROR_INVALID,
                "resume at a frame that was left out");
    test_expect(weir_capture_resume(capture, 60 * MS) == WEIR_OK, "resume");
    test_expect(weir_capture_resume(capture, 60 * MS) == WEIR_ERROR_INVALID, "resume twice");
    test_expect(weir_capture_pause(capture, 60 * MS - 1) == WEIR_ERROR_INVALID,
                "pause before the resume");
    present(rig, capture, 60, WEIR_OK); // at 30
    test_expect(rig->harness.log_codes[WEIR_LOG_CODE_PAUSE_STATE] - states == 3 &&
                    rig->harness.log_codes[WEIR_LOG_CODE_TIME_NOT_INCREASING] - times == 4,
                "a message each");
    rig_expect_end(capture, WEIR_OK, 4, 0);
    expect_times(path, "0 10 20 30 ");
}

// A pause longer than a movie can say is no gap, and max_rate goes on where it was.
static void test_beside_max_rate(struct rig *rig)
{
    const char *path = test_path("paced.mov");
    struct weir_capture_params params = rig_params(rig, path, WEIR_SINK_MOV);
    params.timing.max_rate = (struct weir_ratio){50, 1};
    weir_capture *capture = rig_open(rig, &params);
    for (int64_t ms = 0; ms < 100; ms += 10) {
        present(rig, capture, ms, ms % 20 == 0 ? WEIR_OK : WEIR_SKIPPED);
    }
    const int64_t day = 24 * 3600 * 1000;
    test_expect(weir_capture_pause(capture, 95 * MS) == WEIR_OK, "pause");
    test_expect(weir_capture_resume(capture, (95 + day) * MS) == WEIR_OK, "resume");
    for (int64_t ms = 100; ms < 200; ms += 10) {
        present(rig, capture, day + ms, ms % 20 == 0 ? WEIR_OK : WEIR_SKIPPED);
    }
    rig_expect_end(capture, WEIR_OK, 10, 0);
    expect_times(path, "0 20 40 60 80 100 120 140 160 180 ");
}

int main(void)
{
    static struct rig rig;
    rig_init(&rig, false);
    test_times(&rig);
    test_refused(&rig);
    test_beside_max_rate(&rig);
    rig_finish(&rig);
    return test_finish();
}
