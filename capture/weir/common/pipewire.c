// SPDX-License-Identifier: MIT
// PipeWire's library, and a connection by it.
#include "capture/weir/common/pipewire.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// POSIX lets a pointer to a function be kept in one to an object, C does not.
static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof(symbol));
    return symbol != NULL;
}

static bool load(struct cli_pipewire *pipewire)
{
    void *library = dlopen("libpipewire-0.3.so.0", RTLD_NOW | RTLD_LOCAL);
    bool ok = library != NULL;
#define FIND(name) ok = ok && find(library, "pw_" #name, &pipewire->name);
    CLI_PIPEWIRE_FUNCTIONS(FIND)
#undef FIND
    return ok;
}

// The first configuration has a thread of high priority; later releases have that in the other.
static struct pw_context *make_context(const struct cli_pipewire *pipewire)
{
    static const char *const names[] = {"config.name = client-rt.conf", ""};
    struct pw_context *context = NULL;
    for (size_t i = 0; !context && i < sizeof(names) / sizeof(names[0]); i++) {
        context = pipewire->context_new(pipewire->thread_loop_get_loop(pipewire->loop),
                                        pipewire->properties_new_string(names[i]), 0);
    }
    return context;
}

const char *cli_pipewire_connect(struct cli_pipewire *pipewire)
{
    if (!load(pipewire)) {
        return "PipeWire's library is not installed";
    }
    pipewire->init(NULL, NULL);
    if (!getenv("PIPEWIRE_DEBUG")) {
        pipewire->log_set_level(SPA_LOG_LEVEL_NONE); // what matters is reported here
    }
    pipewire->loop = pipewire->thread_loop_new("weir-pipewire", NULL);
    pipewire->context = pipewire->loop ? make_context(pipewire) : NULL;
    if (!pipewire->context) {
        return "PipeWire's configuration is missing (Debian: libpipewire-0.3-common)";
    }
    pipewire->core = pipewire->context_connect(pipewire->context, NULL, 0);
    return pipewire->core ? NULL : "PipeWire does not run";
}

void cli_pipewire_stop(struct cli_pipewire *pipewire)
{
    if (pipewire->loop) {
        pipewire->thread_loop_stop(pipewire->loop);
    }
}

void cli_pipewire_disconnect(struct cli_pipewire *pipewire)
{
    cli_pipewire_stop(pipewire);
    if (pipewire->core) {
        pipewire->core_disconnect(pipewire->core);
    }
    if (pipewire->context) {
        pipewire->context_destroy(pipewire->context);
    }
    if (pipewire->loop) {
        pipewire->thread_loop_destroy(pipewire->loop);
    }
}
