// SPDX-License-Identifier: MIT
// weir join: movies that are no segments follow each other; a segment whose time code is not that
// of its place is told. segments_test.c joins segments.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "recover_movie.h"
#include "reference.h"
#include "testing.h"

static const struct weir_ratio rate = {25, 1};
static char joined[300];

// Record frames begin .. end - 1 of a host whose audio is as long as the frames.
static void record_part(struct host host, int begin, int end,
                        const struct weir_capture_params *params)
{
    host.audio_zero = host.times[0];
    host.audio_end = host.times[end - 1] + SECOND / 25 - 1;
    for (int i = 0; i < HOST_NUM_TRACKS; i++) {
        host.first[i] = (uint64_t)begin * host_tracks[i].sample_rate / 25;
    }
    host.num_frames = end - begin;
    memmove(host.times, host.times + begin, (size_t)host.num_frames * sizeof(host.times[0]));
    memmove(host.is_white, host.is_white + begin, (size_t)host.num_frames);
    host_record(&host, params, NULL);
}

static void expect_joined(const char *what, const struct movies *want)
{
    static struct movies got;
    movies_append(&got, joined, HOST_NUM_TRACKS);
    movies_expect_same(what, &got, want);
    movies_finish(&got);
}

// The audio of each begins with its frames.
static void test_end_to_end(void)
{
    static struct movies want;
    const struct host host = host_draw(50, SECOND / 25, 0, false);
    const int cut = 10 + (int)(test_random() % 30);
    const struct {
        const char *path;
        int begin, end;
        uint32_t segment_ms;
    } parts[] = {{"whole.mov", 0, 50, 0},
                 {"first.mov", 0, cut, 0},
                 {"second.mov", cut, 50, 0},
                 {"take.mov", cut, 50, UINT32_MAX}};
    char paths[4][300];
    bool warns;
    for (int i = 0; i < 4; i++) {
        const struct weir_capture_params params = {.path = test_path(parts[i].path),
                                                   .timing.frame_rate = rate,
                                                   .segments.length_ms = parts[i].segment_ms};
        record_part(host, parts[i].begin, parts[i].end, &params);
        snprintf(paths[i], sizeof(paths[i]), "%s",
                 parts[i].segment_ms > 0 ? segment_path(params.path, 1) : params.path);
    }
    char *const movies[] = {paths[1], paths[2]}, *const mixed[] = {paths[1], paths[3]};
    movies_append(&want, paths[0], HOST_NUM_TRACKS);
    test_expect(host_join(movies, 2, NULL, joined, &warns) == 0, "movies of no recording");
    expect_joined("movies", &want);
    test_expect(host_join(mixed, 2, NULL, joined, &warns) == 1 && !test_file_exists(joined),
                "a segment and a movie");
    test_expect(host_join(mixed, 2, "--end-to-end", joined, &warns) == 0,
                "a segment and a movie, end to end");
    expect_joined("end to end", &want);
    movies_finish(&want);
}

static void read_timecode(const char *path, char text[16])
{
    struct reference reference;
    reference_open(&reference, path);
    snprintf(text, 16, "%s",
             reference_tag(reference_stream(&reference, AVMEDIA_TYPE_VIDEO, 0), "timecode"));
    reference_close(&reference);
}

// Write another number where the track of a segment has its own: in the head, and in the index.
static void change_timecode(const char *path)
{
    struct movie_bytes movie = movie_read(path);
    int num = 0;
    for (size_t i = 0; i + 12 <= movie.size; i++) {
        if (memcmp(movie.bytes + i,
                   "\0\0\0\x0c"
                   "free",
                   8) == 0) {
            movie.bytes[i + 10] ^= 1; // 256 frames
            num++;
        }
    }
    FILE *file = fopen(path, "wb");
    test_expect(fwrite(movie.bytes, 1, movie.size, file) == movie.size && num == 2, "%d numbers",
                num);
    fclose(file);
    free(movie.bytes);
}

static void test_disagreement(void)
{
    const struct host host = host_draw(100, SECOND / 25, 20 * MS, false);
    const struct weir_capture_params params = {
        .path = test_path("coded.mov"),
        .timing = {.frame_rate = rate, .timecode = "23:59:58:15"},
        .segments.length_ms = 1000};
    char paths[4][300], *files[4], first[16], text[16];
    bool warns;
    host_record(&host, &params, NULL);
    for (int i = 0; i < 4; i++) {
        snprintf(paths[i], sizeof(paths[i]), "%s", segment_path(params.path, i + 1));
        files[i] = paths[i];
    }
    read_timecode(paths[0], first);
    change_timecode(paths[2]);
    test_expect(host_join(files, 4, "--gaps", joined, &warns) == 0 && warns,
                "a segment that disagrees is told");
    read_timecode(joined, text);
    test_expect(strcmp(text, first) == 0, "the whole keeps that of the first one: %s", text);
    test_expect(host_join(files + 2, 2, "--gaps", joined, &warns) == 0 && warns,
                "the first one disagrees with those behind it");
}

int main(void)
{
    snprintf(joined, sizeof(joined), "%s", test_path("joined.mov"));
    test_end_to_end();
    test_disagreement();
    return test_finish();
}
