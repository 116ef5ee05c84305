// SPDX-License-Identifier: MIT
// The user's settings: which level is seen, how it was made, and how it is shown.
#pragma once

#include <weir/pyramid.h>

// shaders/show.frag uses the same numbers.
enum view {
    VIEW_FLAT,
    VIEW_SPLIT,      // the left half by the first method, the right half by the other
    VIEW_DIFFERENCE, // to the exact means, 16 times
    VIEW_PLANE,      // a plane to the horizon, each level in a colour of its own
    VIEW_NUM_KINDS,
};
extern const char *const view_names[VIEW_NUM_KINDS + 1]; // ended by NULL

struct settings {
    const char *input;      // the picture; NULL: a zone plate of the window's size
    int view;               // enum view
    uint32_t level;         // above the last level: the last one
    int methods[2];         // enum weir_pyramid_method
    int reduction;          // enum weir_pyramid_reduction
    bool codes;             // means of codes, not of light
    uint32_t width, height; // of the picture, by which methods are skipped that cannot do it
};

// Get the level that is seen.
uint32_t settings_level(const struct settings *settings);

// Handle a key of the window: up and down level, M and N the methods, F reduction, S, D and T
// views, C codes.
void settings_press(struct settings *settings, int glfw_key);

// Get one line about the settings for the window's title.
void settings_describe(const struct settings *settings, char *text, size_t size);
