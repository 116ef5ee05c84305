// SPDX-License-Identifier: MIT
// Places of files: what the system knows of a path before something is written there.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Beside the values of errno: in a folder that all may write there is a link or file of another
// user, neither this one nor the folder's.
#define WEIR_PLACE_FOREIGN 4096

// What separates the names in a path: "/", and on Windows backslashes and the colon of a drive.
extern const char weir_path_separators[];

// Make a folder, unless there is one, and set `*is_new`. Returns 0, an errno value (ENOTDIR also
// where there is something else) or WEIR_PLACE_FOREIGN.
int weir_place_make_folder(const char *path, bool *is_new);

// Get the folder that the file `path` is in, links resolved, so that it stays the same one if the
// program changes to another. The caller frees it. NULL: it cannot be found.
char *weir_place_folder(const char *path);

// Get the user's folder of what can be made again, a path from a root on. False: there is none, or
// its name has more than `size` bytes.
bool weir_place_cache(char *folder, size_t size);

// Find where an output is to be written. Links to folders are followed, one that is the file itself
// only if `follows`. `*folder` is open for the calls that need one, `*name` is the file's name in
// it, and `*folder_path` the path of the folder, or NULL where that is not known; the caller frees
// them, after a failure too. Returns 0, or the reason why nothing can be written there: an errno
// value or WEIR_PLACE_FOREIGN.
int weir_place_output(const char *path, bool follows, int *folder, char **name, char **folder_path);

// Open what is there by open() with `flags`, links followed. Returns the descriptor, or -1 and
// errno, which may be WEIR_PLACE_FOREIGN.
int weir_place_open(const char *path, int flags);

// True if a file `name` in the folder is not to be replaced, as it is of another user in a folder
// that all may write.
bool weir_place_is_foreign(int folder, const char *name);

// As strerror(), for WEIR_PLACE_FOREIGN too.
const char *weir_place_error(int error);
