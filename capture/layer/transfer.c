// SPDX-License-Identifier: MIT
// Transfers: each carries the frames of one stream to the recorder's memory.
#include <string.h>

#include "capture/layer/sender.h"

enum { DEADLINE_MS = 1000 };

// Wait until the recorder has answered. Under the mutex.
static void wait_for_answer(struct layer_sender *sender, const struct layer_transfer *transfer)
{
    const struct timespec until = layer_time_after_ms(DEADLINE_MS);
    while (!transfer->is_answered && !sender->is_lost && !sender->is_silent) {
        sender->is_silent = !layer_sender_wait(sender, &until);
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
    layer_sender_wake(sender);
}

// Under the mutex.
static uint32_t count_room(const struct layer_sender *sender)
{
    return LAYER_MAX_ITEMS - (sender->head - sender->tail);
}

void layer_transfer_report_last(struct layer_sender *sender, struct layer_transfer *transfer)
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
    sender->deadline = layer_time_after_ms(DEADLINE_MS);
    sender->has_deadline = true;
    layer_transfer_report_last(sender, transfer);
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
    const struct timespec until = layer_time_after_ms(DEADLINE_MS);
    while (transfer->free_slots == 0 && may_wait(sender)) {
        sender->is_stalled = !layer_sender_wait(sender, &until);
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
    const struct timespec until = layer_time_after_ms(DEADLINE_MS);
    while (blocks->readback && transfer->num_queued > 0 && may_wait(sender)) {
        sender->is_stalled = !layer_sender_wait(sender, &until);
    }
    pthread_mutex_unlock(&sender->mutex);
}
