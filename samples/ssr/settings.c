// SPDX-License-Identifier: MIT
// The user's settings: whether there are reflections, how rough the floor is, how rays march.
#include "settings.h"

#include <math.h>
#include <stdio.h>

#include "keys.h"

const struct settings settings_default = {.roughness = 0.15f};

static const char help_before[] =
    "Usage: sample_ssr [OPTION]...\n"
    "Renders an animated scene at night, whose floor mirrors what the picture shows of it: rays "
    "are\n"
    "traced in a pyramid of nearest depths, and blurred by a pyramid of light.\n"
    "\n"
    "  --roughness R          of the floor, 0 (a mirror) to 1 (default 0.15)\n"
    "  --no-reflections       begin with a floor that mirrors the sky alone\n"
    "  --linear               begin with rays that march texel by texel, without the pyramid\n"
    "  --steps                begin with the steps of each ray shown as colours, from blue, 4 or\n"
    "                         fewer, to red, 512 or more\n"
    "  --exposure E           in stops, -6 to 6 (default 0)\n";

static const char help_after[] =
    "\n"
    "In the window: S reflections on or off, + and - roughness; L marches texel by texel or by "
    "the\n"
    "pyramid, H shows the steps; the arrows up and down exposure; R starts and stops recording, P\n"
    "pauses it; Esc quits.\n"
    "At the end the GPU time of each pass is printed.\n"
    "Exit status: 0 done, 1 failed or interrupted, 2 wrong usage.\n"
    "\n"
    "Example: a picture without a window\n"
    "  sample_ssr --headless --frames 30 --roughness 0.1 --picture ssr.png\n";

int settings_run(const struct sample *sample, int argc, char **argv, struct settings *settings)
{
    struct options options = {.size = {1280, 720}, .default_output = "ssr.mov"};
    const struct argument own[] = {
        {"--roughness", .real = &settings->roughness, .max = 1},
        {"--no-reflections", .flag = &settings->no_reflections},
        {"--linear", .flag = &settings->linear},
        {"--steps", .flag = &settings->shows_steps},
        {"--exposure", .real = &settings->exposure, .min = -SETTINGS_MAX_STOPS,
         .max = SETTINGS_MAX_STOPS},
    };
    const struct command_line line = {.program = "sample_ssr",
                                      .table = {own, sizeof(own) / sizeof(own[0])},
                                      .help_before = help_before,
                                      .help_after = help_after};
    return sample_main(sample, &line, argc, argv, &options);
}

void settings_press(struct settings *settings, int glfw_key)
{
    const float roughness = 0.05f * (float)keys_plus_minus(glfw_key);
    const float stops = 0.25f * (float)keys_up_down(glfw_key);
    settings->no_reflections ^= glfw_key == GLFW_KEY_S;
    settings->linear ^= glfw_key == GLFW_KEY_L;
    settings->shows_steps ^= glfw_key == GLFW_KEY_H;
    settings->roughness = fminf(fmaxf(settings->roughness + roughness, 0.0f), 1.0f);
    settings->exposure = fminf(fmaxf(settings->exposure + stops, -SETTINGS_MAX_STOPS),
                               SETTINGS_MAX_STOPS);
}

void settings_describe(const struct settings *settings, char *text, size_t size)
{
    snprintf(text, size,
             " \u2014 reflections %s \u2014 %s%s \u2014 roughness %.2f \u2014 %+.2f stops",
             settings->no_reflections ? "off" : "on",
             settings->linear ? "texel by texel" : "by the pyramid",
             settings->shows_steps ? ", steps" : "", (double)settings->roughness,
             (double)settings->exposure);
}
