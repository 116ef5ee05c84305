// SPDX-License-Identifier: MIT
// Keys of the window that raise and lower a value.
#pragma once

#include <math.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

// Get 1 for the first key, -1 for the second, else 0.
static inline int keys_step(int glfw_key, int up, int down)
{
    return (glfw_key == up) - (glfw_key == down);
}

// The same for + and -, those of the number pad too.
static inline int keys_plus_minus(int glfw_key)
{
    return keys_step(glfw_key, GLFW_KEY_EQUAL, GLFW_KEY_MINUS) +
           keys_step(glfw_key, GLFW_KEY_KP_ADD, GLFW_KEY_KP_SUBTRACT);
}

// The same for the arrows up and down.
static inline int keys_up_down(int glfw_key)
{
    return keys_step(glfw_key, GLFW_KEY_UP, GLFW_KEY_DOWN);
}

static inline float keys_clamp(float value, float min, float max)
{
    return fminf(fmaxf(value, min), max);
}
