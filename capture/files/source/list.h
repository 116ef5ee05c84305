// SPDX-License-Identifier: MIT
// The files behind a path: one movie or picture, a URL, standard input, a folder of pictures, or a
// numbered sequence; or several pictures, each by its path. What the name of a file says.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <weir/log.h>
#include <weir/result.h>

struct weir_source_file {
    char *path;
    uint64_t number; // its time, in frames from the first file
};

struct weir_source_list {
    struct weir_source_file *files;
    size_t num_files, capacity;
    bool pictures; // each file is one picture of a sequence; else there is one file, of any kind
};

// Find the files. Errors: WEIR_ERROR_IO, WEIR_ERROR_DATA, WEIR_ERROR_OUT_OF_MEMORY; the log has the
// reason.
enum weir_result weir_source_list_find(struct weir_source_list *list, const char *path,
                                       const struct weir_log *log);

// Get the status of the file behind an input, which may be standard input ("-", "pipe:0") or a URL
// of a file. False if there is none.
bool weir_source_stat(const char *path, struct stat *status);

// Find the files of one path, as above, or of several, each of which is one picture, in the order
// given. `paths` is borrowed for the call. Errors: the same; WEIR_ERROR_DATA for a folder or a
// movie among several.
enum weir_result weir_source_list_find_all(struct weir_source_list *list, char *const *paths,
                                           size_t num_paths, const struct weir_log *log);

// Take paths as they are: whatever one of them is, it is one file. False: no memory.
bool weir_source_list_take(struct weir_source_list *list, char *const *paths, size_t num_paths);

// Warn if the files stand in the order of their characters, by which shot10 comes before shot2.
void weir_source_list_warn_of_order(const struct weir_source_list *list,
                                    const struct weir_log *log);

void weir_source_list_finish(struct weir_source_list *list);

// True if a path ends as pictures do, or as movies do. Not for hidden files.
bool weir_name_is_picture(const char *path);
bool weir_name_is_movie(const char *path);

// Compare names in natural order, with the numbers in them as numbers: shot2.png comes before
// shot10.png. The answer is that of strcmp(); 0 also for names that differ in zeros alone.
int weir_name_compare(const char *a, const char *b);

// A number of more digits than fit into 64 bits, zeros before them aside.
enum { WEIR_PATTERN_MAX_DIGITS = 18 };
#define WEIR_PATTERN_TOO_LARGE UINT64_MAX
#define WEIR_PATTERN_ZERO (UINT64_C(1) << 62) // the number 0; negative ones lie below it

// A numbered name: text, a number as in "frame_%04d.png" or "frame.####.exr", text.
struct weir_pattern {
    const char *folder; // of the path that was parsed, with its slash, may be empty
    int folder_length;
    char before[256], after[256];
    int width; // least number of digits
};

// False if the path is no such name. Where it has %d, # is text.
bool weir_pattern_parse(const char *path, struct weir_pattern *pattern);

// Match a name against a pattern and read its number, which counts from WEIR_PATTERN_ZERO, or
// WEIR_PATTERN_TOO_LARGE. A sign may count as a digit, as printf has it, or not. The text before
// and after the number must be equal, so a digit in the text after it does not count as part of
// the number.
bool weir_pattern_match(const struct weir_pattern *pattern, const char *name, uint64_t *number);
