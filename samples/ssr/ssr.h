// SPDX-License-Identifier: MIT
// Screen-space reflections: what the floor mirrors, found in the picture itself.
#pragma once

#include <weir/pyramid.h>

#include "pass.h"
#include "renderer.h"
#include "scene.h"
#include "timing.h"

// 1. depths:     the nearest depth of every region, a pyramid of the depth buffer.
// 2. colors:     the mean light of every region, a pyramid of the picture.
// 3. hits:       where the mirrored ray of each texel of the floor ends, found in `depths`.
// 4. reflection: the light there, from the level of `colors` that is as wide as the ray's cone.
//
// Method: Y. Uludag, "Hi-Z screen-space cone-traced reflections", GPU Pro 5 (2014). M. McGuire and
// M. Mara, "Efficient GPU screen-space ray tracing" (JCGT 2014), is the march without a pyramid.
struct ssr {
    struct gpu *gpu;
    weir_pyramid *depth_pyramid, *color_pyramid;
    struct pass trace, resolve;

    const struct gpu_image *light; // the picture
    struct gpu_image depths, colors, hits, reflection;
    weir_pyramid_target *depth_target, *color_target;
};

struct ssr_settings {
    bool no_reflections;
    bool linear;      // march texel by texel, without the pyramid
    bool shows_steps; // show how many steps each ray takes, as colours
    float roughness;  // of the floor, 0 (a mirror) .. 1
};

// All that is made the device owns.
bool ssr_init(struct gpu *gpu, VkFormat depth_format, struct ssr *ssr);

// Make the images for this picture, by its light and its depth, which are borrowed.
bool ssr_resize(struct ssr *ssr, const struct gpu_image *light, const struct gpu_image *depth);

// Record what the floor mirrors of the picture, whose alpha is 1 less the share of that, into level
// 0 of `reflection`. Compute shaders can read the picture before, fragment shaders can read the
// reflection after.
bool ssr_record(const struct ssr *ssr, VkCommandBuffer cmd, const struct view *view,
                const struct ssr_settings *settings, struct timing *timing);
