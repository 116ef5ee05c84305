// SPDX-License-Identifier: MIT
// Sync: a thread that makes the disk have what was committed to a file, at regular times, so that
// nobody who writes waits for it.
#ifndef WEIR_CAPTURE_BASE_SYNC_H
#define WEIR_CAPTURE_BASE_SYNC_H

#include <stdint.h>

// Make the disk have what the file holds. Returns 0, or an errno value. After a failure a second
// call proves nothing, because the system has dropped what it could not write. A file system that
// does not sync is no failure.
int weir_sync_data(int fd);

// Make the disk have the names in a folder. Returns as weir_sync_data().
int weir_sync_folder(int folder);

struct weir_sync;

// Start a thread for the file `fd` in `folder`, both of which are borrowed. A commit is on the disk
// `interval_ns` after it was made, if the disk can do that: from the beginning of a sync to the end
// of the next it takes no longer, if that one takes at most twice as long as the first. After the
// first commit the folder is synced too. NULL: out of memory or threads.
struct weir_sync *weir_sync_create(int fd, int folder, uint64_t interval_ns);

// Note that the first `size` bytes of the file are committed. Never waits for the disk.
void weir_sync_commit(struct weir_sync *sync, uint64_t size);

// Get the failure of the thread, an errno value, or 0. After a failure it syncs no more.
int weir_sync_failure(struct weir_sync *sync);

// Wait until a sync that is under way is done, and end the thread. Returns the failure; `*synced`
// becomes the number of bytes that the disk has for certain.
int weir_sync_destroy(struct weir_sync *sync, uint64_t *synced);

#endif
