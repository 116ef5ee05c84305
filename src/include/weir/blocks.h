// SPDX-License-Identifier: MIT
// Movies of blocks (libweir-capture): makes a movie of frames that are already compressed into
// blocks, on another device, in another process or by another encoder.
//
// No device is needed. weir_capture_open_blocks() replaces weir_capture_open(), and
// weir_capture_blocks() replaces weir_capture_frame(); the other calls of a capture are the same.
#pragma once

#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/movie.h>
#include <weir/result.h>

// The layout of a frame's textures in the caller's memory. Before each texture there is free space
// for the headers of its packet, so a frame is written from that memory without a copy. The first
// texture begins at a multiple of 16 bytes, a second one at a multiple of 4.
struct weir_blocks_layout {
    uint32_t num_textures;
    uint64_t offsets[WEIR_MOVIE_MAX_TEXTURES]; // of each texture [bytes]
    uint64_t sizes[WEIR_MOVIE_MAX_TEXTURES];   // [bytes]
    uint64_t size;                             // of the whole frame, a multiple of 16 [bytes]
};

// Get the layout of a frame of width x height texels, 1 .. 65535 each. All fields are zero for an
// unknown codec and other sizes. Thread-safe. Pure.
WEIR_API struct weir_blocks_layout weir_blocks_get_layout(enum weir_movie_codec codec,
                                                          uint32_t width, uint32_t height);

// The parameters of a capture of blocks, beside weir_capture_params.
struct weir_blocks_params {
    uint32_t width, height; // of all frames, or with segments of the first, 1 .. 65535
    // Required: called once for each accepted frame, in their order, when its memory is no longer
    // used. Runs on the capture's thread, on which all signals are blocked, and must not call the
    // capture. When weir_capture_close() returns, all frames have been released. With constant_rate
    // a frame is kept until the next one is written. A frame's slot is free after release()
    // returns, not during it.
    void (*release)(void *user, void *owner);
    void *user;          // the first argument of release()
    struct weir_log log; // receives the messages of the capture
};

// Open a movie of blocks. These fields of weir_capture_params must be zero (WEIR_ERROR_INVALID):
// `like`, `encoding`, rate.quality, rate.bytes_per_second; rate.packing must not be GPU. Both
// policies are possible.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_IO,
// WEIR_ERROR_DISK_FULL, or that of callbacks.open(). No file is left behind then, and release() is
// not called.
// Thread safety: any thread.
WEIR_API enum weir_result weir_capture_open_blocks(const struct weir_blocks_params *blocks,
                                                   const struct weir_capture_params *params,
                                                   weir_capture **out);

// A frame of blocks.
struct weir_blocks {
    uint32_t width, height; // of the picture [texels]
    // The memory of the frame, laid out by weir_blocks_get_layout(), aligned to 16 bytes. It
    // belongs to the capture until release(); the capture writes to the free space before textures.
    // If another process writes to it meanwhile, only the picture changes. NULL: the frame was lost
    // before it was encoded. It is dropped (WEIR_DROPPED, counted as WEIR_DROP_RING_FULL) and
    // listed with the drops.
    uint8_t *data;
    int64_t time_ns; // as weir_frame.time_ns
    void *owner;     // the second argument of release()
};

// Hand over a frame. WEIR_OK: the frame was accepted, and release() will be called or was called
// already. With every other result the memory stays the caller's: WEIR_DROPPED, WEIR_SKIPPED, and
// the errors of weir_capture_frame() except those of a device. WEIR_ERROR_INVALID: NULL, a capture
// of rendered frames, memory that is not aligned, a side that is 0, or without segments another
// size. Such a frame is not counted, and its time may be used again.
//
// With segments a frame may have another size than the one before it. The call then makes a new
// packer; if that fails, it returns the error, and frames of the size before are still accepted.
// Allocates only for the first frame of another size. Blocks only with WEIR_POLICY_WAIT. Thread
// safety: as weir_capture_frame().
WEIR_API enum weir_result weir_capture_blocks(weir_capture *capture,
                                              const struct weir_blocks *blocks);
