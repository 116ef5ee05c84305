// SPDX-License-Identifier: MIT
// The user's settings: how many colours, by which method, and how they are mixed.
#include "settings.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>
#include <stdio.h>

const struct settings settings_default = {
    .num_colors = 16,
    .method = WEIR_PALETTE_METHOD_K_MEANS,
    .dither = WEIR_PALETTE_DITHER_BLUE_NOISE,
};

enum weir_palette_dither settings_dither(const struct settings *settings)
{
    return settings->method == WEIR_PALETTE_METHOD_K_MEANS ? settings->dither
                                                           : WEIR_PALETTE_DITHER_NONE;
}

bool settings_keep(const struct settings *settings)
{
    return settings->keep && settings->method == WEIR_PALETTE_METHOD_K_MEANS;
}

float settings_radius(const struct settings *settings)
{
    // Colours fill a space of three dimensions. The factor was measured on the scene.
    return 0.16f / cbrtf((float)settings->num_colors);
}

// The eye sees ratios of numbers: a step is a quarter of what there is, and at least one.
static uint32_t step(uint32_t num_colors, bool more)
{
    const uint32_t by = num_colors / 4 > 1 ? num_colors / 4 : 1;
    const uint32_t next = more ? num_colors + by : num_colors - by;
    return next < SETTINGS_MIN_COLORS           ? SETTINGS_MIN_COLORS
           : next > WEIR_PALETTE_MAX_NUM_COLORS ? WEIR_PALETTE_MAX_NUM_COLORS
                                                : next;
}

void settings_press(struct settings *settings, int glfw_key)
{
    switch (glfw_key) {
    case GLFW_KEY_KP_ADD:
    case GLFW_KEY_EQUAL:
        settings->num_colors = step(settings->num_colors, true);
        break;
    case GLFW_KEY_KP_SUBTRACT:
    case GLFW_KEY_MINUS:
        settings->num_colors = step(settings->num_colors, false);
        break;
    case GLFW_KEY_D:
        settings->dither = (settings->dither + 1) % (WEIR_PALETTE_DITHER_BLUE_NOISE + 1);
        break;
    case GLFW_KEY_M:
        settings->method = settings->method == WEIR_PALETTE_METHOD_K_MEANS
                               ? WEIR_PALETTE_METHOD_MEAN_SHIFT
                               : WEIR_PALETTE_METHOD_K_MEANS;
        break;
    case GLFW_KEY_K:
        settings->keep = !settings->keep;
        break;
    case GLFW_KEY_S:
        settings->no_strip = !settings->no_strip;
        break;
    }
}

void settings_describe(const struct settings *settings, uint32_t num_colors, char *text,
                       size_t size)
{
    static const char *const dithers[] = {"no dither", "ordered dither", "blue noise"};
    char method[64];
    if (settings->method == WEIR_PALETTE_METHOD_K_MEANS) {
        snprintf(method, sizeof(method), "k-means, %s", dithers[settings->dither]);
    } else {
        snprintf(method, sizeof(method), "mean shift, radius %.3f",
                 (double)settings_radius(settings));
    }
    snprintf(text, size, "%u colours \u2014 %s \u2014 %s", num_colors, method,
             settings_keep(settings) ? "kept" : "of each frame");
}
