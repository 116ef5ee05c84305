// SPDX-License-Identifier: MIT
// What recording a swapchain needs: its images as Weir reads them, slots for their blocks, and
// their transfer to the recorder.
#ifndef WEIR_CAPTURE_LAYER_STREAM_H
#define WEIR_CAPTURE_LAYER_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <weir/image.h>
#include <weir/readback.h>

#include "capture/layer/device.h"
#include "capture/layer/host.h"
#include "capture/layer/sender.h"
#include "capture/layer/shrink.h"
#include "capture/layer/swapchain.h"

struct layer_stream {
    struct layer_device *device;
    struct layer_host *host;
    const struct layer_encoders *encoders;
    weir_image **images;
    uint32_t num_images;
    struct layer_shrink shrink; // all zero: frames are recorded as large as they are
    weir_readback *readback;
    struct layer_transfer transfer;
    uint64_t num_presented; // while it was recorded
};

// Make it for the first frame that is presented from a queue. NULL: the swapchain cannot be
// recorded, which was reported; `*is_refused` becomes true where a new attempt would fail too.
// Under the device's mutex.
struct layer_stream *layer_stream_open(struct layer_device *device,
                                       const struct layer_swapchain *swapchain,
                                       const struct layer_queue *queue, bool *is_refused);
// Wait for its frames, and free it. NULL is allowed; sets `*stream` to NULL.
void layer_stream_close(struct layer_stream **stream);

struct layer_stream_frame {
    uint32_t image;         // its index; the image is in PRESENT_SRC_KHR
    uint32_t slot;          // of the transfer
    VkSemaphore wait, done; // which Weir waits for, and signals when the image can be shown
    int64_t time_ns;
};

// Encode a frame. False: it was not done, and nothing is waited for or signalled. Under the
// device's mutex.
bool layer_stream_encode(struct layer_stream *stream, const struct layer_stream_frame *frame);

#endif
