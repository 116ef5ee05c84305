// SPDX-License-Identifier: MIT
// Helpers for the tests of the capture: seeded random numbers, programs, files, a log.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <weir/chapter.h>
#include <weir/log.h>

#include "capture/stream/mux/mux.h"
#include "tests/expect.h"

// Of tests/seeded.h: WEIR_SEED repeats them, and the first draw prints the seed.
uint64_t test_random(void);
void test_random_bytes(uint8_t *bytes, size_t size);
uint64_t test_below(uint64_t limit);

// Draw a title of a chapter with at most that many bytes, and one more.
void test_chapter_title(char title[WEIR_MAX_CHAPTER_TITLE + 1], size_t max_size);

// Run a command line; its output and errors go to `output`, at most `size` bytes with the final
// zero. Returns its exit status.
int test_run(char *output, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Read what a command line with a path in it writes to its output, `size` bytes at most. Returns
// how many they are.
size_t test_read_command(uint8_t *bytes, size_t size, const char *format, const char *path);

// Run something in a child process that is killed (SIGKILL) when it returns, so that nothing is
// closed.
void test_run_killed(void (*run)(void *user), void *user);

// Wait for a child process. Returns its exit status; -1: it was killed.
int test_wait(pid_t child);

// Let writes fail that would make a file longer, as on a full disk; 0: as long as they may be.
// SIGXFSZ is not ignored: it must not end the program.
void test_limit_files(uint64_t size);

// The memory that this process has of the machine's [KiB]. The address sanitizer keeps what is
// freed for a while, so with it this is what is allocated.
long test_memory_kib(void);

// The existence and the size of a file, and the number of entries in a folder.
bool test_file_exists(const char *path);
int64_t test_file_size(const char *path);
int test_num_entries(const char *folder);

// The lines of a file that have a text in them, and its first bytes as a text.
int test_count_lines(const char *path, const char *text);
void test_read_text(const char *path, char *text, size_t size);

// A log that counts codes, shared by threads, and remembers the last text.
extern const struct weir_log test_log;
int test_log_count(enum weir_log_code code);
const char *test_log_text(void);

// Params of a 60 Hz movie, and a packet of random HapY blocks with room for a header before it.
struct weir_mux_params test_movie(const char *path, uint32_t width, uint32_t height);
uint32_t test_texture_size(uint32_t width, uint32_t height);

// True if ffprobe, the judge of movies, is installed. Prints once that it is not.
bool test_has_ffprobe(void);
