// SPDX-License-Identifier: MIT
// The files behind a path: one movie or picture, a URL, standard input, a folder of pictures, or a
// numbered sequence; or several pictures, each by its path.
#include "capture/files/source/list.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/bprint.h>

#include "capture/base/size.h"
#include "capture/files/source/input.h"

static int by_name(const void *a, const void *b)
{
    const struct weir_source_file *x = a, *y = b;
    int order = weir_name_compare(x->path, y->path);
    return order != 0 ? order : strcmp(x->path, y->path);
}

static int by_number(const void *a, const void *b)
{
    const struct weir_source_file *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static enum weir_result append(struct weir_source_list *list, const char *folder, int folder_length,
                               const char *name, uint64_t number)
{
    struct weir_source_file *files = weir_grow(list->files, list->num_files, &list->capacity,
                                               sizeof(files[0]));
    list->files = files ? files : list->files;
    size_t size = (size_t)folder_length + strlen(name) + 2;
    char *path = files ? malloc(size) : NULL;
    if (!path) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const char *slash = folder_length > 0 && folder[folder_length - 1] != '/' ? "/" : "";
    snprintf(path, size, "%.*s%s%s", folder_length, folder, slash, name);
    list->files[list->num_files++] = (struct weir_source_file){.path = path, .number = number};
    return WEIR_OK;
}

// What a folder has beside the pictures that are taken.
struct left_out {
    uint64_t num_movies;
    char movie[256]; // the name of one
};

// True for a pipe, which would be waited for, or a folder. What cannot be looked at may be a file.
static bool is_no_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

// Take the entries of a folder that are wanted: those of `pattern`, or every picture when it is
// NULL.
static enum weir_result scan(struct weir_source_list *list, const char *folder, int folder_length,
                             const struct weir_pattern *pattern, struct left_out *left_out,
                             const struct weir_log *log)
{
    char name[4096];
    snprintf(name, sizeof(name), "%.*s", folder_length > 0 ? folder_length : 1,
             folder_length > 0 ? folder : ".");
    DIR *dir = opendir(name);
    if (!dir) {
        return weir_fail(log, WEIR_ERROR_IO, WEIR_LOG_CODE_OPEN_FAILED,
                         "cannot read the folder %s: %s; check its name and permissions", name,
                         strerror(errno));
    }
    enum weir_result result = WEIR_OK;
    for (struct dirent *entry; result == WEIR_OK && (entry = readdir(dir));) {
        uint64_t number = 0;
        bool wanted = pattern ? weir_pattern_match(pattern, entry->d_name, &number)
                              : weir_name_is_picture(entry->d_name);
        if (wanted) {
            result = append(list, folder, folder_length, entry->d_name, number);
            if (result == WEIR_OK && is_no_file(list->files[list->num_files - 1].path)) {
                free(list->files[--list->num_files].path);
            }
        } else if (weir_name_is_movie(entry->d_name)) {
            left_out->num_movies++;
            snprintf(left_out->movie, sizeof(left_out->movie), "%s", entry->d_name);
        }
    }
    closedir(dir);
    return result;
}

static enum weir_result find_folder(struct weir_source_list *list, const char *path,
                                    const struct weir_log *log)
{
    struct left_out left_out = {0};
    WEIR_TRY(scan(list, path, (int)strlen(path), NULL, &left_out, log));
    if (list->num_files == 0) {
        return weir_fail(log, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
                         left_out.num_movies > 0
                             ? "%s: no picture in this folder, only movies; name one, such as %s/%s"
                             : "%s: no picture in this folder; pictures are known by their ending, "
                               "such as .png, .jpg, .tif, .exr",
                         path, path, left_out.movie);
    }
    if (left_out.num_movies > 0) {
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "%s: only the pictures in this folder are read, %" PRIu64
                        " movie%s left out; to read one, name it, such as %s/%s",
                        path, left_out.num_movies, left_out.num_movies == 1 ? " is" : "s are", path,
                        left_out.movie);
    }
    qsort(list->files, list->num_files, sizeof(*list->files), by_name);
    for (size_t i = 0; i < list->num_files; i++) {
        list->files[i].number = i;
    }
    return WEIR_OK;
}

static int64_t value_of(uint64_t number)
{
    return (int64_t)(number - WEIR_PATTERN_ZERO);
}

// Warn which numbers of a sorted sequence have no file.
static void tell_gaps(const struct weir_source_list *list, const char *path,
                      const struct weir_log *log)
{
    enum { MAX_GAPS = 6 };
    AVBPrint gaps;
    int num_gaps = 0;
    uint64_t missing = 0;
    av_bprint_init(&gaps, 0, AV_BPRINT_SIZE_AUTOMATIC);
    for (size_t i = 1; i < list->num_files; i++) {
        const uint64_t first = list->files[i - 1].number + 1, end = list->files[i].number;
        missing += end - first;
        if (first == end || num_gaps > MAX_GAPS) {
            continue;
        }
        const char *comma = num_gaps > 0 ? ", " : "";
        if (num_gaps++ == MAX_GAPS) {
            av_bprintf(&gaps, ", ...");
        } else if (first + 1 == end) {
            av_bprintf(&gaps, "%s%" PRId64, comma, value_of(first));
        } else {
            av_bprintf(&gaps, "%s%" PRId64 "%s%" PRId64, comma, value_of(first),
                       value_of(first) < 0 ? " to " : "-", value_of(end - 1));
        }
    }
    if (missing > 0) {
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
                        "%s: %" PRIu64 " number%s missing: %s; the picture before a gap is shown "
                        "for longer",
                        path, missing, missing == 1 ? " is" : "s are", gaps.str);
    }
}

static enum weir_result find_sequence(struct weir_source_list *list, const char *path,
                                      const struct weir_pattern *pattern,
                                      const struct weir_log *log)
{
    struct left_out left_out = {0}; // of no interest: the pattern says what is wanted
    WEIR_TRY(scan(list, pattern->folder, pattern->folder_length, pattern, &left_out, log));
    if (list->num_files == 0) {
        return weir_fail(
            log, WEIR_ERROR_IO, WEIR_LOG_CODE_OPEN_FAILED,
            "%s: no file has such a name; %%04d and #### are numbers of four digits, ### of three",
            path);
    }
    qsort(list->files, list->num_files, sizeof(*list->files), by_number);
    const struct weir_source_file *last = &list->files[list->num_files - 1];
    if (last->number == WEIR_PATTERN_TOO_LARGE) {
        return weir_fail(log, WEIR_ERROR_DATA, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "%s: its number has more than %d digits; rename it", last->path,
                         WEIR_PATTERN_MAX_DIGITS);
    }
    for (size_t i = 1; i < list->num_files; i++) {
        if (list->files[i - 1].number == list->files[i].number) {
            return weir_fail(log, WEIR_ERROR_DATA, WEIR_LOG_CODE_OUT_OF_RANGE,
                             "%s and %s have the same number; rename one of them",
                             list->files[i - 1].path, list->files[i].path);
        }
    }
    tell_gaps(list, path, log);
    const uint64_t first = list->files[0].number;
    for (size_t i = 0; i < list->num_files; i++) {
        list->files[i].number -= first;
    }
    return WEIR_OK;
}

static enum weir_result fail_to_read(const char *path, const struct weir_log *log)
{
    return weir_fail(log, WEIR_ERROR_IO, WEIR_LOG_CODE_OPEN_FAILED,
                     "cannot read %s: %s; check its name and permissions", path, strerror(errno));
}

enum weir_result weir_source_list_find(struct weir_source_list *list, const char *path,
                                       const struct weir_log *log)
{
    *list = (struct weir_source_list){0};
    struct stat status;
    struct weir_pattern pattern;
    enum weir_result result;
    if (strcmp(path, "-") == 0) {
        result = append(list, "", 0, "pipe:0", 0);
    } else if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            list->pictures = true;
            result = find_folder(list, path, log);
        } else if (S_ISREG(status.st_mode) && status.st_size == 0) {
            return weir_fail(log, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
                             "%s is empty (0 bytes); give a picture or a movie", path);
        } else {
            result = append(list, "", 0, path, 0);
        }
    } else if (errno == ENOENT && weir_input_is_url(path)) {
        result = append(list, "", 0, path, 0);
    } else if (errno == ENOENT && weir_pattern_parse(path, &pattern)) {
        list->pictures = true;
        result = find_sequence(list, path, &pattern, log);
    } else {
        return fail_to_read(path, log);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                        "no memory for the names of the files of %s", path);
    }
    if (result != WEIR_OK) {
        weir_source_list_finish(list);
    }
    return result;
}

bool weir_source_stat(const char *path, struct stat *status)
{
    static const char protocol[] = "file:";
    if (strcmp(path, "-") == 0 || strcmp(path, "pipe:0") == 0 || strcmp(path, "pipe:") == 0) {
        return fstat(STDIN_FILENO, status) == 0;
    }
    return stat(path, status) == 0 || (strncmp(path, protocol, strlen(protocol)) == 0 &&
                                       stat(path + strlen(protocol), status) == 0);
}

// Check that a path is one of several pictures, as far as its name says.
static enum weir_result check_one_of_several(const char *path, const struct weir_log *log)
{
    struct stat status;
    const char *fault = NULL;
    if (strcmp(path, "-") == 0) {
        fault = "standard input is one input; give it alone";
    } else if (stat(path, &status) != 0) {
        if (errno == ENOENT && weir_input_is_url(path)) {
            return WEIR_OK;
        }
        return fail_to_read(path, log);
    } else if (S_ISDIR(status.st_mode)) {
        fault = "this is a folder, and several inputs must be pictures; give it alone, or name the "
                "pictures in it";
    } else if (weir_name_is_movie(path)) {
        fault = "this is a movie, and several inputs must be pictures; give it alone";
    }
    return !fault ? WEIR_OK
                  : weir_fail(log, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE, "%s: %s", path,
                              fault);
}

bool weir_source_list_take(struct weir_source_list *list, char *const *paths, size_t num_paths)
{
    *list = (struct weir_source_list){0};
    enum weir_result result = WEIR_OK;
    for (size_t i = 0; result == WEIR_OK && i < num_paths; i++) {
        result = append(list, "", 0, paths[i], i);
    }
    if (result != WEIR_OK) {
        weir_source_list_finish(list);
    }
    return result == WEIR_OK;
}

enum weir_result weir_source_list_find_all(struct weir_source_list *list, char *const *paths,
                                           size_t num_paths, const struct weir_log *log)
{
    if (num_paths == 1) {
        return weir_source_list_find(list, paths[0], log);
    }
    *list = (struct weir_source_list){0};
    for (size_t i = 0; i < num_paths; i++) {
        WEIR_TRY(check_one_of_several(paths[i], log));
    }
    if (!weir_source_list_take(list, paths, num_paths)) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    list->pictures = true;
    return WEIR_OK;
}

void weir_source_list_warn_of_order(const struct weir_source_list *list, const struct weir_log *log)
{
    size_t odd = 0; // the last file that comes after a greater number
    for (size_t i = 1; i < list->num_files; i++) {
        const char *a = list->files[i - 1].path, *b = list->files[i].path;
        if (strcmp(a, b) >= 0) {
            return; // somebody's own order
        }
        odd = weir_name_compare(a, b) > 0 ? i : odd;
    }
    if (odd > 0) {
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "%s comes before %s: the shell sorts names as text; give the folder, or a "
                        "name with %%d, to sort by number",
                        list->files[odd - 1].path, list->files[odd].path);
    }
}

void weir_source_list_finish(struct weir_source_list *list)
{
    for (size_t i = 0; i < list->num_files; i++) {
        free(list->files[i].path);
    }
    free(list->files);
    *list = (struct weir_source_list){0};
}
