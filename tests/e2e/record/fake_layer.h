// SPDX-License-Identifier: MIT
// What a fake layer is: a program that speaks to the recorder as the layer does, without a device.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/link/link.h"

enum { FAKE_MAX_WINDOWS = 8 };

// What the program is told by its arguments.
struct fake_options {
    uint32_t frames, fps, windows, every_lost; // every_lost: one of so many has no slot. 0 = none
    uint32_t width, height;
    uint32_t resized_width, resized_height; // from half of the frames on. 0 = it keeps its size
    uint32_t format, color_space;
    uint32_t status, signal; // how it ends: exit, or a signal in the middle
    uint32_t is_fast;        // does not wait for the time of a frame
    uint32_t child_frames;   // a child process records so many, after this one has ended. 0 = none
    uint32_t idle_ms;        // presents nothing for so long at its end, and says when that was
    uint32_t is_gone;        // has no window meanwhile
    uint32_t is_new_each;    // each frame is of another window
    const char *until;       // presents until a file of that name is there. NULL = all frames
    const char *without;     // "link" or "window", which it does not have then
    const char *hostile;     // what it does that is not allowed
};

// A window, with the stream that it has now.
struct fake_window {
    uint32_t stream;
    bool has_stream, is_accepted, is_refused;
    struct link_accept accept;
    uint8_t *memory;
    bool is_used[LINK_MAX_SLOTS];
    uint64_t num_sent;
};

struct fake_layer {
    const struct fake_options *options;
    int socket; // -1: it goes on without a recorder
    bool is_recording, is_watched;
    struct link_setup setup;
    uint32_t next_stream, num_gone; // num_gone: windows before these
    struct fake_window windows[FAKE_MAX_WINDOWS];
    uint64_t num_presented, num_sent, num_lost; // frames, and those without a slot
    bool has_left_out;                          // presented a frame that is not recorded
};

// Connect and say hello. False: there is no recorder.
bool fake_layer_connect(struct fake_layer *layer, const struct fake_options *options);
// Send a message; where that fails, the layer goes on without a recorder.
void fake_layer_send(struct fake_layer *layer, uint32_t type, struct link_message *message);
// Take the messages that have come, and wait so long for the first.
void fake_layer_read(struct fake_layer *layer, int timeout_ms);
// Begin a stream of a window, and wait for the answer.
void fake_layer_begin_stream(struct fake_layer *layer, uint32_t window, uint32_t width,
                             uint32_t height);
void fake_layer_end_stream(struct fake_layer *layer, uint32_t window);
// Present a frame: `number` is what its colour says.
void fake_layer_present(struct fake_layer *layer, uint32_t window, uint32_t number,
                        int64_t time_ns);

// Do what is not allowed. False: there is nothing of that name.
bool fake_hostile_run(struct fake_layer *layer, const char *what);
