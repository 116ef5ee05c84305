// SPDX-License-Identifier: MIT
// A file that is written in commits. After a failure the file is cut back to its last commit, and
// everything that was committed stays whole.
#ifndef WEIR_CAPTURE_BASE_FILE_H
#define WEIR_CAPTURE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/log.h>
#include <weir/result.h>

// Sizes and offsets of direct writes are multiples of this, which suits every common disk [bytes].
#define WEIR_FILE_BLOCK 4096u

struct weir_file {
    char *path;      // the final name, links resolved
    char *temporary; // the name until the first commit; NULL from then on
    int fd;
    uint64_t size;          // bytes given to the system
    uint64_t committed;     // bytes of `size` up to the last commit
    uint64_t flushed;       // bytes of `size` that the system was told to write to the disk
    enum weir_result state; // WEIR_OK, or the first failure, which every later call returns
    struct weir_log log;
    bool is_direct; // writes bypass the system's cache
    uint8_t *stage; // small writes wait here for the next large one or a flush
    size_t num_staged, stage_room;
};

// Make the file under a temporary name in the folder of `path`. An existing file `path` is neither
// touched nor replaced before the first commit. Links are followed. If `path` exists and is not a
// regular file, it is refused.
// Errors: WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL, WEIR_ERROR_OUT_OF_MEMORY, with the remedy in the
// log.
enum weir_result weir_file_open(struct weir_file *file, const char *path,
                                const struct weir_log *log);

// From now on bypass the system's cache, which is several times faster for large frames
// (docs/capture.md has figures). Commits should then be at multiples of WEIR_FILE_BLOCK; the first
// one that is not ends this mode. False if the file system cannot do it; writing then goes on as
// before.
bool weir_file_go_direct(struct weir_file *file);

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
// bytes at `offset` in one write. Either both changes are made or none, even if the power fails in
// between. Works on a file whose writing failed, for instance on a full disk, because the part that
// was cut off has made room. False: the file is as it was committed.
bool weir_file_seal(struct weir_file *file, const uint8_t *tail, size_t tail_size,
                    const uint8_t patch[16], uint64_t offset);

// Close the file. A file that was never committed is removed. Returns the first failure.
enum weir_result weir_file_close(struct weir_file *file);

#endif
