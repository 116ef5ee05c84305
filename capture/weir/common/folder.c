// SPDX-License-Identifier: MIT
// Inputs (of a folder, of a numbered sequence, or named one by one) become files of a folder.
#include "capture/weir/common/folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/path.h"
#include "capture/base/place.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"

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

struct named {
    const char *output;
    size_t index; // of its input
};

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->output, y->output);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

// Find inputs that would become the same file, as "a.png" and "a.jpg" would. False: no memory.
static bool find_rivals(struct cli_folder *folder)
{
    const size_t num = folder->list.num_files;
    struct named *sorted = calloc(num, sizeof(*sorted));
    for (size_t i = 0; sorted && i < num; i++) {
        sorted[i] = (struct named){folder->outputs[i], i};
    }
    if (sorted) {
        qsort(sorted, num, sizeof(*sorted), compare_named);
    }
    for (size_t i = 1, first = 0; sorted && i < num; i++) {
        first = strcmp(sorted[i].output, sorted[first].output) == 0 ? first : i;
        folder->rivals[sorted[i].index] = first < i ? folder->list.files[sorted[first].index].path
                                                    : NULL;
    }
    const bool is_done = sorted;
    free(sorted);
    return is_done;
}

// Make what there is of each file of the list.
static enum weir_result begin(struct cli_folder *folder)
{
    const size_t num = folder->list.num_files;
    folder->outputs = calloc(num, sizeof(*folder->outputs));
    folder->rivals = calloc(num, sizeof(*folder->rivals));
    folder->is_left_out = calloc(num, sizeof(*folder->is_left_out));
    bool named = folder->is_left_out && folder->rivals && folder->outputs;
    for (size_t i = 0; named && i < num; i++) {
        folder->outputs[i] = name_output(folder, folder->list.files[i].path);
        named = folder->outputs[i];
    }
    named = named && find_rivals(folder);
    if (!named) {
        cli_report_error("no memory for the names of %zu files", num);
    }
    return named ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

static enum weir_result check_rival(const struct cli_folder *folder, size_t index)
{
    const char *rival = folder->rivals[index];
    if (!rival) {
        return WEIR_OK;
    }
    return cli_fail(WEIR_ERROR_INVALID,
                    "%s: its output, %s, is also that of %s; rename one of the two inputs",
                    folder->list.files[index].path, folder->outputs[index], rival);
}

// Of inputs with a rival, which are left out, nothing is written.
static enum weir_result check_paths(const struct cli_folder *folder)
{
    struct cli_paths paths = {0};
    for (size_t i = 0; i < folder->list.num_files; i++) {
        cli_paths_add_input(&paths, folder->list.files[i].path);
        cli_paths_add_output(&paths, folder->rivals[i] ? NULL : folder->outputs[i]);
    }
    cli_paths_add_output(&paths, folder->other);
    return cli_paths_check(&paths);
}

static enum weir_result find_files(struct cli_folder *folder, const struct cli_inputs *inputs)
{
    if (!folder->takes_each) {
        return weir_source_list_find_all(&folder->list, inputs->paths, inputs->num, &cli_log);
    }
    return weir_source_list_take(&folder->list, inputs->paths, inputs->num)
               ? WEIR_OK
               : cli_fail(WEIR_ERROR_OUT_OF_MEMORY, "no memory for the names of %zu files",
                          inputs->num);
}

enum weir_result cli_folder_open(struct cli_folder *folder, const struct cli_inputs *inputs)
{
    WEIR_TRY(find_files(folder, inputs));
    WEIR_TRY(begin(folder));
    for (size_t i = 0; folder->takes_each && i < folder->list.num_files; i++) {
        WEIR_TRY(check_rival(folder, i));
    }
    WEIR_TRY(make_folder(folder)); // a path of another output may lead through it
    return check_paths(folder);
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
    free(folder->rivals);
    free(folder->is_left_out);
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
        if (!folder->takes_each) {
            cli_report_no_memory(result, num_errors);
        }
    }
    if (result != WEIR_OK && !folder->takes_each) {
        cli_report_error("%s was left out", input);
    }
    return result;
}

// True for a failure that would come again with every other picture, and for Ctrl-C.
static bool is_hopeless(enum weir_result result)
{
    return result == WEIR_ERROR_DEVICE_LOST || result == WEIR_ERROR_DISK_FULL || cli_interrupted();
}

enum weir_result cli_folder_run(struct cli_folder *folder, cli_folder_file *file, void *user)
{
    enum weir_result result = WEIR_OK;
    size_t i = 0;
    folder->num_done = 0;
    for (; i < folder->list.num_files && !is_hopeless(result); i++) {
        if (!folder->is_left_out[i]) {
            const enum weir_result done = run_file(folder, i, file, user);
            folder->is_left_out[i] = done != WEIR_OK;
            folder->num_done += done == WEIR_OK;
            result = done != WEIR_OK ? done : result;
        }
    }
    if (result == WEIR_OK && i < folder->list.num_files) {
        cli_report_error("interrupted");
        result = WEIR_ERROR_IO;
    }
    return result;
}
