// SPDX-License-Identifier: MIT
// A frame of the sample: the scene's light, depth of field, bloom, and what is shown of it.
#ifndef SAMPLE_EFFECTS_H
#define SAMPLE_EFFECTS_H

#include "bloom.h"
#include "combine.h"
#include "focus.h"
#include "hdr.h"
#include "renderer.h"
#include "sample.h"
#include "settings.h"
#include "timing.h"

struct effects {
    const struct gpu *gpu;
    struct settings settings;
    struct renderer renderer;
    struct focus focus;
    struct bloom bloom;
    struct combine combine;
    struct timing timing;
    struct hdr hdr;
    float cpu_ms; // CPU time of recording the last frame
};

bool effects_init(const struct gpu *gpu, const struct sample_images *images,
                  struct effects *effects);
// Print the time of each pass.
void effects_finish(struct effects *effects);
bool effects_resize(struct effects *effects, uint32_t width, uint32_t height);
bool effects_record(struct effects *effects, uint32_t slot, VkCommandBuffer cmd,
                    const struct picture *picture);

#endif
