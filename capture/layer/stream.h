// SPDX-License-Identifier: MIT
// What recording a swapchain needs: its images as Weir reads them, slots for their blocks, and
// their transfer to the recorder.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/context.h>
#include <weir/encode.h>
#include <weir/gpu.h>
#include <weir/image.h>
#include <weir/pyramid.h>
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
    weir_gpu *gpu; // for images of the layer's own
    struct layer_encoders *encoders, *preview_encoders;
};

// Get the host of a queue, which is made for its first frame. NULL: it cannot be; the log says why.
// Under the device's mutex.
struct layer_host *layer_host_of(struct layer_device *device, const struct layer_queue *queue);

// Get the encoders for an image of a list of the host, which are made for the first one of its
// format: to compile them takes tens of milliseconds. NULL: they cannot be made; the log says why.
const struct layer_encoders *layer_host_get_encoders(const struct layer_host *host,
                                                     struct layer_encoders **list,
                                                     const weir_image *image,
                                                     const struct link_setup *setup);

// Free the hosts of a device. Their images and readbacks are gone.
void layer_hosts_finish(struct layer_device *device);

// Frames can be made smaller before they are encoded, and have small pictures: levels of a pyramid
// of the swapchain's image.
//
// The levels of one frame, which each frame makes anew, on one queue. Level 1 of the pyramid is
// level 0 of the image.
struct layer_shrink {
    weir_gpu *gpu;
    uint32_t num_levels;
    struct weir_gpu_image levels;
    weir_image *image; // the wrapper of `levels`
    weir_pyramid *pyramid;
    weir_pyramid_target *
        *targets; // one for each image of the swapchain, NULL before its first frame
    uint32_t num_targets;
};

// Make it for as many images as one of a swapchain. False: it cannot be; the log says why, or there
// is no memory.
bool layer_shrink_init(struct layer_shrink *shrink, const struct layer_host *host,
                       const weir_image *image, uint32_t num_images, uint32_t num_levels,
                       enum weir_pyramid_method method);
// Make what an image of the swapchain needs, if that is not there. False: as above.
bool layer_shrink_add(struct layer_shrink *shrink, uint32_t index, const weir_image *image);
// The GPU has done what was recorded. All zero is allowed.
void layer_shrink_finish(struct layer_shrink *shrink);

// Record the levels of an image, which kernels can read. Those of shrink->image can be read behind
// it.
enum weir_result layer_cmd_shrink(const struct layer_shrink *shrink, VkCommandBuffer cmd,
                                  uint32_t image);

struct layer_stream {
    struct layer_device *device;
    struct layer_host *host;
    const struct layer_encoders *encoders, *preview_encoders; // the latter NULL: no small pictures
    uint32_t preview_level;
    // NULL before their first frame: they may have no memory until then. The second half wraps the
    // same images once more: the readback keeps other commands for them, with small pictures.
    weir_image **images;
    uint32_t num_images;
    struct layer_shrink shrink; // all zero: nothing is made smaller
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
