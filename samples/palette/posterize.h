// SPDX-License-Identifier: MIT
// A picture in few colours: the calls of <weir/palette.h> in a render loop, and its settings.
#pragma once

#include <weir/palette.h>

#include "gpu.h"
#include "timing.h"

#define SETTINGS_MIN_COLORS 4u

struct settings {
    uint32_t num_colors; // SETTINGS_MIN_COLORS .. WEIR_PALETTE_MAX_NUM_COLORS
    int method;          // enum weir_palette_method
    int dither;          // enum weir_palette_dither, of k-means
    bool keep;           // k-means: colours are chosen once, not for each frame
    bool live;           // k-means: colours follow from frame to frame
    bool no_strip;       // the colours are not shown below the picture
};

// Get the dither that the method has.
enum weir_palette_dither settings_dither(const struct settings *settings);

// Return true if colours follow from frame to frame.
bool settings_live(const struct settings *settings);

// Return true if colours are chosen once.
bool settings_keep(const struct settings *settings);

// Get the radius for mean shift that leaves about as many colours of the scene as are asked for.
float settings_radius(const struct settings *settings);

struct posterize {
    struct gpu *gpu;
    weir_palette *palette;
    const weir_image *source, *result; // borrowed
    // A picture of the format of `source` that has all colours, each once, and its texels.
    struct gpu_image all_colors;
    struct weir_gpu_buffer all_texels;
    struct settings made_for; // the settings of `palette`
    uint32_t num_kept;        // for how many colours those that are kept were chosen; 0 = none are
};

// `format` is that of the pictures that are read. The device owns what is made.
bool posterize_init(struct gpu *gpu, VkFormat format, struct posterize *posterize);

// Record: the source, in SHADER_READ_ONLY_OPTIMAL, which compute shaders can read, becomes the
// result, in GENERAL. Waits for the GPU where the settings want another palette.
bool posterize_record(struct posterize *posterize, const struct settings *settings,
                      VkCommandBuffer cmd, struct timing *timing);

// Get the number of colours of the last picture. Waits for the GPU.
uint32_t posterize_count(const struct posterize *posterize);
