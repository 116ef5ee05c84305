// SPDX-License-Identifier: MIT
// PipeWire's library, which is looked for when audio is to be recorded.
#include "capture/weir/record/audio/library.h"

#include <dlfcn.h>
#include <string.h>

// POSIX lets a pointer to a function be kept in one to an object, C does not.
static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof(symbol));
    return symbol != NULL;
}

bool record_pipewire_load(struct record_pipewire *pipewire)
{
    void *library = dlopen("libpipewire-0.3.so.0", RTLD_NOW | RTLD_LOCAL);
    bool ok = library != NULL;
#define FIND(name) ok = ok && find(library, "pw_" #name, &pipewire->name);
    RECORD_PIPEWIRE_FUNCTIONS(FIND)
#undef FIND
    return ok;
}
