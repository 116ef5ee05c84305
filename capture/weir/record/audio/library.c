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
    const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"pw_init", &pipewire->init},
        {"pw_log_set_level", &pipewire->log_set_level},
        {"pw_thread_loop_new", &pipewire->thread_loop_new},
        {"pw_thread_loop_destroy", &pipewire->thread_loop_destroy},
        {"pw_thread_loop_start", &pipewire->thread_loop_start},
        {"pw_thread_loop_stop", &pipewire->thread_loop_stop},
        {"pw_thread_loop_lock", &pipewire->thread_loop_lock},
        {"pw_thread_loop_unlock", &pipewire->thread_loop_unlock},
        {"pw_thread_loop_get_loop", &pipewire->thread_loop_get_loop},
        {"pw_properties_new_string", &pipewire->properties_new_string},
        {"pw_context_new", &pipewire->context_new},
        {"pw_context_destroy", &pipewire->context_destroy},
        {"pw_context_connect", &pipewire->context_connect},
        {"pw_core_disconnect", &pipewire->core_disconnect},
        {"pw_proxy_add_listener", &pipewire->proxy_add_listener},
        {"pw_proxy_destroy", &pipewire->proxy_destroy},
        {"pw_stream_new", &pipewire->stream_new},
        {"pw_stream_destroy", &pipewire->stream_destroy},
        {"pw_stream_add_listener", &pipewire->stream_add_listener},
        {"pw_stream_connect", &pipewire->stream_connect},
        {"pw_stream_get_node_id", &pipewire->stream_get_node_id},
        {"pw_stream_get_time_n", &pipewire->stream_get_time_n},
        {"pw_stream_dequeue_buffer", &pipewire->stream_dequeue_buffer},
        {"pw_stream_queue_buffer", &pipewire->stream_queue_buffer},
    };
    bool ok = library != NULL;
    for (size_t i = 0; ok && i < sizeof(functions) / sizeof(functions[0]); i++) {
        ok = find(library, functions[i].name, functions[i].function);
    }
    return ok;
}
