// SPDX-License-Identifier: MIT
// The stream of a transcode: a thread decodes ahead into a ring, others convert its frames, while
// the GPU encodes.
#ifndef WEIR_CAPTURE_WEIR_MOVIE_STREAM_H
#define WEIR_CAPTURE_WEIR_MOVIE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

#include "capture/files/source/source.h"
#include "capture/weir/gpu/gpu.h"

enum { CLI_STREAM_MAX_SLOTS = 16 };

// Replaces the frames of the source by others before they are encoded.
struct cli_stream_filter {
    // Called once for each slot, which is below CLI_STREAM_MAX_SLOTS: `source` will hold its
    // frames. `*result` becomes another image, which lives until the stream is over; those of all
    // slots are alike. Prints the reason of a failure.
    enum weir_result (*prepare)(void *user, uint32_t slot, const weir_image *source,
                                const weir_image **result);
    // The source of the slot holds a frame when all that was submitted is done, and the GPU has
    // done with the result. Fill the result, which is in SHADER_READ_ONLY_OPTIMAL when `*ready` is
    // reached. Prints the reason of a failure.
    enum weir_result (*run)(void *user, uint32_t slot, struct weir_point *ready);
    bool wants_opaque; // the alpha of 8-bit frames is 255
    void *user;
};

// Whether a frame was the last one, and why.
enum cli_stream_end {
    CLI_STREAM_GOES_ON,
    CLI_STREAM_LEFT, // the source has more, which is not wanted
    CLI_STREAM_DONE, // the source has no more
};

struct cli_stream_params {
    struct cli_gpu *gpu;
    weir_source *source;
    VkFormat format; // of its frames: R8G8B8A8_UNORM, or R16G16B16A16 in UNORM or SFLOAT
    // Open the capture for frames like `like`. The capture outlives the stream.
    enum weir_result (*open)(void *user, const weir_image *like, weir_capture **capture);
    const struct cli_stream_filter *filter; // optional
    uint64_t max_frames;                    // 0 = all
    // What frames on their way may take; two of them are on it in any case. At most 2 GiB, which
    // 0 is too [bytes].
    uint64_t memory_limit;
    // Optional: called after each frame with its time, and at the end with that of the last one.
    // Its errors end the stream.
    enum weir_result (*beside)(void *user, int64_t time_ns, enum cli_stream_end end);
    bool (*stop)(void *user);       // asked before each frame
    void (*frame_done)(void *user); // called after each frame
    void *user;
};

// Send frames from the source to the capture until there are no more. `*stopped`: `stop` said so.
// Errors: those of the source, of Vulkan and of weir_capture_frame(); the reason is printed.
enum weir_result cli_stream_run(const struct cli_stream_params *params, bool *stopped);

#endif
