// SPDX-License-Identifier: MIT
// sample_bloom: bloom and depth of field from Weir's pyramids, in the renderer's own command
// buffer.
//
// The order of a frame is in effects.c, and the calls of <weir/pyramid.h> are in bloom.c and
// focus.c. shaders/bloom_pyramid.comp is a custom reduction. samples/common has the scene, the
// window and the recording, which all samples share.
#include <stdio.h>
#include <string.h>

#include "effects.h"
#include "process.h"
#include "report.h"
#include "sample.h"

static const char help_before[] =
    "Usage: sample_bloom [OPTION]...\n"
    "Renders an animated scene at night with bloom and depth of field, both made of mip pyramids\n"
    "that Weir records into the command buffer of the frame.\n"
    "\n"
    "  --no-bloom, --no-dof   begin with an effect switched off\n"
    "  --strength S           of the bloom, 0 to 3 (default 1.5)\n"
    "  --focus D              distance at which the picture is sharp, 1 to 60 (default 8.2)\n"
    "  --exposure E           in stops, -6 to 6 (default 0)\n"
    "  --capture FILE.mov     record a HAP Q movie from the start; later segments are FILE-2.mov,\n"
    "                         ... Without it, R in the window records to bloom.mov\n";

static const char help_after[] =
    "\n"
    "In the window: B bloom on or off, + and - its strength; D depth of field on or off, F and G "
    "or\n"
    "the arrows left and right focus nearer and further; the arrows up and down exposure; R "
    "starts\n"
    "and stops recording, P pauses it; Esc quits.\n"
    "At the end the GPU time of each pass is printed.\n"
    "Exit status: 0 done, 1 failed or interrupted, 2 wrong usage.\n"
    "\n"
    "Example: a picture without a window\n"
    "  sample_bloom --headless --frames 30 --focus 5 --picture bloom.png\n";

static enum options_result parse(int argc, char **argv, struct options *options,
                                 struct settings *settings)
{
    const struct argument own[] = {
        {"--no-bloom", .flag = &settings->no_bloom},
        {"--no-dof", .flag = &settings->no_dof},
        {"--strength", .real = &settings->strength, .max = SETTINGS_MAX_STRENGTH},
        {"--focus", .real = &settings->focus, .min = SETTINGS_MIN_FOCUS, .max = SETTINGS_MAX_FOCUS},
        {"--exposure", .real = &settings->exposure, .min = -SETTINGS_MAX_STOPS,
         .max = SETTINGS_MAX_STOPS},
        {"--capture", .text = &options->output},
    };
    const struct command_line line = {{own, sizeof(own) / sizeof(own[0])}, help_before, help_after};
    return options_parse(&line, argc, argv, options);
}

static bool start(void *state, const struct gpu *gpu, const struct sample_images *images)
{
    return effects_init(gpu, images, state);
}

static void finish(void *state)
{
    effects_finish(state);
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    return effects_resize(state, width, height);
}

static bool framebuffer(void *state, VkImageView view, VkFramebuffer *out)
{
    const struct effects *effects = state;
    return screen_framebuffer(&effects->combine, view, out);
}

static bool record(void *state, uint32_t slot, VkCommandBuffer cmd, const struct picture *picture)
{
    return effects_record(state, slot, cmd, picture);
}

static void press(void *state, int glfw_key)
{
    struct effects *effects = state;
    settings_press(&effects->settings, glfw_key);
}

static void describe(void *state, char *text, size_t size)
{
    const struct effects *effects = state;
    char gpu[32] = "";
    if (effects->timing.frame_ms > 0.0f) {
        snprintf(gpu, sizeof(gpu), ", GPU %.2f ms", (double)effects->timing.frame_ms);
    }
    const int length = snprintf(text, size, ", CPU %.2f ms%s \u2014 ", (double)effects->cpu_ms,
                                gpu);
    settings_describe(&effects->settings, text + length, size - (size_t)length);
}

int main(int argc, char **argv)
{
    struct options options = {.size = {1280, 720}, .default_output = "bloom.mov"};
    struct effects effects = {.settings = settings_default};
    const struct sample sample = {
        .title = "Weir bloom",
        .features = {.shaderStorageImageWriteWithoutFormat = VK_TRUE},
        .state = &effects,
        .start = start,
        .finish = finish,
        .resize = resize,
        .framebuffer = framebuffer,
        .record = record,
        .press = press,
        .describe = describe,
    };
    process_begin();
    report_as("sample_bloom");
    switch (parse(argc, argv, &options, &effects.settings)) {
    case OPTIONS_HELP:
        return process_has_printed() ? 0 : 1;
    case OPTIONS_BAD:
        return 2;
    case OPTIONS_RUN:
        break;
    }
    return sample_run(&sample, &options);
}
