// SPDX-License-Identifier: MIT
// Weir on the program's device: a context and encoders for each queue that presents.
#ifndef WEIR_CAPTURE_LAYER_HOST_H
#define WEIR_CAPTURE_LAYER_HOST_H

#include <stdint.h>
#include <weir/context.h>
#include <weir/encode.h>
#include <weir/gpu.h>

#include "capture/layer/device.h"
#include "capture/link/link.h"

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

#endif
