// SPDX-License-Identifier: MIT
// The effects of a frame, each made from pyramids: bloom, depth of field and exposure.
#pragma once

#include <weir/pyramid.h>

#include "pass.h"
#include "renderer.h"
#include "timing.h"

enum image {
    // Those of a pyramid each, which makes all levels from another image or from level 0.
    IMAGE_GLOW,      // the bright parts; level 0 is half the picture
    IMAGE_COC,       // R the smallest, G the largest circle of confusion of every region
    IMAGE_FIELDS,    // two layers, at half the size: the light behind the focus, and before it
    IMAGE_LUMINANCE, // mean of log2(luminance) of every region, down to that of the picture
    NUM_PYRAMIDS,
    IMAGE_BLURRED = NUM_PYRAMIDS, // the fields, blurred
    IMAGE_STOPS,                  // the exposure that the eye has got used to, in stops; 1x1, kept
    IMAGE_NUM_KINDS,
};

// The kernels that are not pyramids.
enum kernel {
    KERNEL_DOWNSAMPLE, // a set for each level of the glow
    KERNEL_UPSAMPLE,   // and for each but the last
    KERNEL_SPLIT,
    KERNEL_GATHER,
    KERNEL_RESOLVE,
    KERNEL_ADAPT,
    KERNEL_NUM_KINDS,
};

// Each level doubles the glow's reach: six of a 720p picture's reach over a tenth of it.
#define NUM_GLOW_LEVELS 6
// Most levels of the fields. The taps of the largest circle are at most as far apart as the texels
// of the last level.
#define NUM_FIELD_LEVELS 5

struct effects {
    struct gpu *gpu;
    weir_pyramid *pyramids[NUM_PYRAMIDS];
    weir_pyramid_target *targets[NUM_PYRAMIDS]; // the images of each
    VkFormat glow_format;
    const struct gpu_image *light; // of the picture
    struct gpu_image images[IMAGE_NUM_KINDS];
    struct pass kernels[KERNEL_NUM_KINDS];
    double adapted_at; // scene time of the last adaptation [s]; -INFINITY: none at this size
};

// All that is made the device owns.
bool effects_init(struct gpu *gpu, VkFormat depth_format, struct effects *effects);
// Make the images for a picture, by its light and its depth, which are borrowed.
bool effects_resize(struct effects *effects, const struct gpu_image *light,
                    const struct gpu_image *depth);
// Record an effect of the picture, which compute shaders can read. Compute and fragment shaders can
// read its result afterwards. The bloom has 13 taps, or by Weir 4.
bool effects_bloom(struct effects *effects, VkCommandBuffer cmd, struct timing *timing,
                   bool by_weir);
bool effects_focus(struct effects *effects, VkCommandBuffer cmd, struct timing *timing,
                   float distance);
bool effects_expose(struct effects *effects, VkCommandBuffer cmd, struct timing *timing,
                    double seconds);

// Record that images begin a frame without contents, but for IMAGE_STOPS.
void effects_discard(struct effects *effects, VkCommandBuffer cmd);
