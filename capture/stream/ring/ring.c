// SPDX-License-Identifier: MIT
// The ring: hands filled slots from the render thread to the writer thread, and their room back.
//
// sem_post() is one atomic addition while the other side is awake, and one futex wake when it
// sleeps.
#include "capture/stream/ring/ring.h"

#include <errno.h>

static void sleep_on(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR) {
    }
}

void weir_ring_init(struct weir_ring *ring, uint32_t num_items)
{
    *ring = (struct weir_ring){.head = 0};
    sem_init(&ring->room, 0, num_items);
    sem_init(&ring->filled, 0, 0);
}

void weir_ring_finish(struct weir_ring *ring)
{
    sem_destroy(&ring->room);
    sem_destroy(&ring->filled);
}

bool weir_ring_try_reserve(struct weir_ring *ring)
{
    return sem_trywait(&ring->room) == 0;
}

void weir_ring_reserve(struct weir_ring *ring)
{
    sleep_on(&ring->room);
}

void weir_ring_release(struct weir_ring *ring)
{
    sem_post(&ring->room);
}

void weir_ring_push(struct weir_ring *ring, const struct weir_ring_item *item)
{
    const uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    ring->items[head % WEIR_RING_MAX_ITEMS] = *item;
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    sem_post(&ring->filled);
}

void weir_ring_close(struct weir_ring *ring)
{
    atomic_store_explicit(&ring->is_closed, true, memory_order_release);
    sem_post(&ring->filled);
}

void weir_ring_wake(struct weir_ring *ring)
{
    sem_post(&ring->filled);
}

enum weir_ring_event weir_ring_pop(struct weir_ring *ring, struct weir_ring_item *item)
{
    sleep_on(&ring->filled);
    // In this order: what was pushed before the ring was closed is seen.
    const bool is_closed = atomic_load_explicit(&ring->is_closed, memory_order_acquire);
    const uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    if (tail != atomic_load_explicit(&ring->head, memory_order_acquire)) {
        *item = ring->items[tail % WEIR_RING_MAX_ITEMS];
        atomic_store_explicit(&ring->tail, tail + 1, memory_order_relaxed);
        return WEIR_RING_ITEM;
    }
    if (is_closed) {
        sem_post(&ring->filled); // the end lasts
    }
    return is_closed ? WEIR_RING_CLOSED : WEIR_RING_WOKEN;
}
