// SPDX-License-Identifier: MIT
// The ring under two threads: every item arrives once, in order, whole; room never runs over.
#include <pthread.h>
#include <stdio.h>

#include "capture/stream/ring/ring.h"
#include "testing.h"

#define NUM_ITEMS 200000

struct side {
    struct weir_ring *ring;
    uint64_t expected, num_wrong;
    uint32_t num_slots;
    uint64_t num_refused;
};

static struct weir_ring_item item_of(uint64_t number)
{
    return (struct weir_ring_item){
        .slot = (uint32_t)(number % 64),
        .is_submitted = number % 3 == 0,
        .is_encoded = number % 5 == 0,
        .number = number,
        .time_ns = number * 0x9e3779b97f4a7c15u,
    };
}

static void *consume(void *user)
{
    struct side *side = user;
    struct weir_ring_item item;
    enum weir_ring_event event;
    while ((event = weir_ring_pop(side->ring, &item)) != WEIR_RING_CLOSED) {
        if (event == WEIR_RING_WOKEN) {
            continue;
        }
        const struct weir_ring_item want = item_of(side->expected++);
        side->num_wrong += item.slot != want.slot || item.number != want.number ||
                           item.time_ns != want.time_ns || item.is_submitted != want.is_submitted ||
                           item.is_encoded != want.is_encoded;
        weir_ring_release(side->ring);
    }
    return NULL;
}

static void stress(uint32_t num_slots, bool wait)
{
    static struct weir_ring ring;
    weir_ring_init(&ring, num_slots);
    struct side side = {.ring = &ring, .num_slots = num_slots};
    pthread_t consumer;
    pthread_create(&consumer, NULL, consume, &side);
    uint64_t pushed = 0;
    for (int i = 0; i < NUM_ITEMS; i++) {
        if (wait) {
            weir_ring_reserve(&ring);
        } else if (!weir_ring_try_reserve(&ring)) {
            side.num_refused++;
            continue;
        }
        const struct weir_ring_item item = item_of(pushed++);
        weir_ring_push(&ring, &item);
        if (pushed % 16 == 0) {
            weir_ring_wake(&ring);
        }
    }
    weir_ring_close(&ring);
    pthread_join(consumer, NULL);
    test_expect(side.expected == pushed, "%u slots: %llu pushed, %llu popped", num_slots,
                (unsigned long long)pushed, (unsigned long long)side.expected);
    test_expect(side.num_wrong == 0, "%u slots: %llu items differ", num_slots,
                (unsigned long long)side.num_wrong);
    test_expect(pushed + side.num_refused == NUM_ITEMS, "%u slots: lost count", num_slots);
    test_expect(!wait || side.num_refused == 0, "%u slots: refused one that may wait", num_slots);
    weir_ring_finish(&ring);
}

static void test_bounds(void)
{
    static struct weir_ring ring;
    weir_ring_init(&ring, 2);
    test_expect(weir_ring_try_reserve(&ring) && weir_ring_try_reserve(&ring), "room for two");
    test_expect(!weir_ring_try_reserve(&ring), "no room for three");
    weir_ring_release(&ring);
    test_expect(weir_ring_try_reserve(&ring), "room again");
    struct weir_ring_item item = item_of(0);
    weir_ring_wake(&ring);
    test_expect(weir_ring_pop(&ring, &item) == WEIR_RING_WOKEN, "woken without an item");
    // An item that was pushed before the ring was closed still arrives.
    weir_ring_push(&ring, &item);
    weir_ring_close(&ring);
    weir_ring_wake(&ring);
    test_expect(weir_ring_pop(&ring, &item) == WEIR_RING_ITEM, "one item before the end");
    test_expect(weir_ring_pop(&ring, &item) == WEIR_RING_CLOSED &&
                    weir_ring_pop(&ring, &item) == WEIR_RING_CLOSED &&
                    weir_ring_pop(&ring, &item) == WEIR_RING_CLOSED,
                "the end lasts");
    weir_ring_finish(&ring);
}

int main(void)
{
    test_bounds();
    const uint32_t slots[] = {1, 2, 8, 64};
    for (int i = 0; i < 4; i++) {
        stress(slots[i], true);
        stress(slots[i], false);
    }
    return test_finish();
}
