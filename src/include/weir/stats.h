// SPDX-License-Identifier: MIT
// Statistics (libweir-capture): frames and audio that a capture wrote and dropped, and why.
#pragma once

#include <stdint.h>

#include <weir/audio.h>
#include <weir/macros.h>
#include <weir/replay.h>

typedef struct weir_capture weir_capture; // <weir/capture.h>

// The reason why a frame was dropped. New reasons are appended.
enum weir_drop_reason {
    WEIR_DROP_RING_FULL = 0, // every slot is in use and the policy is not WAIT
    WEIR_DROP_TIME = 1,      // time_ns is not after the last frame's, or too long after it
    WEIR_DROP_SINK = 2,      // writing failed, for this frame or an earlier one
    WEIR_DROP_DEVICE = 3,    // the GPU failed
};
// The size of weir_capture_stats.dropped_by_reason, with room for new reasons.
enum { WEIR_MAX_DROP_REASONS = 16 };

// The quality of optimised frames. All zero without a quality below 100 and without a rate.
struct weir_quality_stats {
    uint64_t frames; // optimised and written
    // The mean of weir_rdo_psnr() of these frames, over the channels of the movie (colour, alpha or
    // both), at most 100 [dB].
    double mean_db;
    double last, least, most; // quality, 1 .. 100: last frame, least, most
    // With a rate: frames that needed less than the rate at the best quality, and frames that
    // needed more at quality 1. Counted when frames are handed over.
    uint64_t rate_short, rate_over;
};

// The statistics of a capture. At every instant received = written + dropped + skipped + in_flight.
// After the capture was closed in_flight is 0. The movie has written + repeated packets.
struct weir_capture_stats {
    uint64_t received; // frames handed over, without those refused with WEIR_ERROR_INVALID
    uint64_t written;  // frames that the sink accepted, each once
    uint64_t dropped;  // the sum of dropped_by_reason
    uint64_t dropped_by_reason[WEIR_MAX_DROP_REASONS]; // index: enum weir_drop_reason
    uint64_t skipped;   // frames left out: max_rate, constant_rate, a pause
    uint64_t in_flight; // frames neither written nor dropped yet
    uint64_t repeated;  // packets that hold a written frame once more (constant_rate)
    uint64_t bytes;     // size of all packets given to the sink [bytes]
    // GPU time of all written frames [ns]; 0 if it cannot be measured. Every 64th frame is timed,
    // and counts for the following ones.
    uint64_t gpu_ns;
    uint64_t host_ns;     // time inside weir_capture_frame() on the caller's thread [ns]
    uint64_t host_max_ns; // time of the longest of those calls [ns]
    uint64_t wait_ns;     // part of host_ns: waiting for a free slot (WEIR_POLICY_WAIT) [ns]
    uint64_t pack_ns;     // time of the writing thread for building packets, with SNAPPY [ns]
    uint64_t write_ns;    // time of the writing thread in the sink, for frames [ns]
    struct weir_replay_stats replay;
    struct weir_audio_stats audio; // of all audio tracks together
    uint64_t segments;             // movies with at least one frame; 0 without segments
    struct weir_quality_stats quality;
};

// Get the statistics as of one instant. Stalls neither the renderer nor the writing thread. All
// fields are zero for NULL. Thread-safe.
WEIR_API struct weir_capture_stats weir_capture_get_stats(const weir_capture *capture);
