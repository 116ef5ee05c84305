// SPDX-License-Identifier: MIT
// The user's settings: options, keys, and their line in the title.
#include "settings.h"

#include <math.h>
#include <stdio.h>

#include "keys.h"

static const float max_strength = 3.0f, min_focus = 1.0f, max_focus = 60.0f, max_stops = 6.0f;
static const char *const taps_names[] = {"13", "4", NULL};

static const char help_before[] =
    "Usage: sample_bloom [OPTION]...\n"
    "Renders an animated scene at night with bloom, depth of field and an exposure that adapts,\n"
    "from mip pyramids in the command buffer of the frame.\n"
    "\n"
    "  --no-bloom, --no-dof, --no-adapt\n"
    "                         begin with an effect switched off\n"
    "  --strength S           of the bloom, 0 to 3 (default 1.5)\n"
    "  --taps 13|4            of each texel of the bloom's levels (default 13, by a dispatch a\n"
    "                         level; 4 by a pyramid of Weir's in one for all)\n"
    "  --focus D              distance at which the picture is sharp, 1 to 60 (default 8.2)\n"
    "  --exposure E           in stops, -6 to 6 (default 0), beside what adapts\n"
    "  --light E              the scene's light, in stops, -6 to 6 (default 0)\n"
    "  --light-from S         ... from this second on, 0 to 3600 (default 0)\n";

static const char help_after[] =
    "\n"
    "In the window: B bloom on or off, + and - its strength, T its taps; D depth of field on or\n"
    "off, F and G or the arrows left and right focus nearer and further; A adaptation on or off,\n"
    "L three stops less of the scene's light or all of it; the arrows up and down exposure; R\n"
    "starts and stops recording, P pauses it; Esc quits. At the end the GPU time of each pass is\n"
    "printed.\n"
    "Exit status: 0 done, 1 failed or interrupted, 2 wrong usage.\n"
    "\n"
    "Example: a picture without a window\n"
    "  sample_bloom --headless --frames 30 --focus 5 --picture bloom.png\n";

int settings_run(const struct sample *sample, int argc, char **argv, struct settings *settings)
{
    struct options options = {.size = {1280, 720}, .default_output = "bloom.mov"};
    *settings = (struct settings){.strength = 1.5f, .focus = 8.2f};
    const struct argument own[] = {
        {"--no-bloom", .flag = &settings->no_bloom},
        {"--no-dof", .flag = &settings->no_dof},
        {"--no-adapt", .flag = &settings->no_adapt},
        {"--strength", .real = &settings->strength, .max = max_strength},
        {"--taps", .choice = &settings->taps, .choices = taps_names},
        {"--focus", .real = &settings->focus, .min = min_focus, .max = max_focus},
        {"--exposure", .real = &settings->exposure, .min = -max_stops, .max = max_stops},
        {"--light", .real = &settings->light, .min = -max_stops, .max = max_stops},
        {"--light-from", .real = &settings->light_from, .max = 3600},
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
    const float strength = (float)keys_plus_minus(glfw_key), stops = (float)keys_up_down(glfw_key);
    const float focus = (float)(keys_step(glfw_key, GLFW_KEY_G, GLFW_KEY_F) +
                                keys_step(glfw_key, GLFW_KEY_RIGHT, GLFW_KEY_LEFT));
    settings->no_bloom ^= glfw_key == GLFW_KEY_B;
    settings->taps ^= glfw_key == GLFW_KEY_T;
    settings->no_dof ^= glfw_key == GLFW_KEY_D;
    settings->no_adapt ^= glfw_key == GLFW_KEY_A;
    settings->is_dimmed ^= glfw_key == GLFW_KEY_L;
    settings->strength = clamp(settings->strength + 0.1f * strength, 0.0f, max_strength);
    settings->exposure = clamp(settings->exposure + 0.25f * stops, -max_stops, max_stops);
    // A ratio, because the eye sees ratios of distances.
    settings->focus = clamp(settings->focus * powf(1.05f, focus), min_focus, max_focus);
}

void settings_describe(const struct settings *settings, char *text, size_t size)
{
    snprintf(text, size,
             " \u2014 bloom %s %.1f by %s taps \u2014 depth of field %s %.1f \u2014 %+.2f stops%s",
             settings->no_bloom ? "off" : "on", (double)settings->strength,
             taps_names[settings->taps], settings->no_dof ? "off" : "on", (double)settings->focus,
             (double)settings->exposure, settings->no_adapt ? "" : ", adapts");
}

float settings_light(const struct settings *settings, double seconds)
{
    return (seconds >= (double)settings->light_from ? settings->light : 0.0f) -
           (settings->is_dimmed ? 3.0f : 0.0f);
}
