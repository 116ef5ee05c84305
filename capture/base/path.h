// SPDX-License-Identifier: MIT
// The parts of a path: its folder, and the name of a file with its ending.
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/place.h"

// Get the name behind the last separator, which is empty for a path that ends in one.
static inline const char *weir_path_name(const char *path)
{
    const char *name = path;
    for (const char *at; (at = strpbrk(name, weir_path_separators)) != NULL;) {
        name = at + 1;
    }
    return name;
}

// Get the folder, with a separator at its end. The caller frees it. NULL: out of memory.
static inline char *weir_path_folder(const char *path)
{
    const size_t length = (size_t)(weir_path_name(path) - path);
    char *folder = strdup(length > 0 ? path : "./");
    if (folder && length > 0) {
        folder[length] = '\0';
    }
    return folder;
}

// Get the ending of the name, with its dot. A name that begins with its only dot has none: "".
static inline const char *weir_path_ending(const char *path)
{
    const char *name = weir_path_name(path), *dot = strrchr(name, '.');
    return dot && dot != name ? dot : name + strlen(name);
}

// Get what stands between a folder and a name in it: "" behind a separator.
static inline const char *weir_path_slash(const char *folder)
{
    return weir_path_name(folder)[0] ? "/" : "";
}
