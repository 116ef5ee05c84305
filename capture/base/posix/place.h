// SPDX-License-Identifier: MIT
// Finds where a path leads, one name after the other. In a sticky folder that all may write, as
// /tmp is, nothing of another user is followed or replaced: Weir does itself what Linux does where
// fs.protected_symlinks, fs.protected_regular and fs.protected_fifos are set.
#pragma once

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "capture/base/place.h"

struct weir_place {
    int folder;              // open for the calls that end in "at"
    char name[NAME_MAX + 1]; // in it
    struct stat found;       // what has the name; st_mode 0: nothing
};

// Find the place of a file. Links to folders are followed, one that is the file itself only if
// `follows`, and then it must lead to something. Close the folder. Returns 0, an errno value or
// WEIR_PLACE_FOREIGN; there is nothing to close then.
int weir_place_find(struct weir_place *place, const char *path, bool follows);

// Get where the system says that the file of a descriptor is. "": it does not say.
void weir_descriptor_place(int fd, char place[PATH_MAX]);

// Rename a file in a folder, or from the current one with AT_FDCWD, without replacing another.
// Returns 0 or an errno value.
int weir_place_rename(int folder, const char *from, const char *to);
