// SPDX-License-Identifier: MIT
// The user's settings: which effects there are, how strong they are, and the camera's focus.
#include "settings.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>
#include <stdio.h>

const struct settings settings_default = {.strength = 1.5f, .focus = 8.2f};

static float clamp(float x, float min, float max)
{
    return fminf(fmaxf(x, min), max);
}

void settings_press(struct settings *settings, int glfw_key)
{
    float strength = 0.0f, stops = 0.0f, focus = 1.0f;
    switch (glfw_key) {
    case GLFW_KEY_B:
        settings->no_bloom = !settings->no_bloom;
        break;
    case GLFW_KEY_D:
        settings->no_dof = !settings->no_dof;
        break;
    case GLFW_KEY_KP_ADD:
    case GLFW_KEY_EQUAL:
        strength = 0.1f;
        break;
    case GLFW_KEY_KP_SUBTRACT:
    case GLFW_KEY_MINUS:
        strength = -0.1f;
        break;
    case GLFW_KEY_G:
    case GLFW_KEY_RIGHT:
        focus = 1.05f; // a step is a ratio, because the eye sees ratios of distances
        break;
    case GLFW_KEY_F:
    case GLFW_KEY_LEFT:
        focus = 1.0f / 1.05f;
        break;
    case GLFW_KEY_UP:
        stops = 0.25f;
        break;
    case GLFW_KEY_DOWN:
        stops = -0.25f;
        break;
    }
    settings->strength = clamp(settings->strength + strength, 0.0f, SETTINGS_MAX_STRENGTH);
    settings->exposure = clamp(settings->exposure + stops, -SETTINGS_MAX_STOPS, SETTINGS_MAX_STOPS);
    settings->focus = clamp(settings->focus * focus, SETTINGS_MIN_FOCUS, SETTINGS_MAX_FOCUS);
}

// Ten steps between 0 and 1.
static void draw_slider(float value, char out[64])
{
    const int filled = (int)(10.0f * value + 0.5f);
    int length = 0;
    for (int i = 0; i < 10; ++i) {
        length += snprintf(out + length, 64 - (size_t)length, "%s",
                           i < filled ? "\u25ae" : "\u25af");
    }
}

void settings_describe(const struct settings *settings, char *text, size_t size)
{
    char strength[64], focus[64];
    draw_slider(settings->strength / SETTINGS_MAX_STRENGTH, strength);
    draw_slider(logf(settings->focus / SETTINGS_MIN_FOCUS) /
                    logf(SETTINGS_MAX_FOCUS / SETTINGS_MIN_FOCUS),
                focus);
    snprintf(text, size, "bloom %s %s %.1f \u2014 depth of field %s %s %.1f \u2014 %+.2f stops",
             settings->no_bloom ? "off" : "on", strength, (double)settings->strength,
             settings->no_dof ? "off" : "on", focus, (double)settings->focus,
             (double)settings->exposure);
}
