// SPDX-License-Identifier: MIT
// Which movies are recovered, and where each goes.
#include "capture/weir/recover/recover.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/base/path.h"
#include "capture/base/place.h"
#include "capture/base/size.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// FOLDER/NAME.recovered.mov for FOLDER/NAME.mov. NULL: out of memory.
static char *name_beside(const char *input)
{
    const size_t kept = strlen(input) - (cli_output_ends_in(input, ".mov") ? 4 : 0);
    char *name;
    return asprintf(&name, "%.*s.recovered.mov", (int)kept, input) >= 0 ? name : NULL;
}

static char *name_inside(const char *folder, const char *input)
{
    char *name;
    return asprintf(&name, "%s%s%s", folder, weir_path_slash(folder), weir_path_name(input)) >= 0
               ? name
               : NULL;
}

// Where new files go.
struct target {
    bool makes_new_files;
    const char *file;   // the only one
    const char *folder; // of all; both NULL: beside the movies
};

static enum weir_result add(struct recover_jobs *jobs, const char *input,
                            const struct target *target)
{
    struct recover_job *list = weir_grow(jobs->list, jobs->num, &jobs->room, sizeof(list[0]));
    if (!list) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    jobs->list = list;
    struct recover_job *job = &list[jobs->num++];
    *job = (struct recover_job){.input = strdup(input)};
    if (target->makes_new_files) {
        job->output = target->file     ? strdup(target->file)
                      : target->folder ? name_inside(target->folder, input)
                                       : name_beside(input);
    }
    return job->input && (job->output || !target->makes_new_files) ? WEIR_OK
                                                                   : WEIR_ERROR_OUT_OF_MEMORY;
}

static int by_name(const void *a, const void *b)
{
    const struct recover_job *x = a, *y = b;
    return strcmp(x->input, y->input);
}

static enum weir_result add_movie(struct recover_jobs *jobs, const char *folder, const char *name,
                                  const struct target *target)
{
    struct stat status;
    char *path = name_inside(folder, name);
    enum weir_result result = path ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
    if (path && (stat(path, &status) != 0 || S_ISREG(status.st_mode))) { // a pipe is waited for
        result = add(jobs, path, target);
    }
    free(path);
    return result;
}

static enum weir_result add_folder(struct recover_jobs *jobs, const char *folder,
                                   const struct target *target)
{
    DIR *entries = opendir(folder);
    if (!entries) {
        return cli_fail(WEIR_ERROR_IO, "cannot read the folder %s: %s", folder, strerror(errno));
    }
    const size_t first = jobs->num;
    enum weir_result result = WEIR_OK;
    for (struct dirent *entry; result == WEIR_OK && (entry = readdir(entries));) {
        if (entry->d_name[0] != '.' && cli_output_ends_in(entry->d_name, ".mov")) {
            result = add_movie(jobs, folder, entry->d_name, target);
        }
    }
    closedir(entries);
    if (result == WEIR_OK && jobs->num == first) {
        return cli_fail(WEIR_ERROR_INVALID, "no movie is in the folder %s: their names end in .mov",
                        folder);
    }
    if (result == WEIR_OK) {
        qsort(&jobs->list[first], jobs->num - first, sizeof(jobs->list[0]), by_name);
    }
    return result;
}

// A wrong name is reported before a file is changed.
static bool are_there(char *const *arguments, size_t num)
{
    struct stat status;
    for (size_t i = 0; i < num; i++) {
        if (stat(arguments[i], &status) != 0) {
            return cli_fail(false, "cannot open %s: %s; check its name and permissions",
                            arguments[i], strerror(errno));
        }
    }
    return true;
}

static bool make_folder(const char *folder)
{
    bool is_new;
    const int error = weir_place_make_folder(folder, &is_new);
    return error == 0 ||
           cli_fail(false, "cannot make the folder %s: %s", folder, weir_place_error(error));
}

static enum weir_result find_target(char *const *arguments, size_t *num, struct target *target)
{
    const char *last = *num > 1 ? arguments[*num - 1] : NULL;
    if (!target->makes_new_files || !last) {
        return WEIR_OK;
    }
    (*num)--;
    const bool are_several = *num > 1 || is_folder(arguments[0]);
    if (cli_output_is_named_folder(last) || (are_several && cli_output_is_folder(last))) {
        target->folder = last;
    } else if (are_several) {
        return cli_fail(WEIR_ERROR_INVALID,
                        "%s is no folder, and several movies are recovered: give the folder that "
                        "they go to, such as recovered/, or --in-place",
                        last);
    } else {
        target->file = last;
    }
    return WEIR_OK;
}

enum weir_result recover_jobs_make(struct recover_jobs *jobs, char *const *arguments,
                                   bool makes_new_files)
{
    struct target target = {.makes_new_files = makes_new_files};
    size_t num = 0;
    while (arguments[num]) {
        num++;
    }
    WEIR_TRY(find_target(arguments, &num, &target));
    if (!are_there(arguments, num) || (target.folder && !make_folder(target.folder))) {
        return WEIR_ERROR_IO;
    }
    jobs->are_several = num > 1 || is_folder(arguments[0]);
    enum weir_result result = WEIR_OK;
    for (size_t i = 0; i < num && result == WEIR_OK; i++) {
        result = is_folder(arguments[i]) ? add_folder(jobs, arguments[i], &target)
                                         : add(jobs, arguments[i], &target);
    }
    return result;
}

void recover_jobs_finish(struct recover_jobs *jobs)
{
    for (size_t i = 0; i < jobs->num; i++) {
        free(jobs->list[i].input);
        free(jobs->list[i].output);
    }
    free(jobs->list);
    *jobs = (struct recover_jobs){.num = 0};
}
