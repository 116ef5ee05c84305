// SPDX-License-Identifier: MIT
// Lanes: the ways of the frames of streams to the recorder's memory.
#include <string.h>

#include "capture/layer/sender_parts.h"

enum { PATIENCE_MS = 1000 };

// Wait until the lane was answered. Under the mutex.
static void wait_for_answer(struct layer_sender *sender, const struct layer_lane *lane)
{
    const struct timespec until = layer_time_after_ms(PATIENCE_MS);
    while (!lane->is_answered && !sender->is_lost && !sender->is_silent) {
        sender->is_silent = !layer_sender_wait(sender, &until);
    }
}

bool layer_lane_open(struct layer_sender *sender, struct layer_lane *lane,
                     struct link_stream *stream)
{
    pthread_mutex_lock(&sender->mutex);
    *lane = (struct layer_lane){.stream = sender->num_streams++, .next = sender->lanes};
    sender->lanes = lane;
    pthread_mutex_unlock(&sender->mutex);
    stream->stream = lane->stream;
    struct link_message message = {.stream = *stream};
    const bool is_sent = layer_sender_send(sender, LINK_STREAM, &message);
    pthread_mutex_lock(&sender->mutex);
    if (is_sent) {
        wait_for_answer(sender, lane);
    }
    const bool is_open = lane->memory != NULL;
    if (!lane->is_answered) {
        strcpy(lane->reason, "the recorder does not answer");
    }
    pthread_mutex_unlock(&sender->mutex);
    if (!is_open) {
        layer_lane_close(sender, lane);
    }
    return is_open;
}

// Under the mutex.
static void put(struct layer_sender *sender, const struct layer_item *item)
{
    sender->items[sender->head++ % LAYER_MAX_ITEMS] = *item;
    item->lane->num_queued++;
    layer_sender_wake(sender);
}

// Under the mutex.
static uint32_t count_room(const struct layer_sender *sender)
{
    return LAYER_MAX_ITEMS - (sender->head - sender->tail);
}

void layer_lane_tell_last(struct layer_sender *sender, struct layer_lane *lane)
{
    if (lane->untold_ns != 0 && count_room(sender) > 0) {
        put(sender, &(const struct layer_item){
                        .lane = lane,
                        .blocks = {.slot = LINK_NO_SLOT, .time_ns = lane->untold_ns},
                        .number = lane->num_frames - 1,
                    });
        lane->untold_ns = 0;
    }
}

void layer_lane_close(struct layer_sender *sender, struct layer_lane *lane)
{
    pthread_mutex_lock(&sender->mutex);
    sender->patience = layer_time_after_ms(PATIENCE_MS);
    sender->has_patience = true;
    layer_lane_tell_last(sender, lane);
    while (lane->num_queued > 0) { // the GPU does them, and then patience has its end
        pthread_cond_wait(&sender->changed, &sender->mutex);
    }
    struct layer_lane **at = &sender->lanes;
    while (*at != lane) {
        at = &(*at)->next;
    }
    *at = lane->next;
    uint8_t *memory = lane->memory;
    lane->memory = NULL;
    pthread_mutex_unlock(&sender->mutex);
    // Of a stream that has no memory too: the answer may still come.
    struct link_message message = {.end = {.stream = lane->stream}};
    layer_sender_send(sender, LINK_END, &message);
    link_memory_unmap(memory, &lane->accept);
    pthread_mutex_lock(&sender->mutex);
    sender->has_patience = false;
    pthread_mutex_unlock(&sender->mutex);
}

// Under the mutex.
static bool may_wait(const struct layer_sender *sender)
{
    return sender->setup.policy == LINK_WAIT && !sender->is_stalled && !sender->is_lost &&
           !sender->is_drained;
}

bool layer_lane_take(struct layer_sender *sender, struct layer_lane *lane, uint32_t *slot)
{
    pthread_mutex_lock(&sender->mutex);
    const struct timespec until = layer_time_after_ms(PATIENCE_MS);
    while (lane->free_slots == 0 && may_wait(sender)) {
        sender->is_stalled = !layer_sender_wait(sender, &until);
    }
    const bool is_free = lane->free_slots != 0 && !sender->is_lost && !sender->is_drained;
    if (is_free) {
        *slot = 0;
        while (!(lane->free_slots >> *slot & 1)) {
            ++*slot;
        }
        lane->free_slots &= ~(UINT64_C(1) << *slot);
    }
    pthread_mutex_unlock(&sender->mutex);
    return is_free;
}

void layer_lane_push(struct layer_sender *sender, struct layer_lane *lane,
                     const struct layer_blocks *blocks)
{
    pthread_mutex_lock(&sender->mutex);
    const struct layer_item item = {.lane = lane, .blocks = *blocks, .number = lane->num_frames++};
    // Frames have room, as many as they are at most; dropped ones that find none are told by the
    // gap in the numbers before the next one.
    const bool is_told = blocks->readback || count_room(sender) > LAYER_MAX_ITEMS / 2;
    lane->untold_ns = is_told ? 0 : blocks->time_ns;
    if (is_told) {
        put(sender, &item);
    }
    const struct timespec until = layer_time_after_ms(PATIENCE_MS);
    while (blocks->readback && lane->num_queued > 0 && may_wait(sender)) {
        sender->is_stalled = !layer_sender_wait(sender, &until);
    }
    pthread_mutex_unlock(&sender->mutex);
}
