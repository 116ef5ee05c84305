// SPDX-License-Identifier: MIT
// The inside of a file that is written in commits: opening, sealing and restoring it, its
// descriptors, its part, and what the disk has of it.
#pragma once

#include <sys/stat.h>

#include "capture/base/file.h"

// True for the errno values of a file system that has no room.
bool weir_file_is_full(int error);

// Get the result for an errno value: WEIR_ERROR_DISK_FULL or WEIR_ERROR_IO.
enum weir_result weir_file_failure(int error);

// Replace the stage by one of another size. False: out of memory; the stage stays as it is.
bool weir_file_make_stage(struct weir_file *file, size_t room);

// Write through the system's cache from now on.
void weir_file_leave_direct(struct weir_file *file);

// Note that the disk did not store what the system had taken. Returns the state.
enum weir_result weir_file_fail_sync(struct weir_file *file, int error);

// End the thread that syncs, and take over its failure. Returns the state.
enum weir_result weir_file_stop_sync(struct weir_file *file);

// Free what weir_file_open() made, but for the descriptor of the file.
void weir_file_free(struct weir_file *file);

// Compare what was written with what has its name now, and see to it that all commits are kept:
// under that name, or where another file has it, under one that the log names. A file that has no
// name at all is copied.
// WEIR_OK: it has its name. Errors, logged: WEIR_ERROR_IO (it is kept under another name, or there
// is no room for the copy and it is lost).
enum weir_result weir_file_restore(struct weir_file *file);

// Descriptors: none is one of the standard streams.

// openat() with O_CLOEXEC, and a descriptor of at least 3. A host that was started without standard
// streams has 0, 1 and 2 free, and what it prints there would end up in the file.
int weir_descriptor_open(int folder, const char *path, int flags);

// The part: the file that an output is until its first commit, under a name of its own beside it.
// It is locked, and the lock stays with it when it gets the output's name.

// Make the part of the output `name` in `folder`, empty and open for reading and writing. Its name,
// `part`, is the same at every run, so what a killed program left is removed here. If there is a
// file `name`, the part gets its mode and, where the system permits it, its owner.
// Returns the descriptor, or a negative errno value: -EWOULDBLOCK if another program, or another
// file of this one, writes that output now. Nothing is left behind then. Without locks, which a
// file system may not have, that is not noticed.
int weir_part_create(int folder, const char *name, char part[WEIR_PART_NAME_SIZE]);

// Let others write the output. Closing the descriptor would not do where a child of the program,
// made by fork(), has it too.
void weir_part_unlock(int fd);

// True if `name` in `folder` is the file of that descriptor.
bool weir_part_is_named(int fd, int folder, const char *name);

// Give the file of the descriptor the mode and, where the system permits it, the group of another
// one of the same owner.
void weir_part_take_rights(int fd, const struct stat *from);

// Sync: a thread that makes the disk have what was committed to a file, at regular times, so that
// nobody who writes waits for it.

// Make the disk have what the file holds. Returns 0, or an errno value. After a failure a second
// call proves nothing, because the system has dropped what it could not write. A file system that
// does not sync is no failure.
int weir_sync_data(int fd);

// Make the disk have the names in a folder. Returns as weir_sync_data().
int weir_sync_folder(int folder);

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
