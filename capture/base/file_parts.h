// SPDX-License-Identifier: MIT
// The inside of a file that is written in commits: opening, sealing and restoring it, and what the
// disk has of it. posix/ and windows/ have its descriptors, its part and how it is restored.
#pragma once

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

// Descriptors. Calls return errno values, and 0 for success, unless they say something else.

// Bytes to write.
struct weir_bytes {
    const uint8_t *data;
    size_t size;
};

// Bypass the system's cache, or no longer. `*direct` becomes the descriptor to write to. False: the
// file system cannot do it or is in memory, and `*direct` is `fd`.
bool weir_descriptor_set_direct(int fd, bool is_direct, int *direct);

// Write one after the other behind the `size` bytes that the file has. `*num_written` becomes the
// number of bytes that were written, perhaps not all. EINVAL: a direct write is not possible.
int weir_descriptor_append(int fd, const struct weir_bytes parts[2], uint64_t size,
                           size_t *num_written);

// Write all of it there. `*num_written` becomes the number of bytes that were changed.
int weir_descriptor_write(int fd, const uint8_t *data, size_t size, uint64_t offset,
                          size_t *num_written);

// Cut the file to that size.
int weir_descriptor_cut(int fd, uint64_t size);

// Ask the system to start writing these bytes to the disk.
void weir_descriptor_write_back(int fd, uint64_t offset, uint64_t size);

int weir_descriptor_close(int fd);

// The part: the file that an output is until its first commit, under a name of its own beside it.
// It is locked, and the lock stays with it when it gets the output's name.

// Make the part of the output `name` in `folder`, empty and open for reading and writing. Its name,
// `part`, is the same at every run, so what a killed program left is removed here. If there is a
// file `name`, the part gets its mode and, where the system permits it, its owner.
// Returns the descriptor, or a negative errno value: -EWOULDBLOCK if another program, or another
// file of this one, writes that output now. Nothing is left behind then. Without locks, which a
// file system may not have, that is not noticed.
int weir_part_create(int folder, const char *name, char part[WEIR_PART_NAME_SIZE]);

// Get the name of the part of an output, which can be too long to add something to it.
void weir_part_name(const char *name, char part[WEIR_PART_NAME_SIZE]);

// Let others write the output. Closing the descriptor would not do where a child of the program,
// made by fork(), has it too.
void weir_part_unlock(int fd);

// True if `name` in `folder` is the file of that descriptor.
bool weir_part_is_named(int fd, int folder, const char *name);

// Rename the file to the output `name`, which is replaced at once and whole.
int weir_part_rename(int fd, int folder, const char *part, const char *name);

// Remove the file, if it still has that name.
void weir_part_remove(int fd, int folder, const char *part);

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
