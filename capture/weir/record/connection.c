// SPDX-License-Identifier: MIT
// A connection: one layer, of a device of a process, with its streams.
#include "capture/weir/record/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/weir/common/report.h"
#include "capture/weir/record/live/page.h"

enum {
    MAX_MESSAGES = 64,     // that are read at a time
    MAX_LINES = 16,        // that a layer may have printed
    MAX_WINDOWS = 256,     // of a connection; those that are gone make room
    MAX_MISSING = 1000000, // frames that a layer drops in a row without a word
};

struct record_connection *record_connection_create(struct record_recording *recording, int socket,
                                                   uint64_t number)
{
    struct record_connection *connection = calloc(1, sizeof(*connection));
    if (!connection) {
        close(socket);
        return NULL;
    }
    connection->recording = recording;
    connection->number = number;
    connection->socket = socket;
    connection->status = -1;
    connection->since_ns = weir_clock_ns();
    return connection;
}

static void say(struct record_connection *connection, const char *text)
{
    if (connection->num_lines++ < MAX_LINES) {
        cli_report_warning("%s (%" PRIu32 "): %s", connection->program, connection->process, text);
    }
}

// A layer says nothing any more where its program has another filter of system calls.
static void watch_filter(struct record_connection *connection)
{
    const int filter = link_filter_read(connection->status);
    if (filter >= 0 && filter != connection->filter) {
        connection->filter = filter;
        say(connection, "it has filtered its system calls (seccomp) and goes on unrecorded");
    }
}

// Find the place of a stream that is open. NULL: there is none of that number.
static struct record_stream **find_stream(struct record_connection *connection, uint32_t number)
{
    for (uint32_t i = 0; i < LINK_MAX_STREAMS; i++) {
        if (connection->streams[i] && connection->streams[i]->number == number) {
            return &connection->streams[i];
        }
    }
    return NULL;
}

static void end_stream(struct record_connection *connection, struct record_stream **at)
{
    struct record_stream *stream = at ? *at : NULL;
    if (stream) {
        *at = NULL;
        if (--stream->window->num_streams == 0) {
            stream->window->left_ns = (int64_t)weir_clock_ns();
        }
        stream->next = connection->ended;
        connection->ended = stream;
    }
}

void record_connection_close(struct record_connection *connection)
{
    if (connection->socket < 0) {
        return;
    }
    close(connection->socket);
    connection->socket = -1;
    if (connection->status >= 0) {
        close(connection->status);
    }
    for (uint32_t i = 0; i < LINK_MAX_STREAMS; i++) {
        end_stream(connection, &connection->streams[i]);
    }
    record_window_remove_all(connection->recording, connection->number);
}

// A layer that does what is not allowed is not listened to any more. Its movie stays.
static void break_off(struct record_connection *connection, const char *what)
{
    cli_report_warning("the connection of %s (%" PRIu32 ") is closed, and its movies with it: %s",
                       connection->has_hello ? connection->program : "a program",
                       connection->process, what);
    record_connection_close(connection);
}

// What the layer waits for must arrive.
static bool send_now(struct record_connection *connection, uint32_t type,
                     struct link_message *message, int fd)
{
    const enum link_result result = link_send(connection->socket, type, message, fd);
    if (result == LINK_AGAIN) {
        break_off(connection, "it does not read its messages");
    } else if (result != LINK_OK) {
        record_connection_close(connection);
    }
    return result == LINK_OK;
}

static bool is_recorded(const struct record_connection *connection)
{
    return connection->recording->state == RECORD_ON &&
           record_window_any_left(connection->recording, connection->number);
}

static void take_hello(struct record_connection *connection, const struct link_hello *hello)
{
    if (connection->has_hello) {
        break_off(connection, "it introduced itself twice");
        return;
    }
    snprintf(connection->program, sizeof(connection->program), "%s", hello->program);
    connection->process = hello->process;
    if (hello->version != LINK_VERSION) {
        break_off(connection, "its layer is another version of Weir; install both again");
        return;
    }
    connection->has_hello = true;
    connection->status = link_filter_open((int)hello->process);
    connection->filter = link_filter_read(connection->status);
    connection->is_told = is_recorded(connection);
    struct link_message answer = {.setup = connection->recording->settings->setup};
    answer.setup.is_recording = connection->is_told;
    send_now(connection, LINK_SETUP, &answer, -1);
}

static void refuse(struct record_connection *connection, const struct link_stream *facts,
                   const char *reason)
{
    struct link_message answer = {.refuse = {.stream = facts->stream}};
    snprintf(answer.refuse.reason, sizeof(answer.refuse.reason), "%s", reason);
    char text[2 * LINK_TEXT_SIZE];
    snprintf(text, sizeof(text), "a window of %" PRIu32 "x%" PRIu32 " is not recorded: %s",
             facts->width, facts->height, reason);
    say(connection, text);
    send_now(connection, LINK_REFUSE, &answer, -1);
}

static void take_stream(struct record_connection *connection, const struct link_stream *facts)
{
    struct record_recording *recording = connection->recording;
    struct record_stream **room = connection->streams;
    while (room < connection->streams + LINK_MAX_STREAMS && *room) {
        room++;
    }
    if (facts->stream < connection->next_stream) {
        break_off(connection, "it began a stream again");
        return;
    }
    connection->next_stream = facts->stream + 1;
    connection->has_stream = true;
    if (room == connection->streams + LINK_MAX_STREAMS) {
        refuse(connection, facts, "its program shows too many windows at a time");
        return;
    }
    const uint64_t only = recording->settings->window;
    const char *reason = record_settings_refuse(recording->settings, facts);
    if (reason) {
        refuse(connection, facts, reason);
        return;
    }
    struct record_window *window = record_window_get(recording, connection->number, facts->window,
                                                     MAX_WINDOWS);
    if (!window) {
        recording->has_failed = true;
        refuse(connection, facts, "no memory is left for it");
        return;
    }
    if (only != 0 && window->number != only) {
        refuse(connection, facts, "another one is chosen by --window");
        return;
    }
    int fd;
    struct record_stream *stream = record_stream_create(
        recording->settings, facts, recording->most_memory - recording->memory, &fd);
    if (!stream) {
        recording->has_failed = true;
        refuse(connection, facts, "no memory is left for its frames; use fewer --slots");
        return;
    }
    stream->window = window;
    window->num_streams++;
    recording->memory += record_stream_size(stream);
    *room = stream;
    struct link_message answer = {.accept = stream->accept};
    send_now(connection, LINK_ACCEPT, &answer, fd);
    close(fd);
}

// Frames that are missing before this one were dropped, and the layer had no room to say so of
// each: their times lie evenly between. False: there are too many, or the number is one that was
// there.
static bool take_missing(struct record_recording *recording, struct record_stream *stream,
                         const struct link_frame *frame)
{
    const uint64_t num = frame->number - stream->num_frames;
    if (frame->number < stream->num_frames || num > MAX_MISSING) {
        return false;
    }
    const int64_t begin_ns = stream->num_frames > 0 ? stream->last_ns : frame->time_ns;
    const int64_t step_ns = (frame->time_ns - begin_ns) / (int64_t)(num + 1);
    for (uint64_t i = 1; i <= num; i++) {
        const struct link_frame missing = {.slot = LINK_NO_SLOT,
                                           .time_ns = begin_ns + (int64_t)i * step_ns};
        record_frame(recording, stream, &missing, NULL);
    }
    stream->num_frames = frame->number + 1;
    stream->last_ns = frame->time_ns;
    return true;
}

static void take_frame(struct record_connection *connection, const struct link_frame *frame)
{
    struct record_stream **at = find_stream(connection, frame->stream);
    struct record_slot *slot = NULL;
    if (!at) {
        break_off(connection, "it sent a frame of an unknown stream");
        return;
    }
    struct record_stream *stream = *at;
    if (frame->slot != LINK_NO_SLOT) {
        slot = record_stream_take(stream, frame->slot);
        if (!slot) {
            break_off(connection, "it sent a frame in a slot that is not its own");
            return;
        }
    }
    if (!take_missing(connection->recording, stream, frame)) {
        if (slot) {
            record_slot_release(slot);
        }
        break_off(connection, "it sent a frame out of order");
        return;
    }
    record_frame(connection->recording, stream, frame, slot);
}

static void take_message(struct record_connection *connection, const struct link_message *message)
{
    if (!connection->has_hello && message->type != LINK_HELLO) {
        break_off(connection, "it did not introduce itself");
        return;
    }
    switch (message->type) {
    case LINK_HELLO:
        take_hello(connection, &message->hello);
        break;
    case LINK_STREAM:
        take_stream(connection, &message->stream);
        break;
    case LINK_FRAME:
        take_frame(connection, &message->frame);
        break;
    case LINK_END:
        // Of one that was refused there is none.
        end_stream(connection, find_stream(connection, message->end.stream));
        break;
    case LINK_SAY:
        say(connection, message->say.text);
        break;
    default:
        break_off(connection, "it sent a message that only recorders send");
        break;
    }
}

void record_connection_read(struct record_connection *connection)
{
    for (int i = 0; i < MAX_MESSAGES && connection->socket >= 0; i++) {
        struct link_message message;
        int fd;
        const enum link_result result = link_receive(connection->socket, 0, &message, &fd);
        if (result == LINK_AGAIN) {
            return;
        }
        if (result == LINK_CLOSED) {
            record_connection_close(connection);
            return;
        }
        if (result == LINK_BROKEN) {
            break_off(connection, "it sent an invalid message");
            return;
        }
        if (fd >= 0) {
            close(fd);
        }
        take_message(connection, &message);
    }
}

// Send the layer the slots of a stream that are free again.
static enum link_result release_slots(struct record_connection *connection,
                                      struct record_stream *stream)
{
    struct record_slot *slot;
    while ((slot = record_stream_next_done(stream))) {
        struct link_message message = {.release = {stream->number, slot->number}};
        const enum link_result result = link_send(connection->socket, LINK_RELEASE, &message, -1);
        if (result != LINK_OK) {
            record_slot_release(slot); // for the next time
            return result;
        }
    }
    return LINK_OK;
}

static enum link_result tell_state(struct record_connection *connection)
{
    const bool is_wanted = is_recorded(connection);
    const bool is_watched = record_page_is_watched(connection->recording->page);
    if (!connection->has_hello ||
        (connection->is_told == is_wanted && connection->is_told_watched == is_watched)) {
        return LINK_OK;
    }
    struct link_message message = {.record = {is_wanted, is_watched}};
    const enum link_result result = link_send(connection->socket, LINK_RECORD, &message, -1);
    if (result == LINK_OK) {
        connection->is_told = is_wanted;
        connection->is_told_watched = is_watched;
    }
    return result;
}

static void forget_ended(struct record_connection *connection)
{
    struct record_stream **at = &connection->ended;
    while (*at) {
        struct record_stream *stream = *at;
        if (!record_stream_is_idle(stream)) {
            at = &stream->next;
            continue;
        }
        *at = stream->next;
        connection->recording->memory -= record_stream_size(stream);
        record_stream_destroy(stream);
    }
}

void record_connection_write(struct record_connection *connection)
{
    forget_ended(connection);
    if (connection->socket < 0) {
        return;
    }
    watch_filter(connection);
    enum link_result result = tell_state(connection);
    for (uint32_t i = 0; i < LINK_MAX_STREAMS && result == LINK_OK; i++) {
        if (connection->streams[i]) {
            result = release_slots(connection, connection->streams[i]);
        }
    }
    connection->is_full = result == LINK_AGAIN;
    // One that is gone is noticed where it is read, behind its last messages.
}

bool record_connection_is_done(const struct record_connection *connection)
{
    return connection->socket < 0 && !connection->ended;
}

void record_connection_destroy(struct record_connection *connection)
{
    record_connection_close(connection);
    forget_ended(connection);
    free(connection);
}
