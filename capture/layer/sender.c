// SPDX-License-Identifier: MIT
// The sender: its connection, what every thread may ask of it, and transfers.
#include "capture/layer/sender.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <weir/version.h>

enum { ANSWER_MS = 1000, DEADLINE_MS = 1000, DRAIN_MS = 500 };

// Get the time that is so far from now, by CLOCK_MONOTONIC.
static struct timespec time_after_ms(unsigned ms)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += ms / 1000;
    time.tv_nsec += (long)(ms % 1000) * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
    return time;
}

static bool time_is_over(const struct timespec *time)
{
    const struct timespec now = time_after_ms(0);
    return now.tv_sec > time->tv_sec ||
           (now.tv_sec == time->tv_sec && now.tv_nsec >= time->tv_nsec);
}

// Wait for a change until a time. False: the time has come. Under the mutex.
static bool wait_until(struct layer_sender *sender, const struct timespec *until)
{
    return pthread_cond_timedwait(&sender->changed, &sender->mutex, until) != ETIMEDOUT;
}

static void wake_up(struct layer_sender *sender)
{
    const uint64_t one = 1;
    while (write(sender->wake, &one, sizeof(one)) < 0 && errno == EINTR) {
    }
}

static void print(const char *text)
{
    fprintf(stderr, "weir: %s\n", text);
}

void layer_sender_say(struct layer_sender *sender, bool is_error, const char *text)
{
    if (!sender) {
        return;
    }
    struct link_message message = {.say.is_error = is_error};
    snprintf(message.say.text, sizeof(message.say.text), "%s", text);
    if (link_send(sender->socket, LINK_SAY, &message, -1) != LINK_OK) {
        print(text);
    }
}

bool layer_sender_send(struct layer_sender *sender, uint32_t type, struct link_message *message)
{
    enum { A_WHILE_MS = 20 };
    for (;;) {
        const enum link_result result = link_send(sender->socket, type, message, -1);
        if (result != LINK_AGAIN) {
            return result == LINK_OK;
        }
        poll(&(struct pollfd){.fd = sender->socket, .events = POLLOUT}, 1, A_WHILE_MS);
        pthread_mutex_lock(&sender->mutex);
        const bool is_over = sender->is_lost || sender->is_ending ||
                             (sender->has_deadline && time_is_over(&sender->deadline));
        pthread_mutex_unlock(&sender->mutex);
        if (is_over) {
            return false;
        }
    }
}

// Say hello, and hear what is wanted.
static bool introduce(struct layer_sender *sender, const char *device_name)
{
    struct link_message message = {
        .hello = {.version = LINK_VERSION, .process = (uint32_t)getpid()}};
    snprintf(message.hello.program, LINK_TEXT_SIZE, "%s", program_invocation_short_name);
    snprintf(message.hello.device, LINK_TEXT_SIZE, "%s", device_name);
    snprintf(message.hello.release, LINK_TEXT_SIZE, "%s", weir_version());
    int fd;
    if (link_send(sender->socket, LINK_HELLO, &message, -1) != LINK_OK ||
        link_receive(sender->socket, ANSWER_MS, &message, &fd) != LINK_OK) {
        print("the recorder does not answer; nothing is recorded");
        return false;
    }
    if (message.type != LINK_SETUP) {
        print("the recorder is another version of Weir; nothing is recorded");
        return false;
    }
    sender->setup = message.setup;
    atomic_init(&sender->is_recording, message.setup.is_recording);
    return true;
}

// Start the thread, which no signal of the program runs on.
static bool start(struct layer_sender *sender)
{
    sigset_t all, before;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&sender->mutex, NULL);
    pthread_cond_init(&sender->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failure = pthread_create(&sender->thread, NULL, layer_sender_run, sender);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure) {
        pthread_cond_destroy(&sender->changed);
        pthread_mutex_destroy(&sender->mutex);
        print("no memory is left for a thread; nothing is recorded");
        return false;
    }
    pthread_setname_np(sender->thread, "weir-record");
    return true;
}

static void close_all(struct layer_sender *sender)
{
    if (sender->wake >= 0) {
        close(sender->wake);
    }
    close(sender->socket);
    free(sender);
}

struct layer_sender *layer_sender_open(const char *device_name)
{
    const char *path = layer_recorder_path();
    if (!path) {
        return NULL;
    }
    const int socket = link_connect(path);
    struct layer_sender *sender = socket >= 0 ? calloc(1, sizeof(*sender)) : NULL;
    if (!sender) {
        fprintf(stderr, "weir: cannot reach the recorder at %s: %s; nothing is recorded\n", path,
                strerror(errno));
        if (socket >= 0) {
            close(socket);
        }
        return NULL;
    }
    sender->socket = socket;
    sender->process = getpid();
    sender->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (sender->wake < 0 || !introduce(sender, device_name) || !start(sender)) {
        close_all(sender);
        return NULL;
    }
    return sender;
}

void layer_sender_close(struct layer_sender **out)
{
    struct layer_sender *sender = *out;
    if (!sender) {
        return;
    }
    *out = NULL;
    if (sender->process == getpid()) {
        pthread_mutex_lock(&sender->mutex);
        sender->is_ending = true;
        pthread_mutex_unlock(&sender->mutex);
        wake_up(sender);
        pthread_join(sender->thread, NULL);
    }
    pthread_cond_destroy(&sender->changed);
    pthread_mutex_destroy(&sender->mutex);
    close_all(sender);
}

bool layer_sender_is_silent(struct layer_sender *sender)
{
    pthread_mutex_lock(&sender->mutex);
    const bool is_silent = sender->is_silent;
    pthread_mutex_unlock(&sender->mutex);
    return is_silent;
}

// Wait until the recorder has answered. Under the mutex.
static void wait_for_answer(struct layer_sender *sender, const struct layer_transfer *transfer)
{
    const struct timespec until = time_after_ms(DEADLINE_MS);
    while (!transfer->is_answered && !sender->is_lost && !sender->is_silent) {
        sender->is_silent = !wait_until(sender, &until);
    }
}

bool layer_transfer_open(struct layer_sender *sender, struct layer_transfer *transfer,
                         struct link_stream *stream)
{
    pthread_mutex_lock(&sender->mutex);
    *transfer = (struct layer_transfer){.stream = sender->num_streams++, .next = sender->transfers};
    sender->transfers = transfer;
    pthread_mutex_unlock(&sender->mutex);
    stream->stream = transfer->stream;
    struct link_message message = {.stream = *stream};
    const bool is_sent = layer_sender_send(sender, LINK_STREAM, &message);
    pthread_mutex_lock(&sender->mutex);
    if (is_sent) {
        wait_for_answer(sender, transfer);
    }
    const bool is_open = transfer->memory != NULL;
    if (!transfer->is_answered) {
        strcpy(transfer->reason, "the recorder does not answer");
    }
    pthread_mutex_unlock(&sender->mutex);
    if (!is_open) {
        layer_transfer_close(sender, transfer);
    }
    return is_open;
}

// Under the mutex.
static void put(struct layer_sender *sender, const struct layer_item *item)
{
    sender->items[sender->head++ % LAYER_MAX_ITEMS] = *item;
    item->transfer->num_queued++;
    wake_up(sender);
}

// Under the mutex.
static uint32_t count_room(const struct layer_sender *sender)
{
    return LAYER_MAX_ITEMS - (sender->head - sender->tail);
}

// Report the last frames of a transfer to the recorder, if they were dropped and had no room. Under
// the mutex.
static void report_last(struct layer_sender *sender, struct layer_transfer *transfer)
{
    if (transfer->unreported_ns != 0 && count_room(sender) > 0) {
        put(sender, &(const struct layer_item){
                        .transfer = transfer,
                        .blocks = {.slot = LINK_NO_SLOT, .time_ns = transfer->unreported_ns},
                        .number = transfer->num_frames - 1,
                    });
        transfer->unreported_ns = 0;
    }
}

void layer_transfer_close(struct layer_sender *sender, struct layer_transfer *transfer)
{
    pthread_mutex_lock(&sender->mutex);
    sender->deadline = time_after_ms(DEADLINE_MS);
    sender->has_deadline = true;
    report_last(sender, transfer);
    while (transfer->num_queued > 0) { // the GPU finishes them; then the deadline ends the wait
        pthread_cond_wait(&sender->changed, &sender->mutex);
    }
    struct layer_transfer **at = &sender->transfers;
    while (*at != transfer) {
        at = &(*at)->next;
    }
    *at = transfer->next;
    uint8_t *memory = transfer->memory;
    transfer->memory = NULL;
    pthread_mutex_unlock(&sender->mutex);
    // Sent for a refused stream too: its answer may still come.
    struct link_message message = {.end = {.stream = transfer->stream}};
    layer_sender_send(sender, LINK_END, &message);
    link_memory_unmap(memory, &transfer->accept);
    pthread_mutex_lock(&sender->mutex);
    sender->has_deadline = false;
    pthread_mutex_unlock(&sender->mutex);
}

// Under the mutex.
static bool may_wait(const struct layer_sender *sender)
{
    return sender->setup.policy == LINK_WAIT && !sender->is_stalled && !sender->is_lost &&
           !sender->is_drained;
}

bool layer_transfer_get_slot(struct layer_sender *sender, struct layer_transfer *transfer,
                             uint32_t *slot)
{
    pthread_mutex_lock(&sender->mutex);
    const struct timespec until = time_after_ms(DEADLINE_MS);
    while (transfer->free_slots == 0 && may_wait(sender)) {
        sender->is_stalled = !wait_until(sender, &until);
    }
    const bool is_free = transfer->free_slots != 0 && !sender->is_lost && !sender->is_drained;
    if (is_free) {
        *slot = 0;
        while (!(transfer->free_slots >> *slot & 1)) {
            ++*slot;
        }
        transfer->free_slots &= ~(UINT64_C(1) << *slot);
    }
    pthread_mutex_unlock(&sender->mutex);
    return is_free;
}

void layer_transfer_push(struct layer_sender *sender, struct layer_transfer *transfer,
                         const struct layer_blocks *blocks)
{
    pthread_mutex_lock(&sender->mutex);
    const struct layer_item item = {
        .transfer = transfer, .blocks = *blocks, .number = transfer->num_frames++};
    // Half of the items is kept for frames with blocks. A dropped frame that finds no room is
    // reported by the gap in the numbers before the next one.
    const bool is_reported = blocks->readback || count_room(sender) > LAYER_MAX_ITEMS / 2;
    transfer->unreported_ns = is_reported ? 0 : blocks->time_ns;
    if (is_reported) {
        put(sender, &item);
    }
    const struct timespec until = time_after_ms(DEADLINE_MS);
    while (blocks->readback && transfer->num_queued > 0 && may_wait(sender)) {
        sender->is_stalled = !wait_until(sender, &until);
    }
    pthread_mutex_unlock(&sender->mutex);
}

void layer_sender_drain(struct layer_sender *sender)
{
    if (!sender || sender->process != getpid()) {
        return;
    }
    const struct timespec until = time_after_ms(DRAIN_MS);
    pthread_mutex_lock(&sender->mutex);
    sender->is_drained = true;
    atomic_store_explicit(&sender->is_recording, false, memory_order_relaxed);
    for (struct layer_transfer *transfer = sender->transfers; transfer; transfer = transfer->next) {
        report_last(sender, transfer);
    }
    while (sender->head != sender->tail && !sender->is_lost && wait_until(sender, &until)) {
    }
    pthread_mutex_unlock(&sender->mutex);
}
