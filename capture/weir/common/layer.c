// SPDX-License-Identifier: MIT
// Where the layer of weir record is.
#include "capture/weir/common/layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_MANIFEST = 4096 };

// Folders of the manifest beside that of this program: installed, and in the tree of a build.
static const char *const folders[] = {"../share/vulkan/explicit_layer.d", "../layer"};

// Get a text of a manifest as Weir writes them: none has a quotation mark in it. It is empty if
// there is none of that name.
static void find_text(const char *json, const char *name, char *text, size_t size)
{
    char key[32];
    snprintf(key, sizeof(key), "\"%s\": \"", name);
    const char *begin = strstr(json, key);
    begin = begin ? begin + strlen(key) : "";
    snprintf(text, size, "%.*s", (int)strcspn(begin, "\""), begin);
}

void cli_layer_read(struct cli_layer *layer, const char *manifest)
{
    char json[MAX_MANIFEST], named[PATH_MAX], path[2 * PATH_MAX];
    *layer = (struct cli_layer){.manifest = ""};
    FILE *file = fopen(manifest, "re");
    if (!file) {
        return;
    }
    json[fread(json, 1, sizeof(json) - 1, file)] = 0;
    fclose(file);
    snprintf(layer->manifest, sizeof(layer->manifest), "%s", manifest);
    const char *slash = strrchr(manifest, '/');
    snprintf(layer->folder, sizeof(layer->folder), "%.*s", slash ? (int)(slash - manifest) : 1,
             slash ? manifest : ".");
    find_text(json, "description", layer->description, sizeof(layer->description));
    find_text(json, "library_path", named, sizeof(named));
    snprintf(path, sizeof(path), "%s%s%s", named[0] == '/' ? "" : layer->folder,
             named[0] == '/' ? "" : "/", named);
    if (named[0] == 0 || !realpath(path, layer->library)) {
        layer->library[0] = 0;
    }
}

void cli_layer_find(struct cli_layer *layer)
{
    char self[PATH_MAX - 64], path[PATH_MAX], manifest[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[length > 0 ? length : 0] = 0;
    char *slash = strrchr(self, '/');
    *layer = (struct cli_layer){.manifest = ""};
    if (!slash) {
        return;
    }
    slash[1] = 0;
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && !layer->manifest[0]; i++) {
        snprintf(path, sizeof(path), "%s%s/" CLI_LAYER_MANIFEST, self, folders[i]);
        if (realpath(path, manifest)) {
            cli_layer_read(layer, manifest);
        }
    }
    if (!layer->manifest[0]) {
        snprintf(layer->folder, sizeof(layer->folder), "%s%s", self, folders[0]);
    }
}

bool cli_layer_user_manifest(const char *name, char path[PATH_MAX])
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    const bool has_data = data && data[0] == '/';
    if (!has_data && (!home || home[0] == 0)) {
        return false;
    }
    return snprintf(path, PATH_MAX, "%s%s/vulkan/implicit_layer.d/%s", has_data ? data : home,
                    has_data ? "" : "/.local/share", name) < PATH_MAX;
}
