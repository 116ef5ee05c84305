// SPDX-License-Identifier: MIT
// A file that is written in commits. After a failure the file is cut back to its last commit, and
// everything that was committed stays whole.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/result.h>

// Sizes and offsets of direct writes are multiples of this, which suits every common disk [bytes].
#define WEIR_FILE_BLOCK 4096u

#define WEIR_PART_NAME_SIZE 32u // with the final zero [bytes]

struct weir_sync;

struct weir_file {
    char *path;                     // as it was given
    char *name;                     // its last part, links resolved
    int folder;                     // the folder that `name` is in, wherever that is moved
    char *folder_path;              // where it was at first; NULL: not known
    char part[WEIR_PART_NAME_SIZE]; // the name until the first commit; "" from then on
    int fd;
    int out;                // `fd`, or what takes direct writes to it
    uint64_t size;          // bytes given to the system
    uint64_t committed;     // bytes of `size` up to the last commit
    uint64_t flushed;       // bytes of `size` that the system was asked to write to the disk
    enum weir_result state; // WEIR_OK, or the first failure, which every later call returns
    struct weir_log log;
    bool is_direct; // writes bypass the system's cache
    uint8_t *stage; // small writes wait here for the next large one or a flush
    size_t num_staged, stage_room;
    struct weir_sync *sync; // the thread that syncs; NULL: none, or it has ended
    uint64_t synced;        // bytes that the disk has for certain
    bool is_synced;         // the disk is to have everything when the file is closed
    bool has_failed_sync;   // what the disk has of the file is uncertain
    // To be set before the first commit: the file takes its name when it is closed, whole. After a
    // failure nothing of it is left, and what had the name stays as it was.
    bool is_atomic;
    bool is_displaced; // closed: its name or place, taken by another program, is the only failure
};

// 16 bytes of a file that change at once.
struct weir_file_patch {
    uint64_t offset;
    uint8_t before[16], after[16];
};

// Make the file under a temporary name in the folder of `path`. An existing file `path` is neither
// touched nor replaced before the first commit; the new one takes over the mode and, where the
// system permits it, the group of a file of this user. Links are followed. If `path` exists and is
// not a regular file, or is being written by another weir_file of any program, it is refused, and
// so is what another user has put in a folder that all may write (capture/base/place.h).
// Errors: WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL, WEIR_ERROR_OUT_OF_MEMORY, with the remedy in the
// log.
enum weir_result weir_file_open(struct weir_file *file, const char *path,
                                const struct weir_log *log);

// The same for a name that the user did not give, as that of a segment: a link that has it is not
// followed, but replaced.
enum weir_result weir_file_open_nofollow(struct weir_file *file, const char *path,
                                         const struct weir_log *log);

// From now on bypass the system's cache, which is several times faster for large frames
// (docs/capture.md has figures). Commits should then be at multiples of WEIR_FILE_BLOCK; the first
// one that is not ends this mode. False if the file system cannot do it; writing then goes on as
// before.
bool weir_file_go_direct(struct weir_file *file);

// From now on a thread makes the disk have every commit `interval_ns` after it was made, and
// weir_file_close() makes it have the whole. A disk that fails to fails the file.
// Errors: WEIR_ERROR_OUT_OF_MEMORY (also for threads), which is logged.
enum weir_result weir_file_sync_every(struct weir_file *file, uint64_t interval_ns);

// Fail a file from outside, where what its content is made of has failed. A failure that it has
// already stays. It is reported where it is the first.
void weir_file_fail(struct weir_file *file, enum weir_result failure);

// Append data. A large piece is given to the system at once without a copy, together with the small
// pieces before it.
// Errors: WEIR_ERROR_DISK_FULL, WEIR_ERROR_IO. They are logged once and cut the file back to its
// last commit.
enum weir_result weir_file_write(struct weir_file *file, const uint8_t *data, size_t size);

// Give everything to the system, so that it survives the program. Errors: as weir_file_write().
enum weir_result weir_file_flush(struct weir_file *file);

// Flush the file and commit everything in it. The first commit gives the file its final name.
enum weir_result weir_file_commit(struct weir_file *file);

// Append `tail` after the last commit, wait until it is on the disk, and then overwrite the 16
// bytes of `patch` in one write. Either both changes are made or none, even if the power fails in
// between. Works on a file whose writing failed, for instance on a full disk, because the part that
// was cut off has made room.
// WEIR_ERROR_DISK_FULL, not logged and no failure of the file: there is no room, and the file is as
// it was committed. WEIR_ERROR_IO, logged and a failure of the file: the disk failed.
enum weir_result weir_file_seal(struct weir_file *file, const uint8_t *tail, size_t tail_size,
                                const struct weir_file_patch *patch);

// Close the file. A file that was never committed is removed. One that was deleted or replaced by
// another program gets its name again or, where that is taken, another one, which is a failure; the
// log says so. Returns the first failure.
enum weir_result weir_file_close(struct weir_file *file);
