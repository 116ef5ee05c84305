// SPDX-License-Identifier: MIT
// The user's settings: which effects there are, how strong they are, and the camera's focus.
#ifndef SAMPLE_SETTINGS_H
#define SAMPLE_SETTINGS_H

#include "sample.h"

enum taps { TAPS_13, TAPS_4 };

struct settings {
    bool no_bloom, no_dof, no_adapt;
    int taps;       // enum taps, of the levels of the bloom on the way down
    bool is_dimmed; // the scene has three stops less light
    float strength; // factor of the bloom's light, 0 .. 3
    float exposure; // [stops], beside what adapts
    float light;    // the scene's light [stops], from `light_from` on [s]
    float light_from;
    float focus; // distance at which the picture is sharp [units of the scene]
};

// Read the command line into `settings`, and run the sample. Returns the program's exit status.
int settings_run(const struct sample *sample, int argc, char **argv, struct settings *settings);

// Handle a key of the window: the help says which there are.
void settings_press(struct settings *settings, int glfw_key);

// Get one line about the settings for the window's title.
void settings_describe(const struct settings *settings, char *text, size_t size);

// Get the scene's light at a time of the scene [stops].
float settings_light(const struct settings *settings, double seconds);

#endif
