// SPDX-License-Identifier: MIT
// A file that is written in commits: what was committed stays whole, what follows a failure is cut
// off.
#ifndef WEIR_CAPTURE_BASE_FILE_H
#define WEIR_CAPTURE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/result.h>

// Sizes and places of direct writes are multiples of it, which suits every common disk [bytes].
#define WEIR_FILE_BLOCK 4096u

struct weir_file {
    char *path;      // the final name, links resolved
    char *temporary; // the name until the first commit; NULL from then on
    int fd;
    uint64_t size;          // given to the system [bytes]
    uint64_t committed;     // of those, up to the last commit [bytes]
    uint64_t flushed;       // of those, on their way to the disk [bytes]
    enum weir_result state; // WEIR_OK, or the first failure: every later call answers it
    struct weir_log log;
    bool is_direct; // past the system's cache
    uint8_t *stage; // small writes wait here for the next large one or a flush
    size_t num_staged, stage_room;
};

// Make the file under a temporary name in the folder of `path`. A file named `path` is neither
// touched nor replaced before the first commit. Links are followed; what is not a regular file is
// refused.
// Errors: WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL, WEIR_ERROR_OUT_OF_MEMORY, with the remedy in the
// log.
enum weir_result weir_file_open(struct weir_file *file, const char *path,
                                const struct weir_log *log);

// Write past the system's cache from now on, if the file system can: several times faster for large
// frames (docs/capture.md has figures). Commits should then fall on multiples of WEIR_FILE_BLOCK;
// the first that does not ends it. False: writing goes on as before.
bool weir_file_go_direct(struct weir_file *file);

// Append. A large piece goes to the system at once, together with the small ones before it,
// uncopied.
// Errors: WEIR_ERROR_DISK_FULL, WEIR_ERROR_IO. They are logged once and cut the file back to its
// last commit.
enum weir_result weir_file_write(struct weir_file *file, const uint8_t *data, size_t size);

// Give everything to the system, where it survives the program. Errors: as weir_file_write().
enum weir_result weir_file_flush(struct weir_file *file);

// Flush, and from now on keep what is there: the first commit gives the file its name.
enum weir_result weir_file_commit(struct weir_file *file);

// Append `tail` behind the last commit, wait until the disk has all of it, then overwrite the 16
// bytes at `offset` in one write: all of that or none, also when the power fails in between. Works
// on a file whose writing failed, as on a full disk, because what was cut off made room. False: the
// file is as committed.
bool weir_file_seal(struct weir_file *file, const uint8_t *tail, size_t tail_size,
                    const uint8_t patch[16], uint64_t offset);

// Close it. A file that was never committed is removed. Answers the first failure.
enum weir_result weir_file_close(struct weir_file *file);

#endif
