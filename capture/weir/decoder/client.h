// SPDX-License-Identifier: MIT
// The process that decodes, as the program has it.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "capture/weir/decoder/channel.h"

struct decoder_process {
    pid_t id;
    int socket;
    const char *input;    // what it reads, for messages; borrowed
    pthread_mutex_t lock; // of the end
    atomic_bool is_over;  // it has ended, and that was told
    atomic_uint num_logs; // messages of it so far
};

// Start it for these inputs. Prints the reason of a failure.
// Errors: WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_IO.
enum weir_result client_start(char *const *paths, size_t num_paths, uint64_t max_memory,
                              struct decoder_process **out);

// End it, whoever waits for it. What is asked then is WEIR_ERROR_IO.
void client_stop(struct decoder_process *process);

// End it, and give back what there is of it. NULL is allowed; sets `*process` to NULL.
void client_finish(struct decoder_process **process);

// What goes with a request: bytes, and descriptors.
struct client_request {
    const void *bytes;
    int descriptors[CHANNEL_MAX_DESCRIPTORS];
    uint32_t num_descriptors;
};

// Send a request over a socket of the process, and get the head of the reply. `request` may be
// NULL. With the timed one, no reply may take much more time of the processors than any picture
// does.
// Prints why the process ended. Errors: WEIR_ERROR_IO.
enum weir_result client_ask(struct decoder_process *process, int socket,
                            struct channel_message *message, const struct client_request *request);
enum weir_result client_ask_timed(struct decoder_process *process, struct channel_message *message,
                                  const struct client_request *request);

// Get what follows the reply.
enum weir_result client_receive(struct decoder_process *process, int socket, void *bytes,
                                size_t size);

// End a process whose reply is none of a decoder, and say so. Returns WEIR_ERROR_IO.
enum weir_result client_refuse(struct decoder_process *process);

// replies.c: whether a reply is one that a decoder gives. A hostile file may have taken the process
// over, so that no reply is believed. Texts may lack an end, and get one.
bool reply_is_result(const struct channel_message *reply);
bool reply_is_source(struct channel_message *reply, const struct weir_source_params *params);
bool reply_is_chapters(struct weir_source_chapter *chapters, size_t num);
bool reply_is_take(const struct channel_take *take, int64_t last_ns);
bool reply_is_audio(struct channel_audio *audio);
bool reply_is_block(const struct channel_message *reply, const struct channel_audio *audio);
bool reply_is_picture(struct channel_message *reply, const struct weir_memory_use *memory);
