// SPDX-License-Identifier: MIT
// A frame of the viewer: the levels by one method or two, what is exact, and what is shown of them.
#ifndef SAMPLE_VIEWER_H
#define SAMPLE_VIEWER_H

#include "exact.h"
#include "input.h"
#include "mips.h"
#include "sample.h"
#include "screen.h"
#include "settings.h"
#include "timing.h"

struct viewer {
    const struct gpu *gpu;
    struct settings settings;
    bool is_running; // a frame was recorded
    struct input input;
    struct mips mips[2]; // by the methods of the settings
    struct exact exact;
    struct screen screen;
    struct timing timing;
};

bool viewer_init(const struct gpu *gpu, const struct sample_images *images, struct viewer *viewer);
// Print the time of each pass.
void viewer_finish(struct viewer *viewer);
bool viewer_resize(struct viewer *viewer, uint32_t width, uint32_t height);
bool viewer_record(struct viewer *viewer, uint32_t slot, VkCommandBuffer cmd,
                   const struct picture *picture);

#endif
