// SPDX-License-Identifier: MIT
// weir join: segments in any order become the recording again, frame by frame and sample by sample,
// as FFmpeg reads it; where one is missing, the others are at their times.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/weir/commands.h"
#include "judge.h"
#include "segments.h"
#include "testing.h"

enum { MAX_SEGMENTS = 8, FIRST_OF_SECOND = 1000000 };

// Names that last.
static char folder[256], whole[300], joined[300], raw[300], segments[MAX_SEGMENTS][300];

static void name_files(void)
{
    snprintf(folder, sizeof(folder), "%s", test_path("x"));
    folder[strlen(folder) - 2] = '\0';
    snprintf(whole, sizeof(whole), "%s/whole.mov", folder);
    snprintf(joined, sizeof(joined), "%s/joined.mov", folder);
    snprintf(raw, sizeof(raw), "%s/track.raw", folder);
    for (int i = 0; i < MAX_SEGMENTS; i++) {
        snprintf(segments[i], sizeof(segments[i]), "%s/take.%03d.mov", folder, i + 1);
    }
}

// Run weir join of files with options, which end with NULL. Returns its status.
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

// What FFmpeg reads of frames: their times, and hashes of their bytes. Free it.
static char *read_frames(const char *path)
{
    enum { SIZE = 1 << 16 };
    char *text = malloc(SIZE);
    const int status = test_run(text, SIZE,
                                "ffprobe -v error -select_streams v -show_entries "
                                "packet=pts,size,data_hash -show_data_hash md5 -of csv=p=0 '%s'",
                                path);
    test_expect(status == 0, "ffprobe of %s: %s", path, text);
    return text;
}

static struct movie_bytes read_sound(const char *path, int track)
{
    char output[512];
    test_run(output, sizeof(output),
             "ffmpeg -nostdin -v error -xerror -y -i '%s' -map 0:a:%d -c copy -f data '%s'", path,
             track, raw);
    test_expect(output[0] == '\0', "ffmpeg says %s", output);
    struct movie_bytes sound = {.size = (size_t)test_file_size(raw)};
    sound.bytes = malloc(sound.size + 1);
    FILE *stream = fopen(raw, "rb");
    test_expect(stream && fread(sound.bytes, 1, sound.size, stream) == sound.size, "read sound");
    fclose(stream);
    return sound;
}

static void expect_same(const char *a, const char *b, int num_tracks, const char *what)
{
    char *of_a = read_frames(a), *of_b = read_frames(b);
    test_expect(strcmp(of_a, of_b) == 0, "%s: frames:\n%s\ninstead of\n%s", what, of_a, of_b);
    for (int track = 0; track < num_tracks; track++) {
        struct movie_bytes sound_a = read_sound(a, track), sound_b = read_sound(b, track);
        test_expect(sound_a.size == sound_b.size &&
                        memcmp(sound_a.bytes, sound_b.bytes, sound_a.size) == 0,
                    "%s: track %d: %zu bytes and %zu", what, track, sound_a.size, sound_b.size);
        free(sound_a.bytes);
        free(sound_b.bytes);
    }
    free(of_a);
    free(of_b);
}

// Cut a recording at random frames. Returns how many segments there are; `begins` has one more.
static int split(struct recording *recording, uint32_t begins[MAX_SEGMENTS + 1])
{
    const int num = 2 + (int)(test_random() % (MAX_SEGMENTS - 1));
    const uint32_t each = recording->num_frames / (uint32_t)num;
    for (int i = 0; i < num; i++) {
        begins[i] = (uint32_t)i * each + (i > 0 ? (uint32_t)(test_random() % each) : 0);
    }
    begins[num] = recording->num_frames;
    for (int i = 0; i < num; i++) {
        recording_write_segment(recording, segments[i], (uint32_t)i + 1, begins[i], begins[i + 1]);
    }
    return num;
}

// Any order of the files gives the recording, also where the second track begins late.
static void test_whole(uint32_t first_of_second)
{
    struct recording recording;
    uint32_t begins[MAX_SEGMENTS + 1];
    const int num_tracks = first_of_second < FIRST_OF_SECOND ? 2 : 1;
    recording_make(&recording, whole, 60, first_of_second);
    const int num = split(&recording, begins);
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
    expect_same(joined, whole, num_tracks, "segments");
    char *again[] = {joined};
    rename(joined, segments[0]);
    again[0] = segments[0];
    test_expect(join(again, 1, NULL) == 0, "one movie is joined");
    expect_same(joined, whole, num_tracks, "one movie");
    recording_finish(&recording);
}

// Check that all samples of the first track are in their places, but for silence. Returns how many
// are silent.
static uint32_t expect_sound_in_place(void)
{
    const struct movie_bytes sound = read_sound(joined, 0);
    uint32_t num_wrong = 0, num_silent = 0;
    for (size_t i = 0; i < sound.size / 4; i++) {
        int32_t sample;
        memcpy(&sample, sound.bytes + 4 * i, 4);
        num_silent += sample == 0;
        num_wrong += sample != 0 && sample != (int32_t)i + 1;
    }
    test_expect(num_wrong == 0, "%u samples are not in their places", num_wrong);
    free(sound.bytes);
    return num_silent;
}

// Check that the frames are those of the recording at their times, without begin .. end - 1.
static void expect_frames_without(uint32_t begin, uint32_t end)
{
    char *frames = read_frames(joined), *all = read_frames(whole);
    char *next = frames;
    uint32_t number = 0, num_wrong = 0;
    for (char *line = strtok(all, "\n"); line; line = strtok(NULL, "\n"), number++) {
        const size_t length = strlen(line);
        const bool is_there = number < begin || number >= end;
        if (is_there) {
            num_wrong += strncmp(next, line, length) != 0;
            next += strcspn(next, "\n") + 1;
        }
    }
    test_expect(num_wrong == 0 && *next == '\0', "%u frames are not at their times", num_wrong);
    free(frames);
    free(all);
}

static void test_gap(void)
{
    struct recording recording;
    uint32_t begins[MAX_SEGMENTS + 1];
    int num;
    recording_make(&recording, whole, 60, 0);
    do {
        num = split(&recording, begins);
    } while (num < 3);
    const int missing = 1 + (int)(test_random() % (uint64_t)(num - 2));
    char *files[MAX_SEGMENTS];
    for (int i = 0, n = 0; i < num; i++) {
        if (i != missing) {
            files[n++] = segments[i];
        }
    }
    test_expect(join(files, num - 1, NULL) == 1 && !test_file_exists(joined), "one is missing");
    test_expect(join(files, num - 1, "--gaps") == 0, "--gaps");
    expect_frames_without(begins[missing], begins[missing + 1]);
    const uint64_t silence = recording_position(&recording, begins[missing + 1]) -
                             recording_position(&recording, begins[missing]);
    test_expect(expect_sound_in_place() == silence, "the gap is silent");
    recording_finish(&recording);
}

// A segment that was cut and recovered is still that segment: what is left of it is where it was,
// and so is all that follows.
static void test_recovered(void)
{
    struct recording recording;
    uint32_t begins[MAX_SEGMENTS + 1];
    recording_make(&recording, whole, 60, 0);
    int num, damaged;
    do { // enough frames that half of them are left
        num = split(&recording, begins);
        damaged = (int)(test_random() % (uint64_t)num);
    } while (begins[damaged + 1] - begins[damaged] < 8);
    const int64_t size = test_file_size(segments[damaged]);
    char *files[MAX_SEGMENTS];
    char *arguments[] = {"weir", "recover", "--quiet", "--in-place", segments[damaged]};
    test_expect(truncate(segments[damaged], size / 2) == 0 &&
                    cli_program_run(&cli_weir_program, 5, arguments) == 0,
                "segment %d of %d is recovered", damaged + 1, num);
    for (int i = 0; i < num; i++) {
        files[i] = segments[i];
    }
    test_expect(join(files, num, NULL) == 0, "a recovered segment is joined");
    const int left = judge_count_frames(segments[damaged]);
    const uint32_t lost = begins[damaged] + (uint32_t)left;
    expect_frames_without(lost, begins[damaged + 1]);
    test_expect((expect_sound_in_place() > 0) == (damaged + 1 < num), "silence up to the next one");
    recording_finish(&recording);
}

// Movies that are no segments follow each other; the sound of each begins with its frames.
static void test_end_to_end(void)
{
    struct recording recording;
    recording_make(&recording, whole, 50, 0);
    const uint32_t cut = 10 + (uint32_t)(test_random() % 30);
    recording_write_segment(&recording, segments[0], 0, 0, cut);
    recording_write_segment(&recording, segments[1], 0, cut, 50);
    recording_write_segment(&recording, segments[2], 7, cut, 50);
    char *movies[] = {segments[0], segments[1]}, *mixed[] = {segments[0], segments[2]};
    test_expect(join(movies, 2, NULL) == 0, "movies of no recording");
    expect_same(joined, whole, SEGMENTS_TRACKS, "movies");
    test_expect(join(mixed, 2, NULL) == 1 && !test_file_exists(joined), "a segment and a movie");
    test_expect(join(mixed, 2, "--end-to-end") == 0, "a segment and a movie, end to end");
    expect_same(joined, whole, SEGMENTS_TRACKS, "end to end");
    recording_finish(&recording);
}

int main(void)
{
    if (!test_has_ffprobe()) {
        return 77;
    }
    name_files();
    for (int i = 0; i < 3; i++) {
        test_whole(0);
    }
    test_whole(25);
    test_whole(FIRST_OF_SECOND);
    test_gap();
    for (int i = 0; i < 3; i++) {
        test_recovered();
    }
    test_end_to_end();
    return test_finish();
}
