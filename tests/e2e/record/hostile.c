// SPDX-License-Identifier: MIT
// What a broken or hostile layer does.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "fake_layer.h"

enum { FLOOD = 20000, MAX_SENDS = 8, B8G8R8A8_UNORM = 44 };

static void garbage(struct fake_layer *layer)
{
    static const char bytes[64] = "this is no message";
    (void)!send(layer->socket, bytes, sizeof(bytes), MSG_NOSIGNAL);
}

static void size_lies(struct fake_layer *layer)
{
    struct link_message message = {.type = LINK_END, .size = sizeof(message)};
    (void)!send(layer->socket, &message, 16, MSG_NOSIGNAL);
}

// Streams of the largest size: memory for those that there is none for is refused.
static void large(struct fake_layer *layer)
{
    for (uint32_t i = 1; i < FAKE_MAX_WINDOWS; i++) {
        fake_layer_begin_stream(layer, i, 65535, 65535);
    }
}

static void send_surely(struct fake_layer *layer, uint32_t type, struct link_message *message)
{
    while (link_send(layer->socket, type, message, -1) == LINK_AGAIN) {
        poll(NULL, 0, 1);
    }
}

// Begins and ends streams, and reads nothing.
static void flood(struct fake_layer *layer)
{
    for (uint32_t i = 0; i < FLOOD; i++) {
        struct link_message message = {.stream = {.stream = 60 + i,
                                                  .width = 64,
                                                  .height = 64,
                                                  .format = B8G8R8A8_UNORM,
                                                  .window = i}};
        send_surely(layer, LINK_STREAM, &message);
        send_surely(layer, LINK_END, &(struct link_message){.end = {.stream = 60 + i}});
    }
}

static void silent(struct fake_layer *layer)
{
    const char *path = getenv(LINK_SOCKET_VARIABLE);
    for (int i = 0; i < 100; i++) { // more than the recorder takes
        (void)!link_connect(path);
    }
    (void)layer;
}

// A message of a type, so many times; streams and frames have the next number each time. The stream
// that is open has the number 0.
struct send {
    uint32_t type, times;
    struct link_message message;
};
// clang-format off
#define FRAME(slot_, number_, time_) \
    {LINK_FRAME, 1, {.frame = {.slot = slot_, .number = number_, .time_ns = time_}}}
#define STREAMS(first, times_) \
    {LINK_STREAM, times_, \
     {.stream = {.stream = first, .width = 8, .height = 8, .format = B8G8R8A8_UNORM}}}
// clang-format on

static const struct kind {
    const char *name;
    struct send sends[MAX_SENDS];
    void (*run)(struct fake_layer *layer);
} kinds[] = {
    {"bad_slot", {FRAME(LINK_MAX_SLOTS - 1, 0, 1)}, NULL},
    {"slot_twice", {{LINK_FRAME, 1000, {.frame = {.slot = 0}}}}, NULL}, // faster than it is free
    {"after_end", {FRAME(0, 0, 1), {LINK_END, 1, {.end = {0}}}, FRAME(1, 1, 2)}, NULL},
    {"stream_twice", {STREAMS(0, 1)}, NULL},
    {"number_twice", {FRAME(0, 0, 1), FRAME(1, 0, 2)}, NULL},
    {"number_far", {FRAME(0, 0, 1), FRAME(1, UINT64_MAX, INT64_MAX)}, NULL},
    {"many_streams", {STREAMS(1000, LINK_MAX_STREAMS)}, NULL}, // and the one that is open
    {"hello_twice",
     {{LINK_HELLO, 1, {.hello = {.version = LINK_VERSION, .program = "again"}}}},
     NULL},
    {"garbage", {{0}}, garbage},
    {"size_lies", {{0}}, size_lies},
    {"of_recorders", {{LINK_RELEASE, 1, {.release = {0}}}}, NULL},
    {"large", {{0}}, large},
    {"flood", {{0}}, flood},
    {"talk", {{LINK_SAY, 1000, {.say = {.text = "\033[31mred\nline"}}}}, NULL},
    {"times",
     {FRAME(0, 0, INT64_MAX), FRAME(1, 1, 0), FRAME(2, 2, INT64_MIN), FRAME(3, 3, 5),
      FRAME(4, 4, INT64_MAX), FRAME(5, 5, 1000000000), FRAME(6, 6, 1)},
     NULL},
    {"silent", {{0}}, silent},
};

static void send_all(struct fake_layer *layer, const struct send *sends)
{
    for (const struct send *s = sends; s < sends + MAX_SENDS; s++) {
        struct link_message message = s->message;
        for (uint32_t i = 0; i < s->times; i++) {
            if (s->type == LINK_STREAM) {
                message.stream.stream = s->message.stream.stream + i;
            } else if (s->type == LINK_FRAME) {
                message.frame.number = s->message.frame.number + i;
                message.frame.time_ns = s->message.frame.time_ns + i;
            }
            fake_layer_send(layer, s->type, &message);
        }
    }
}

bool fake_hostile_run(struct fake_layer *layer, const char *what)
{
    struct fake_layer other;
    if (!fake_layer_connect(&other, layer->options)) {
        return false;
    }
    fake_layer_begin_stream(&other, 0, 64, 48);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].name, what) == 0) {
            send_all(&other, kinds[i].sends);
            if (kinds[i].run) {
                kinds[i].run(&other);
            }
            // This connection stays as it is; the program's own goes on beside it.
            return true;
        }
    }
    fprintf(stderr, "e2e_fake_layer: no hostile %s\n", what);
    return false;
}
