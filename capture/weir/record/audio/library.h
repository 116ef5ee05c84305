// SPDX-License-Identifier: MIT
// PipeWire's library, which is looked for when audio is to be recorded: the program starts without.
#ifndef WEIR_CAPTURE_WEIR_RECORD_AUDIO_LIBRARY_H
#define WEIR_CAPTURE_WEIR_RECORD_AUDIO_LIBRARY_H

#include <stdbool.h>

#include <pipewire/pipewire.h>

// The functions that are used; what is not here is inline in PipeWire's headers.
struct record_pipewire {
    void (*init)(int *argc, char **argv[]);
    void (*log_set_level)(enum spa_log_level level);
    struct pw_thread_loop *(*thread_loop_new)(const char *name, const struct spa_dict *props);
    void (*thread_loop_destroy)(struct pw_thread_loop *loop);
    int (*thread_loop_start)(struct pw_thread_loop *loop);
    void (*thread_loop_stop)(struct pw_thread_loop *loop);
    void (*thread_loop_lock)(struct pw_thread_loop *loop);
    void (*thread_loop_unlock)(struct pw_thread_loop *loop);
    struct pw_loop *(*thread_loop_get_loop)(struct pw_thread_loop *loop);
    struct pw_properties *(*properties_new_string)(const char *text);
    struct pw_context *(*context_new)(struct pw_loop *loop, struct pw_properties *props,
                                      size_t user_data_size);
    void (*context_destroy)(struct pw_context *context);
    struct pw_core *(*context_connect)(struct pw_context *context, struct pw_properties *props,
                                       size_t user_data_size);
    int (*core_disconnect)(struct pw_core *core);
    void (*proxy_add_listener)(struct pw_proxy *proxy, struct spa_hook *listener,
                               const struct pw_proxy_events *events, void *data);
    void (*proxy_destroy)(struct pw_proxy *proxy);
    struct pw_stream *(*stream_new)(struct pw_core *core, const char *name,
                                    struct pw_properties *props);
    void (*stream_destroy)(struct pw_stream *stream);
    void (*stream_add_listener)(struct pw_stream *stream, struct spa_hook *listener,
                                const struct pw_stream_events *events, void *data);
    int (*stream_connect)(struct pw_stream *stream, enum pw_direction direction, uint32_t target_id,
                          enum pw_stream_flags flags, const struct spa_pod **params,
                          uint32_t num_params);
    uint32_t (*stream_get_node_id)(struct pw_stream *stream);
    int (*stream_get_time_n)(struct pw_stream *stream, struct pw_time *time, size_t size);
    struct pw_buffer *(*stream_dequeue_buffer)(struct pw_stream *stream);
    int (*stream_queue_buffer)(struct pw_stream *stream, struct pw_buffer *buffer);
};

// Load the library. It is never unloaded. False: it is not installed, or too old.
bool record_pipewire_load(struct record_pipewire *pipewire);

#endif
