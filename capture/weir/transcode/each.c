// SPDX-License-Identifier: MIT
// weir transcode: one movie of all inputs, or one of each.
#include "capture/weir/transcode/each.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/base/clock.h"
#include "capture/weir/common/child.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/folder.h"
#include "capture/weir/common/report.h"
#include "capture/weir/movie/subprocess.h"
#include "capture/weir/transcode/origin.h"
#include "capture/weir/transcode/report.h"

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
    const enum weir_result result = cli_movie_make_in_subprocess(&params->inputs, params->output,
                                                                 make_movie, params);
    if (params->sidecar && result != WEIR_OK) {
        remove_part_of_sidecar(params->output);
    }
    return result;
}

// What becomes of an input.
struct work {
    struct transcode_origin origin;
    bool has_origin; // it is known later whether the input is the same
    uint64_t size;   // of the input [bytes]; 0 = not known
    enum transcode_state state;
};

// The movies of a folder.
struct each {
    struct cli_movie_params params; // of the current one, and of all
    struct cli_folder folder;
    struct work *works; // by input
    size_t number;      // of the current one, from 1 on
    size_t num_kept;    // were complete
    bool resumes;
    struct weir_json json;
};

static void tell_state(const struct each *each, const struct work *work, const char *input,
                       const char *output)
{
    static const char *const texts[] = {
        [TRANSCODE_NOT_COMPLETE] = "was not complete",
        [TRANSCODE_OTHER_INPUT] = "was made of another input, or it has changed",
        [TRANSCODE_OTHER_OPTIONS] = "was made with other options",
    };
    if (each->params.quiet || work->state == TRANSCODE_MISSING) {
        return;
    }
    if (work->state == TRANSCODE_COMPLETE) {
        cli_print(stderr, "%s: complete, left as it is\n", output);
    } else {
        cli_print(stderr, "%s %s; it is made anew of %s\n", output, texts[work->state], input);
    }
}

// Make a movie, and note in it what it was made of, if that is still what it was.
static enum weir_result make_noted(struct cli_movie_params *params, const struct work *work)
{
    const enum weir_result result = transcode_movie(params);
    struct transcode_origin now = work->origin;
    uint64_t size;
    if (result == WEIR_OK && work->has_origin &&
        transcode_origin_find(&now, params->inputs.paths[0], &size) &&
        now.input == work->origin.input) {
        transcode_origin_write(&work->origin, params->output);
    }
    return result;
}

static enum weir_result make_one(void *user, const char *input, const char *output)
{
    struct each *each = user;
    const struct work *work = &each->works[each->number++];
    const bool is_kept = work->state == TRANSCODE_COMPLETE;
    char label[256];
    snprintf(label, sizeof(label), "%zu/%zu %.160s: ", each->number, each->folder.list.num_files,
             input);
    char *const paths[] = {(char *)input};
    struct cli_movie_params params = each->params;
    params.inputs = (struct cli_inputs){paths, 1};
    params.output = output;
    params.label = label;
    if (params.report) {
        transcode_report_clear(params.report);
    }
    if (each->resumes) {
        tell_state(each, work, input, output);
    }
    enum weir_result result = WEIR_OK;
    if (is_kept) {
        each->num_kept++;
    } else {
        params.works->size_of_this = work->size;
        result = make_noted(&params, work);
        params.works->ended_size += work->size;
        params.works->size_of_this = 0;
    }
    if (params.report) {
        transcode_report_json(&each->json, &params, result, is_kept);
    }
    return result;
}

// Find out of each input what it is, and whether there is a movie of it.
static enum weir_result look_at(struct each *each, uint64_t options)
{
    const size_t num = each->folder.list.num_files;
    each->works = calloc(num, sizeof(*each->works));
    each->params.works = cli_child_share(sizeof(*each->params.works));
    if (!each->works || !each->params.works) {
        cli_report_error("no memory for %zu inputs", num);
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    each->params.works->start_ns = weir_clock_ns();
    for (size_t i = 0; i < num; i++) {
        struct work *work = &each->works[i];
        work->origin.options = options;
        work->has_origin = transcode_origin_find(&work->origin, each->folder.list.files[i].path,
                                                 &work->size);
        if (each->resumes && work->has_origin) {
            work->state = transcode_origin_compare(&work->origin, each->folder.outputs[i]);
        }
        each->params.works->size += work->state == TRANSCODE_COMPLETE ? 0 : work->size;
    }
    return WEIR_OK;
}

static void summarize(const struct each *each)
{
    char kept[64] = "";
    if (each->num_kept > 0) {
        snprintf(kept, sizeof(kept), ", %zu of them as they were", each->num_kept);
    }
    cli_print(stderr, "%s: %zu of %zu movies%s\n", each->params.output,
              cli_folder_num_done(&each->folder), each->folder.list.num_files, kept);
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

enum weir_result transcode_each(struct cli_movie_params *params, uint64_t options, bool resumes)
{
    struct each each = {.params = *params, .resumes = resumes, .json = {.out = stdout}};
    enum weir_result result = check_names(&params->inputs);
    if (result != WEIR_OK) {
        return result;
    }
    result = cli_folder_open_each(&each.folder, &params->inputs, params->output, "mov", "movies");
    if (result == WEIR_OK) {
        result = look_at(&each, options);
    }
    if (result == WEIR_OK) {
        each.folder.keeps_parts = true;
        if (params->report) {
            weir_json_begin_array(&each.json, NULL);
        }
        result = cli_folder_run(&each.folder, make_one, &each);
        if (params->report) {
            weir_json_end_array(&each.json);
        }
        if (!params->quiet) {
            summarize(&each);
        }
    }
    cli_child_unshare(each.params.works, sizeof(*each.params.works));
    free(each.works);
    cli_folder_close(&each.folder);
    return result;
}
