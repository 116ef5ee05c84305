// SPDX-License-Identifier: MIT
// Helpers for the tests of the capture: seeded random numbers, files, a log.
#include "testing.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <weir/encode.h>

#include "capture/stream/clock/clock.h"
#include "tests/seeded.h"

uint64_t test_random(void)
{
    static bool is_started;
    if (!is_started) {
        is_started = true;
        seeded_start();
    }
    return seeded_bits();
}

void test_random_bytes(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        const uint64_t value = test_random();
        memcpy(bytes + i, &value, size - i < 8 ? size - i : 8);
    }
}

uint64_t test_below(uint64_t limit)
{
    return test_random() % limit;
}

void test_chapter_title(char title[WEIR_MAX_CHAPTER_TITLE + 1], size_t max_size)
{
    static const char *const letters[] = {
        "a", "Z", " ", "\"", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\xac"};
    const size_t size = test_below(max_size + 1);
    title[0] = 'T'; // FFmpeg has no title for an empty one
    title[1] = 0;
    for (size_t at = 1; at + 4 <= size; at += strlen(title + at)) {
        strcpy(title + at, letters[test_below(7)]);
    }
}

bool test_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

int64_t test_file_size(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (int64_t)status.st_size : -1;
}

int test_num_entries(const char *path)
{
    DIR *entries = opendir(path);
    if (!entries) {
        return -1;
    }
    int num = -2; // "." and ".."
    while (readdir(entries)) {
        num++;
    }
    closedir(entries);
    return num;
}

int test_count_lines(const char *path, const char *text)
{
    char line[1024];
    int num = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof(line), file)) {
        num += strstr(line, text) != NULL;
    }
    if (file) {
        fclose(file);
    }
    return num;
}

void test_read_text(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    text[file ? fread(text, 1, size - 1, file) : 0] = '\0';
    if (file) {
        fclose(file);
    }
}

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static int log_counts[512];
static char log_text[512];

static void count_message(void *user, const struct weir_log_message *message)
{
    (void)user;
    pthread_mutex_lock(&log_mutex);
    log_counts[message->code]++;
    snprintf(log_text, sizeof(log_text), "%s", message->text);
    pthread_mutex_unlock(&log_mutex);
}

const struct weir_log test_log = {.print = count_message, .least_severity = WEIR_LOG_INFO};

int test_log_count(enum weir_log_code code)
{
    pthread_mutex_lock(&log_mutex);
    const int count = log_counts[code];
    pthread_mutex_unlock(&log_mutex);
    return count;
}

const char *test_log_text(void)
{
    return log_text;
}

struct weir_mux_params test_movie(const char *path, uint32_t width, uint32_t height)
{
    return (struct weir_mux_params){
        .path = path,
        .codec = WEIR_MOVIE_CODEC_HAP_Q,
        .format = {.width = width,
                   .height = height,
                   .nominal_size = test_texture_size(width, height)},
        .rate_num = 60,
        .rate_den = 1,
        .ticks_per_second = weir_ticks_per_second(60, 1),
        .ticks_per_frame = 1500,
        .log = test_log,
        .max_gap_ns = UINT64_MAX,
    };
}

uint32_t test_texture_size(uint32_t width, uint32_t height)
{
    return (uint32_t)weir_codec_image_size(WEIR_CODEC_YCOCG_BC3, width, height);
}

bool test_has_ffprobe(void)
{
    static int has = -1;
    if (has < 0) {
        has = system("ffprobe -version >/dev/null 2>&1") == 0;
        if (!has) {
            printf("no ffprobe on this machine: movies are not judged\n");
        }
    }
    return has;
}
