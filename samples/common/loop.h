// SPDX-License-Identifier: MIT
// What the window and the headless loop share: the device, the recording, and how a frame is drawn.
#ifndef SAMPLE_LOOP_H
#define SAMPLE_LOOP_H

#include "readout.h"
#include "recorder.h"
#include "sample.h"
#include "timing.h"

struct loop {
    const struct sample *sample;
    struct gpu gpu;
    struct sample_images images;
    struct recorder recorder;
    struct timing timing;
    struct readout readout; // with --picture, and for what the sample reads
    bool is_fresh;          // no frame of this size has been drawn yet
    uint32_t num_kept;      // objects of the device that stay when the size changes
};

// Make the device; `params` have what a window wants of it.
bool loop_open(struct loop *loop, struct weir_device_params params);
// Start the sample, which draws to such images.
bool loop_start(struct loop *loop, struct sample_images images);
// Fit the sample to images of a new size, which were made before, behind the `num_kept` objects.
bool loop_resize(struct loop *loop, uint32_t width, uint32_t height);

struct loop_frame {
    struct picture picture;        // without `timing`
    const struct weir_frame *lent; // the image comes back from Weir; NULL: it was not there
    struct weir_point wait;        // what the drawing waits for
    VkSemaphore signal;            // that it signals; may be null
    bool is_read;                  // copied to the readout
};
// Draw a frame. `*frame`, in which `time_ns` is set, becomes what a recording takes. The first
// frame of a size has been executed then.
bool loop_draw(struct loop *loop, struct loop_frame draw, struct weir_frame *frame);

// Wait for all, end the recording and the sample, and destroy the device. Returns `ok`, or false if
// something of that failed or the validation layer has sent a message.
bool loop_close(struct loop *loop, bool ok);

#endif
