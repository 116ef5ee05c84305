// SPDX-License-Identifier: MIT
// The user's settings: whether there are reflections, how rough the floor is, how rays march.
#include "settings.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>
#include <stdio.h>

const struct settings settings_default = {.roughness = 0.15f};

void settings_press(struct settings *settings, int glfw_key)
{
    float roughness = 0.0f, stops = 0.0f;
    switch (glfw_key) {
    case GLFW_KEY_S:
        settings->no_reflections = !settings->no_reflections;
        break;
    case GLFW_KEY_L:
        settings->linear = !settings->linear;
        break;
    case GLFW_KEY_H:
        settings->shows_steps = !settings->shows_steps;
        break;
    case GLFW_KEY_KP_ADD:
    case GLFW_KEY_EQUAL:
        roughness = 0.05f;
        break;
    case GLFW_KEY_KP_SUBTRACT:
    case GLFW_KEY_MINUS:
        roughness = -0.05f;
        break;
    case GLFW_KEY_UP:
        stops = 0.25f;
        break;
    case GLFW_KEY_DOWN:
        stops = -0.25f;
        break;
    }
    settings->roughness = fminf(fmaxf(settings->roughness + roughness, 0.0f), 1.0f);
    settings->exposure = fminf(fmaxf(settings->exposure + stops, -SETTINGS_MAX_STOPS),
                               SETTINGS_MAX_STOPS);
}

void settings_describe(const struct settings *settings, char *text, size_t size)
{
    snprintf(text, size, "reflections %s \u2014 %s%s \u2014 roughness %.2f \u2014 %+.2f stops",
             settings->no_reflections ? "off" : "on",
             settings->linear ? "texel by texel" : "by the pyramid",
             settings->shows_steps ? ", steps" : "", (double)settings->roughness,
             (double)settings->exposure);
}
