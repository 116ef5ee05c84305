// SPDX-License-Identifier: MIT
// The user's settings: which effects there are, how strong they are, and the camera's focus.
#ifndef SAMPLE_SETTINGS_H
#define SAMPLE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

struct settings {
    bool no_bloom, no_dof;
    float strength; // factor of the bloom's light, 0 .. SETTINGS_MAX_STRENGTH
    float exposure; // [stops]
    float focus;    // distance at which the picture is sharp [units of the scene]
};

#define SETTINGS_MAX_STRENGTH 3.0f
#define SETTINGS_MIN_FOCUS 1.0f
#define SETTINGS_MAX_FOCUS 60.0f
#define SETTINGS_MAX_STOPS 6.0f

extern const struct settings settings_default;

// Handle a key of the window: B and D switch the effects on and off, + and - set the bloom's
// strength, and the arrows set focus and exposure.
void settings_press(struct settings *settings, int glfw_key);

// Get one line about the settings for the window's title.
void settings_describe(const struct settings *settings, char *text, size_t size);

#endif
