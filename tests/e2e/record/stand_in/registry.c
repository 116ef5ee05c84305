// SPDX-License-Identifier: MIT
// Lists of instances and devices, which are found by any handle of theirs.
#include "tests/e2e/record/stand_in/registry.h"

static const void *key_of(const void *handle)
{
    return *(const void *const *)handle;
}

void stand_in_registry_add(struct stand_in_registry *registry, struct stand_in_entry *entry,
                           const void *handle)
{
    pthread_mutex_lock(&registry->mutex);
    entry->key = key_of(handle);
    entry->next = registry->first;
    registry->first = entry;
    pthread_mutex_unlock(&registry->mutex);
}

void *stand_in_registry_find(struct stand_in_registry *registry, const void *handle)
{
    pthread_mutex_lock(&registry->mutex);
    struct stand_in_entry *entry = registry->first;
    while (entry && entry->key != key_of(handle)) {
        entry = entry->next;
    }
    pthread_mutex_unlock(&registry->mutex);
    return entry;
}

void stand_in_registry_remove(struct stand_in_registry *registry, struct stand_in_entry *entry)
{
    pthread_mutex_lock(&registry->mutex);
    struct stand_in_entry **at = &registry->first;
    while (*at != entry) {
        at = &(*at)->next;
    }
    *at = entry->next;
    pthread_mutex_unlock(&registry->mutex);
}
