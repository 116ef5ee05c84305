// SPDX-License-Identifier: MIT
// Where the layer of weir record is: its manifest, by which loaders of Vulkan find it.
#ifndef WEIR_CAPTURE_WEIR_COMMON_LAYER_H
#define WEIR_CAPTURE_WEIR_COMMON_LAYER_H

#define CLI_LAYER_NAME "VK_LAYER_WEIR_capture"
#define CLI_LAYER_MANIFEST "VkLayer_WEIR_capture.json"

// What a manifest says. Texts are NULL where it says nothing.
struct cli_layer {
    char *folder;      // of the manifest
    char *manifest;    // its path
    char *library;     // that it names; a path from a root on, if the library is there
    char *description; // with the version
};

// Find the layer, as this program was installed or built. Finish it in any case. Without it
// `folder` is NULL, and `looked_at` is where it would be if Weir were installed; the caller frees
// that.
void cli_layer_find(struct cli_layer *layer, char **looked_at);

// Get the path of the manifest by which WEIR_RECORD=1 records the programs of this user, whether it
// is there or not. NULL: there is no home folder, or no memory. The caller frees it.
char *cli_layer_user_manifest(void);

// Read a manifest; `layer->manifest` is NULL if there is none.
void cli_layer_read(struct cli_layer *layer, const char *manifest);

void cli_layer_finish(struct cli_layer *layer);

#endif
