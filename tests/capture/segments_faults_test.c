// SPDX-License-Identifier: MIT
// Segments on a disk that fails or fills up, in a folder that is moved away, and of a program that
// is killed: what was complete stays so, and the rest is as good as a movie without segments.
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "capture/movie/read.h"
#include "movies.h"
#include "recording.h"
#include "recover_movie.h"
#include "reference.h"
#include "testing.h"
#include "tests/sanitized.h"
#include "written_file.h"

// A sanitizer keeps what was freed for a while.
enum { MAX_GROWTH_KIB = SANITIZED_ADDRESS ? 512 * 1024 : 8192 };

enum { FPS = 60, FRAMES_A_SEGMENT = 20 };

// Calls of the system fail from now on with this error; 0: they do not.
static atomic_int writev_error, fdatasync_error;

ssize_t __real_writev(int fd, const struct iovec *parts, int num);
ssize_t __wrap_writev(int fd, const struct iovec *parts, int num);
int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);

ssize_t __wrap_writev(int fd, const struct iovec *parts, int num)
{
    errno = atomic_load(&writev_error);
    return errno != 0 ? -1 : __real_writev(fd, parts, num);
}

int __wrap_fdatasync(int fd)
{
    errno = atomic_load(&fdatasync_error);
    return errno != 0 ? -1 : __real_fdatasync(fd);
}

static void pause_briefly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static const struct weir_audio_track track = {.sample_rate = 48000, .num_channels = 1};

static void begin(struct recording *recording, const char *path)
{
    recording_open(recording, &(struct weir_capture_params){
                                  .segments.enable = true,
                                  .path = path,
                                  .audio = {.tracks = &track, .num_tracks = 1},
                                  .segments.length_ms = FRAMES_A_SEGMENT * 1000 / FPS});
}

// Hand over frames and their sound. False: none of them was written any more.
static bool go_on(struct recording *recording, int num_frames)
{
    static const int16_t samples[48000 / FPS];
    const uint64_t before = weir_capture_get_stats(recording->capture).written;
    for (int i = 0; i < num_frames; i++) {
        const int64_t time_ns = (int64_t)weir_capture_get_stats(recording->capture).received *
                                1000000000 / FPS;
        recording_present(recording, time_ns, i % 2);
        if (weir_capture_get_params(recording->capture).audio.num_tracks > 0) {
            weir_capture_audio(recording->capture, 0, samples, 48000 / FPS, time_ns);
        }
    }
    while (weir_capture_get_stats(recording->capture).in_flight > 0) {
        pause_briefly();
    }
    return weir_capture_get_stats(recording->capture).written > before;
}

// True if a movie is closed: nothing is to be recovered.
static bool is_plain(const char *path)
{
    struct movie_bytes movie = movie_read(path);
    struct recover_found found;
    const struct recover_params params = {.source = movie_source(&movie)};
    const bool is = recover_find(&params, &found) && found.state == RECOVER_NOTHING_TO_DO;
    recover_found_finish(&found);
    free(movie.bytes);
    return is;
}

static void wait_plain(const char *path)
{
    while (!is_plain(path)) {
        pause_briefly();
    }
}

static void remove_segments(const char *path)
{
    for (int number = 1; test_file_exists(segment_path(path, number)); number++) {
        unlink(segment_path(path, number));
    }
}

static void test_disk_full(void)
{
    const char *path = test_path("full.mov");
    struct recording recording;
    begin(&recording, path);
    test_expect(go_on(&recording, FRAMES_A_SEGMENT + 5), "full: segment 2 has begun");
    wait_plain(segment_path(path, 1));
    const int told = test_log_count(WEIR_LOG_CODE_DISK_FULL);
    atomic_store(&writev_error, ENOSPC);
    test_expect(!go_on(&recording, 3 * FRAMES_A_SEGMENT), "full: nothing is written any more");
    atomic_store(&writev_error, 0);
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_ERROR_DISK_FULL);
    test_expect(test_log_count(WEIR_LOG_CODE_DISK_FULL) == told + 1, "full: told once");
    test_expect(stats.written == FRAMES_A_SEGMENT + 5 && stats.segments == 2 &&
                    stats.dropped_by_reason[WEIR_DROP_SINK] == 3 * FRAMES_A_SEGMENT,
                "full: %llu written", (unsigned long long)stats.written);
    reference_expect_frames("full", segment_path(path, 1), FRAMES_A_SEGMENT);
    reference_expect_frames("full", segment_path(path, 2), 5);
    test_expect(is_plain(segment_path(path, 2)) && !test_file_exists(segment_path(path, 3)),
                "full: two plain movies");
    remove_segments(path);
}

// The disk is full when a segment begins: it leaves nothing behind.
static void test_no_room_to_begin(void)
{
    char *folder = test_folder("begin");
    const char *path = path_in(folder, "take.mov");
    struct recording recording;
    begin(&recording, path);
    test_expect(go_on(&recording, FRAMES_A_SEGMENT), "begin: segment 1");
    atomic_store(&writev_error, ENOSPC);
    test_expect(!go_on(&recording, 5), "begin: no segment 2");
    atomic_store(&writev_error, 0);
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_ERROR_DISK_FULL);
    test_expect(stats.segments == 1, "begin: close");
    written_expect_entries("begin", folder, 1);
    reference_expect_frames("begin", segment_path(path, 1), FRAMES_A_SEGMENT);
    free(folder);
}

static void test_folder_is_gone(void)
{
    char *folder = test_folder("gone");
    char away[256];
    snprintf(away, sizeof(away), "%s-away", folder);
    struct recording recording;
    begin(&recording, path_in(folder, "take.mov"));
    test_expect(go_on(&recording, 5), "gone: segment 1");
    test_expect(rename(folder, away) == 0, "the folder is moved");
    test_expect(go_on(&recording, 2 * FRAMES_A_SEGMENT), "gone: segment 1 goes on");
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_ERROR_IO);
    test_expect(stats.written == FRAMES_A_SEGMENT && stats.segments == 1 &&
                    stats.dropped_by_reason[WEIR_DROP_SINK] == FRAMES_A_SEGMENT + 5,
                "gone: %llu written", (unsigned long long)stats.written);
    reference_expect_frames("gone", segment_path(path_in(away, "take.mov"), 1), FRAMES_A_SEGMENT);
    test_expect(is_plain(segment_path(path_in(away, "take.mov"), 1)), "gone: it is plain");
    free(folder);
}

// A segment that cannot be completed is a failure of the writer, and the next one stays whole.
static void test_close_fails(void)
{
    const char *path = test_path("close.mov");
    struct recording recording;
    begin(&recording, path);
    test_expect(go_on(&recording, FRAMES_A_SEGMENT), "close: segment 1");
    atomic_store(&fdatasync_error, EIO);
    go_on(&recording, 5);
    while (go_on(&recording, 1)) { // until the closing thread's failure is seen
        test_expect(weir_capture_get_stats(recording.capture).received < 100000,
                    "close: it is seen");
    }
    atomic_store(&fdatasync_error, 0);
    const uint64_t written = weir_capture_get_stats(recording.capture).written;
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_ERROR_IO);
    test_expect(stats.written == written && stats.dropped > 0, "close: it stays failed");
    reference_expect_frames("close", segment_path(path, 1), FRAMES_A_SEGMENT);
    if (stats.segments == 2) {
        reference_expect_frames("close", segment_path(path, 2), (int)written - FRAMES_A_SEGMENT);
    }
    remove_segments(path);
}

// Another program has replaced a segment, and put a link where the next one goes.
static void test_replaced(void)
{
    char *folder = test_folder("replaced");
    const char *path = path_in(folder, "take.mov"), *other = path_in(folder, "other");
    struct recording recording;
    begin(&recording, path);
    go_on(&recording, 5);
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(i == 0 ? other : path_in(folder, "victim"), "w");
        fputs("other", file);
        fclose(file);
    }
    test_expect(rename(other, segment_path(path, 1)) == 0 &&
                    symlink("victim", segment_path(path, 2)) == 0,
                "replaced: by another program");
    const int told = test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED);
    go_on(&recording, 3 * FRAMES_A_SEGMENT - 5);
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_ERROR_IO);
    test_expect(stats.written == 3 * FRAMES_A_SEGMENT && stats.dropped == 0 && stats.segments == 3,
                "replaced: %llu written", (unsigned long long)stats.written);
    test_expect(test_log_count(WEIR_LOG_CODE_OUTPUT_MOVED) == told + 1, "replaced: told once");
    reference_expect_frames("replaced", path_in(folder, "take.001.1.mov"), FRAMES_A_SEGMENT);
    reference_expect_frames("replaced", segment_path(path, 2), FRAMES_A_SEGMENT);
    reference_expect_frames("replaced", segment_path(path, 3), FRAMES_A_SEGMENT);
    test_expect(test_file_size(segment_path(path, 1)) == 5 &&
                    test_file_size(path_in(folder, "victim")) == 5,
                "replaced: what is not of the recording stays");
    written_expect_entries("replaced", folder, 5);
    free(folder);
}

// Without a frame nothing is touched; with one, movies of the same names are replaced, and those of
// higher numbers stay.
static void test_names_exist(void)
{
    char *folder = test_folder("names");
    const char *path = path_in(folder, "take.mov");
    struct recording recording;
    for (int number = 1; number <= 3; number++) {
        FILE *file = fopen(segment_path(path, number), "w");
        fputs("old", file);
        fclose(file);
    }
    begin(&recording, path);
    test_expect(recording_end(&recording, WEIR_OK).segments == 0, "names: no frame");
    written_expect_entries("names", folder, 3);
    test_expect(test_file_size(segment_path(path, 1)) == 3, "names: the old one stays");
    begin(&recording, path);
    go_on(&recording, FRAMES_A_SEGMENT + 1);
    test_expect(recording_end(&recording, WEIR_OK).segments == 2, "names: close");
    written_expect_entries("names", folder, 3);
    reference_expect_frames("names", segment_path(path, 1), FRAMES_A_SEGMENT);
    reference_expect_frames("names", segment_path(path, 2), 1);
    test_expect(test_file_size(segment_path(path, 3)) == 3, "names: number 3 stays");
    free(folder);
}

// A segment a frame: neither descriptors nor memory grow with their number.
static void test_flat(void)
{
    enum { NUM = 300, WARM_UP = 50 };
    char *folder = test_folder("flat");
    struct recording recording;
    recording_open(&recording, &(struct weir_capture_params){.segments.enable = true,
                                                             .path = path_in(folder, "take.mov"),
                                                             .segments.length_ms = 1});
    go_on(&recording, WARM_UP);
    const int descriptors = test_num_entries("/proc/self/fd");
    const long kib = test_memory_kib();
    go_on(&recording, NUM - WARM_UP);
    const int more = test_num_entries("/proc/self/fd") - descriptors;
    const long growth = test_memory_kib() - kib;
    printf("%d segments: %d descriptors and %ld KiB more\n", NUM - WARM_UP, more, growth);
    // One may be closed at that moment.
    test_expect(more <= 4 && growth < MAX_GROWTH_KIB, "flat: %d descriptors, %ld KiB", more,
                growth);
    const struct weir_capture_stats stats = recording_end(&recording, WEIR_OK);
    test_expect(stats.segments == NUM, "flat: close");
    written_expect_entries("flat", folder, NUM);
    free(folder);
}

static bool read_box(struct movie_bytes *bytes, struct weir_segment *segment)
{
    struct weir_view view;
    const struct weir_view_source source = movie_source(bytes);
    const bool is_read = weir_view_init(&view, &source, 256) && weir_segment_read(&view, segment);
    weir_view_finish(&view);
    return is_read;
}

// weir recover makes the last one plain, and it still says which recording it belongs to.
static void expect_recovered(const char *path, int num_frames)
{
    const char *output = test_path("recovered.mov");
    struct movie_bytes killed = movie_read(path);
    struct recover_found found;
    struct weir_segment before = {.number = 0}, after = {.number = 0};
    test_expect(movie_recover(&killed, output, &found), "killed: it is recovered: %s",
                found.refusal);
    struct movie_bytes plain = movie_read(output);
    test_expect(read_box(&killed, &before) && read_box(&plain, &after) && after.number == 3 &&
                    memcmp(&before, &after, sizeof(before)) == 0,
                "killed: the box is kept");
    test_expect(is_plain(output), "killed: it is plain");
    reference_expect_frames("killed", output, num_frames);
    recover_found_finish(&found);
    free(killed.bytes);
    free(plain.bytes);
    unlink(output);
}

static void record_a_part(void *user)
{
    const char *path = user;
    struct recording recording;
    begin(&recording, path);
    go_on(&recording, 2 * FRAMES_A_SEGMENT + 7);
    wait_plain(segment_path(path, 2));
}

static void test_kill(void)
{
    char *path = strdup(test_path("killed.mov"));
    test_run_killed(record_a_part, path);
    for (int number = 1; number <= 2; number++) {
        test_expect(is_plain(segment_path(path, number)), "killed: %d is plain", number);
        reference_expect_frames("killed", segment_path(path, number), FRAMES_A_SEGMENT);
    }
    test_expect(!is_plain(segment_path(path, 3)), "killed: 3 is not");
    reference_expect_frames("killed", segment_path(path, 3), 7);
    expect_recovered(segment_path(path, 3), 7);
    remove_segments(path);
    free(path);
}

int main(void)
{
    test_disk_full();
    test_no_room_to_begin();
    test_folder_is_gone();
    test_close_fails();
    test_replaced();
    test_names_exist();
    test_kill();
    test_flat();
    return test_finish();
}
