// SPDX-License-Identifier: MIT
// The user's settings: which level is seen, how it was made, and how it is shown.
#include "settings.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>

static const char *const view_names[VIEW_NUM_KINDS + 1] = {"flat", "split", "difference", "plane"};

enum { NOT_CHOSEN = -1 };
const struct settings settings_default = {
    .level = 2,
    .methods = {WEIR_PYRAMID_SINGLE, NOT_CHOSEN},
};

static const char help_before[] =
    "Usage: sample_mips [OPTION]...\n"
    "Shows the mip levels of a picture, which Weir computes again in each frame, and\n"
    "their difference from exact means. At the end it prints the GPU time of each\n"
    "pass.\n"
    "\n"
    "  --input FILE.png       the picture (default: a zone plate, with rings as fine\n"
    "                         as texels)\n"
    "  --level N              the level to show, 0 to 31, at most the last (default\n"
    "                         2)\n"
    "  --view flat|split|difference|plane\n"
    "                         the level; two methods side by side; 16 times the\n"
    "                         difference from exact means; or a plane to the horizon,\n"
    "                         with a colour for each level (default flat)\n"
    "  --method NAME          auto, single, hybrid, fast, general, subgroup,\n"
    "                         per_level or blit (default single)\n"
    "  --other NAME           the method of the right half of --view split (default\n"
    "                         blit)\n"
    "  --reduction NAME       mean, alpha_mean, min, max, min_max or luma_mean\n"
    "                         (default mean)\n"
    "  --codes                average sRGB codes, as for data such as normals; else\n"
    "                         linear light\n";

static const char help_keys[] = "  up down                level\n"
                                "  M, N                   method; method of the right half\n"
                                "  F                      reduction\n"
                                "  S, D, T                split; difference; plane\n"
                                "  C                      average codes or linear light\n";

static const char help_example[] =
    "a blit and a picture with odd sides, without a window\n"
    "  sample_mips --headless --frames 1 --size 641x359 --level 3 --view split \\\n"
    "    --picture mips.png\n";

static bool complete(void *user, struct options *options)
{
    struct settings *settings = user;
    (void)options;
    if (settings->methods[1] == NOT_CHOSEN) { // blits know no other reduction than the mean
        settings->methods[1] = settings->reduction == WEIR_PYRAMID_MEAN ? WEIR_PYRAMID_BLIT
                                                                        : WEIR_PYRAMID_PER_LEVEL;
    }
    return true;
}

#define MAX_NAMES 15

int settings_run(struct sample *sample, int argc, char **argv, struct settings *settings)
{
    const char *methods[MAX_NAMES + 1] = {0}, *reductions[MAX_NAMES + 1] = {0};
    size_t num_methods;
    const struct weir_pyramid_method_info *list = weir_pyramid_method_list(&num_methods);
    for (size_t i = 0; i < num_methods && i < MAX_NAMES; ++i) {
        methods[i] = list[i].name;
    }
    // All but that of a kernel of one's own, the last.
    for (int i = 0; i < WEIR_PYRAMID_CUSTOM; ++i) {
        reductions[i] = weir_pyramid_reduction_get_info((enum weir_pyramid_reduction)i)->name;
    }
    const struct argument own[] = {
        {"--input", .text = &settings->input},
        {"--level", .number = &settings->level, .max = 31},
        {"--view", .choice = &settings->view, .choices = view_names},
        {"--method", .choice = &settings->methods[0], .choices = methods},
        {"--other", .choice = &settings->methods[1], .choices = methods},
        {"--reduction", .choice = &settings->reduction, .choices = reductions},
        {"--codes", .flag = &settings->codes},
    };
    sample->program = "sample_mips";
    sample->arguments = own;
    sample->num_arguments = sizeof(own) / sizeof(own[0]);
    sample->help_before = help_before;
    sample->help_keys = help_keys;
    sample->help_example = help_example;
    sample->options.default_output = "mips.mov";
    sample->complete = complete;
    sample->user = settings;
    return sample_main(sample, argc, argv);
}

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
