// SPDX-License-Identifier: MIT
// The user's settings: how many colours, by which method, and how they are mixed.
#include "settings.h"

#include <math.h>
#include <stdio.h>

#include "keys.h"

const struct settings settings_default = {
    .num_colors = 16,
    .method = WEIR_PALETTE_METHOD_K_MEANS,
    .dither = WEIR_PALETTE_DITHER_BLUE_NOISE,
};

static const char help_before[] =
    "Usage: sample_palette [OPTION]...\n"
    "Renders an animated scene in few colours, which Weir chooses and maps on the GPU, in the\n"
    "command buffer of the frame.\n"
    "\n"
    "  --colors N             how many colours at most, 4 to 256 (default 16)\n"
    "  --method k_means|mean_shift\n"
    "                         mean shift joins colours within a radius instead, so that about as\n"
    "                         many are left (default k_means)\n"
    "  --dither none|ordered|blue_noise\n"
    "                         how colours are mixed, with k_means (default blue_noise)\n"
    "  --keep                 with k_means, keep the colours of the first frame; else each frame\n"
    "                         has its own\n"
    "  --live                 with k_means, colours follow from frame to frame: without dither, "
    "and\n"
    "                         in a fraction of the time\n"
    "  --no-strip             without the row of the colours below the picture\n";

static const char help_after[] =
    "\n"
    "In the window: + and - number of colours, D dither, M method, K keeps the colours as they "
    "are, L lets\n"
    "them follow, S the row of colours; R starts and stops recording, P pauses it; Esc quits.\n"
    "At the end the GPU time of each pass is printed.\n"
    "Exit status: 0 done, 1 failed or interrupted, 2 wrong usage.\n"
    "\n"
    "Example: a picture in eight colours without a window\n"
    "  sample_palette --headless --frames 5 --colors 8 --picture palette.png\n";

int settings_run(const struct sample *sample, int argc, char **argv, struct settings *settings)
{
    static const char *const methods[] = {"mean_shift", "k_means", NULL};
    static const char *const dithers[] = {"none", "ordered", "blue_noise", NULL};
    struct options options = {.size = {1280, 720}, .default_output = "palette.mov"};
    const struct argument own[] = {
        {"--colors", .number = &settings->num_colors, .min = SETTINGS_MIN_COLORS,
         .max = WEIR_PALETTE_MAX_NUM_COLORS},
        {"--method", .choice = &settings->method, .choices = methods},
        {"--dither", .choice = &settings->dither, .choices = dithers},
        {"--keep", .flag = &settings->keep},
        {"--live", .flag = &settings->live},
        {"--no-strip", .flag = &settings->no_strip},
    };
    const struct command_line line = {.program = "sample_palette",
                                      .table = {own, sizeof(own) / sizeof(own[0])},
                                      .help_before = help_before,
                                      .help_after = help_after};
    return sample_main(sample, &line, argc, argv, &options);
}

enum weir_palette_dither settings_dither(const struct settings *settings)
{
    return settings->method == WEIR_PALETTE_METHOD_K_MEANS && !settings->live
               ? settings->dither
               : WEIR_PALETTE_DITHER_NONE;
}

bool settings_live(const struct settings *settings)
{
    return settings->live && settings->method == WEIR_PALETTE_METHOD_K_MEANS;
}

bool settings_keep(const struct settings *settings)
{
    return settings->keep && settings->method == WEIR_PALETTE_METHOD_K_MEANS && !settings->live;
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
    const int more = keys_plus_minus(glfw_key);
    if (more != 0) {
        settings->num_colors = step(settings->num_colors, more > 0);
    }
    if (glfw_key == GLFW_KEY_D) {
        settings->dither = (settings->dither + 1) % (WEIR_PALETTE_DITHER_BLUE_NOISE + 1);
    }
    if (glfw_key == GLFW_KEY_M) {
        settings->method = settings->method == WEIR_PALETTE_METHOD_K_MEANS
                               ? WEIR_PALETTE_METHOD_MEAN_SHIFT
                               : WEIR_PALETTE_METHOD_K_MEANS;
    }
    settings->keep ^= glfw_key == GLFW_KEY_K;
    settings->live ^= glfw_key == GLFW_KEY_L;
    settings->no_strip ^= glfw_key == GLFW_KEY_S;
}

void settings_describe(const struct settings *settings, uint32_t num_colors, char *text,
                       size_t size)
{
    static const char *const dithers[] = {"no dither", "ordered dither", "blue noise"};
    char method[64];
    if (settings->method == WEIR_PALETTE_METHOD_K_MEANS) {
        snprintf(method, sizeof(method), "k-means, %s", dithers[settings_dither(settings)]);
    } else {
        snprintf(method, sizeof(method), "mean shift, radius %.3f",
                 (double)settings_radius(settings));
    }
    snprintf(text, size, "%u colours \u2014 %s \u2014 %s", num_colors, method,
             settings_live(settings)   ? "live"
             : settings_keep(settings) ? "kept"
                                       : "of each frame");
}
