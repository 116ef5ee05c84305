// SPDX-License-Identifier: MIT
// The user's settings: options, keys, and their line in the title.
#include "settings.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>
#include <stdio.h>

const struct settings settings_default = {.strength = 1.5f, .focus = 8.2f};

static const char help_before[] =
    "Usage: sample_bloom [OPTION]...\n"
    "Renders an animated scene at night with bloom, depth of field and an exposure that adapts, "
    "all\n"
    "from mip pyramids that Weir records into the command buffer of the frame.\n"
    "\n"
    "  --no-bloom, --no-dof, --no-adapt\n"
    "                         begin with an effect switched off\n"
    "  --strength S           of the bloom, 0 to 3 (default 1.5)\n"
    "  --focus D              distance at which the picture is sharp, 1 to 60 (default 8.2)\n"
    "  --exposure E           in stops, -6 to 6 (default 0), beside what adapts\n"
    "  --light E              the scene's light, in stops, -6 to 6 (default 0)\n"
    "  --light-from S         ... from this second on, 0 to 3600 (default 0)\n"
    "  --capture FILE.mov     record a HAP Q movie from the start; later segments are FILE-2.mov,\n"
    "                         ... Without it, R in the window records to bloom.mov\n";

static const char help_after[] =
    "\n"
    "In the window: B bloom on or off, + and - its strength; D depth of field on or off, F and G\n"
    "or the arrows left and right focus nearer and further; A adaptation on or off, L takes three\n"
    "stops of the scene's light or gives them back; the arrows up and down exposure; R starts and\n"
    "stops recording, P pauses it; Esc quits.\n"
    "At the end the GPU time of each pass is printed.\n"
    "Exit status: 0 done, 1 failed or interrupted, 2 wrong usage.\n"
    "\n"
    "Example: a picture without a window\n"
    "  sample_bloom --headless --frames 30 --focus 5 --picture bloom.png\n";

int settings_run(const struct sample *sample, int argc, char **argv, struct settings *settings)
{
    struct options options = {.size = {1280, 720}, .default_output = "bloom.mov"};
    const struct argument own[] = {
        {"--no-bloom", .flag = &settings->no_bloom},
        {"--no-dof", .flag = &settings->no_dof},
        {"--no-adapt", .flag = &settings->no_adapt},
        {"--strength", .real = &settings->strength, .max = SETTINGS_MAX_STRENGTH},
        {"--focus", .real = &settings->focus, .min = SETTINGS_MIN_FOCUS, .max = SETTINGS_MAX_FOCUS},
        {"--exposure", .real = &settings->exposure, .min = -SETTINGS_MAX_STOPS,
         .max = SETTINGS_MAX_STOPS},
        {"--light", .real = &settings->light, .min = -SETTINGS_MAX_STOPS,
         .max = SETTINGS_MAX_STOPS},
        {"--light-from", .real = &settings->light_from, .max = 3600},
        {"--capture", .text = &options.output},
    };
    const struct command_line line = {.program = "sample_bloom",
                                      .table = {own, sizeof(own) / sizeof(own[0])},
                                      .help_before = help_before,
                                      .help_after = help_after};
    return sample_main(sample, &line, argc, argv, &options);
}

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
    case GLFW_KEY_A:
        settings->no_adapt = !settings->no_adapt;
        break;
    case GLFW_KEY_L:
        settings->is_dimmed = !settings->is_dimmed;
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
    snprintf(text, size,
             " \u2014 bloom %s %s %.1f \u2014 depth of field %s %s %.1f \u2014 %+.2f stops%s",
             settings->no_bloom ? "off" : "on", strength, (double)settings->strength,
             settings->no_dof ? "off" : "on", focus, (double)settings->focus,
             (double)settings->exposure, settings->no_adapt ? "" : ", adapts");
}

float settings_light(const struct settings *settings, double seconds)
{
    return (seconds >= (double)settings->light_from ? settings->light : 0.0f) -
           (settings->is_dimmed ? 3.0f : 0.0f);
}
