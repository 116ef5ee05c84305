// SPDX-License-Identifier: MIT
// The GPU time of each pass, from time stamps between the passes.
#ifndef SAMPLE_TIMING_H
#define SAMPLE_TIMING_H

#include "gpu.h"
#include "progress.h"

#define TIMING_MAX_SLOTS 4
#define TIMING_MAX_PASSES 16
#define TIMING_MAX_FRAMES 4096 // the median is taken of this many frames, the last ones

// Passes have numbers, in the order in which they were first marked.
struct timing {
    const struct gpu *gpu;
    const char *names[TIMING_MAX_PASSES];
    uint32_t num_passes;
    VkQueryPool pool; // null: the device has no time stamps, or is software
    double tick_ns;
    uint64_t mask;                                        // mask of the valid bits of a time stamp
    uint32_t slot;                                        // of the frame that is recorded
    uint32_t marked[TIMING_MAX_SLOTS][TIMING_MAX_PASSES]; // the passes of each slot's frame
    uint32_t num_marked[TIMING_MAX_SLOTS];
    float *times[TIMING_MAX_PASSES];        // times of each pass [ms]
    uint32_t num_frames[TIMING_MAX_PASSES]; // frames that had the pass
    uint32_t read;             // the passes of the last frame that was read, a bit each
    float frame_ms;            // time of the last frame that was read
    struct progress *progress; // of the frame that is recorded; may be NULL
};

bool timing_init(const struct gpu *gpu, struct timing *timing);
void timing_finish(struct timing *timing);

// Record the beginning of a frame. The slot's last frame has been executed: its times are read now.
void timing_begin(struct timing *timing, uint32_t slot, VkCommandBuffer cmd,
                  struct progress *progress);
// Record the end of a pass, a string that lives as long as the timing, and mark it in `progress` of
// the frame. A frame has each pass once.
void timing_mark(struct timing *timing, VkCommandBuffer cmd, const char *pass);

// Append the time of each pass of the last frame that was read, for the title of a window.
void timing_describe(const struct timing *timing, char *text, size_t size);

// Print the median of each pass. All frames have been executed.
void timing_print(struct timing *timing);

#endif
