// SPDX-License-Identifier: MIT
// Chapters of movies with pauses, in segments, joined and recovered, as FFmpeg reads them, to the
// tick.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/stream/clock/clock.h"
#include "capture/weir/commands.h"
#include "recording.h"
#include "recover_movie.h"
#include "reference.h"
#include "testing.h"

#define MS INT64_C(1000000)
#define TICKS 90000

// A chapter that a movie should have.
struct want {
    uint64_t ticks;
    char title[WEIR_MAX_CHAPTER_TITLE + 1];
};

struct wants {
    struct want items[WEIR_MAX_CHAPTERS];
    size_t num;
};

// What FFmpeg reads is what is wanted, to the unit of the box.
static void expect_chapters(const char *path, const struct wants *wants)
{
    struct reference reference;
    reference_open(&reference, path);
    const unsigned num = reference.format ? reference.format->nb_chapters : 0;
    test_expect(num == wants->num, "%s has %u chapters, not %zu", path, num, wants->num);
    for (unsigned i = 0; i < num && i < wants->num; i++) {
        const AVChapter *chapter = reference.format->chapters[i];
        const AVDictionaryEntry *title = av_dict_get(chapter->metadata, "title", NULL, 0);
        const int64_t start = (int64_t)((wants->items[i].ticks * 10000000 + TICKS / 2) / TICKS);
        test_expect(av_cmp_q(chapter->time_base, (AVRational){1, 10000000}) == 0 &&
                        chapter->start == start,
                    "%s: chapter %u at %" PRId64 ", not %" PRId64, path, i, chapter->start, start);
        test_expect(title && strcmp(title->value, wants->items[i].title) == 0,
                    "%s: chapter %u is '%s', not '%s'", path, i, title ? title->value : "",
                    wants->items[i].title);
    }
    reference_close(&reference);
}

static void want(struct wants *wants, uint64_t ns, const char *title)
{
    struct want *item = &wants->items[wants->num++];
    item->ticks = (ns * TICKS + 500000000) / 1000000000;
    memcpy(item->title, title, strlen(title) + 1);
}

// Times on both sides of frames and of a pause; out of order, and before their frames and after.
static void test_times(void)
{
    struct recording recording;
    struct wants wants = {.num = 0};
    const int64_t zero = 5000 * MS;
    recording_open(&recording, &(struct weir_capture_params){.path = test_path("times.mov")});
    weir_capture_chapter(recording.capture, zero + 700 * MS, "after the pause");
    weir_capture_chapter(recording.capture, zero - 4000 * MS, "before the first frame");
    weir_capture_chapter(recording.capture, zero + 1000000 * MS, "never");
    weir_capture_chapter(recording.capture, zero + 20 * MS + 7, "between two frames");
    for (int64_t ms = 0; ms < 1000; ms += 10) {
        if (ms == 300) {
            weir_capture_pause(recording.capture, zero + 300 * MS);
            weir_capture_resume(recording.capture, zero + 600 * MS);
        }
        recording_present(&recording, zero + ms * MS, ms % 20 == 0);
        if (ms == 500) {
            weir_capture_chapter(recording.capture, zero + 450 * MS, "in the pause");
        }
    }
    recording_wait_written(&recording, 70);
    weir_capture_chapter(recording.capture, zero + 100 * MS, "late");
    weir_capture_chapter(recording.capture, zero + 100 * MS, "as late");
    weir_capture_chapter(recording.capture, zero + 990 * MS, "the last frame");
    weir_capture_chapter(recording.capture, zero + 1000 * MS, "in the last frame");
    weir_capture_chapter(recording.capture, zero + 1007 * MS, "after the last frame");
    const int told = test_log_count(WEIR_LOG_CODE_CHAPTER);
    recording_end(&recording, WEIR_OK);
    test_expect(test_log_count(WEIR_LOG_CODE_CHAPTER) == told + 1 &&
                    strstr(test_log_text(), "lacks 2 chapters"),
                "what is left out is told: %s", test_log_text());
    want(&wants, 0, "before the first frame");
    want(&wants, 20 * MS + 7, "between two frames");
    want(&wants, 100 * MS, "late");
    want(&wants, 100 * MS, "as late");
    want(&wants, 300 * MS, "in the pause");
    want(&wants, 400 * MS, "after the pause");
    want(&wants, 690 * MS, "the last frame");
    want(&wants, 700 * MS, "in the last frame");
    expect_chapters(test_path("times.mov"), &wants);
}

// Behind the last frame, which is shown until the end: in one movie, of constant rate, in segments.
static void test_end(const char *name, const struct weir_capture_timing_params *timing,
                     uint32_t segment_ms, const char *last_segment, int64_t last_ms)
{
    struct recording recording;
    struct wants wants = {.num = 0};
    const char *path = test_path(name);
    recording_open(&recording,
                   &(struct weir_capture_params){
                       .path = path, .timing = *timing, .segments = {.length_ms = segment_ms}});
    recording_present(&recording, 0, true);
    recording_present(&recording, 100 * MS, false);
    weir_capture_chapter(recording.capture, 2500 * MS, "in the tail");
    weir_capture_chapter(recording.capture, 2998 * MS, "just before the end");
    weir_capture_chapter(recording.capture, 3000 * MS, "at the end");
    const int told = test_log_count(WEIR_LOG_CODE_CHAPTER);
    recording_end_at(&recording, 3000 * MS, WEIR_OK);
    test_expect(test_log_count(WEIR_LOG_CODE_CHAPTER) == told + 1 &&
                    strstr(test_log_text(), "lacks 1 chapter:"),
                "%s: what is left out is told: %s", name, test_log_text());
    want(&wants, (uint64_t)((2500 - last_ms) * MS), "in the tail");
    want(&wants, (uint64_t)((2998 - last_ms) * MS), "just before the end");
    expect_chapters(last_segment ? test_path(last_segment) : path, &wants);
}

// The longest titles, and more of them than fit, waiting and in one movie.
static void test_most(void)
{
    struct recording recording;
    static struct wants wants;
    recording_open(&recording, &(struct weir_capture_params){.path = test_path("most.mov")});
    for (int i = 0; i < WEIR_MAX_CHAPTERS + 2; i++) {
        char title[WEIR_MAX_CHAPTER_TITLE + 1];
        test_chapter_title(title, i % 8 == 0 ? WEIR_MAX_CHAPTER_TITLE : 20);
        if (i < WEIR_MAX_CHAPTERS) {
            want(&wants, (uint64_t)i * MS, title);
        }
        test_expect(weir_capture_chapter(recording.capture, i * MS, title) ==
                        (i < WEIR_MAX_CHAPTERS ? WEIR_OK : WEIR_DROPPED),
                    "chapter %d", i);
    }
    recording_present(&recording, 0, true);
    recording_present(&recording, 1000 * MS, false);
    recording_wait_written(&recording, 2);
    test_expect(weir_capture_chapter(recording.capture, 900 * MS, "one more") == WEIR_OK, "room");
    const int told = test_log_count(WEIR_LOG_CODE_CHAPTER);
    recording_end(&recording, WEIR_OK);
    test_expect(test_log_count(WEIR_LOG_CODE_CHAPTER) == told + 1 &&
                    strstr(test_log_text(), "lacks 1 chapter:"),
                "one more than fit is told: %s", test_log_text());
    expect_chapters(test_path("most.mov"), &wants);
}

// Record the same frames and chapters, in one movie or in segments of `segment_ms`.
static void record(const char *path, const int64_t *frames, int num_frames,
                   const struct wants *wants, const uint64_t *times, uint32_t segment_ms)
{
    struct recording recording;
    recording_open(&recording,
                   &(struct weir_capture_params){.path = path, .segments.length_ms = segment_ms});
    for (int i = 0; i < num_frames; i++) {
        for (size_t k = 0; k < wants->num; k++) {
            if (times[k] <= (uint64_t)frames[i] && (i == 0 || times[k] > (uint64_t)frames[i - 1])) {
                weir_capture_chapter(recording.capture, (int64_t)times[k], wants->items[k].title);
            }
        }
        recording_present(&recording, frames[i], i % 2 == 0);
    }
    recording_end(&recording, WEIR_OK);
}

// Segments have the chapters that begin in them, and joined they are those of the one movie.
static void test_segments(void)
{
    enum { NUM_FRAMES = 60, NUM_SEGMENTS = 4, NUM_CHAPTERS = 12 };
    int64_t frames[NUM_FRAMES], starts[NUM_SEGMENTS + 1] = {0};
    uint64_t times[NUM_CHAPTERS];
    struct wants wants = {.num = 0};
    int num_segments = 1;
    for (int i = 0; i < NUM_FRAMES; i++) {
        frames[i] = i * 16 * MS + (i > 0 ? (int64_t)(test_random() % 8000000) : 0);
        if (frames[i] - starts[num_segments - 1] >= 250 * MS) {
            starts[num_segments++] = frames[i];
        }
    }
    starts[num_segments] = INT64_MAX;
    uint64_t time = 0;
    for (int i = 0; i < NUM_CHAPTERS; i++) {
        char title[WEIR_MAX_CHAPTER_TITLE + 1];
        test_chapter_title(title, 30);
        const int frame = i * NUM_FRAMES / NUM_CHAPTERS;
        time = test_random() % 2 ? (uint64_t)frames[frame] : time + 1 + test_random() % 40000000;
        times[i] = time;
        want(&wants, time, title);
    }
    record(test_path("one.mov"), frames, NUM_FRAMES, &wants, times, 0);
    expect_chapters(test_path("one.mov"), &wants);
    record(test_path("take.mov"), frames, NUM_FRAMES, &wants, times, 250);
    char arguments[NUM_SEGMENTS + 4][300] = {"weir", "join", "--quiet"};
    char *pointers[NUM_SEGMENTS + 5] = {arguments[0], arguments[1], arguments[2]};
    for (int s = 0; s < num_segments; s++) {
        struct wants own = {.num = 0};
        const uint64_t start = ((uint64_t)starts[s] * TICKS + 500000000) / 1000000000;
        for (size_t k = 0; k < wants.num; k++) {
            if (times[k] >= (uint64_t)starts[s] && times[k] < (uint64_t)starts[s + 1]) {
                own.items[own.num] = wants.items[k];
                own.items[own.num++].ticks -= start;
            }
        }
        char name[32];
        snprintf(name, sizeof(name), "take.%03d.mov", s + 1);
        snprintf(arguments[3 + s], sizeof(arguments[0]), "%s", test_path(name));
        pointers[3 + s] = arguments[3 + s];
        expect_chapters(arguments[3 + s], &own);
    }
    snprintf(arguments[3 + num_segments], sizeof(arguments[0]), "%s", test_path("joined.mov"));
    pointers[3 + num_segments] = arguments[3 + num_segments];
    test_expect(cli_program_run(&cli_weir_program, 4 + num_segments, pointers) == 0, "joined");
    expect_chapters(arguments[3 + num_segments], &wants);
}

// A closed movie that lost frames keeps its chapters, counted from the first frame that is left.
static void test_recovered(void)
{
    struct recording recording;
    struct recover_found found;
    struct wants wants = {.num = 0};
    const char *path = test_path("closed.mov");
    recording_open(&recording, &(struct weir_capture_params){.path = path});
    weir_capture_chapter(recording.capture, 0, "lost");
    weir_capture_chapter(recording.capture, 50 * MS, "begun");
    weir_capture_chapter(recording.capture, 200 * MS, "left");
    for (int i = 0; i < 30; i++) {
        recording_present(&recording, i * 10 * MS, i % 2 == 0);
    }
    recording_end(&recording, WEIR_OK);
    struct movie_bytes movie = movie_read(path);
    size_t num_frames = 0;
    for (size_t at = 0; at + 4 < movie.size && num_frames < 10; at++) {
        if (memcmp(movie.bytes + at, "mdat", 4) == 0 && num_frames++ > 0) {
            movie.bytes[at + 7] ^= 0x55; // the type of the section of a frame
        }
    }
    const bool is_found = movie_recover(&movie, test_path("new.mov"), &found);
    test_expect(is_found && found.state == RECOVER_DAMAGED && found.start > 0,
                "recovered, %s, state %d", found.refusal, found.state);
    const uint64_t start = found.start;
    want(&wants, 0, "begun");
    want(&wants, 200 * MS, "left");
    wants.items[1].ticks -= start;
    expect_chapters(test_path("new.mov"), &wants);
    recover_found_finish(&found);
    free(movie.bytes);
}

int main(void)
{
    const struct weir_capture_timing_params variable = {.frame_rate = {60, 1}};
    const struct weir_capture_timing_params constant = {.frame_rate = {50, 1},
                                                        .constant_rate = true};
    test_times();
    test_end("end.mov", &variable, 0, NULL, 0);
    test_end("constant.mov", &constant, 0, NULL, 0);
    test_end("cut.mov", &variable, 50, "cut.002.mov", 100);
    test_end("constant_cut.mov", &constant, 1000, "constant_cut.003.mov", 2000);
    test_most();
    test_segments();
    test_recovered();
    return test_finish();
}
