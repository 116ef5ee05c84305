// SPDX-License-Identifier: MIT
// The GPU time of each pass, from time stamps between the passes.
#ifndef SAMPLE_TIMING_H
#define SAMPLE_TIMING_H

#include "gpu.h"
#include "progress.h"

#define TIMING_MAX_SLOTS 4
#define TIMING_MAX_PASSES 16
#define TIMING_MAX_FRAMES 4096 // the median is taken of this many frames, the last ones

// Passes are counted from 0, in the order of `names`, and run in that order.
struct timing {
    const struct gpu *gpu;
    const char *const *names;
    uint32_t num_passes;
    VkQueryPool pool; // null: the device has no time stamps, or is software
    double tick_ns;
    uint64_t mask;                          // mask of the valid bits of a time stamp
    uint32_t marked[TIMING_MAX_SLOTS];      // the passes of the slot's frame, a bit each
    float *times[TIMING_MAX_PASSES];        // times of each pass [ms]
    uint32_t num_frames[TIMING_MAX_PASSES]; // frames that had the pass
    uint32_t read;                          // the passes of the last frame that was read
    float frame_ms;                         // time of the last frame that was read
    struct progress *progress;              // of the frame that is recorded; may be NULL
};

// `names` outlives the timing; at most TIMING_MAX_PASSES.
bool timing_init(const struct gpu *gpu, uint32_t num_slots, const char *const *names,
                 uint32_t num_passes, struct timing *timing);
void timing_finish(struct timing *timing);

// Record the beginning of a frame, and the end of each of its passes, which are also marked in
// `progress` unless it is NULL. The slot's last frame has been executed: its times are read here.
void timing_begin(struct timing *timing, uint32_t slot, VkCommandBuffer cmd,
                  struct progress *progress);
void timing_mark(struct timing *timing, uint32_t slot, VkCommandBuffer cmd, uint32_t pass);

// Append the time of each pass of the last frame that was read, for the title of a window.
void timing_describe(const struct timing *timing, char *text, size_t size);

// Print the median of each pass. All frames have been executed.
void timing_print(struct timing *timing);

#endif
