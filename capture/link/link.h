// SPDX-License-Identifier: MIT
// The link: what the layer in a program and the recorder in another process say to each other, over
// a socket of the type SOCK_SEQPACKET. A message is one packet: a header and one of the structs
// below. Both sides trust nothing that they receive.
//
//   layer      recorder
//   HELLO  ──>             which program this is
//          <──  SETUP      what to encode, and how; RECORD says from when on
//   STREAM ──>             a swapchain: its size and format
//          <──  ACCEPT     memory for its frames (a file descriptor), or REFUSE
//   FRAME  ──>             a slot of that memory has a frame, or a frame was dropped
//          <──  RELEASE    the slot is free again
//   END    ──>             the swapchain is gone; its frames stay valid
//
// All numbers are little endian on every machine that has Vulkan layers; structs have the same
// layout for programs of 32 and of 64 bits.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Both sides have the same, or do not talk.
#define LINK_VERSION 2u
// The environment variable with the path of the recorder's socket.
#define LINK_SOCKET_VARIABLE "WEIR_RECORD_SOCKET"

enum {
    LINK_MAX_TEXTURES = 2,
    LINK_PREVIEW = LINK_MAX_TEXTURES, // the part of a slot behind the textures
    LINK_NUM_PARTS,
    LINK_MAX_PREVIEW = 1024, // longest side [texels]
    LINK_MAX_LEVEL = 4,
    LINK_MAX_RESIZE = 2,
    LINK_MAX_SLOTS = 64,
    LINK_MAX_STREAMS = 64, // of a connection, at one time
    LINK_TEXT_SIZE = 256,  // with the 0 at its end
    LINK_ALIGNMENT = 4096, // of slots in the memory [bytes]
};

enum link_type {
    LINK_HELLO = 1,   // from the layer
    LINK_STREAM = 2,  // from the layer
    LINK_FRAME = 3,   // from the layer
    LINK_END = 4,     // from the layer
    LINK_SAY = 5,     // from the layer
    LINK_SETUP = 16,  // from the recorder
    LINK_RECORD = 17, // from the recorder
    LINK_ACCEPT = 18, // from the recorder, with one file descriptor
    LINK_REFUSE = 19, // from the recorder
    LINK_RELEASE = 20 // from the recorder
};

// The first message of a layer.
struct link_hello {
    uint32_t version; // LINK_VERSION
    uint32_t process; // its number, for people
    char program[LINK_TEXT_SIZE];
    char device[LINK_TEXT_SIZE];
    char release[LINK_TEXT_SIZE]; // of the layer, as weir_version() says it
};

enum link_policy { LINK_DROP = 0, LINK_WAIT = 1 };

// The first answer of the recorder. Textures are encoded one by one, as encoders of <weir/encode.h>
// that are made of these numbers do it.
struct link_setup {
    uint32_t version; // LINK_VERSION
    uint32_t num_textures;
    uint32_t codecs[LINK_MAX_TEXTURES]; // enum weir_codec
    uint32_t effort;                    // enum weir_effort
    uint32_t decoder;                   // enum weir_decoder_model
    uint32_t steady, no_dither;         // 0 or 1
    uint32_t policy;                    // enum link_policy
    uint32_t num_slots;                 // 2 .. LINK_MAX_SLOTS
    uint32_t is_recording;              // 0 or 1: from the first frame on
    uint32_t is_linear;                 // 1: only images of half floats are recorded, as they are
    uint32_t every;                     // of frames, one of so many is recorded; 1 = all
    uint32_t level;                     // of the frames' pyramids that is recorded, 0 .. 4
    uint32_t resize;                    // enum weir_resize; NEW with a level
    uint32_t
        preview; // small pictures of frames, in BC1, are no longer than that; 0: there are none
};

// What is wanted from the next frame on.
struct link_record {
    uint32_t is_recording; // 0 or 1
    uint32_t is_watched;   // 0 or 1: some frames are to have small pictures
};

// A swapchain. `stream` counts those of the connection, from 0 on, and is not used again. At most
// LINK_MAX_STREAMS are open at a time, more are refused.
struct link_stream {
    uint32_t stream;                        // above those before it
    uint32_t width, height;                 // of what is recorded, 1 .. 65535 [texels]
    uint32_t format;                        // VkFormat
    uint32_t color_space;                   // VkColorSpaceKHR
    uint32_t preview_width, preview_height; // of the small picture; 0: there is none [texels]
    uint32_t unused;
    uint64_t window; // the same for all swapchains of a window
};

// Memory for the frames of a stream comes with this message: a file that is sealed against
// shrinking and growing. Slot s begins at s * slot_size.
struct link_accept {
    uint32_t stream;
    uint32_t num_slots;               // 2 .. LINK_MAX_SLOTS
    uint64_t slot_size;               // a multiple of LINK_ALIGNMENT [bytes]
    uint64_t offsets[LINK_NUM_PARTS]; // of textures, and the small picture, in a slot [bytes]
    uint64_t sizes[LINK_NUM_PARTS];   // as encoders write them; 0: there is none [bytes]
};

// The stream is not recorded.
struct link_refuse {
    uint32_t stream;
    uint32_t unused;
    char reason[LINK_TEXT_SIZE];
};

#define LINK_NO_SLOT UINT32_MAX

// A frame, in the order in which frames were presented.
struct link_frame {
    uint32_t stream;
    uint32_t slot;        // LINK_NO_SLOT: the frame was dropped, since no slot was free
    uint64_t number;      // of the stream's frames while it was recorded, from 0 on
    int64_t time_ns;      // when it was presented, by CLOCK_MONOTONIC
    uint64_t gpu_ns;      // of its encoding; 0 if unknown
    uint32_t has_preview; // 0 or 1: the slot has its small picture too
    uint32_t unused;
};

struct link_release {
    uint32_t stream;
    uint32_t slot;
};

struct link_end {
    uint32_t stream;
    uint32_t unused;
};

// Something that people should read: why a window is not recorded, for instance.
struct link_say {
    uint32_t is_error; // 0 or 1
    uint32_t unused;
    char text[LINK_TEXT_SIZE];
};

// A message of any type.
struct link_message {
    uint32_t type; // enum link_type
    uint32_t size; // of this message, with this header [bytes]
    union {
        struct link_hello hello;
        struct link_setup setup;
        struct link_record record;
        struct link_stream stream;
        struct link_accept accept;
        struct link_refuse refuse;
        struct link_frame frame;
        struct link_release release;
        struct link_end end;
        struct link_say say;
    };
};

enum link_result {
    LINK_OK = 0,
    LINK_AGAIN = 1,   // nothing came within the time, or there is no room for a message
    LINK_CLOSED = -1, // the other side is gone
    LINK_BROKEN = -2, // what came is no message, or says what is not allowed
};

// Send a message of a type; the header is filled in. `fd` goes with it, -1 = none. Never blocks,
// raises no signal. Thread safety: any thread, one message at a time goes out.
enum link_result link_send(int socket, uint32_t type, struct link_message *message, int fd);

// Receive a message that is well formed and valid: every number in it is within the range that is
// stated above, and every text ends with 0. Waits for at most `timeout_ms`, -1 = without end, 0 =
// not at all. `*fd` becomes the file descriptor of LINK_ACCEPT, which the caller closes, else -1.
// One that comes with another message is closed, and the message is broken.
enum link_result link_receive(int socket, int timeout_ms, struct link_message *message, int *fd);

// True if a message of that size and contents is valid, as link_receive() checks it. Pure.
bool link_is_valid(const struct link_message *message, uint32_t size);

// Make memory for the frames of a stream by `accept`, of which num_slots and slot_size are set:
// sealed, and given to no other program by exec. Returns its file descriptor, or -1 with errno.
int link_memory_create(const struct link_accept *accept);

// Map memory that was received or made, after a check that its size is that of `accept` and that it
// is sealed against shrinking and growing. NULL, with errno, where it is not, or cannot be mapped.
void *link_memory_map(int fd, const struct link_accept *accept);
void link_memory_unmap(void *memory, const struct link_accept *accept);

// Connect to the recorder's socket. Returns it, or -1 with errno. Never waits longer than a second.
int link_connect(const char *path);

// Make the recorder's socket, at a path that does not exist yet, for this user only, and listen.
// Returns it, or -1 with errno.
int link_listen(const char *path);

// Take a connection of a program of the same user; of others none is taken. Returns it, or -1 with
// errno (EAGAIN: nobody is there, EACCES: another user).
int link_accept_connection(int socket);

// A descriptor in the process of a program that may close it, and open a file of its own under that
// number. Check before each use that it is held.
struct link_descriptor {
    int fd;                 // -1: none
    uint64_t device, inode; // of what it was
};

// Note what a descriptor is; -1 is allowed.
struct link_descriptor link_hold(int fd);
// True if it still is that.
bool link_is_held(const struct link_descriptor *descriptor);
// Close it, unless it is another file by now. It becomes none.
void link_drop(struct link_descriptor *descriptor);

// Take a descriptor and answer one of at least 512 in its place, or of at least 3 where the limit
// is lower; -1 with errno. A program has no files of its own there. One that was started without
// standard streams has 0, 1 and 2 free, and what it prints there would go into the link. Passes -1
// through.
int link_raise(int fd);

// True if at least 16 descriptors are free beside this one: the program can spare it.
bool link_has_room(int fd);

// Open the file that says how many filters of system calls a process has. -1: there is none.
int link_filter_open(int process);
// Get a number that is another one when the process has another filter. -1: it is no such file. Its
// only system call is pread(), which does no harm to another file that has got the number.
int link_filter_read(int fd);

// The rest is for the files of the link.

// Memory of one stream is no larger [bytes].
#define LINK_MAX_MEMORY (UINT64_C(16) << 30)

// Get the size of the memory that num_slots and slot_size of `accept` say; 0 where they are not
// allowed [bytes].
uint64_t link_memory_size(const struct link_accept *accept);

// CLOCK_MONOTONIC [ms].
int64_t link_now_ms(void);

// Close a descriptor and keep errno. Returns -1.
int link_fail(int fd);
