// SPDX-License-Identifier: MIT
// The parts of a path: its folder, and the name of a file with its ending.
#pragma once

#include <stddef.h>
#include <string.h>

// Get the name behind the last slash, which is empty for a path that ends in one.
static inline const char *weir_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Get the folder, with a slash at its end. The caller frees it. NULL: out of memory.
static inline char *weir_path_folder(const char *path)
{
    const size_t length = (size_t)(weir_path_name(path) - path);
    return length > 0 ? strndup(path, length) : strdup("./");
}

// Get the ending of the name, with its dot. A name that begins with its only dot has none: "".
static inline const char *weir_path_ending(const char *path)
{
    const char *name = weir_path_name(path), *dot = strrchr(name, '.');
    return dot && dot != name ? dot : name + strlen(name);
}

// Get what stands between a folder and a name in it: "" behind a folder that ends in a slash.
static inline const char *weir_path_slash(const char *folder)
{
    const size_t length = strlen(folder);
    return length > 0 && folder[length - 1] != '/' ? "/" : "";
}
