// SPDX-License-Identifier: MIT
// The user's settings: how many colours, by which method, and how they are mixed.
#ifndef SAMPLE_SETTINGS_H
#define SAMPLE_SETTINGS_H

#include <weir/palette.h>

#include "sample.h"

#define SETTINGS_MIN_COLORS 4u

struct settings {
    uint32_t num_colors; // SETTINGS_MIN_COLORS .. WEIR_PALETTE_MAX_NUM_COLORS
    int method;          // enum weir_palette_method
    int dither;          // enum weir_palette_dither, of k-means
    bool keep;           // k-means: colours are chosen once, not for each frame
    bool live;           // k-means: colours follow from frame to frame
    bool no_strip;       // the colours are not shown below the picture
};

extern const struct settings settings_default;

// Read the command line into `settings`, and run the sample. Returns the program's exit status.
int settings_run(const struct sample *sample, int argc, char **argv, struct settings *settings);

// Get the dither that the method has.
enum weir_palette_dither settings_dither(const struct settings *settings);

// Return true if colours follow from frame to frame.
bool settings_live(const struct settings *settings);

// Return true if colours are chosen once.
bool settings_keep(const struct settings *settings);

// Get the radius for mean shift that leaves about as many colours of the scene as are asked for.
float settings_radius(const struct settings *settings);

// Handle a key of the window: + and - number of colours, D dither, M method, K kept or of each
// frame, L live, S strip.
void settings_press(struct settings *settings, int glfw_key);

// Get one line about the settings for the window's title; `num_colors` is what the picture has.
void settings_describe(const struct settings *settings, uint32_t num_colors, char *text,
                       size_t size);

#endif
