// SPDX-License-Identifier: MIT
// The user's settings: which level is seen, how it was made, and how it is shown.
#include "settings.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>

const char *const view_names[VIEW_NUM_KINDS + 1] = {"flat", "split", "difference", "plane"};

uint32_t settings_level(const struct settings *settings)
{
    const uint32_t last = weir_pyramid_full_chain(settings->width, settings->height) - 1;
    return settings->level < last ? settings->level : last;
}

// Return true if both sides divide by 2 at every step, down to 1x1.
static bool halves(uint32_t width, uint32_t height)
{
    for (; width > 1 || height > 1; width /= 2, height /= 2) {
        if (width % 2 || height % 2) {
            return false;
        }
    }
    return true;
}

static bool can(const struct settings *settings, enum weir_pyramid_method method)
{
    switch (method) {
    case WEIR_PYRAMID_AUTO:
        return false; // one of the others
    case WEIR_PYRAMID_FAST:
    case WEIR_PYRAMID_SUBGROUP:
        return halves(settings->width, settings->height);
    case WEIR_PYRAMID_BLIT:
        return settings->reduction == WEIR_PYRAMID_MEAN;
    default:
        return true;
    }
}

static enum weir_pyramid_method next_method(const struct settings *settings,
                                            enum weir_pyramid_method method)
{
    size_t num;
    weir_pyramid_method_list(&num);
    do {
        method = (method + 1) % num;
    } while (!can(settings, method));
    return method;
}

static void next_reduction(struct settings *settings)
{
    settings->reduction = (settings->reduction + 1) % WEIR_PYRAMID_CUSTOM;
    for (int i = 0; i < 2; ++i) {
        if (!can(settings, settings->methods[i])) {
            settings->methods[i] = next_method(settings, settings->methods[i]);
        }
    }
}

// A view's key also leaves it.
static void turn(struct settings *settings, int view)
{
    settings->view = settings->view == view ? VIEW_FLAT : view;
}

void settings_press(struct settings *settings, int glfw_key)
{
    const uint32_t level = settings_level(settings);
    switch (glfw_key) {
    case GLFW_KEY_UP:
        settings->level = level + 1;
        break;
    case GLFW_KEY_DOWN:
        settings->level = level > 0 ? level - 1 : 0;
        break;
    case GLFW_KEY_M:
        settings->methods[0] = next_method(settings, settings->methods[0]);
        break;
    case GLFW_KEY_N:
        settings->methods[1] = next_method(settings, settings->methods[1]);
        break;
    case GLFW_KEY_F:
        next_reduction(settings);
        break;
    case GLFW_KEY_C:
        settings->codes = !settings->codes;
        break;
    case GLFW_KEY_S:
        turn(settings, VIEW_SPLIT);
        break;
    case GLFW_KEY_D:
        turn(settings, VIEW_DIFFERENCE);
        break;
    case GLFW_KEY_T:
        turn(settings, VIEW_PLANE);
        break;
    }
}

void settings_describe(const struct settings *settings, char *text, size_t size)
{
    const uint32_t level = settings_level(settings);
    const VkExtent2D extent = weir_pyramid_level_extent(settings->width, settings->height, level);
    const char *first = weir_pyramid_method_get_info(settings->methods[0])->name;
    const char *second = weir_pyramid_method_get_info(settings->methods[1])->name;
    const bool split = settings->view == VIEW_SPLIT;
    snprintf(text, size, "%s, level %u, %ux%u \u2014 %s%s%s, %s of %s", view_names[settings->view],
             level, extent.width, extent.height, first, split ? " | " : "", split ? second : "",
             weir_pyramid_reduction_get_info(settings->reduction)->name,
             settings->codes ? "codes" : "light");
}
