// SPDX-License-Identifier: MIT
// Bloom: the picture's bright parts in a pyramid, blurred level by level on the way up.
#ifndef SAMPLE_BLOOM_H
#define SAMPLE_BLOOM_H

#include <weir/pyramid.h>

#include "compute.h"
#include "levels.h"
#include "timing.h"

// Method: J. Jimenez, "Next generation post processing in Call of Duty: Advanced Warfare" (2014);
// the first step's weights are B. Karis's ("Tone mapping", 2013), so that a bright texel that moves
// does not flicker.
struct bloom {
    const struct gpu *gpu;
    VkFormat format; // format of the levels
    weir_pyramid *pyramid;
    struct compute upsample;

    struct levels down; // level 0 is half the picture, and so on
    struct levels up;   // the same without the smallest; level 0 is the bloom that the picture gets
    weir_pyramid_target *target;
    VkDescriptorSet sets[LEVELS_MAX]; // sets of `upsample`, one for each level of `up`
};

bool bloom_init(const struct gpu *gpu, struct bloom *bloom);
void bloom_finish(struct bloom *bloom);

// Make the levels for a picture of this size. The GPU must not be using them during this call or
// during bloom_finish().
bool bloom_resize(struct bloom *bloom, const weir_image *hdr);

// Record: bring the levels into the layout that they are used in, each frame once.
void bloom_discard(const struct bloom *bloom, VkCommandBuffer cmd);

// Record the bloom of the picture, which compute shaders can read, into level 0 of `up`, which
// fragment shaders can then read.
bool bloom_record(const struct bloom *bloom, VkCommandBuffer cmd, struct timing *timing,
                  uint32_t slot);

// Get the usage that the picture's image needs.
VkImageUsageFlags bloom_hdr_usage(const struct bloom *bloom);

#endif
