// SPDX-License-Identifier: MIT
// Boxes of a QuickTime movie, a size, a type and the payload: written to memory, and read from a
// file that may be damaged.
//
// Source: QuickTime File Format Specification (Apple); ISO/IEC 14496-12.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where the bytes come from.
struct weir_view_source {
    // Read `size` bytes at `offset`, which lie in the file. False: they cannot be read.
    bool (*read)(void *user, uint64_t offset, uint8_t *bytes, size_t size);
    // True if no read will succeed any more, as nobody waits for the result. May be NULL.
    bool (*has_ended)(void *user);
    void *user;
    uint64_t size; // of the file [bytes]
};

// A view of the bytes of a file, read a window at a time. What cannot be read is answered as such,
// which a mapping into memory does not do.
struct weir_view {
    struct weir_view_source source;
    uint8_t *window;
    size_t room;    // of the window [bytes]
    uint64_t begin; // of what is in the window
    size_t filled;  // [bytes]
    bool failed;    // something could not be read
    uint64_t work;  // bytes that were read, and some for each call
};

// Make a view that reads `room` bytes at a time. False: out of memory.
bool weir_view_init(struct weir_view *view, const struct weir_view_source *source, size_t room);
void weir_view_finish(struct weir_view *view);

// Get `size` bytes at `offset`, valid until the next call. NULL: they do not lie in the file,
// cannot be read, or are more than `room`.
const uint8_t *weir_view_at(struct weir_view *view, uint64_t offset, size_t size);

// Get as many bytes at `offset` as can be read at once, at most `room`; `size` gets how many. NULL:
// the next `size` bytes cannot be read; where the source has ended these are all that are left.
// `offset` lies in the file.
const uint8_t *weir_view_stretch(struct weir_view *view, uint64_t offset, size_t *size);

// True if a search that has come to `at` may look closer: so far it has read less than a fixed
// number of bytes for each byte of the file. Whatever a file contains, its search takes linear time
// then. Set view->work to 0 where the search begins.
bool weir_view_affords(const struct weir_view *view, uint64_t at);

// Types are text of four characters; as a number one is this.
#define WEIR_BOX(type) weir_boxes_read_u32((const uint8_t *)(type))

// A buffer of `room` bytes. A write beyond its end is left out and sets `overflow`.
struct weir_boxes {
    uint8_t *bytes;
    size_t size, room;
    bool overflow;
};

// Append bytes or a number, which is written big-endian.
void weir_boxes_u16(struct weir_boxes *boxes, uint32_t value);
void weir_boxes_u32(struct weir_boxes *boxes, uint32_t value);
void weir_boxes_u64(struct weir_boxes *boxes, uint64_t value);
void weir_boxes_zeros(struct weir_boxes *boxes, uint32_t num_words); // of 32 bits
void weir_boxes_copy(struct weir_boxes *boxes, const uint8_t *bytes, size_t size);

// Change a number that was appended at `at`.
void weir_boxes_set_u32(struct weir_boxes *boxes, size_t at, uint32_t value);

// Begin a box, and end it with the place that weir_boxes_begin() returned, which fills in its size.
size_t weir_boxes_begin(struct weir_boxes *boxes, const char *type);
void weir_boxes_end(struct weir_boxes *boxes, size_t begin);

// Begin a full box of version 0 without flags.
size_t weir_boxes_begin_full(struct weir_boxes *boxes, const char *type);

// Append a box of numbers of 32 bits. A full box begins with its version and flags.
#define weir_boxes_numbers(boxes, type, ...)                                                       \
    weir_boxes_append(boxes, type, (const uint32_t[]){__VA_ARGS__},                                \
                      sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
void weir_boxes_append(struct weir_boxes *boxes, const char *type, const uint32_t *numbers,
                       size_t num);

// Get the size of a box "free" that begins at `offset` and ends at a multiple of `block`: 0, or at
// least 8 [bytes].
uint32_t weir_boxes_padding(uint64_t offset, uint32_t block);

uint32_t weir_boxes_read_u32(const uint8_t *bytes);
uint16_t weir_boxes_read_u16(const uint8_t *bytes);
uint64_t weir_boxes_read_u64(const uint8_t *bytes);

// True if a type is one of these, which have a space between them.
bool weir_box_is(uint32_t type, const char *types);

// A box in a file: where it begins, where its payload does, and where it ends.
struct weir_box {
    uint32_t type;
    uint64_t begin, payload, end;
};

// Read the head of the box at `at`. A size of 0 is one up to `limit`. The box may end behind
// `limit`, as in a file that was cut. False: no box can begin there.
bool weir_box_read(struct weir_view *view, uint64_t at, uint64_t limit, struct weir_box *box);

// Find the first box of a type in a row of boxes from `at` to `limit`. False: there is none, or the
// row breaks before it.
bool weir_box_find(struct weir_view *view, uint64_t at, uint64_t limit, const char *type,
                   struct weir_box *box);

// Find the first box of a type in another one. False: as for weir_box_find().
bool weir_box_find_in(struct weir_view *view, const struct weir_box *parent, const char *type,
                      struct weir_box *box);

// Find it, and get the first `size` bytes of its payload. `box` may be NULL. Returns NULL if
// there is none, or it is shorter, or cannot be read.
const uint8_t *weir_box_open(struct weir_view *view, const struct weir_box *parent,
                             const char *type, size_t size, struct weir_box *box);

// Find the first description of samples in a box stbl, and get its first `size` bytes, with the
// head of its box. NULL: as for weir_box_open().
const uint8_t *weir_box_open_description(struct weir_view *view, const struct weir_box *stbl,
                                         size_t size, struct weir_box *entry);
