// SPDX-License-Identifier: MIT
// A picture in few colours: the calls of <weir/palette.h> in a render loop.
#ifndef SAMPLE_POSTERIZE_H
#define SAMPLE_POSTERIZE_H

#include <weir/palette.h>

#include "cube.h"
#include "gpu.h"
#include "settings.h"
#include "timing.h"

struct posterize {
    const struct gpu *gpu;
    weir_palette *palette;
    const weir_image *source, *result; // borrowed
    struct cube cube;
    struct settings made_for; // the settings of `palette`
    uint32_t num_kept;        // for how many colours those that are kept were chosen; 0 = none are
};

// `format` is that of the pictures that are read.
bool posterize_init(const struct gpu *gpu, VkFormat format, struct posterize *posterize);
// The GPU must not be using it.
void posterize_finish(struct posterize *posterize);

// Record: the source, in SHADER_READ_ONLY_OPTIMAL, which compute shaders can read, becomes the
// result, in GENERAL. Waits for the GPU where the settings want another palette.
bool posterize_record(struct posterize *posterize, const struct settings *settings,
                      VkCommandBuffer cmd, struct timing *timing);

// Get the number of colours of the last picture. Waits for the GPU.
uint32_t posterize_count(const struct posterize *posterize);

#endif
