// SPDX-License-Identifier: MIT
// The names of segments: take.001.mov, take.002.mov and so on for take.mov.
#include "capture/stream/mux/segment_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_ROOM 12 // a dot, 10 digits and the final zero

// Get the folder of a path, absolute and with a slash at its end. A folder that cannot be found is
// left as it is: opening a file in it says why. NULL: out of memory.
static char *find_folder(const char *path, size_t size)
{
    char *given = size > 0 ? strndup(path, size) : strdup("./");
    char *found = given ? realpath(given, NULL) : NULL;
    if (!found) {
        return given;
    }
    free(given);
    const size_t length = strlen(found);
    char *folder = realloc(found, length + 2);
    if (!folder) {
        free(found);
        return NULL;
    }
    strcpy(folder + length, folder[length - 1] == '/' ? "" : "/");
    return folder;
}

bool weir_segment_name_init(struct weir_segment_name *name, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    char *folder = find_folder(path, (size_t)(file - path));
    const size_t folder_size = folder ? strlen(folder) : 0;
    *name = (struct weir_segment_name){.room = folder_size + strlen(file) + NUMBER_ROOM};
    name->stem = folder ? malloc(name->room) : NULL;
    name->path = folder ? malloc(name->room) : NULL;
    if (name->stem && name->path) {
        snprintf(name->stem, name->room, "%s%s", folder, file);
        const char *dot = strrchr(name->stem + folder_size, '.');
        // A name that begins with its only dot has no extension.
        const bool has_suffix = dot && dot != name->stem + folder_size;
        name->suffix = has_suffix ? dot : name->stem + strlen(name->stem);
        name->stem_size = file[0] ? (size_t)(name->suffix - name->stem) : 0;
    }
    free(folder);
    return name->stem && name->path;
}

void weir_segment_name_finish(struct weir_segment_name *name)
{
    free(name->stem);
    free(name->path);
    *name = (struct weir_segment_name){.path = NULL};
}

const char *weir_segment_name_get(struct weir_segment_name *name, uint32_t number)
{
    if (name->stem_size == 0) {
        return name->stem; // of a folder, which no file can be opened by
    }
    snprintf(name->path, name->room, "%.*s.%03" PRIu32 "%s", (int)name->stem_size, name->stem,
             number, name->suffix);
    return name->path;
}
