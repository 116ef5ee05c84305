// SPDX-License-Identifier: MIT
// What a broken or hostile layer does.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fake_layer.h"

enum { FLOOD = 20000 };

static void send_frame(struct fake_layer *layer, uint32_t slot, int64_t time_ns)
{
    struct link_message message = {.frame = {.stream = layer->windows[0].stream,
                                             .slot = slot,
                                             .number = layer->windows[0].num_sent++,
                                             .time_ns = time_ns}};
    fake_layer_send(layer, LINK_FRAME, &message);
}

static void bad_slot(struct fake_layer *layer)
{
    send_frame(layer, layer->windows[0].accept.num_slots, 1);
}

static void slot_twice(struct fake_layer *layer)
{
    for (int i = 0; i < 1000; i++) { // faster than the capture gives it back
        send_frame(layer, 0, i);
    }
}

static void after_end(struct fake_layer *layer)
{
    const uint32_t stream = layer->windows[0].stream;
    send_frame(layer, 0, 1);
    fake_layer_end_stream(layer, 0);
    layer->windows[0].stream = stream;
    send_frame(layer, 1, 2);
}

static void stream_twice(struct fake_layer *layer)
{
    struct link_message message = {
        .stream = {.stream = layer->windows[0].stream, .width = 8, .height = 8, .format = 44}};
    fake_layer_send(layer, LINK_STREAM, &message);
}

static void number_twice(struct fake_layer *layer)
{
    send_frame(layer, 0, 1);
    layer->windows[0].num_sent = 0;
    send_frame(layer, 1, 2);
}

static void number_far(struct fake_layer *layer)
{
    send_frame(layer, 0, 1);
    layer->windows[0].num_sent = UINT64_MAX;
    send_frame(layer, 1, INT64_MAX);
}

// One more than may be open, with the one that is.
static void many_streams(struct fake_layer *layer)
{
    for (uint32_t i = 0; i < LINK_MAX_STREAMS; i++) {
        struct link_message message = {
            .stream = {.stream = 1000 + i, .width = 8, .height = 8, .format = 44}};
        fake_layer_send(layer, LINK_STREAM, &message);
    }
}

static void hello_twice(struct fake_layer *layer)
{
    struct link_message message = {.hello = {.version = LINK_VERSION, .program = "again"}};
    fake_layer_send(layer, LINK_HELLO, &message);
}

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

static void of_recorders(struct fake_layer *layer)
{
    struct link_message message = {.release = {.stream = 0}};
    fake_layer_send(layer, LINK_RELEASE, &message);
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
        struct link_message message = {
            .stream = {.stream = 60 + i, .width = 64, .height = 64, .format = 44, .window = i}};
        send_surely(layer, LINK_STREAM, &message);
        send_surely(layer, LINK_END, &(struct link_message){.end = {.stream = 60 + i}});
    }
}

static void talk(struct fake_layer *layer)
{
    for (uint32_t i = 0; i < 1000; i++) {
        struct link_message message = {.say = {.text = "\033[31mred\nline"}};
        fake_layer_send(layer, LINK_SAY, &message);
    }
}

static void times(struct fake_layer *layer)
{
    static const int64_t times_ns[] = {INT64_MAX, 0, INT64_MIN, 5, INT64_MAX, 1000000000, 1};
    for (uint32_t i = 0; i < sizeof(times_ns) / sizeof(times_ns[0]); i++) {
        send_frame(layer, i % layer->windows[0].accept.num_slots, times_ns[i]);
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

static const struct {
    const char *name;
    void (*run)(struct fake_layer *layer);
} kinds[] = {
    {"bad_slot", bad_slot},
    {"slot_twice", slot_twice},
    {"after_end", after_end},
    {"stream_twice", stream_twice},
    {"number_twice", number_twice},
    {"number_far", number_far},
    {"many_streams", many_streams},
    {"hello_twice", hello_twice},
    {"garbage", garbage},
    {"size_lies", size_lies},
    {"of_recorders", of_recorders},
    {"large", large},
    {"flood", flood},
    {"talk", talk},
    {"times", times},
    {"silent", silent},
};

bool fake_hostile_run(struct fake_layer *layer, const char *what)
{
    struct fake_layer other;
    if (!fake_layer_connect(&other, layer->options)) {
        return false;
    }
    fake_layer_begin_stream(&other, 0, 64, 48);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].name, what) == 0) {
            kinds[i].run(&other);
            // This connection stays as it is; the program's own goes on beside it.
            return true;
        }
    }
    fprintf(stderr, "e2e_fake_layer: no hostile %s\n", what);
    return false;
}
