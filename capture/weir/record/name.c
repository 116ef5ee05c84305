// SPDX-License-Identifier: MIT
// The names of movies: where they are not given, and where one is there already.
#include "capture/weir/record/recording.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/path.h"
#include "capture/base/posix/place.h"
#include "capture/weir/common/paths.h"

enum { MAX_PROGRAM = 100 }; // bytes of its name: file systems take 255 for all

static const char ending[] = ".mov";

// Get what a line of user-dirs.dirs says of the folder: XDG_VIDEOS_DIR="$HOME/Videos", or from /
// on. NULL: the line is about something else. Shells read it, so \ stands before some characters.
static char *parse_videos(const char *line, const char *home)
{
    static const char key[] = "XDG_VIDEOS_DIR=\"", home_word[] = "$HOME";
    line += strspn(line, " \t");
    if (strncmp(line, key, strlen(key)) != 0) {
        return NULL;
    }
    line += strlen(key);
    const bool is_below_home = strncmp(line, home_word, strlen(home_word)) == 0;
    line += is_below_home ? strlen(home_word) : 0;
    if (line[0] != '/') {
        return NULL;
    }
    const char *root = is_below_home ? home : "";
    char *folder = malloc(strlen(root) + strlen(line) + 1);
    if (!folder) {
        return NULL;
    }
    char *at = stpcpy(folder, root);
    for (; *line != 0 && *line != '"' && *line != '\n'; line++) {
        line += *line == '\\' && line[1] != 0;
        *at++ = *line;
    }
    *at = 0;
    return folder;
}

static char *read_videos(FILE *file, const char *home)
{
    char *line = NULL, *folder = NULL;
    size_t size = 0;
    while (getline(&line, &size, file) >= 0) {
        char *parsed = parse_videos(line, home);
        if (parsed) { // the last one counts, as in a shell
            free(folder);
            folder = parsed;
        }
    }
    free(line);
    return folder;
}

char *record_name_videos(void)
{
    const char *home = getenv("HOME"), *config = getenv("XDG_CONFIG_HOME");
    char *path = NULL;
    if (!home || asprintf(&path, "%s%s/user-dirs.dirs", config && config[0] == '/' ? config : home,
                          config && config[0] == '/' ? "" : "/.config") < 0) {
        return NULL;
    }
    FILE *file = fopen(path, "re");
    free(path);
    char *folder = file ? read_videos(file, home) : NULL;
    if (file) {
        fclose(file);
    }
    // The home folder itself stands for none.
    struct stat status;
    const size_t length = folder ? strlen(folder) : 0, home_length = strlen(home);
    const bool is_home = folder && strncmp(folder, home, home_length) == 0 &&
                         strspn(folder + home_length, "/") == length - home_length;
    if (folder && (is_home || stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))) {
        free(folder);
        return NULL;
    }
    return folder;
}

// The last part of a program's path, at most MAX_PROGRAM bytes of whole characters.
static void shorten_program(const char *program, char name[MAX_PROGRAM + 1])
{
    const char *last = weir_path_name(program);
    size_t length = strlen(last);
    if (length > MAX_PROGRAM) {
        length = MAX_PROGRAM;
        while (length > 0 && ((unsigned char)last[length] & 0xC0) == 0x80) {
            length--;
        }
    }
    memcpy(name, last, length);
    name[length] = 0;
    if (name[0] == '.' || name[0] == '-') { // neither hidden nor like an option
        name[0] = '_';
    }
}

char *record_name_first(const char *output, const char *program, time_t now)
{
    if (output && !cli_output_is_named_folder(output)) {
        return strdup(output);
    }
    char *videos = output ? NULL : record_name_videos();
    const char *folder = output ? output : videos ? videos : "";
    char name[MAX_PROGRAM + 1], date[32] = "", *path = NULL;
    struct tm local;
    shorten_program(program, name);
    if (localtime_r(&now, &local)) {
        strftime(date, sizeof(date), "%Y-%m-%d-%H%M%S", &local);
    }
    if (asprintf(&path, "%s%s%s-%s%s", folder, weir_path_slash(folder), name, date, ending) < 0) {
        path = NULL;
    }
    free(videos);
    return path;
}

// Get the length of a path without the ending of a movie.
static size_t stem_length(const char *path)
{
    return strlen(path) - (cli_output_ends_in(path, ending) ? strlen(ending) : 0);
}

char *record_name_segment(const char *path)
{
    char *segment = NULL;
    const size_t length = stem_length(path);
    return asprintf(&segment, "%.*s.001%s", (int)length, path, path + length) < 0 ? NULL : segment;
}

// True if `name` is that of the movie without an ending `stem`, of one of its segments or of its
// sidecar.
static bool belongs(const char *name, const char *stem, const char *movie_ending)
{
    const size_t length = strlen(stem);
    if (strncmp(name, stem, length) != 0) {
        return false;
    }
    name += length;
    if (name[0] == '.' && isdigit((unsigned char)name[1])) {
        name += 1 + strspn(name + 1, "0123456789");
    }
    const size_t ending_length = strlen(movie_ending);
    return strncmp(name, movie_ending, ending_length) == 0 &&
           (name[ending_length] == 0 || strcmp(name + ending_length, ".json") == 0);
}

// True if something of that movie is there.
static bool is_taken(const char *path)
{
    const size_t length = stem_length(path);
    const char *name = weir_path_name(path);
    char *folder = weir_path_folder(path);
    char *stem = strndup(name, length - (size_t)(name - path));
    DIR *directory = folder && stem ? opendir(folder) : NULL;
    bool taken = false;
    for (struct dirent *e; directory && !taken && (e = readdir(directory));) {
        taken = belongs(e->d_name, stem, path + length);
    }
    if (directory) {
        closedir(directory);
    }
    free(stem);
    free(folder);
    return taken;
}

char *record_name_free(const char *first, uint32_t *number)
{
    const size_t length = stem_length(first);
    for (;; ++*number) {
        char *path = NULL;
        const int size = *number < 2 ? asprintf(&path, "%s", first)
                                     : asprintf(&path, "%.*s-%u%s", (int)length, first, *number,
                                                first + length);
        if (size < 0) {
            return NULL;
        }
        if (!is_taken(path)) {
            ++*number;
            return path;
        }
        free(path);
    }
}

// Make an empty file of a name that is free. Returns 0, an errno value or WEIR_PLACE_FOREIGN.
static int make_file(const char *path)
{
    struct weir_place place;
    int error = weir_place_find(&place, path, false);
    if (error != 0) {
        return error;
    }
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    const int fd = openat(place.folder, place.name, flags, 0666);
    error = fd < 0 ? errno : 0;
    if (fd >= 0) {
        close(fd);
    }
    close(place.folder);
    return error;
}

char *record_name_hold(const char *first, uint32_t *number)
{
    for (;;) {
        char *path = record_name_free(first, number);
        char *segment = path ? record_name_segment(path) : NULL;
        const bool is_lost = segment && make_file(segment) == EEXIST;
        free(segment);
        // Where it cannot be made at all, the capture says why.
        if (!is_lost) {
            return path;
        }
        free(path);
    }
}

void record_name_drop(const char *path)
{
    char *segment = record_name_segment(path);
    struct stat status;
    if (segment && lstat(segment, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0) {
        unlink(segment);
    }
    free(segment);
}
