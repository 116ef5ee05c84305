// SPDX-License-Identifier: MIT
// The sender's thread: carries frames to the recorder's memory, and hears what the recorder says.
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/layer/sender.h"

// How long the thread waits for the GPU before it listens to the recorder again.
#define A_WHILE_NS 20000000u

// The recorder is gone: the program goes on without it.
static void lose(struct layer_sender *sender, const char *why)
{
    pthread_mutex_lock(&sender->mutex);
    const bool is_news = !sender->is_lost && !sender->is_ending;
    sender->is_lost = true;
    atomic_store_explicit(&sender->is_recording, false, memory_order_relaxed);
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->mutex);
    if (is_news) {
        fprintf(stderr, "weir: %s; the program goes on unrecorded\n", why);
    }
}

// Find the transfer of a stream. Under the mutex.
static struct layer_transfer *find_transfer(const struct layer_sender *sender, uint32_t stream)
{
    struct layer_transfer *transfer = sender->transfers;
    while (transfer && transfer->stream != stream) {
        transfer = transfer->next;
    }
    return transfer;
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
    transfer->free_slots = accept->num_slots == LINK_MAX_SLOTS
                               ? UINT64_MAX
                               : (UINT64_C(1) << accept->num_slots) - 1;
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
        break;
    default:
        is_right = false;
        break;
    }
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->mutex);
    return is_right;
}

// Hear all that the recorder has said.
static void listen_to_recorder(struct layer_sender *sender)
{
    struct link_message message;
    int fd;
    enum link_result result = LINK_OK;
    while (!sender->is_lost && result == LINK_OK) {
        result = link_receive(sender->socket, 0, &message, &fd);
        if (result == LINK_OK && !handle(sender, &message, fd)) {
            result = LINK_BROKEN;
        }
        if (fd >= 0) {
            close(fd);
        }
    }
    if (result == LINK_CLOSED) {
        lose(sender, "the recorder is gone");
    } else if (result == LINK_BROKEN) {
        lose(sender, "the recorder sent an invalid message");
    }
}

static bool is_over(struct layer_sender *sender)
{
    pthread_mutex_lock(&sender->mutex);
    const bool result = sender->is_ending;
    pthread_mutex_unlock(&sender->mutex);
    return result;
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
            listen_to_recorder(sender);
        }
    } while (result == WEIR_NOT_READY);
    if (result == WEIR_OK) {
        uint8_t *slot = item->transfer->memory + blocks->slot * accept->slot_size;
        const uint8_t *from = data.data;
        for (uint32_t i = 0; i < sender->setup.num_textures; i++) {
            memcpy(slot + accept->offsets[i], from, accept->sizes[i]);
            from += accept->sizes[i];
        }
        *gpu_ns = data.gpu_ns;
        weir_readback_release(blocks->readback, blocks->readback_slot);
    }
    return result == WEIR_OK;
}

static void carry(struct layer_sender *sender, const struct layer_item *item)
{
    struct link_message message = {.frame = {.stream = item->transfer->stream,
                                             .slot = item->blocks.slot,
                                             .number = item->number,
                                             .time_ns = item->blocks.time_ns}};
    if (item->blocks.readback && !copy(sender, item, &message.frame.gpu_ns)) {
        message.frame.slot = LINK_NO_SLOT;
    }
    if (!sender->is_lost && !layer_sender_send(sender, LINK_FRAME, &message)) {
        listen_to_recorder(sender); // if it is gone, this reports it
        lose(sender, "the recorder does not answer");
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
    item->transfer->num_queued--;
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->mutex);
}

void *layer_sender_run(void *user)
{
    struct layer_sender *sender = user;
    struct layer_item item;
    while (!is_over(sender)) {
        struct pollfd events[] = {{.fd = sender->is_lost ? -1 : sender->socket, .events = POLLIN},
                                  {.fd = sender->wake, .events = POLLIN}};
        uint64_t num_wakes;
        poll(events, 2, -1);
        if (events[1].revents && read(sender->wake, &num_wakes, sizeof(num_wakes)) < 0) {
            continue;
        }
        listen_to_recorder(sender);
        while (pop(sender, &item)) {
            carry(sender, &item);
            finish(sender, &item);
            listen_to_recorder(sender);
        }
    }
    return NULL;
}
