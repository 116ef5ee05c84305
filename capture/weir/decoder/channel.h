// SPDX-License-Identifier: MIT
// What the program and the process that decodes for it say to each other, over sockets. A message
// is a struct of fixed size and bytes that follow it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/audio.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/files/picture/picture.h"
#include "capture/files/source/audio.h"
#include "capture/files/source/source.h"

// Of a request, and of its reply. The first socket has those up to CHANNEL_AUDIO, in which a socket
// of its own goes along with a frame and with the audio. One request of a socket at a time.
enum channel_type {
    CHANNEL_START, // what the process may read: paths. No reply, as of CHANNEL_DEEP
    CHANNEL_LOG,   // before a reply: a message for the user
    CHANNEL_PICTURE,
    CHANNEL_SOURCE,
    CHANNEL_DEEP, // give out 16 bits
    CHANNEL_FRAME,
    CHANNEL_TAKE,
    CHANNEL_AUDIO,
    CHANNEL_CONVERT,        // of the socket of a frame
    CHANNEL_AUDIO_READ,     // of the socket of the audio
    CHANNEL_AUDIO_END_VIDEO // the same; no reply
};

// Limits of what follows a reply [bytes].
enum { CHANNEL_MAX_TEXT = 8192, CHANNEL_MAX_BYTES = 64 << 20 };

struct channel_message {
    uint32_t type;
    int32_t result; // of a reply
    uint64_t size;  // of the bytes that follow, beside the texels of a picture
    union {
        uint64_t max_memory;
        uint32_t severity;
        struct {
            struct weir_memory_use memory;
            struct weir_still_params still;
        } wanted; // of a picture
        struct weir_picture picture;
        struct weir_source_params params; // without pointers
        struct {
            struct weir_source_info info;    // the same
            char name[CHANNEL_MAX_TEXT / 4]; // of the source
        } source;
        struct channel_take {
            uint32_t frame; // of the request: frames are numbered from 0 on
            uint32_t is_end;
            int64_t time_ns;
            struct weir_source_counts counts;
        } take;
        struct {
            uint64_t pitch, size; // of the memory of a frame [bytes]
        } convert;
        struct channel_audio {
            int64_t zero_ns; // of the request, with the next two
            uint32_t is_apart, is_part;
            uint32_t num_tracks;
            struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS];
        } audio;
        struct channel_block {
            uint32_t is_end;
            struct weir_audio_block audio; // whose samples follow
        } block;
        int64_t end_ns;
    };
};

enum { CHANNEL_MAX_DESCRIPTORS = 2 };

// Send a message and the message->size bytes behind it, with descriptors. False: the other end is
// gone.
bool channel_send(int socket, const struct channel_message *message, const void *bytes,
                  const int *descriptors, uint32_t num_descriptors);
bool channel_send_bytes(int socket, const void *bytes, size_t size);

// Receive `size` bytes, and up to CHANNEL_MAX_DESCRIPTORS descriptors, or -1, where that is not
// NULL. `wait` is called before each part, and ends it with false; it may be NULL.
bool channel_receive(int socket, void *bytes, size_t size, int *descriptors, bool (*wait)(int));
