// SPDX-License-Identifier: MIT
// The pictures of a folder, or of a numbered sequence, become files of a folder.
#include "capture/weir/common/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"

bool cli_folder_is_several(const char *input)
{
    struct stat status;
    if (stat(input, &status) == 0) {
        return S_ISDIR(status.st_mode);
    }
    return strchr(input, '%') && !strstr(input, "://");
}

static enum weir_result make_folder(struct cli_folder *folder)
{
    struct stat status;
    folder->made = mkdir(folder->output, 0777) == 0;
    if (folder->made ||
        (errno == EEXIST && stat(folder->output, &status) == 0 && S_ISDIR(status.st_mode))) {
        return WEIR_OK;
    }
    cli_report_error("cannot write %s: %s; name a folder for the %s", folder->output,
                     strerror(errno == EEXIST ? ENOTDIR : errno), folder->wanted);
    return WEIR_ERROR_IO;
}

enum weir_result cli_folder_open(struct cli_folder *folder, const char *input, const char *output,
                                 const char *ending, const char *wanted)
{
    const struct weir_log log = cli_report_log();
    *folder = (struct cli_folder){.output = output, .ending = ending, .wanted = wanted};
    const enum weir_result result = weir_source_list_find(&folder->list, input, &log);
    if (result != WEIR_OK) {
        return result;
    }
    folder->left_out = calloc(folder->list.num_files, sizeof(*folder->left_out));
    if (!folder->left_out) {
        cli_report_error("no memory for the names of %zu pictures", folder->list.num_files);
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return make_folder(folder);
}

void cli_folder_close(struct cli_folder *folder)
{
    if (folder->made) {
        rmdir(folder->output); // which fails where there is something in it
    }
    free(folder->left_out);
    weir_source_list_finish(&folder->list);
    *folder = (struct cli_folder){0};
}

// The name of a picture without its folder and its ending.
struct stem {
    const char *name;
    size_t length;
};

static struct stem stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return (struct stem){name, dot && dot != name ? (size_t)(dot - name) : strlen(name)};
}

// Find another picture that would become the same file, as "a.png" and "a.jpg" would.
static const char *find_rival(const struct weir_source_list *list, size_t index)
{
    const struct stem stem = stem_of(list->files[index].path);
    for (size_t i = 0; i < index; i++) {
        const struct stem other = stem_of(list->files[i].path);
        if (other.length == stem.length && memcmp(other.name, stem.name, stem.length) == 0) {
            return list->files[i].path;
        }
    }
    return NULL;
}

static char *name_output(const struct cli_folder *folder, const char *input)
{
    const char *output = folder->output;
    const struct stem stem = stem_of(input);
    const size_t size = strlen(output) + stem.length + strlen(folder->ending) + 3;
    char *path = malloc(size);
    const char *slash = output[0] != 0 && output[strlen(output) - 1] == '/' ? "" : "/";
    if (path) {
        snprintf(path, size, "%s%s%.*s.%s", output, slash, (int)stem.length, stem.name,
                 folder->ending);
    }
    return path;
}

// Of pictures with a rival, which are left out, nothing is written.
enum weir_result cli_folder_check(const struct cli_folder *folder, const char *other)
{
    const struct weir_source_list *list = &folder->list;
    struct cli_paths paths = {0};
    char **outputs = calloc(list->num_files, sizeof(*outputs));
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; outputs && i < list->num_files; i++) {
        const char *input = list->files[i].path;
        outputs[i] = find_rival(list, i) ? NULL : name_output(folder, input);
        cli_paths_add_input(&paths, input);
        cli_paths_add_output(&paths, outputs[i]);
    }
    cli_paths_add_output(&paths, other);
    if (outputs) {
        result = cli_paths_check(&paths);
    } else {
        cli_report_error("no memory for the names of %zu files", list->num_files);
    }
    for (size_t i = 0; outputs && i < list->num_files; i++) {
        free(outputs[i]);
    }
    free(outputs);
    cli_paths_free(&paths);
    return result;
}

static enum weir_result run_file(struct cli_folder *folder, size_t index, cli_folder_file *file,
                                 void *user)
{
    const char *input = folder->list.files[index].path, *rival = find_rival(&folder->list, index);
    char *output = name_output(folder, input);
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (!output) {
        cli_report_error("no memory for the name of the file of %s", input);
    }
    if (output && rival) {
        cli_report_error("%s: %s is that of %s; rename one of the two", input, output, rival);
        result = WEIR_ERROR_INVALID;
    } else if (output) {
        const unsigned num_errors = cli_report_num_errors();
        result = file(user, input, output);
        cli_report_no_memory(result, num_errors);
    }
    if (result != WEIR_OK) {
        cli_report_error("%s was left out", input);
    }
    free(output);
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
    folder->num_done = 0;
    size_t i = 0;
    for (; i < folder->list.num_files && !is_hopeless(result); i++) {
        if (folder->left_out[i]) {
            continue;
        }
        const enum weir_result done = run_file(folder, i, file, user);
        folder->left_out[i] = done != WEIR_OK;
        folder->num_done += done == WEIR_OK;
        result = done != WEIR_OK ? done : result;
    }
    if (result == WEIR_OK && i < folder->list.num_files) {
        cli_report_error("interrupted");
        result = WEIR_ERROR_IO;
    }
    return result;
}
