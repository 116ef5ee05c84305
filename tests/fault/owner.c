// SPDX-License-Identifier: MIT
// Whose code makes a call.
#include "fault.h"

#include <execinfo.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The name of the object whose code is at this address; the program is called so. dladdr() would
// look for a symbol too, and of the driver's compiler there are so many that it seems to hang.
static const char *object_of(void *address)
{
    struct dl_find_object found;
    if (_dl_find_object(address, &found) != 0) {
        return "";
    }
    const char *name = found.dlfo_link_map->l_name;
    const char *slash = strrchr(name, '/');
    return name[0] == 0 ? "the program" : slash ? slash + 1 : name;
}

static bool begins_with_any(const char *name, const char *const *words)
{
    while (*words && strncmp(name, *words, strlen(*words)) != 0) {
        words++;
    }
    return *words != NULL;
}

enum owner owner_of(void *address)
{
    static const char *const libraries[] = {"libav", "libsw", "libpng", "libtiff", NULL};
    const char *name = object_of(address), *only = getenv("WEIR_FAULT_OBJECT");
    if (only) {
        return strncmp(name, only, strlen(only)) == 0 ? OWNER_WEIR : OWNER_OTHER;
    }
    if (strcmp(name, "the program") == 0 || strncmp(name, "libweir", 7) == 0) {
        return OWNER_WEIR;
    }
    return begins_with_any(name, libraries) ? OWNER_LIBRARY : OWNER_OTHER;
}

const char *owner_of_stack(void)
{
    static const char *const system[] = {"libc.", "libc-", "libpthread", "libfault", "ld-", NULL};
    void *stack[64];
    const int depth = backtrace(stack, 64);
    const char *name = "?";
    for (int i = 0; i < depth; i++) {
        name = object_of(stack[i]);
        if (!begins_with_any(name, system)) {
            break;
        }
    }
    return name;
}
