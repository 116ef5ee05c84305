// SPDX-License-Identifier: MIT
// The numbers of the link's messages and their ranges, written out a second time: tests and the
// fuzzer of the link judge by them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/link/link.h"

// A number of a message. Where `is_text` is true it is a text, and has no range.
struct link_field {
    uint32_t type; // enum link_type
    const char *name;
    size_t offset, size; // in struct link_message [bytes]
    uint64_t least, most;
    bool has_no_slot; // LINK_NO_SLOT is allowed too
    bool is_text;
};

// All that have a range by themselves. What must fit together in LINK_ACCEPT is not among them.
extern const struct link_field link_fields[];
extern const unsigned link_num_fields;

// All types.
enum { LINK_NUM_TYPES = 10 };
extern const uint32_t link_types[LINK_NUM_TYPES];

// Get the size of a message of a type, with its header; 0 of an unknown one [bytes].
uint32_t link_fields_size(uint32_t type);

// Set and get a number of a message.
void link_field_put(const struct link_field *field, struct link_message *message, uint64_t value);
uint64_t link_field_get(const struct link_field *field, const struct link_message *message);

// Make a valid message of a type of what draw() returns, 64 random bits at a time: all other bytes
// are random.
void link_fields_draw(uint32_t type, uint64_t (*draw)(void), struct link_message *message);

// Send bytes, and a descriptor `num` times, at most LINK_MAX_SENT, as no caller of the link can.
enum { LINK_MAX_SENT = 8 };
bool link_send_raw(int socket, const void *bytes, size_t size, int fd, int num);

// Is a packet of that many bytes a valid message?
bool link_fields_judge(const struct link_message *message, size_t size);
