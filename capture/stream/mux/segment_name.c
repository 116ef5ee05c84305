// SPDX-License-Identifier: MIT
// The names of segments: take.001.mov, take.002.mov and so on for take.mov.
#include "capture/stream/mux/segment_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_ROOM 12 // a dot, 10 digits and the final zero

bool weir_segment_name_init(struct weir_segment_name *name, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    *name = (struct weir_segment_name){.room = 0};
    char *given = slash ? strndup(path, (size_t)(file - path)) : strdup("./");
    // A folder that cannot be found is left as it is: opening a file in it says why.
    char *found = given ? realpath(given, NULL) : NULL;
    const char *folder = found ? found : given;
    const int size = folder ? asprintf(&name->base, "%s%s%s", folder,
                                       folder[strlen(folder) - 1] == '/' ? "" : "/", file)
                            : -1;
    if (size >= 0) {
        name->room = (size_t)size + NUMBER_ROOM;
        name->path = malloc(name->room);
    } else {
        name->base = NULL;
    }
    free(found);
    free(given);
    return name->path;
}

void weir_segment_name_finish(struct weir_segment_name *name)
{
    free(name->base);
    free(name->path);
    *name = (struct weir_segment_name){.room = 0};
}

const char *weir_segment_name_get(struct weir_segment_name *name, uint32_t number)
{
    const char *file = strrchr(name->base, '/') + 1;
    const char *dot = strrchr(file, '.');
    // A name that begins with its only dot has no extension.
    const char *suffix = dot && dot != file ? dot : file + strlen(file);
    if (!file[0]) {
        return name->base; // of a folder, which no file can be opened by
    }
    snprintf(name->path, name->room, "%.*s.%03" PRIu32 "%s", (int)(suffix - name->base), name->base,
             number, suffix);
    return name->path;
}
