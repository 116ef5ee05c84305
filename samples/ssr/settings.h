// SPDX-License-Identifier: MIT
// The user's settings: whether there are reflections, how rough the floor is, how rays march.
#ifndef SAMPLE_SETTINGS_H
#define SAMPLE_SETTINGS_H

#include "sample.h"

struct settings {
    bool no_reflections;
    bool linear;      // march texel by texel, without the pyramid
    bool shows_steps; // show how many steps each ray takes, as colours
    float roughness;  // of the floor, 0 (a mirror) .. 1
    float exposure;   // [stops]
};

#define SETTINGS_MAX_STOPS 6.0f

extern const struct settings settings_default;

// Read the command line into `settings`, and run the sample. Returns the program's exit status.
int settings_run(const struct sample *sample, int argc, char **argv, struct settings *settings);

// Handle a key of the window: S, L and H switch, + and - set the roughness, and the arrows up and
// down the exposure.
void settings_press(struct settings *settings, int glfw_key);

// Get one line about the settings for the window's title.
void settings_describe(const struct settings *settings, char *text, size_t size);

#endif
