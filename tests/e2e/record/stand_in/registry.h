// SPDX-License-Identifier: MIT
// Lists of instances and devices, which are found by any handle of theirs.
#ifndef WEIR_TESTS_STAND_IN_REGISTRY_H
#define WEIR_TESTS_STAND_IN_REGISTRY_H

#include <pthread.h>

// The first member of what a list holds.
struct stand_in_entry {
    struct stand_in_entry *next;
    const void *key;
};

struct stand_in_registry {
    pthread_mutex_t mutex;
    struct stand_in_entry *first;
};

// Handles of one instance, or of one device, begin with the same pointer: the loader's table.
// `handle` is such a handle. All are thread-safe.
void stand_in_registry_add(struct stand_in_registry *registry, struct stand_in_entry *entry,
                           const void *handle);
// NULL: it is unknown.
void *stand_in_registry_find(struct stand_in_registry *registry, const void *handle);
void stand_in_registry_remove(struct stand_in_registry *registry, struct stand_in_entry *entry);

#endif
