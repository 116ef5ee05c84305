// SPDX-License-Identifier: MIT
// What weir info says of the layer of weir record.
#include <limits.h>
#include <stdio.h>

#include "capture/weir/common/layer.h"
#include "capture/weir/info/info.h"

// The layer that weir record uses, and the one of WEIR_RECORD=1.
struct layers {
    struct cli_layer own, user;
};

static void find_layers(struct layers *layers)
{
    char manifest[PATH_MAX];
    cli_layer_find(&layers->own);
    cli_layer_read(&layers->user,
                   cli_layer_user_manifest(CLI_LAYER_MANIFEST, manifest) ? manifest : "");
}

static void print_one(const char *name, const struct cli_layer *layer, const char *remedy)
{
    printf("  %-14s ", name);
    if (!layer->manifest[0]) {
        printf("no: %s\n", remedy);
    } else if (!layer->library[0]) {
        printf("%s, whose library is not there\n", layer->manifest);
    } else {
        printf("%s: %s\n", layer->manifest,
               layer->description[0] ? layer->description : "of another version");
    }
}

void info_layer_print(void)
{
    struct layers layers;
    find_layers(&layers);
    printf("\nLayer of weir record\n");
    print_one("installed", &layers.own, "install all of Weir, as ./dev install does");
    print_one("WEIR_RECORD=1", &layers.user, "weir record --install lets it record any program");
}

static void write_one(struct weir_json *json, const char *name, const struct cli_layer *layer)
{
    weir_json_begin_object(json, name);
    weir_json_text(json, "manifest", layer->manifest[0] ? layer->manifest : NULL);
    weir_json_text(json, "library", layer->library[0] ? layer->library : NULL);
    weir_json_text(json, "description", layer->description[0] ? layer->description : NULL);
    weir_json_end_object(json);
}

void info_layer_json(struct weir_json *json)
{
    struct layers layers;
    find_layers(&layers);
    write_one(json, "layer", &layers.own);
    write_one(json, "user_layer", &layers.user);
}
