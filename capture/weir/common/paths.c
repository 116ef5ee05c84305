// SPDX-License-Identifier: MIT
// The files of a command: no output is an input, and no two outputs are one file, whatever the
// names by which they are called.
#include "capture/weir/common/paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/base/grow.h"
#include "capture/files/source/list.h"
#include "capture/weir/common/report.h"

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

static bool find_folder(const char *path, struct stat *status)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
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
        const char *slash = strrchr(path, '/');
        name = find_folder(path, &status) && slash ? slash + 1 : path;
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
    cli_report_error("%s is the %s itself%s%s%s; give the output another name", second->path,
                     first->is_output ? "output" : "input", is_named_alike ? "" : " (",
                     is_named_alike ? "" : first->path, is_named_alike ? "" : ")");
    return WEIR_ERROR_INVALID;
}

static enum weir_result check(struct cli_paths *paths)
{
    if (paths->is_short) {
        cli_report_error("no memory for the names of the files");
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
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
