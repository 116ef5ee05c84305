// SPDX-License-Identifier: MIT
// The paths of a command: its inputs, of which one may be standard input, and its output. No output
// is an input, and no two outputs are one file, whatever the names by which they are called.
#include "capture/weir/common/paths.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/path.h"
#include "capture/base/size.h"
#include "capture/files/source/list.h"
#include "capture/weir/common/program.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"

// A file is known by its numbers in the system. One that is not there yet is known by those of its
// folder and its name.
struct cli_path {
    const char *path;
    dev_t device;
    ino_t inode;
    const char *name; // "" for a file that is there
    bool is_output;
    size_t place; // in the order in which they were added
};

bool cli_is_same_file(const char *input, const char *output)
{
    struct stat read, written;
    return weir_source_stat(input, &read) && stat(output, &written) == 0 &&
           read.st_dev == written.st_dev && read.st_ino == written.st_ino;
}

static bool find_folder(const char *path, struct stat *status)
{
    char *folder = weir_path_folder(path);
    const bool is_there = folder && stat(folder, status) == 0;
    free(folder);
    return is_there;
}

static void add(struct cli_paths *paths, const char *path, bool is_output)
{
    struct stat status = {0};
    const char *name = "";
    if (weir_source_stat(path, &status)) {
        if (!S_ISREG(status.st_mode)) {
            return; // pipes and devices may be used twice
        }
    } else {
        name = find_folder(path, &status) ? weir_path_name(path) : path;
    }
    struct cli_path *list = weir_grow(paths->list, paths->num, &paths->room, sizeof(*list));
    if (!list) {
        paths->is_short = true;
        return;
    }
    paths->list = list;
    paths->list[paths->num] = (struct cli_path){path, status.st_dev, status.st_ino,
                                                name, is_output,     paths->num};
    paths->num++;
}

void cli_paths_add_input(struct cli_paths *paths, const char *path)
{
    if (path) {
        add(paths, path, false);
    }
}

void cli_paths_add_output(struct cli_paths *paths, const char *path)
{
    if (path && strcmp(path, "-") != 0) {
        add(paths, path, true);
    }
}

static int compare_files(const struct cli_path *a, const struct cli_path *b)
{
    if (a->device != b->device) {
        return a->device < b->device ? -1 : 1;
    }
    if (a->inode != b->inode) {
        return a->inode < b->inode ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

// Inputs come before the outputs that are the same file, and what was added first before the rest.
static int compare(const void *a, const void *b)
{
    const struct cli_path *x = a, *y = b;
    const int order = compare_files(x, y);
    return order != 0                     ? order
           : x->is_output != y->is_output ? x->is_output - y->is_output
           : x->place < y->place          ? -1
                                          : 1;
}

static enum weir_result refuse(const struct cli_path *first, const struct cli_path *second)
{
    const bool is_named_alike = strcmp(first->path, second->path) == 0;
    return cli_fail(WEIR_ERROR_INVALID, "%s is the %s itself%s%s%s; give the output another name",
                    second->path, first->is_output ? "output" : "input", is_named_alike ? "" : " (",
                    is_named_alike ? "" : first->path, is_named_alike ? "" : ")");
}

static enum weir_result check(struct cli_paths *paths)
{
    CLI_FAIL_IF(paths->is_short, WEIR_ERROR_OUT_OF_MEMORY, "no memory for the names of the files");
    if (paths->num > 0) {
        qsort(paths->list, paths->num, sizeof(*paths->list), compare);
    }
    const struct cli_path *found = NULL;
    for (size_t i = 1; i < paths->num; i++) {
        const struct cli_path *path = &paths->list[i];
        if (path->is_output && compare_files(path - 1, path) == 0 &&
            (!found || path->place < found->place)) {
            found = path;
        }
    }
    return found ? refuse(found - 1, found) : WEIR_OK;
}

enum weir_result cli_paths_check(struct cli_paths *paths)
{
    const enum weir_result result = check(paths);
    free(paths->list);
    *paths = (struct cli_paths){0};
    return result;
}

enum weir_result cli_paths_check_pair(const char *input, const char *output)
{
    struct cli_paths paths = {0};
    cli_paths_add_input(&paths, input);
    cli_paths_add_output(&paths, output);
    return cli_paths_check(&paths);
}

struct cli_inputs cli_inputs_get(char *const *arguments, const char **output)
{
    size_t last = 1;
    while (arguments[last] && arguments[last + 1]) {
        last++;
    }
    *output = arguments[last];
    return (struct cli_inputs){arguments, last};
}

// True if the path is a folder or a numbered sequence, false if it is one file.
static bool has_several(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        return S_ISDIR(status.st_mode);
    }
    return strpbrk(path, "%#") && !strstr(path, "://");
}

bool cli_inputs_are_several(const struct cli_inputs *inputs, const char *output)
{
    return inputs->num > 1 || has_several(inputs->paths[0]) || cli_output_is_named_folder(output);
}

bool cli_output_ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), size = strlen(ending);
    return length > size && strcasecmp(path + length - size, ending) == 0;
}

static bool has_ending(const char *path)
{
    const char *ending = weir_path_ending(path);
    bool has_letter = false;
    for (const char *at = ending; *at != 0; at++) {
        if (at > ending && !isalnum((unsigned char)*at)) {
            return false;
        }
        has_letter = has_letter || isalpha((unsigned char)*at);
    }
    return has_letter;
}

bool cli_output_is_named_folder(const char *path)
{
    struct stat status;
    return (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) ||
           (path[0] && !weir_path_name(path)[0]);
}

bool cli_output_is_folder(const char *path)
{
    return cli_output_is_named_folder(path) || !has_ending(path);
}

bool cli_output_check_new(const char *path, const char *what)
{
    struct stat status;
    CLI_FAIL_IF(lstat(path, &status) == 0, false,
                "%s exists and is not replaced: remove it, or give another name for %s", path,
                what);
    return true;
}

bool cli_output_check_folder(const char *output, const char *what)
{
    return cli_output_is_folder(output) ||
           cli_usage(output,
                     "%s, and this is the name of a file; name a folder, with a slash at the end "
                     "if its name has a dot: %s/",
                     what, output) == CLI_DONE;
}

static char file_name[] = "/dev/stdin";
static char *const file_paths[] = {file_name, NULL};

// A redirected file is one already, if nobody has read from it.
static bool is_file(void)
{
    struct stat status;
    return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
           lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
}

static enum weir_result copy(FILE *to, uint64_t limit)
{
    char bytes[1 << 16];
    uint64_t left = limit;
    for (size_t num; (num = fread(bytes, 1, sizeof(bytes), stdin)) > 0; left -= num) {
        CLI_FAIL_IF(num > left, WEIR_ERROR_UNSUPPORTED,
                    "standard input has more than the %" PRIu64
                    " MiB of memory that are allowed; put it into a file, or allow more "
                    "by --max-memory",
                    limit >> 20);
        fwrite(bytes, 1, num, to);
    }
    CLI_FAIL_IF(ferror(stdin), WEIR_ERROR_IO, "cannot read standard input: %s", strerror(errno));
    return fflush(to) == 0 && !ferror(to)
               ? WEIR_OK
               : cli_fail(WEIR_ERROR_OUT_OF_MEMORY,
                          "no memory for standard input; put it into a file");
}

enum weir_result cli_standard_input_take(struct cli_inputs *inputs, uint64_t max_memory)
{
    if (inputs->num != 1 || strcmp(inputs->paths[0], "-") != 0) {
        return WEIR_OK;
    }
    inputs->paths = file_paths;
    if (is_file()) {
        return WEIR_OK;
    }
    const int fd = memfd_create("weir", MFD_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    CLI_FAIL_IF(!file, WEIR_ERROR_OUT_OF_MEMORY,
                "no memory for standard input: %s; put it into a file", strerror(errno));
    enum weir_result result = copy(file, cli_memory_use(max_memory, 0, 0).limit);
    if (result == WEIR_OK && dup2(fd, STDIN_FILENO) < 0) {
        result = cli_fail(WEIR_ERROR_IO, "cannot take standard input: %s", strerror(errno));
    }
    fclose(file);
    return result;
}
