// SPDX-License-Identifier: MIT
// The sender: what every thread may ask of it, and transfers.
#include "capture/layer/sender.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEADLINE_MS = 1000, HANG_MS = 10000 };

struct timespec layer_time_after_ms(unsigned ms)
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

bool layer_time_is_over(const struct timespec *time)
{
    const struct timespec now = layer_time_after_ms(0);
    return now.tv_sec > time->tv_sec ||
           (now.tv_sec == time->tv_sec && now.tv_nsec >= time->tv_nsec);
}

// musl has no pthread_mutex_clocklock(), and a deadline of the time of day moves when that is set.
bool layer_lock_until(pthread_mutex_t *mutex, const struct timespec *until)
{
    while (pthread_mutex_trylock(mutex) != 0) {
        if (layer_time_is_over(until)) {
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return true;
}

bool layer_sender_sleep(struct layer_sender *sender, const struct timespec *until)
{
    return pthread_cond_timedwait(&sender->changed, &sender->mutex, until) != ETIMEDOUT;
}

bool layer_sender_is_forked(const struct layer_sender *sender)
{
    return sender->process != getpid();
}

bool layer_sender_is_allowed(struct layer_sender *sender)
{
    const int filter = link_filter_read(sender->status);
    if (filter != sender->filter) {
        sender->is_filtered = sender->is_filtered || filter >= 0; // the recorder says it
        layer_sender_lose(sender, "the program closed the connection to the recorder");
    }
    return filter == sender->filter;
}

void layer_sender_drop(struct layer_sender *sender)
{
    const bool is_open = layer_sender_is_allowed(sender) && sender->filter >= 0;
    pthread_mutex_lock(&sender->mutex);
    if (!sender->is_filtered) {
        link_drop(&sender->socket);
        if (is_open) {
            close(sender->status);
        }
        sender->status = -1;
    }
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->mutex);
}

void layer_sender_print(struct layer_sender *sender, const char *text)
{
    if (layer_sender_is_allowed(sender) || !sender->is_filtered) {
        layer_print("%s", text);
    }
}

void layer_sender_make_room(struct layer_sender *sender)
{
    const struct timespec until = layer_time_after_ms(DEADLINE_MS);
    pthread_mutex_lock(&sender->mutex);
    const int fd = sender->socket.fd;
    pthread_mutex_unlock(&sender->mutex);
    if (sender->is_lost || !layer_sender_is_allowed(sender) || link_has_room(fd)) {
        return;
    }
    layer_sender_lose(sender, "it has too few descriptors left (ulimit -n)");
    pthread_mutex_lock(&sender->mutex);
    while (sender->socket.fd >= 0 && layer_sender_sleep(sender, &until)) {
    }
    pthread_mutex_unlock(&sender->mutex);
}

bool layer_sender_is_recording(struct layer_sender *sender)
{
    return atomic_load_explicit(&sender->is_recording, memory_order_relaxed) &&
           !layer_sender_is_forked(sender);
}

// Under the mutex.
static uint32_t count_room(const struct layer_sender *sender)
{
    return LAYER_MAX_ITEMS - (sender->head - sender->tail);
}

// Under the mutex.
static void put(struct layer_sender *sender, const struct layer_item *item)
{
    sender->items[sender->head++ % LAYER_MAX_ITEMS] = *item;
    if (item->transfer) {
        item->transfer->num_queued++;
    }
    pthread_cond_broadcast(&sender->changed);
}

// False: there is no room. Under the mutex.
static bool put_text(struct layer_sender *sender, struct link_say *say)
{
    const bool has_room = !sender->is_lost && count_room(sender) > LAYER_MAX_ITEMS / 2;
    if (has_room) {
        put(sender, &(const struct layer_item){.type = LINK_SAY, .say = say});
    }
    return has_room;
}

void layer_sender_say(struct layer_sender *sender, bool is_error, const char *text)
{
    if (!sender) {
        return;
    }
    struct link_say *say = layer_sender_is_forked(sender) ? NULL : malloc(sizeof(*say));
    bool is_put = false;
    if (say) {
        *say = (struct link_say){.is_error = is_error};
        snprintf(say->text, sizeof(say->text), "%s", text);
        pthread_mutex_lock(&sender->mutex);
        is_put = put_text(sender, say);
        pthread_mutex_unlock(&sender->mutex);
    }
    if (!is_put) {
        free(say);
        layer_sender_print(sender, text);
    }
}

bool layer_sender_is_silent(struct layer_sender *sender)
{
    pthread_mutex_lock(&sender->mutex);
    const bool is_silent = sender->is_silent;
    pthread_mutex_unlock(&sender->mutex);
    return is_silent;
}

// Wait for the recorder's next message, or for another change. False: the time has come. Under the
// mutex.
static bool wait_for_recorder(struct layer_sender *sender, const struct timespec *until)
{
    sender->is_awaited = true;
    pthread_cond_broadcast(&sender->changed);
    const bool is_in_time = layer_sender_sleep(sender, until);
    sender->is_awaited = false;
    return is_in_time;
}

bool layer_transfer_open(struct layer_sender *sender, struct layer_transfer *transfer,
                         const struct link_stream *stream)
{
    const struct timespec until = layer_time_after_ms(DEADLINE_MS);
    pthread_mutex_lock(&sender->mutex);
    *transfer = (struct layer_transfer){
        .asked = *stream, .is_new = true, .next = sender->transfers};
    transfer->asked.stream = sender->num_streams++;
    sender->transfers = transfer;
    while (!transfer->is_answered && !sender->is_lost && !sender->is_silent) {
        sender->is_silent = !wait_for_recorder(sender, &until);
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

// Report the last frames of a transfer to the recorder, if they were dropped and had no room. Under
// the mutex.
static void report_last(struct layer_sender *sender, struct layer_transfer *transfer)
{
    if (transfer->unreported_ns != 0 && count_room(sender) > 0) {
        put(sender, &(const struct layer_item){
                        .type = LINK_FRAME,
                        .transfer = transfer,
                        .blocks = {.slot = LINK_NO_SLOT, .time_ns = transfer->unreported_ns},
                        .number = transfer->num_frames - 1,
                    });
        transfer->unreported_ns = 0;
    }
}

// Wait until the thread has done what is queued of a transfer: the GPU finishes its frames, then
// the deadline ends the wait for the recorder. False: nothing moves any more. Under the mutex.
static bool wait_for_items(struct layer_sender *sender, const struct layer_transfer *transfer)
{
    while (transfer->num_queued > 0) {
        const uint32_t before = transfer->num_queued;
        const struct timespec until = layer_time_after_ms(HANG_MS);
        while (transfer->num_queued == before) {
            if (!layer_sender_sleep(sender, &until)) {
                return false;
            }
        }
    }
    return true;
}

// Under the mutex.
static void remove_transfer(struct layer_sender *sender, const struct layer_transfer *transfer)
{
    struct layer_transfer **at = &sender->transfers;
    while (*at != transfer) {
        at = &(*at)->next;
    }
    *at = transfer->next;
}

void layer_transfer_close(struct layer_sender *sender, struct layer_transfer *transfer)
{
    transfer->is_kept = layer_sender_is_forked(sender);
    if (transfer->is_kept) {
        return;
    }
    pthread_mutex_lock(&sender->mutex);
    sender->deadline = layer_time_after_ms(DEADLINE_MS);
    sender->has_deadline = true;
    report_last(sender, transfer);
    if (!transfer->is_new) { // the recorder knows it, if only to refuse it
        put(sender, &(const struct layer_item){.type = LINK_END, .transfer = transfer});
    }
    sender->is_stuck = sender->is_stuck || !wait_for_items(sender, transfer);
    transfer->is_kept = sender->is_stuck;
    if (transfer->is_kept) {
        sender->is_drained = true;
        atomic_store_explicit(&sender->is_recording, false, memory_order_relaxed);
    } else {
        remove_transfer(sender, transfer);
    }
    sender->has_deadline = false;
    pthread_mutex_unlock(&sender->mutex);
    if (!transfer->is_kept) {
        link_memory_unmap(transfer->memory, &transfer->accept);
        transfer->memory = NULL;
    }
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
    const struct timespec until = layer_time_after_ms(DEADLINE_MS);
    pthread_mutex_lock(&sender->mutex);
    while (transfer->free_slots == 0 && may_wait(sender)) {
        sender->is_stalled = !wait_for_recorder(sender, &until);
    }
    const bool is_free = transfer->free_slots != 0 && !sender->is_lost && !sender->is_drained &&
                         count_room(sender) > LAYER_MAX_ITEMS / 4;
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
    const struct timespec until = layer_time_after_ms(DEADLINE_MS);
    pthread_mutex_lock(&sender->mutex);
    const struct layer_item item = {.type = LINK_FRAME,
                                    .transfer = transfer,
                                    .blocks = *blocks,
                                    .number = transfer->num_frames++};
    // Half of the items is kept for frames with blocks. A dropped frame that finds no room is
    // reported by the gap in the numbers before the next one.
    const bool is_reported = blocks->readback || count_room(sender) > LAYER_MAX_ITEMS / 2;
    transfer->unreported_ns = is_reported ? 0 : blocks->time_ns;
    if (is_reported) {
        put(sender, &item);
    }
    while (blocks->readback && transfer->num_queued > 0 && may_wait(sender)) {
        sender->is_stalled = !layer_sender_sleep(sender, &until);
    }
    pthread_mutex_unlock(&sender->mutex);
}

void layer_transfer_drop(struct layer_sender *sender, struct layer_transfer *transfer,
                         uint32_t slot, int64_t time_ns)
{
    pthread_mutex_lock(&sender->mutex);
    transfer->free_slots |= UINT64_C(1) << slot;
    pthread_mutex_unlock(&sender->mutex);
    layer_transfer_push(sender, transfer,
                        &(const struct layer_blocks){.slot = LINK_NO_SLOT, .time_ns = time_ns});
}

void layer_sender_drain(struct layer_sender *sender, const struct timespec *until)
{
    // The program may have been interrupted where it holds the mutex, and ended by its handler.
    if (!sender || layer_sender_is_forked(sender) || !layer_lock_until(&sender->mutex, until)) {
        return;
    }
    sender->is_drained = true;
    atomic_store_explicit(&sender->is_recording, false, memory_order_relaxed);
    for (struct layer_transfer *transfer = sender->transfers; transfer; transfer = transfer->next) {
        report_last(sender, transfer);
    }
    while (sender->head != sender->tail && !sender->is_lost && layer_sender_sleep(sender, until)) {
    }
    pthread_mutex_unlock(&sender->mutex);
}
