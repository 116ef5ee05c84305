// SPDX-License-Identifier: MIT
// What recording a swapchain needs: its images as Weir reads them, slots for their blocks, and
// their transfer to the recorder.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/context.h>
#include <weir/encode.h>
#include <weir/image.h>
#include <weir/preview.h>
#include <weir/readback.h>

#include "capture/layer/device.h"
#include "capture/layer/sender.h"
#include "capture/layer/swapchain.h"
#include "capture/link/link.h"

// Weir on the program's device: a context and encoders for each queue that presents.

// Encoders of images of one format.
struct layer_encoders {
    struct layer_encoders *next;
    uint32_t num;
    weir_encoder *encoders[LINK_MAX_TEXTURES];
};

struct layer_host {
    struct layer_host *next;
    struct layer_queue queue;
    weir_context *context;
    struct layer_encoders *encoders;
};

// Get the host of a queue, which is made for its first frame. NULL: it cannot be; the log says why.
// Under the device's mutex.
struct layer_host *layer_host_of(struct layer_device *device, const struct layer_queue *queue);

// Get the encoders for an image, which are made for the first one of its format: to compile them
// takes tens of milliseconds. NULL: they cannot be made; the log says why.
const struct layer_encoders *layer_host_get_encoders(struct layer_host *host,
                                                     const weir_image *image,
                                                     const struct link_setup *setup);

// Free the hosts of a device. Their images and readbacks are gone.
void layer_hosts_finish(struct layer_device *device);

struct layer_stream {
    struct layer_device *device;
    struct layer_host *host;
    const struct layer_encoders *encoders;
    weir_image **images; // NULL before their first frame: they may have no memory until then
    uint32_t num_images;
    weir_preview *preview; // NULL: there are neither small pictures nor smaller frames
    weir_readback *readback;
    struct layer_transfer transfer;
    uint64_t num_presented;  // while it was recorded
    int64_t preview_ns;      // when the last frame with a small picture was presented
    VkExtent2D size;         // of what is recorded
    enum weir_resize resize; // how other frames become so large
};

// Make it for the first frame that is presented from a queue, in that image. NULL: the swapchain
// cannot be recorded, which was reported; `*is_refused` becomes true where a new attempt would fail
// too. Under the device's mutex.
struct layer_stream *layer_stream_open(struct layer_device *device,
                                       const struct layer_swapchain *swapchain,
                                       const struct layer_queue *queue, uint32_t image,
                                       bool *is_refused);
// Prepare for an image that is presented. False: it cannot be recorded, which was reported.
bool layer_stream_add_image(struct layer_stream *stream, const struct layer_swapchain *swapchain,
                            uint32_t image);
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
