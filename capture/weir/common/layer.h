// SPDX-License-Identifier: MIT
// Where the layer of weir record is: its manifest, by which loaders of Vulkan find it.
#pragma once

#include <limits.h>
#include <stdbool.h>

#define CLI_LAYER_NAME "VK_LAYER_WEIR_capture"
#define CLI_LAYER_MANIFEST "VkLayer_WEIR_capture.json"
// Of the layer for programs of 32 bits; loaders take the one of their program.
#define CLI_LAYER_MANIFEST_32 "VkLayer_WEIR_capture_32.json"

// What a manifest says. Texts are empty where it says nothing.
struct cli_layer {
    char folder[PATH_MAX];   // of the manifest
    char manifest[PATH_MAX]; // its path; empty: there is none
    char library[PATH_MAX];  // that it names; a path from a root on, if the library is there
    char description[256];   // with the version
};

// Find the layer, as this program was installed or built. Without it `folder` is where it would be
// if Weir were installed.
void cli_layer_find(struct cli_layer *layer);

// Get the path of the manifest `name` by which WEIR_RECORD=1 records the programs of this user,
// whether it is there or not. False: there is no home folder.
bool cli_layer_user_manifest(const char *name, char path[PATH_MAX]);

// Read a manifest, if there is one.
void cli_layer_read(struct cli_layer *layer, const char *manifest);
