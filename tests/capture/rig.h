// SPDX-License-Identifier: MIT
// A device, an image on it and a host that captures it: for tests of the capture as a whole.
#ifndef WEIR_TESTS_CAPTURE_RIG_H
#define WEIR_TESTS_CAPTURE_RIG_H

#include <weir/capture.h>

#include "tests/gpu/harness.h"

enum { RIG_WIDTH = 70, RIG_HEIGHT = 46 };

struct rig {
    struct harness harness;
    struct weir_gpu_image texels;
    weir_image *image;
    struct weir_point released; // of the last frame: what writes to the image next waits for it
};

// `shared`: Weir works on the queue that renders, and copies there; else copies have queues of
// their own, on a device with one queue by name. finish() expects that validation was silent.
void rig_init(struct rig *rig, bool shared);
void rig_finish(struct rig *rig);

struct weir_capture_params rig_params(const struct rig *rig, const char *path, enum weir_sink sink);

// Ends the program where it fails.
weir_capture *rig_open(struct rig *rig, const struct weir_capture_params *params);

struct weir_frame rig_frame(struct rig *rig, int64_t time_ns);

// A frame of a host that does everything by the book.
enum weir_result rig_present(struct rig *rig, weir_capture *capture, int64_t time_ns);

// A semaphore that holds up the frames which wait for it, until it is opened. Close it behind the
// capture.
VkSemaphore rig_make_gate(const struct rig *rig);
void rig_open_gate(const struct rig *rig, VkSemaphore gate);
void rig_close_gate(const struct rig *rig, VkSemaphore gate);

// Hand over a frame that waits for the gate, of a host that does not wait for its image.
enum weir_result rig_hand_over(struct rig *rig, weir_capture *capture, VkSemaphore gate,
                               int64_t time_ns);

void rig_expect_sum(const struct weir_capture_stats *stats);

// Close the capture, and check its result and its statistics.
void rig_expect_end(weir_capture *capture, enum weir_result want, uint64_t written,
                    uint64_t dropped);

#endif
