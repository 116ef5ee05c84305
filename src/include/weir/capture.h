// SPDX-License-Identifier: MIT
// Capture (libweir-capture): rendered frames become a movie file, while the renderer goes on.
#ifndef WEIR_CAPTURE_H
#define WEIR_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/encode.h>
#include <weir/frame.h>
#include <weir/image.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// A movie being written. weir_capture_frame() belongs to one thread at a time;
// weir_capture_get_stats() to any. It owns one thread that waits for the GPU, builds packets and
// writes, and may own more that compress.
typedef struct weir_capture weir_capture;

// What happens to a frame when every slot is in use because the disk or the GPU is behind.
enum weir_policy {
    WEIR_POLICY_DROP = 0, // the frame is dropped and counted; the render loop never waits
    WEIR_POLICY_WAIT = 1, // weir_capture_frame() sleeps until a slot is free; no frame is lost
};

// Where packets go.
enum weir_sink {
    // a QuickTime movie; until it is closed a fragment a frame, readable after a kill
    WEIR_SINK_MOV = 0,
    WEIR_SINK_NULL = 1, // nowhere: packets are built and counted (measurements)
    WEIR_SINK_HASH = 2, // a text file with a line a frame: time stamp, size, FNV-1a 64 hash (tests)
};

// The second stage of a packet, after the texture compression. Every HAP player reads all of them.
enum weir_compression {
    WEIR_COMPRESSION_NONE = 0, // fastest; a fixed size a frame
    // smaller where the picture is simple; one section, or `num_chunks` in parallel. A frame that
    // does not get smaller is stored as it is
    WEIR_COMPRESSION_SNAPPY = 1,
};

// All pointers are read during weir_capture_open() only.
struct weir_capture_params {
    const char *debug_tag;
    // Required for MOV and HASH. The first frame that is written makes the file, or replaces the one
    // that is there; without a frame nothing changes.
    const char *path;
    enum weir_sink sink;
    // The blocks of a frame. WEIR_CODEC_YCOCG_BC3 makes a movie of the kind "hap_q" (HAP Q); other
    // codecs are WEIR_ERROR_UNSUPPORTED.
    enum weir_codec codec;
    enum weir_decoder_model decoder;
    enum weir_effort effort; // movies of every effort are of the same format and size
    enum weir_compression compression;
    // With SNAPPY: 1 .. 64 chunks a frame, compressed by as many threads as there are cores. 0 = 1.
    // The largest divisor of the number of blocks that is not above it is used.
    uint32_t num_chunks;
    enum weir_policy policy;
    uint32_t num_slots; // frames in flight, 2 .. 64; 0 = 8

    // Required: an image of the kind and the size of every frame's. Sides are 1 .. 65535.
    const weir_image *like;
    bool no_dither; // see weir_encoder_params

    // Nominal rate, for the movie's header and for the length of its last frame; 0 = 60/1. Time
    // stamps are the frames' own.
    uint32_t frame_rate_num, frame_rate_den;
};
#define weir_capture_params(...) WEIR_PARAMS(weir_capture_params, __VA_ARGS__)

// Open the movie and make everything that the frame path needs: kernels, slots, threads.
// The context must outlive the capture. The log is the context's.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN,
// WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL. No file is left behind then. Thread safety: any thread.
WEIR_API enum weir_result weir_capture_open(weir_context *context,
                                            const struct weir_capture_params *params,
                                            weir_capture **out);

// Hand over a frame: submits its encoding behind frame->wait on Weir's queue, and returns.
// `*released`, if not NULL, becomes the timeline point at which the image is the host's again;
// frame->signal is signalled then. The point belongs to the capture: submissions of the host that
// wait for it must have finished before weir_capture_close(). Both also hold when the frame was
// dropped, so the host's loop is the same; they do not hold after an error below, except for
// WEIR_ERROR_IO and WEIR_ERROR_DISK_FULL, where the frame is dropped and the loop may go on.
// WEIR_DROPPED: the policy is DROP and no slot was free, or time_ns is not after the last frame's.
// Errors: WEIR_ERROR_INVALID (a NULL, another size or format), WEIR_ERROR_OUT_OF_MEMORY (of the
// device or the host; that frame is lost), WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN, and, sticky,
// what failed on the writing thread: WEIR_ERROR_IO, WEIR_ERROR_DISK_FULL.
// Allocates nothing. Blocks with WEIR_POLICY_WAIT only, and see weir_readback_pass().
WEIR_API enum weir_result weir_capture_frame(weir_capture *capture, const struct weir_frame *frame,
                                             struct weir_point *released);

// Why a frame was dropped. New reasons are appended.
enum weir_drop_reason {
    WEIR_DROP_RING_FULL = 0, // every slot in use, policy DROP
    WEIR_DROP_TIME = 1,   // a time stamp not after the one before it, or a gap too long for a movie
    WEIR_DROP_SINK = 2,   // writing failed, now or before
    WEIR_DROP_DEVICE = 3, // the GPU failed
};
enum { WEIR_MAX_DROP_REASONS = 16 }; // room for reasons to come

// received = written + dropped + in_flight at every instant; in_flight is 0 after close.
struct weir_capture_stats {
    uint64_t received; // frames handed over, and not refused with WEIR_ERROR_INVALID
    uint64_t written;  // frames in the file
    uint64_t dropped;  // the sum of the next
    uint64_t dropped_by_reason[WEIR_MAX_DROP_REASONS]; // by enum weir_drop_reason
    uint64_t in_flight;
    uint64_t bytes;       // of packets given to the sink
    uint64_t gpu_ns;      // GPU time of all written frames [ns]; 0 where it cannot be measured
    uint64_t host_ns;     // time inside weir_capture_frame() on the caller's thread [ns]
    uint64_t host_max_ns; // the longest of those calls [ns]
    uint64_t wait_ns;     // the part of host_ns that slept for a free slot (WEIR_POLICY_WAIT)
};

// A consistent snapshot. All zero for NULL. Thread-safe.
WEIR_API struct weir_capture_stats weir_capture_get_stats(const weir_capture *capture);

// The params in force, defaults filled in; pointers are NULL. All zero for NULL. Thread-safe.
WEIR_API struct weir_capture_params weir_capture_get_params(const weir_capture *capture);

// Write what is in flight, end the movie, free everything; `stats` may be NULL. NULL and a pointer
// to NULL are allowed; sets `*capture` to NULL. Answers the first failure of the writing thread, if
// any.
WEIR_API enum weir_result weir_capture_close(weir_capture **capture,
                                             struct weir_capture_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
