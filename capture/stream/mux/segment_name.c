// SPDX-License-Identifier: MIT
// The names of segments: take.001.mov, take.002.mov and so on for take.mov.
#include "capture/stream/mux/segment_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/base/path.h"

#define NUMBER_ROOM 12 // a dot, 10 digits and the final zero

bool weir_segment_name_init(struct weir_segment_name *name, const char *path)
{
    *name = (struct weir_segment_name){.room = 0};
    // A folder that cannot be found is left as it is: opening a file in it says why.
    char *found = weir_place_folder(path);
    char *folder = found ? found : weir_path_folder(path);
    const int size = folder ? asprintf(&name->base, "%s%s%s", folder, weir_path_slash(folder),
                                       weir_path_name(path))
                            : -1;
    if (size >= 0) {
        name->room = (size_t)size + NUMBER_ROOM;
        name->path = malloc(name->room);
    } else {
        name->base = NULL;
    }
    free(folder);
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
    const char *suffix = weir_path_ending(name->base);
    if (weir_path_name(name->base)[0] == 0) {
        return name->base; // of a folder, which no file can be opened by
    }
    snprintf(name->path, name->room, "%.*s.%03" PRIu32 "%s", (int)(suffix - name->base), name->base,
             number, suffix);
    return name->path;
}
