// SPDX-License-Identifier: MIT
// A fake layer: a program that speaks to the recorder as the layer does, without a device. Its
// frames are flat colours, which say their number.
#include "fake_layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <weir/encode.h>

enum { ANSWER_MS = 5000 };

void fake_layer_send(struct fake_layer *layer, uint32_t type, struct link_message *message)
{
    if (layer->socket >= 0 && link_send(layer->socket, type, message, -1) == LINK_CLOSED) {
        close(layer->socket);
        layer->socket = -1;
    }
}

bool fake_layer_connect(struct fake_layer *layer, const struct fake_options *options)
{
    const char *path = getenv(LINK_SOCKET_VARIABLE);
    *layer = (struct fake_layer){.options = options, .socket = -1};
    layer->socket = path ? link_connect(path) : -1;
    struct link_message message = {.hello = {.version = LINK_VERSION,
                                             .process = (uint32_t)getpid(),
                                             .program = "fake",
                                             .device = "none",
                                             .release = "0"}};
    fake_layer_send(layer, LINK_HELLO, &message);
    fake_layer_read(layer, ANSWER_MS);
    return layer->socket >= 0;
}

static struct fake_window *find(struct fake_layer *layer, uint32_t stream)
{
    for (uint32_t i = 0; i < FAKE_MAX_WINDOWS; i++) {
        if (layer->windows[i].has_stream && layer->windows[i].stream == stream) {
            return &layer->windows[i];
        }
    }
    return NULL;
}

static void take(struct fake_layer *layer, const struct link_message *message, int fd)
{
    struct fake_window *window;
    switch (message->type) {
    case LINK_SETUP:
        layer->setup = message->setup;
        layer->is_recording = message->setup.is_recording != 0;
        break;
    case LINK_RECORD:
        layer->is_recording = message->record.is_recording != 0;
        layer->is_watched = message->record.is_watched != 0;
        break;
    case LINK_ACCEPT:
        window = find(layer, message->accept.stream);
        if (window) {
            window->accept = message->accept;
            window->memory = link_memory_map(fd, &window->accept);
            window->is_accepted = window->memory != NULL;
        }
        close(fd);
        break;
    case LINK_REFUSE:
        window = find(layer, message->refuse.stream);
        if (window) {
            window->is_refused = true;
        }
        printf("refused: %s\n", message->refuse.reason);
        break;
    case LINK_RELEASE:
        window = find(layer, message->release.stream);
        if (window && message->release.slot < LINK_MAX_SLOTS) {
            window->is_used[message->release.slot] = false;
        }
        break;
    default:
        break;
    }
}

void fake_layer_read(struct fake_layer *layer, int timeout_ms)
{
    struct link_message message;
    int fd;
    while (layer->socket >= 0) {
        const enum link_result result = link_receive(layer->socket, timeout_ms, &message, &fd);
        if (result == LINK_AGAIN) {
            return;
        }
        if (result != LINK_OK) {
            close(layer->socket);
            layer->socket = -1;
            return;
        }
        take(layer, &message, fd);
        timeout_ms = 0;
    }
}

void fake_layer_begin_stream(struct fake_layer *layer, uint32_t window, uint32_t width,
                             uint32_t height)
{
    struct fake_window *w = &layer->windows[window];
    *w = (struct fake_window){.stream = layer->next_stream++, .has_stream = true};
    struct link_message message = {.stream = {.stream = w->stream,
                                              .width = width,
                                              .height = height,
                                              .format = layer->options->format,
                                              .color_space = layer->options->color_space,
                                              .preview_width = layer->setup.preview > 0 ? 50 : 0,
                                              .preview_height = layer->setup.preview > 0 ? 30 : 0,
                                              .window = 1000 + window + layer->num_gone}};
    fake_layer_send(layer, LINK_STREAM, &message);
    while (layer->socket >= 0 && !w->is_accepted && !w->is_refused) {
        fake_layer_read(layer, ANSWER_MS);
    }
}

void fake_layer_end_stream(struct fake_layer *layer, uint32_t window)
{
    struct fake_window *w = &layer->windows[window];
    struct link_message message = {.end = {.stream = w->stream}};
    fake_layer_send(layer, LINK_END, &message);
    link_memory_unmap(w->memory, &w->accept);
    *w = (struct fake_window){.has_stream = false};
}

// A block of BC1 of one colour: red says the number modulo 32, green its next bits, blue the
// window.
static void write_bc1(uint8_t *block, uint32_t number, uint32_t window)
{
    const uint32_t code = (number & 31) << 11 | (number >> 5 & 63) << 5 | (window & 31);
    const uint8_t bytes[8] = {(uint8_t)code, (uint8_t)(code >> 8), (uint8_t)code,
                              (uint8_t)(code >> 8)};
    memcpy(block, bytes, sizeof(bytes));
}

// A block of BC3 whose alpha, the brightness of HAP Q, is the number; without colour.
static void write_bc3(uint8_t *block, uint32_t number)
{
    const uint8_t bytes[16] = {
        (uint8_t)number, (uint8_t)number, 0, 0, 0, 0, 0, 0, 0, 0x84, 0, 0x84};
    memcpy(block, bytes, sizeof(bytes));
}

static void write_frame(const struct fake_layer *layer, const struct fake_window *window,
                        uint32_t slot, uint32_t number, uint32_t index)
{
    const struct link_accept *accept = &window->accept;
    uint8_t *memory = window->memory + slot * accept->slot_size;
    uint8_t *at = memory + accept->offsets[0];
    const bool is_bc1 = layer->setup.codecs[0] == (uint32_t)WEIR_CODEC_BC1;
    for (uint64_t i = 0; i < accept->sizes[0]; i += is_bc1 ? 8 : 16) {
        if (is_bc1) {
            write_bc1(at + i, number, index);
        } else {
            write_bc3(at + i, number);
        }
    }
    for (uint64_t i = 0; i < accept->sizes[LINK_PREVIEW]; i += 8) {
        write_bc1(memory + accept->offsets[LINK_PREVIEW] + i, number, index);
    }
}

static uint32_t find_slot(const struct fake_window *window)
{
    for (uint32_t i = 0; i < window->accept.num_slots; i++) {
        if (!window->is_used[i]) {
            return i;
        }
    }
    return LINK_NO_SLOT;
}

// For tests, which wait for it.
static void say(const char *what)
{
    puts(what);
    fflush(stdout);
}

void fake_layer_present(struct fake_layer *layer, uint32_t window, uint32_t number, int64_t time_ns)
{
    struct fake_window *w = &layer->windows[window];
    fake_layer_read(layer, 0);
    layer->num_presented++;
    if (layer->socket < 0 || !layer->is_recording || !w->is_accepted) {
        if (!layer->has_left_out) {
            say("a frame is not recorded");
        }
        layer->has_left_out = true;
        return;
    }
    const uint32_t every = layer->options->every_lost;
    const bool is_lost = every > 0 && number % every == every - 1;
    uint32_t slot = is_lost ? LINK_NO_SLOT : find_slot(w);
    while (!is_lost && slot == LINK_NO_SLOT && layer->setup.policy == LINK_WAIT &&
           layer->socket >= 0) {
        fake_layer_read(layer, ANSWER_MS);
        slot = find_slot(w);
    }
    if (slot != LINK_NO_SLOT) {
        write_frame(layer, w, slot, number, window);
        w->is_used[slot] = true;
    }
    layer->num_sent++;
    if (slot == LINK_NO_SLOT && layer->num_lost++ == 0) {
        say("a frame is lost");
    }
    struct link_message message = {.frame = {.stream = w->stream,
                                             .slot = slot,
                                             .number = w->num_sent++,
                                             .time_ns = time_ns,
                                             .has_preview = layer->is_watched}};
    fake_layer_send(layer, LINK_FRAME, &message);
}
