// SPDX-License-Identifier: MIT
// PipeWire's library, which is looked for when audio is to be recorded: the program starts without.
#pragma once

#include <stdbool.h>

#include <pipewire/pipewire.h>

// The functions that are used, without pw_; what is not here is inline in PipeWire's headers.
#define RECORD_PIPEWIRE_FUNCTIONS(X)                                                               \
    X(init)                                                                                        \
    X(log_set_level)                                                                               \
    X(thread_loop_new)                                                                             \
    X(thread_loop_destroy)                                                                         \
    X(thread_loop_start)                                                                           \
    X(thread_loop_stop)                                                                            \
    X(thread_loop_get_loop)                                                                        \
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

struct record_pipewire {
#define RECORD_PIPEWIRE_MEMBER(name) __typeof__(pw_##name) *name;
    RECORD_PIPEWIRE_FUNCTIONS(RECORD_PIPEWIRE_MEMBER)
#undef RECORD_PIPEWIRE_MEMBER
};

// Load the library. It is never unloaded. False: it is not installed, or too old.
bool record_pipewire_load(struct record_pipewire *pipewire);

// Links: from all that the recorded program plays to the stream that records it, as the program's
// nodes come and go. PipeWire adds them up.

struct record_links;

// Begin to watch for nodes that play and are of `program` (record_program_has()). All calls are
// of the loop's thread, or come when it does not run. NULL: no memory.
struct record_links *record_links_create(const struct record_pipewire *pipewire,
                                         struct pw_core *core, struct pw_stream *stream,
                                         int64_t program);
// The core is connected still. NULL is allowed.
void record_links_destroy(struct record_links *links);

// Note that the stream has a node by now.
void record_links_update(struct record_links *links);
