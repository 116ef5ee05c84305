// SPDX-License-Identifier: MIT
// The stream of a transcode: a thread decodes ahead into a ring while the GPU encodes.
#ifndef WEIR_CAPTURE_CLI_STREAM_H
#define WEIR_CAPTURE_CLI_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

#include "capture/cli/gpu.h"
#include "capture/source/source.h"

struct cli_stream_params {
    struct cli_gpu *gpu;
    weir_source *source;
    weir_capture *capture;
    uint64_t max_frames;            // 0 = all
    bool (*stop)(void *user);       // asked before each frame
    void (*frame_done)(void *user); // told after each frame
    void *user;
};

// Send frames from the source to the capture until there are no more. `*stopped`: `stop` said so.
// Errors: those of the source, of Vulkan and of weir_capture_frame(); the reason is printed.
enum weir_result cli_stream_run(const struct cli_stream_params *params, bool *stopped);

#endif
