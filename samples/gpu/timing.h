// SPDX-License-Identifier: MIT
// The GPU time of each pass, from time stamps between the passes, and how far the first frame is.
#pragma once

#include "gpu.h"

#define TIMING_MAX_SLOTS 4
#define TIMING_MAX_PASSES 16
#define TIMING_MAX_FRAMES 4096 // the median is taken of this many frames, the last ones

// Passes have numbers, in the order in which they were first marked.
struct timing {
    const struct gpu *gpu;
    bool has_no_times;
    const char *names[TIMING_MAX_PASSES];
    uint32_t num_passes;
    VkQueryPool pool; // null: the device has no time stamps, or is software
    double tick_ns;
    uint64_t mask;                                        // mask of the valid bits of a time stamp
    uint32_t slot;                                        // of the frame that is recorded
    uint32_t marked[TIMING_MAX_SLOTS][TIMING_MAX_PASSES]; // the passes of each slot's frame
    uint32_t num_marked[TIMING_MAX_SLOTS];
    float times[TIMING_MAX_PASSES][TIMING_MAX_FRAMES]; // of each pass [ms]
    uint32_t num_frames[TIMING_MAX_PASSES];            // frames that had the pass
    uint32_t read;  // the passes of the last frame that was read, a bit each
    float frame_ms; // time of the last frame that was read

    // How far the first frame of a size is. A driver may compile kernels while it executes that
    // frame: a software device takes seconds for it. Each pass has an event that is set when it has
    // been executed.
    bool is_first;
    void (*show)(void *user, const char *text); // optional: called several times a second
    void *user;
    uint32_t num_events;
    const char *event_names[TIMING_MAX_PASSES];
    VkEvent events[TIMING_MAX_PASSES];
};

// Make what the device owns of a zeroed timing. With `has_no_times` no pass is timed.
bool timing_init(struct gpu *gpu, bool has_no_times, struct timing *timing);

// Record the beginning of a frame, the first of a size if `is_first`. The slot's last frame has
// been executed: its times are read now.
void timing_begin(struct timing *timing, uint32_t slot, VkCommandBuffer cmd, bool is_first);
// Record the end of a pass, outside a render pass; its name lives as long as the timing. A frame
// has each pass once.
void timing_mark(struct timing *timing, VkCommandBuffer cmd, const char *pass);

// After the first frame of a size was submitted, wait until it has been executed, and say on
// standard error and by show() which pass is waited for. A wait below a tenth of a second says
// nothing.
bool timing_wait_first(struct timing *timing);

// Append the time of the last frame that was read, and of each pass, for the title of a window.
void timing_describe(const struct timing *timing, char *text, size_t size);

// Print the median of each pass, if they are timed. All frames have been executed.
void timing_print(struct timing *timing);
