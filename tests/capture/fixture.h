// SPDX-License-Identifier: MIT
// A device, an image on it and a host that captures it: for tests of the capture as a whole.
#pragma once

#include <weir/capture.h>

#include "tests/gpu/harness.h"

enum { FIXTURE_WIDTH = 70, FIXTURE_HEIGHT = 46 };

// An image with texels, in VK_IMAGE_LAYOUT_GENERAL.
struct fixture_image {
    struct weir_gpu_image texels;
    weir_image *image;
};
void fixture_image_init(struct harness *harness, VkFormat format, uint32_t width, uint32_t height,
                        VkImageUsageFlags usage, const void *texels, uint32_t texel_size,
                        struct fixture_image *image);
void fixture_image_finish(struct harness *harness, struct fixture_image *image);

// Hand over a frame as a host does that does everything by the book. `*released` is what the next
// one waits for that writes to the image.
enum weir_result fixture_send(struct harness *harness, weir_capture *capture,
                              const struct weir_frame *frame, struct weir_point *released);

// Hand over an image of the host's so at a time, and expect that it is taken.
void fixture_send_image(struct harness *harness, weir_capture *capture,
                        const struct fixture_image *image, int64_t time_ns);

struct fixture {
    struct harness harness;
    struct fixture_image own;
    weir_image *image;
    struct weir_point released; // of the last frame: what writes to the image next waits for it
};

// `shared`: Weir works on the queue that renders, and copies there; else copies have queues of
// their own, on a device with one queue by name. finish() expects that validation was silent.
void fixture_init(struct fixture *fixture, bool shared);
void fixture_finish(struct fixture *fixture);

struct weir_capture_params fixture_params(const struct fixture *fixture, const char *path,
                                          enum weir_sink sink);

// Ends the program where it fails.
weir_capture *fixture_open(struct fixture *fixture, const struct weir_capture_params *params);

struct weir_frame fixture_frame(struct fixture *fixture, int64_t time_ns);

// Hand over a frame by the book.
enum weir_result fixture_present(struct fixture *fixture, weir_capture *capture, int64_t time_ns);

// A semaphore that holds up the frames which wait for it, until it is opened. Close it behind the
// capture.
VkSemaphore fixture_make_gate(const struct fixture *fixture);
void fixture_open_gate(const struct fixture *fixture, VkSemaphore gate);
void fixture_close_gate(const struct fixture *fixture, VkSemaphore gate);

// Hand over a frame that waits for the gate, of a host that does not wait for its image.
enum weir_result fixture_hand_over(struct fixture *fixture, weir_capture *capture, VkSemaphore gate,
                                   int64_t time_ns);

void fixture_expect_sum(const struct weir_capture_stats *stats);

// Close the capture, and check its result and its statistics.
void fixture_expect_end(weir_capture *capture, enum weir_result want, uint64_t written,
                        uint64_t dropped);
