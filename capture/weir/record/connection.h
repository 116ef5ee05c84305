// SPDX-License-Identifier: MIT
// A connection: one layer, of a device of a process, with its streams.
#ifndef WEIR_CAPTURE_WEIR_RECORD_CONNECTION_H
#define WEIR_CAPTURE_WEIR_RECORD_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/weir/record/recording.h"
#include "capture/weir/record/stream.h"

struct record_connection {
    struct record_connection *next;
    struct record_recording *recording;
    uint64_t number;
    int socket; // -1: it is closed, and the capture has slots of it still
    uint64_t since_ns;
    bool has_hello, has_stream;
    bool is_told; // that frames are recorded
    bool is_full; // the socket has no room for messages to the layer
    unsigned num_lines;
    uint32_t process;
    char program[LINK_TEXT_SIZE];
    uint32_t next_stream;                            // numbers of streams that begin are not below
    struct record_stream *streams[LINK_MAX_STREAMS]; // that are open; NULL: room for another
    struct record_stream *ended;
};

// Begin with a socket, which becomes the connection's. NULL: there is no memory, and it is closed.
struct record_connection *record_connection_create(struct record_recording *recording, int socket,
                                                   uint64_t number);

// Read what has come, at most so many messages that others have their turn. One that is not allowed
// closes the connection, which is reported.
void record_connection_read(struct record_connection *connection);

// Send the layer the free slots and whether frames are recorded; forget streams that have ended.
void record_connection_write(struct record_connection *connection);

// Close the socket, and the movies of its windows.
void record_connection_close(struct record_connection *connection);

// True if it is closed and the capture has none of its slots: it may be destroyed.
bool record_connection_is_done(const struct record_connection *connection);
void record_connection_destroy(struct record_connection *connection);

#endif
