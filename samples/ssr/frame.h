// SPDX-License-Identifier: MIT
// A frame of the sample: the scene's light, what the floor mirrors of it, and what is shown.
#ifndef SAMPLE_FRAME_H
#define SAMPLE_FRAME_H

#include "combine.h"
#include "hdr.h"
#include "renderer.h"
#include "sample.h"
#include "settings.h"
#include "ssr.h"
#include "timing.h"

struct frame {
    const struct gpu *gpu;
    struct settings settings;
    struct renderer renderer;
    struct hdr hdr;
    struct ssr ssr;
    struct combine combine;
    struct timing timing;
};

bool frame_init(const struct gpu *gpu, const struct sample_images *images, struct frame *frame);
// Print the time of each pass.
void frame_finish(struct frame *frame);
bool frame_resize(struct frame *frame, uint32_t width, uint32_t height);
bool frame_record(struct frame *frame, uint32_t slot, VkCommandBuffer cmd,
                  const struct picture *picture);

// Get one line about the last frame's times and the settings for the window's title.
void frame_describe(const struct frame *frame, char *text, size_t size);

#endif
