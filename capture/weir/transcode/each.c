// SPDX-License-Identifier: MIT
// weir transcode: one movie of all inputs, or one of each.
#include "capture/weir/transcode/each.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/weir/common/file.h"
#include "capture/weir/common/folder.h"
#include "capture/weir/common/report.h"
#include "capture/weir/movie/apart.h"

static enum weir_result make_movie(void *user)
{
    struct cli_movie movie;
    enum weir_result result = cli_movie_open(&movie, user);
    if (result == WEIR_OK) {
        result = cli_movie_run(&movie, NULL);
    }
    return cli_movie_close(&movie, result);
}

// A process that crashed leaves one.
static void remove_part_of_sidecar(const char *output)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof(path), "%s.json", output) < (int)sizeof(path)) {
        cli_file_remove_part(path);
    }
}

enum weir_result transcode_movie(struct cli_movie_params *params)
{
    const enum weir_result result = cli_movie_make_apart(&params->inputs, params->output,
                                                         make_movie, params);
    if (params->sidecar && result != WEIR_OK) {
        remove_part_of_sidecar(params->output);
    }
    return result;
}

// The movies of a folder.
struct each {
    struct cli_movie_params params; // of the current one, and of all
    struct cli_folder folder;
    size_t number; // of the current one, from 1 on
};

static enum weir_result make_one(void *user, const char *input, const char *output)
{
    struct each *each = user;
    char label[256];
    snprintf(label, sizeof(label), "%zu/%zu %.160s: ", ++each->number, each->folder.list.num_files,
             input);
    char *const paths[] = {(char *)input};
    struct cli_movie_params params = each->params;
    params.inputs = (struct cli_inputs){paths, 1};
    params.output = output;
    params.label = label;
    return transcode_movie(&params);
}

// What has no name of its own gives none to its movie.
static enum weir_result check_names(const struct cli_inputs *inputs)
{
    struct stat status;
    for (size_t i = 0; i < inputs->num; i++) {
        const char *path = inputs->paths[i];
        const bool is_there = stat(path, &status) == 0;
        if (strcmp(path, "-") == 0 || (!is_there && strchr(path, '%') && !strstr(path, "://"))) {
            cli_report_error("%s gives a movie in a folder no name; give it alone, and the output "
                             "a name that ends in .mov",
                             path);
            return WEIR_ERROR_INVALID;
        }
    }
    return WEIR_OK;
}

enum weir_result transcode_each(struct cli_movie_params *params)
{
    struct each each = {.params = *params};
    enum weir_result result = check_names(&params->inputs);
    if (result != WEIR_OK) {
        return result;
    }
    result = cli_folder_open_each(&each.folder, &params->inputs, params->output, "mov", "movies");
    if (result == WEIR_OK) {
        each.folder.keeps_parts = true;
        result = cli_folder_run(&each.folder, make_one, &each);
        if (!params->quiet) {
            fprintf(stderr, "%s: %zu of %zu movies\n", params->output,
                    cli_folder_num_done(&each.folder), each.folder.list.num_files);
        }
    }
    cli_folder_close(&each.folder);
    return result;
}
