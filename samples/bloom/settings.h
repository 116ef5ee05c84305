// SPDX-License-Identifier: MIT
// The user's settings: which effects there are, how strong they are, and the camera's focus.
#ifndef SAMPLE_SETTINGS_H
#define SAMPLE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

struct settings {
    bool no_bloom, no_dof;
    float strength; // of the bloom: what its light is multiplied by, 0 .. SETTINGS_MAX_STRENGTH
    float exposure; // in stops
    float focus;    // distance at which the picture is sharp [units of the scene]
};

#define SETTINGS_MAX_STRENGTH 3.0f
#define SETTINGS_MIN_FOCUS 1.0f
#define SETTINGS_MAX_FOCUS 60.0f
#define SETTINGS_MAX_STOPS 6.0f

extern const struct settings settings_default;

// A key of the window: B and D switch, + and - set the bloom's strength, the arrows focus and
// exposure.
void settings_press(struct settings *settings, int glfw_key);

// One line on them for the window's title.
void settings_describe(const struct settings *settings, char *text, size_t size);

#endif
