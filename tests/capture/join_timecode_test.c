// SPDX-License-Identifier: MIT
// weir join: the whole has the time code of the first segment, as ffprobe reads it, across midnight
// and with segments missing; a segment whose time code is not that of its place is told.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/weir/commands.h"
#include "recording.h"
#include "reference.h"
#include "testing.h"

enum { NUM_FRAMES = 100, NUM_SEGMENTS = 4, MAX_TEXT = 64 };

// Names that last, and the time code that ffprobe says of each.
static char paths[NUM_SEGMENTS][300], joined[300], messages[300];
static char texts[NUM_SEGMENTS][MAX_TEXT];

static void read_timecode(const char *path, char text[MAX_TEXT])
{
    test_run(text, MAX_TEXT,
             "ffprobe -v error -select_streams v -show_entries stream_tags=timecode -of csv=p=0 "
             "'%s'",
             path);
    text[strcspn(text, "\n")] = 0;
}

// Record segments of a second that begin shortly before midnight, with frames that jitter.
static void record(void)
{
    struct weir_capture_stats stats;
    struct recording recording;
    const char *path = test_path("take.mov");
    recording_open(&recording, &(struct weir_capture_params){.path = path,
                                                             .timing.frame_rate = {30000, 1001},
                                                             .segments.length_ms = 1000,
                                                             .timing.timecode = "23:59:58;15"});
    for (int i = 0; i < NUM_FRAMES; i++) {
        const int64_t jitter = i > 0 ? (int64_t)(test_random() % 20000000) : 0;
        recording_present(&recording, i * INT64_C(1001000000) / 30 + jitter, i % 2 == 0);
    }
    test_expect(recording_close(&recording, &stats) == WEIR_OK && stats.segments == NUM_SEGMENTS,
                "%d segments", (int)stats.segments);
    for (int i = 0; i < NUM_SEGMENTS; i++) {
        snprintf(paths[i], sizeof(paths[i]), "%.*s.%03d.mov", (int)strlen(path) - 4, path, i + 1);
        read_timecode(paths[i], texts[i]);
    }
    test_expect(strncmp(texts[0], "23:59:58;", 9) == 0 && strncmp(texts[3], "00:00:0", 7) == 0,
                "segments begin at %s and %s", texts[0], texts[3]);
}

// Join segments first .. NUM_SEGMENTS - 1 without `missing`. Returns if a warning names a time
// code.
static bool join(int first, int missing)
{
    char *arguments[NUM_SEGMENTS + 5] = {"weir", "join", "--quiet", "--gaps"};
    int count = 4;
    for (int i = NUM_SEGMENTS - 1; i >= first; i--) {
        if (i != missing) {
            arguments[count++] = paths[i];
        }
    }
    arguments[count++] = joined;
    remove(joined);
    fflush(stderr);
    const int error = dup(STDERR_FILENO);
    test_expect(freopen(messages, "w", stderr), "messages");
    const int status = cli_program_run(&cli_weir_program, count, arguments);
    fflush(stderr);
    dup2(error, STDERR_FILENO);
    close(error);
    char said[1024];
    test_run(said, sizeof(said), "cat '%s'", messages);
    test_expect(status == 0, "joined: %s", said);
    return strstr(said, "time code");
}

static void expect_joined(int first, int missing)
{
    char text[MAX_TEXT];
    test_expect(!join(first, missing), "segments of one recording agree");
    read_timecode(joined, text);
    test_expect(strcmp(text, texts[first]) == 0, "from segment %d without %d: %s, want %s",
                first + 1, missing + 1, text, texts[first]);
    test_expect(reference_count_frames(joined) > 0, "its frames decode");
}

// Write another number where the track of a segment has its own: in the head, and in the index.
static void change_timecode(const char *path)
{
    const int64_t size = test_file_size(path);
    uint8_t *bytes = malloc((size_t)size);
    FILE *file = fopen(path, "r+b");
    int num = 0;
    test_expect(fread(bytes, 1, (size_t)size, file) == (size_t)size, "read %s", path);
    for (int64_t i = 0; i + 12 <= size; i++) {
        if (memcmp(bytes + i,
                   "\0\0\0\x0c"
                   "free",
                   8) == 0) {
            bytes[i + 10] ^= 1; // 256 frames
            num++;
        }
    }
    rewind(file);
    test_expect(fwrite(bytes, 1, (size_t)size, file) == (size_t)size && num == 2, "%d numbers",
                num);
    fclose(file);
    free(bytes);
}

static void test_disagreement(void)
{
    char text[MAX_TEXT];
    change_timecode(paths[2]);
    test_expect(join(0, -1), "a segment that disagrees is told");
    read_timecode(joined, text);
    test_expect(strcmp(text, texts[0]) == 0, "the whole keeps that of the first one");
    test_expect(join(2, -1), "the first one disagrees with those behind it");
}

int main(void)
{
    if (!test_has_ffprobe()) {
        return 77;
    }
    record();
    snprintf(joined, sizeof(joined), "%s", test_path("joined.mov"));
    snprintf(messages, sizeof(messages), "%s", test_path("messages.txt"));
    expect_joined(0, -1);
    expect_joined(1, -1);
    expect_joined(0, 1);
    expect_joined(1, 2);
    expect_joined(3, -1);
    test_disagreement();
    return test_finish();
}
