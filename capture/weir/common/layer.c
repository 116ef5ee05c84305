// SPDX-License-Identifier: MIT
// Where the layer of weir record is.
#include "capture/weir/common/layer.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_MANIFEST = 4096 };

// Folders of the manifest beside that of this program: installed, and in the tree of a build.
static const char *const folders[] = {"../share/vulkan/explicit_layer.d", "../layer"};

// Get a text of a manifest as Weir writes them: none has a quotation mark in it. NULL: it has none
// of that name.
static char *text_of(const char *json, const char *name)
{
    char *key = NULL, *text = NULL;
    if (asprintf(&key, "\"%s\": \"", name) < 0) {
        return NULL;
    }
    const char *begin = strstr(json, key);
    if (begin) {
        begin += strlen(key);
        text = strndup(begin, strcspn(begin, "\""));
    }
    free(key);
    return text;
}

// Get the path from a root on of a library that a manifest names.
static char *find_library(const char *folder, const char *named)
{
    char *path = NULL;
    if (named[0] == '/') {
        return realpath(named, NULL);
    }
    if (asprintf(&path, "%s/%s", folder, named) < 0) {
        return NULL;
    }
    char *whole = realpath(path, NULL);
    free(path);
    return whole;
}

void cli_layer_read(struct cli_layer *layer, const char *manifest)
{
    char json[MAX_MANIFEST];
    *layer = (struct cli_layer){.manifest = NULL};
    FILE *file = fopen(manifest, "re");
    if (!file) {
        return;
    }
    const size_t size = fread(json, 1, sizeof(json) - 1, file);
    json[size] = 0;
    fclose(file);
    const char *slash = strrchr(manifest, '/');
    layer->manifest = strdup(manifest);
    layer->folder = slash ? strndup(manifest, (size_t)(slash - manifest)) : strdup(".");
    layer->description = text_of(json, "description");
    char *named = text_of(json, "library_path");
    layer->library = named && layer->folder ? find_library(layer->folder, named) : NULL;
    free(named);
}

void cli_layer_find(struct cli_layer *layer, char **looked_at)
{
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[length > 0 ? length : 0] = 0;
    char *slash = strrchr(self, '/');
    *layer = (struct cli_layer){.folder = NULL};
    *looked_at = NULL;
    if (!slash) {
        return;
    }
    slash[1] = 0;
    if (asprintf(looked_at, "%s%s", self, folders[0]) < 0) {
        *looked_at = NULL;
    }
    for (size_t i = 0; !layer->folder && i < sizeof(folders) / sizeof(folders[0]); i++) {
        char *path = NULL;
        char *manifest = asprintf(&path, "%s%s/" CLI_LAYER_MANIFEST, self, folders[i]) < 0
                             ? NULL
                             : realpath(path, NULL);
        if (manifest) {
            cli_layer_read(layer, manifest);
        }
        free(manifest);
        free(path);
    }
}

char *cli_layer_user_manifest(void)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    const bool has_data = data && data[0] == '/';
    char *path = NULL;
    if (!has_data && (!home || home[0] == 0)) {
        return NULL;
    }
    return asprintf(&path, "%s%s/vulkan/implicit_layer.d/" CLI_LAYER_MANIFEST,
                    has_data ? data : home, has_data ? "" : "/.local/share") < 0
               ? NULL
               : path;
}

void cli_layer_finish(struct cli_layer *layer)
{
    free(layer->folder);
    free(layer->manifest);
    free(layer->library);
    free(layer->description);
    *layer = (struct cli_layer){.folder = NULL};
}
