// SPDX-License-Identifier: MIT
// The sender's thread: carries frames to the recorder's memory, and hears what the recorder says.
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "capture/layer/sender.h"

// How long the thread waits for the GPU before it listens to the recorder again.
#define A_WHILE_NS 20000000u

// The recorder is gone: the program goes on without it.
void layer_sender_lose(struct layer_sender *sender, const char *why)
{
    pthread_mutex_lock(&sender->mutex);
    const bool is_news = !sender->is_lost && !sender->is_ending;
    sender->is_lost = true;
    atomic_store_explicit(&sender->is_recording, false, memory_order_relaxed);
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->mutex);
    if (is_news && !sender->is_filtered) {
        layer_print("%s; the program goes on unrecorded", why);
    }
}

// False: the program has closed the connection. Nothing is sent or received any more.
static bool is_connected(struct layer_sender *sender)
{
    if (!sender->is_lost && layer_sender_is_allowed(sender) && !link_is_held(&sender->socket)) {
        layer_sender_lose(sender, "the program closed the connection to the recorder");
    }
    return !sender->is_lost;
}

// Find the transfer of a stream. Under the mutex.
static struct layer_transfer *find_transfer(const struct layer_sender *sender, uint32_t stream)
{
    struct layer_transfer *transfer = sender->transfers;
    while (transfer && transfer->asked.stream != stream) {
        transfer = transfer->next;
    }
    return transfer;
}

static uint64_t all_slots(const struct link_accept *accept)
{
    return UINT64_MAX >> (LINK_MAX_SLOTS - accept->num_slots);
}

// Under the mutex. False: the answer makes no sense.
static bool on_answer(struct layer_sender *sender, const struct link_accept *accept, int fd)
{
    struct layer_transfer *transfer = find_transfer(sender, accept->stream);
    if (!transfer) {
        return true; // it was given up
    }
    if (transfer->is_answered) {
        return false;
    }
    transfer->is_answered = true;
    transfer->accept = *accept;
    transfer->memory = link_memory_map(fd, accept);
    transfer->free_slots = all_slots(accept);
    if (!transfer->memory) {
        strcpy(transfer->reason, "the recorder's memory cannot be mapped");
    }
    return true;
}

// Under the mutex.
static bool on_refusal(struct layer_sender *sender, const struct link_refuse *refuse)
{
    struct layer_transfer *transfer = find_transfer(sender, refuse->stream);
    if (transfer) {
        transfer->is_answered = true;
        transfer->is_refused = true;
        memcpy(transfer->reason, refuse->reason, sizeof(transfer->reason));
    }
    return true;
}

// Under the mutex. False: that slot is not in use.
static bool on_release(struct layer_sender *sender, const struct link_release *release)
{
    struct layer_transfer *transfer = find_transfer(sender, release->stream);
    if (!transfer || !transfer->memory) {
        return true; // its frames came after its end
    }
    const uint64_t bit = UINT64_C(1) << release->slot;
    if (release->slot >= transfer->accept.num_slots || (transfer->free_slots & bit)) {
        return false;
    }
    transfer->free_slots |= bit;
    sender->is_stalled = false;
    return true;
}

static bool handle(struct layer_sender *sender, const struct link_message *message, int fd)
{
    bool is_right = true;
    pthread_mutex_lock(&sender->mutex);
    sender->is_silent = false;
    sender->is_awaited = false;
    switch (message->type) {
    case LINK_ACCEPT:
        is_right = on_answer(sender, &message->accept, fd);
        break;
    case LINK_REFUSE:
        is_right = on_refusal(sender, &message->refuse);
        break;
    case LINK_RELEASE:
        is_right = on_release(sender, &message->release);
        break;
    case LINK_RECORD:
        atomic_store_explicit(&sender->is_recording,
                              message->record.is_recording && !sender->is_drained,
                              memory_order_relaxed);
        atomic_store_explicit(&sender->is_watched, message->record.is_watched,
                              memory_order_relaxed);
        break;
    default:
        is_right = false;
        break;
    }
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->mutex);
    return is_right;
}

enum link_result layer_sender_receive(struct layer_sender *sender, int timeout_ms,
                                      struct link_message *message, int *fd)
{
    *fd = -1;
    if (timeout_ms > 0) {
        poll(&(struct pollfd){.fd = sender->socket.fd, .events = POLLIN}, 1, timeout_ms);
    }
    return layer_sender_is_allowed(sender) && link_is_held(&sender->socket)
               ? link_receive(sender->socket.fd, 0, message, fd)
               : LINK_CLOSED;
}

// Hear what the recorder has said; one that never ends has items carried in between.
static void listen_to_recorder(struct layer_sender *sender, int timeout_ms)
{
    enum { MAX_MESSAGES = 64 };
    struct link_message message;
    int fd;
    for (int i = 0; i < MAX_MESSAGES && is_connected(sender); i++) {
        const enum link_result result = layer_sender_receive(sender, timeout_ms, &message, &fd);
        struct link_descriptor memory = link_hold(fd);
        if (result == LINK_AGAIN) {
            break;
        }
        if (result == LINK_CLOSED && is_connected(sender)) {
            layer_sender_lose(sender, "the recorder is gone");
        } else if (result == LINK_BROKEN || (result == LINK_OK && !handle(sender, &message, fd))) {
            layer_sender_lose(sender, "the recorder sent an invalid message");
        }
        link_drop(&memory);
        timeout_ms = 0;
    }
}

// Send a message, and wait until the socket accepts it. False: it does not, or the recorder is
// gone.
static bool send_message(struct layer_sender *sender, uint32_t type, struct link_message *message)
{
    enum link_result result = LINK_AGAIN;
    bool is_over = false;
    while (is_connected(sender) && result == LINK_AGAIN && !is_over) {
        result = link_send(sender->socket.fd, type, message, -1);
        if (result == LINK_AGAIN) {
            poll(&(struct pollfd){.fd = sender->socket.fd, .events = POLLOUT}, 1, LAYER_WHILE_MS);
            pthread_mutex_lock(&sender->mutex);
            is_over = sender->is_ending ||
                      (sender->has_deadline && layer_time_is_over(&sender->deadline));
            pthread_mutex_unlock(&sender->mutex);
        }
    }
    return result == LINK_OK;
}

// Find a stream that the recorder was not asked for yet.
static bool find_new(struct layer_sender *sender, struct link_stream *stream)
{
    pthread_mutex_lock(&sender->mutex);
    struct layer_transfer *transfer = sender->transfers;
    while (transfer && !transfer->is_new) {
        transfer = transfer->next;
    }
    if (transfer) {
        transfer->is_new = false;
        *stream = transfer->asked;
    }
    pthread_mutex_unlock(&sender->mutex);
    return transfer;
}

// Ask for new streams, and listen.
static void attend(struct layer_sender *sender, int timeout_ms)
{
    struct link_message message;
    while (find_new(sender, &message.stream)) {
        send_message(sender, LINK_STREAM, &message);
    }
    listen_to_recorder(sender, timeout_ms);
    if (sender->is_lost && sender->socket.fd >= 0) {
        layer_sender_drop(sender); // the program may need the descriptors
    }
}

// Copy the blocks of a frame to the recorder's memory. False: the device failed.
static bool copy(struct layer_sender *sender, const struct layer_item *item, uint64_t *gpu_ns)
{
    const struct layer_blocks *blocks = &item->blocks;
    const struct link_accept *accept = &item->transfer->accept;
    struct weir_readback_data data;
    enum weir_result result;
    do {
        result = weir_readback_wait(blocks->readback, blocks->readback_slot, A_WHILE_NS, &data);
        if (result == WEIR_NOT_READY) {
            attend(sender, 0);
        }
    } while (result == WEIR_NOT_READY);
    if (result == WEIR_OK) {
        uint8_t *slot = item->transfer->memory + blocks->slot * accept->slot_size;
        const uint8_t *from = data.data;
        const uint32_t num = blocks->has_preview ? LINK_NUM_PARTS : LINK_MAX_TEXTURES;
        for (uint32_t i = 0; i < num; i++) {
            memcpy(slot + accept->offsets[i], from, accept->sizes[i]);
            from += accept->sizes[i];
        }
        *gpu_ns = data.gpu_ns;
        weir_readback_release(blocks->readback, blocks->readback_slot);
    }
    return result == WEIR_OK;
}

static void carry_frame(struct layer_sender *sender, const struct layer_item *item)
{
    struct link_message message = {.frame = {.stream = item->transfer->asked.stream,
                                             .slot = item->blocks.slot,
                                             .number = item->number,
                                             .time_ns = item->blocks.time_ns,
                                             .has_preview = item->blocks.has_preview}};
    if (item->blocks.readback && !copy(sender, item, &message.frame.gpu_ns)) {
        message.frame.slot = LINK_NO_SLOT;
    }
    if (!send_message(sender, LINK_FRAME, &message)) {
        listen_to_recorder(sender, 0); // if it is gone, this reports it
        layer_sender_lose(sender, "the recorder does not answer");
    }
}

static void carry(struct layer_sender *sender, const struct layer_item *item)
{
    struct link_message message;
    switch (item->type) {
    case LINK_SAY:
        message.say = *item->say;
        if (!send_message(sender, LINK_SAY, &message)) {
            layer_sender_print(sender, item->say->text);
        }
        free(item->say);
        break;
    case LINK_END:
        message.end = (struct link_end){.stream = item->transfer->asked.stream};
        send_message(sender, LINK_END, &message);
        break;
    default:
        carry_frame(sender, item);
        break;
    }
}

static bool pop(struct layer_sender *sender, struct layer_item *item)
{
    pthread_mutex_lock(&sender->mutex);
    const bool is_there = sender->head != sender->tail;
    if (is_there) {
        *item = sender->items[sender->tail % LAYER_MAX_ITEMS];
    }
    pthread_mutex_unlock(&sender->mutex);
    return is_there;
}

static void finish(struct layer_sender *sender, const struct layer_item *item)
{
    pthread_mutex_lock(&sender->mutex);
    sender->tail++;
    if (item->transfer) {
        item->transfer->num_queued--;
    }
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->mutex);
}

// True if the recorder is to release a slot. Under the mutex.
static bool is_slot_used(const struct layer_sender *sender)
{
    const struct layer_transfer *transfer = sender->transfers;
    while (transfer &&
           (!transfer->memory || transfer->free_slots == all_slots(&transfer->accept))) {
        transfer = transfer->next;
    }
    return transfer;
}

// Nothing is to be carried: sleep until there is something, or for so short a while that a release
// of a slot is heard in time. False: the thread is to end.
static bool rest(struct layer_sender *sender, int *listen_ms)
{
    enum { QUIET_MS = 20 };
    pthread_mutex_lock(&sender->mutex);
    if (sender->head == sender->tail && !sender->is_ending && !sender->is_awaited) {
        const struct timespec until = layer_time_after_ms(is_slot_used(sender) ? LAYER_WHILE_MS
                                                                               : QUIET_MS);
        layer_sender_sleep(sender, &until);
    }
    *listen_ms = sender->is_awaited ? LAYER_WHILE_MS : 0;
    const bool goes_on = sender->head != sender->tail || !sender->is_ending;
    pthread_mutex_unlock(&sender->mutex);
    return goes_on;
}

void *layer_sender_run(void *user)
{
    struct layer_sender *sender = user;
    struct layer_item item;
    int listen_ms = 0;
    do {
        attend(sender, listen_ms);
        while (pop(sender, &item)) {
            carry(sender, &item);
            finish(sender, &item);
            attend(sender, 0);
        }
    } while (rest(sender, &listen_ms));
    return NULL;
}
