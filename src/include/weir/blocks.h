// SPDX-License-Identifier: MIT
// Movies of blocks (libweir-capture): frames that are compressed into blocks already, on another
// device, in another process or by another encoder, become a movie as rendered frames do.
//
// No device is needed. weir_capture_open_blocks() stands for weir_capture_open(), and
// weir_capture_blocks() for weir_capture_frame(); all else of a capture is the same.
#ifndef WEIR_BLOCKS_H
#define WEIR_BLOCKS_H

#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/movie.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// The offsets and sizes of a frame's textures in the memory that the frame is handed over in.
// Before each texture there is free space for the headers of its packet, so that a frame is written
// from that memory without a copy. The first texture begins at a multiple of 16 bytes from the
// first byte of the memory; a second one, with no more than a header between them, at a multiple of
// 4.
struct weir_blocks_layout {
    uint32_t num_textures;
    uint64_t offsets[WEIR_MOVIE_MAX_TEXTURES]; // of each texture [bytes]
    uint64_t sizes[WEIR_MOVIE_MAX_TEXTURES];   // [bytes]
    uint64_t size;                             // of all of it, a multiple of 16 [bytes]
};

// Get the layout of a frame of width x height texels, 1 .. 65535 each. All fields are zero for an
// unknown codec and other sizes. Thread-safe. Pure.
WEIR_API struct weir_blocks_layout weir_blocks_get_layout(enum weir_movie_codec codec,
                                                          uint32_t width, uint32_t height);

// The parameters of a capture of blocks, beside weir_capture_params.
struct weir_blocks_params {
    uint32_t width, height; // of all frames, or with `segments` of the first ones. Required
    // Required: called once for each frame that was taken, when its memory is no longer used, in
    // the order of frames. On the capture's thread, on which all signals are blocked; all have come
    // back when weir_capture_close() returns. It must not call the capture. With constant_rate the
    // memory of a frame is kept until the next one is written. The room of a frame is free right
    // after its release(), not yet in it.
    void (*release)(void *user, void *owner);
    void *user;          // the first argument of release()
    struct weir_log log; // receives the messages of the capture
};

// Open a movie of blocks. Of weir_capture_params these are not used, and are refused with
// WEIR_ERROR_INVALID where they are set: `like`, `decoder`, `effort`, `steady`, `quality`, `rate`,
// `no_dither`, and `packing` GPU. The policies are WAIT and DROP.
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
    // The memory of the frame by weir_blocks_get_layout(), aligned to 16. It belongs to the capture
    // until release(), and the free space before textures is written. What another process changes
    // in it meanwhile changes the picture, and nothing else.
    // NULL: the frame is lost to whoever was to encode it. Where it would be taken it is dropped
    // (WEIR_DROPPED, counted as WEIR_DROP_RING_FULL), and stands in the list of drops.
    uint8_t *data;
    int64_t time_ns; // as weir_frame.time_ns
    void *owner;     // the second argument of release()
};

// Hand over a frame. WEIR_OK: it was taken, and release() will be called, or was already. Every
// other answer leaves the memory with the caller: WEIR_DROPPED, WEIR_SKIPPED and the errors of
// weir_capture_frame(), but those of a device. WEIR_ERROR_INVALID: NULL, a capture of rendered
// frames, memory that is not aligned, a side that is 0, or without segments another size; the frame
// is refused, is not counted, and may come again with the same time.
//
// With segments a frame may have another size than the one before it. For the first such frame that
// has room the call makes a packer anew; if that fails, the frame is refused with the error, and
// frames as before may come.
// Allocates nothing, but for the first frame of another size. Blocks only with WEIR_POLICY_WAIT.
// Thread safety: as weir_capture_frame().
WEIR_API enum weir_result weir_capture_blocks(weir_capture *capture,
                                              const struct weir_blocks *blocks);

#ifdef __cplusplus
}
#endif
#endif
