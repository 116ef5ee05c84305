// SPDX-License-Identifier: MIT
// weir texture: the pictures of a folder become files of a folder.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/cli/interrupt.h"
#include "capture/cli/report.h"
#include "capture/cli/texture.h"
#include "capture/source/list.h"

// The name of a picture without its folder and its ending.
struct stem {
    const char *name;
    size_t length;
};

static struct stem stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return (struct stem){name, dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name)};
}

// "a.png" and "a.jpg" would become one file.
static const char *find_rival(const struct weir_source_list *list, size_t index)
{
    const struct stem stem = stem_of(list->files[index].path);
    for (size_t i = 0; i < index; i++) {
        const struct stem other = stem_of(list->files[i].path);
        if (other.length == stem.length && memcmp(other.name, stem.name, stem.length) == 0)
            return list->files[i].path;
    }
    return NULL;
}

static char *name_output(const struct texture *texture, const char *folder, const char *input)
{
    const struct stem stem = stem_of(input);
    const size_t size = strlen(folder) + stem.length + 16;
    char *path = malloc(size);
    const char *slash = folder[0] != 0 && folder[strlen(folder) - 1] == '/' ? "" : "/";
    if (path != NULL)
        snprintf(path, size, "%s%s%.*s.%s", folder, slash, (int)stem.length, stem.name,
                 texture->container->name);
    return path;
}

static enum weir_result encode(struct texture *texture, const struct weir_source_list *list,
                               size_t index, const char *folder)
{
    const char *input = list->files[index].path, *rival = find_rival(list, index);
    char *output = name_output(texture, folder, input);
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (output != NULL && rival != NULL) {
        cli_report_error("%s: %s is that of %s; rename one of the two", input, output, rival);
        result = WEIR_ERROR_INVALID;
    } else if (output != NULL) {
        result = texture_encode_file(texture, input, output);
    }
    if (result != WEIR_OK)
        cli_report_error("%s was left out", input);
    free(output);
    return result;
}

static enum weir_result make_folder(const char *folder, bool *made)
{
    struct stat status;
    *made = mkdir(folder, 0777) == 0;
    if (*made || (errno == EEXIST && stat(folder, &status) == 0 && S_ISDIR(status.st_mode)))
        return WEIR_OK;
    cli_report_error("cannot write %s: %s; name a folder for the textures", folder,
                     strerror(errno == EEXIST ? ENOTDIR : errno));
    return WEIR_ERROR_IO;
}

// What goes wrong with the device goes wrong with every picture.
static bool is_hopeless(enum weir_result result)
{
    return result == WEIR_ERROR_DEVICE_LOST || result == WEIR_ERROR_DISK_FULL || cli_interrupted();
}

enum weir_result texture_encode_folder(struct texture *texture, const char *input,
                                       const char *output)
{
    const struct weir_log log = cli_report_log();
    struct weir_source_list list;
    enum weir_result result = weir_source_list_find(&list, input, &log);
    if (result != WEIR_OK)
        return result;
    bool made = false;
    size_t num_done = 0;
    result = make_folder(output, &made);
    if (result == WEIR_OK) {
        for (size_t i = 0; i < list.num_files && !is_hopeless(result); i++) {
            const enum weir_result encoded = encode(texture, &list, i, output);
            num_done += encoded == WEIR_OK;
            result = encoded != WEIR_OK ? encoded : result;
        }
        printf("%s: %zu of %zu pictures\n", output, num_done, list.num_files);
    }
    if (made && num_done == 0)
        rmdir(output);
    weir_source_list_finish(&list);
    return result;
}
