// SPDX-License-Identifier: MIT
// Inputs (of a folder, of a numbered sequence, or named one by one) become files of a folder.
#include "capture/weir/common/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/path.h"
#include "capture/base/place.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"

// What has become of a file of the list.
enum state { TO_DO, DONE, LEFT_OUT };

static enum weir_result make_folder(struct cli_folder *folder)
{
    const int error = weir_place_make_folder(folder->output, &folder->made);
    return error == 0 ? WEIR_OK
                      : cli_fail(WEIR_ERROR_IO, "cannot write %s: %s; name a folder for the %s",
                                 folder->output, weir_place_error(error), folder->wanted);
}

// Name the file that an input becomes: as the input, without its folder and, unless it is a folder
// itself, without its ending.
static char *name_output(const struct cli_folder *folder, const char *input)
{
    struct stat status;
    size_t end = strlen(input);
    while (end > 1 && input[end - 1] == '/') {
        end--;
    }
    char *whole = strndup(input, end), *path = NULL;
    if (whole) {
        const bool is_folder = stat(input, &status) == 0 && S_ISDIR(status.st_mode);
        const char *name = weir_path_name(whole);
        const char *stop = is_folder ? whole + end : weir_path_ending(whole);
        if (asprintf(&path, "%s%s%.*s.%s", folder->output, weir_path_slash(folder->output),
                     (int)(stop - name), name, folder->ending) < 0) {
            path = NULL;
        }
    }
    free(whole);
    return path;
}

// Make what there is of each file of the list.
static enum weir_result begin(struct cli_folder *folder)
{
    const size_t num = folder->list.num_files;
    folder->outputs = calloc(num, sizeof(*folder->outputs));
    folder->states = calloc(num, 1);
    bool named = folder->states && folder->outputs;
    for (size_t i = 0; named && i < num; i++) {
        folder->outputs[i] = name_output(folder, folder->list.files[i].path);
        named = folder->outputs[i];
    }
    if (!named) {
        cli_report_error("no memory for the names of %zu files", num);
    }
    return named ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

enum weir_result cli_folder_open(struct cli_folder *folder, const struct cli_inputs *inputs,
                                 const char *output, const char *ending, const char *wanted)
{
    *folder = (struct cli_folder){.output = output, .ending = ending, .wanted = wanted};
    WEIR_TRY(weir_source_list_find_all(&folder->list, inputs->paths, inputs->num, &cli_log));
    WEIR_TRY(begin(folder));
    return make_folder(folder);
}

// Find another input that would become the same file, as "a.png" and "a.jpg" would.
static const char *find_rival(const struct cli_folder *folder, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(folder->outputs[i], folder->outputs[index]) == 0) {
            return folder->list.files[i].path;
        }
    }
    return NULL;
}

static enum weir_result check_rival(const struct cli_folder *folder, size_t index)
{
    const char *rival = find_rival(folder, index);
    if (!rival) {
        return WEIR_OK;
    }
    return cli_fail(WEIR_ERROR_INVALID,
                    "%s: its output, %s, is also that of %s; rename one of the two inputs",
                    folder->list.files[index].path, folder->outputs[index], rival);
}

// Of inputs with a rival, which are left out, nothing is written.
enum weir_result cli_folder_check(const struct cli_folder *folder, const char *other)
{
    struct cli_paths paths = {0};
    for (size_t i = 0; i < folder->list.num_files; i++) {
        cli_paths_add_input(&paths, folder->list.files[i].path);
        cli_paths_add_output(&paths, find_rival(folder, i) ? NULL : folder->outputs[i]);
    }
    cli_paths_add_output(&paths, other);
    return cli_paths_check(&paths);
}

enum weir_result cli_folder_open_each(struct cli_folder *folder, const struct cli_inputs *inputs,
                                      const char *output, const char *ending, const char *wanted)
{
    *folder = (struct cli_folder){.output = output, .ending = ending, .wanted = wanted};
    if (!weir_source_list_take(&folder->list, inputs->paths, inputs->num)) {
        return cli_fail(WEIR_ERROR_OUT_OF_MEMORY, "no memory for the names of %zu files",
                        inputs->num);
    }
    WEIR_TRY(begin(folder));
    for (size_t i = 0; i < folder->list.num_files; i++) {
        WEIR_TRY(check_rival(folder, i));
    }
    WEIR_TRY(cli_folder_check(folder, NULL));
    return make_folder(folder);
}

void cli_folder_close(struct cli_folder *folder)
{
    if (folder->made) {
        rmdir(folder->output); // which fails where there is something in it
    }
    for (size_t i = 0; folder->outputs && i < folder->list.num_files; i++) {
        free(folder->outputs[i]);
    }
    free(folder->outputs);
    free(folder->states);
    weir_source_list_finish(&folder->list);
    *folder = (struct cli_folder){0};
}

static enum weir_result run_file(struct cli_folder *folder, size_t index, cli_folder_file *file,
                                 void *user)
{
    const char *input = folder->list.files[index].path;
    enum weir_result result = check_rival(folder, index);
    if (result == WEIR_OK) {
        const unsigned num_errors = cli_report_num_errors();
        result = file(user, input, folder->outputs[index]);
        if (!folder->keeps_parts) {
            cli_report_no_memory(result, num_errors);
        }
    }
    if (result != WEIR_OK && !folder->keeps_parts) {
        cli_report_error("%s was left out", input);
    }
    return result;
}

// True for a failure that would come again with every other picture, and for Ctrl-C.
static bool is_hopeless(enum weir_result result)
{
    return result == WEIR_ERROR_DEVICE_LOST || result == WEIR_ERROR_DISK_FULL || cli_interrupted();
}

static bool is_wanted(const struct cli_folder *folder, size_t index)
{
    const unsigned char state = folder->states[index];
    return state == TO_DO || (folder->in_passes && state == DONE);
}

size_t cli_folder_num_done(const struct cli_folder *folder)
{
    size_t num = 0;
    for (size_t i = 0; i < folder->list.num_files; i++) {
        num += folder->states[i] == DONE;
    }
    return num;
}

enum weir_result cli_folder_run(struct cli_folder *folder, cli_folder_file *file, void *user)
{
    unsigned char *states = folder->states;
    enum weir_result result = WEIR_OK;
    for (size_t i = 0; i < folder->list.num_files; i++) {
        states[i] = is_wanted(folder, i) ? TO_DO : states[i];
    }
    size_t i = 0;
    for (; i < folder->list.num_files && !is_hopeless(result); i++) {
        if (states[i] != TO_DO) {
            continue;
        }
        const enum weir_result done = run_file(folder, i, file, user);
        states[i] = done == WEIR_OK ? DONE : LEFT_OUT;
        result = done != WEIR_OK ? done : result;
    }
    if (result == WEIR_OK && i < folder->list.num_files) {
        cli_report_error("interrupted");
        result = WEIR_ERROR_IO;
    }
    return result;
}
