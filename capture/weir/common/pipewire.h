// SPDX-License-Identifier: MIT
// PipeWire, whose library is looked for when there is audio to record or play: the program starts
// without.
#pragma once

#include <pipewire/pipewire.h>

// The functions that are used, without pw_; what is not here is inline in PipeWire's headers.
#define CLI_PIPEWIRE_FUNCTIONS(X)                                                                  \
    X(init)                                                                                        \
    X(log_set_level)                                                                               \
    X(thread_loop_new)                                                                             \
    X(thread_loop_destroy)                                                                         \
    X(thread_loop_start)                                                                           \
    X(thread_loop_stop)                                                                            \
    X(thread_loop_get_loop)                                                                        \
    X(thread_loop_lock)                                                                            \
    X(thread_loop_unlock)                                                                          \
    X(properties_new_string)                                                                       \
    X(context_new)                                                                                 \
    X(context_destroy)                                                                             \
    X(context_connect)                                                                             \
    X(core_disconnect)                                                                             \
    X(proxy_add_listener)                                                                          \
    X(proxy_destroy)                                                                               \
    X(stream_new)                                                                                  \
    X(stream_destroy)                                                                              \
    X(stream_add_listener)                                                                         \
    X(stream_connect)                                                                              \
    X(stream_get_node_id)                                                                          \
    X(stream_get_time_n)                                                                           \
    X(stream_dequeue_buffer)                                                                       \
    X(stream_queue_buffer)

// A connection. The functions of the library begin with pw_ outside.
struct cli_pipewire {
#define CLI_PIPEWIRE_MEMBER(name) __typeof__(pw_##name) *name;
    CLI_PIPEWIRE_FUNCTIONS(CLI_PIPEWIRE_MEMBER)
#undef CLI_PIPEWIRE_MEMBER
    struct pw_thread_loop *loop; // starts later, when streams are made
    struct pw_context *context;
    struct pw_core *core;
};

// Load the library, which is never unloaded, and connect. Returns why there is no connection; NULL:
// there is. Disconnect in any case.
const char *cli_pipewire_connect(struct cli_pipewire *pipewire);

// Stop the loop, so that nothing is called any more. Streams and listeners are removed then.
void cli_pipewire_stop(struct cli_pipewire *pipewire);
void cli_pipewire_disconnect(struct cli_pipewire *pipewire);
