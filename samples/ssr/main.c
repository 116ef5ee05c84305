// SPDX-License-Identifier: MIT
// sample_ssr: screen-space reflections, traced and blurred by Weir's pyramids.
//
// The calls of <weir/pyramid.h> are in ssr.c, the march through the pyramid of depths in
// shaders/trace.comp, and the look-up of light in shaders/resolve.comp. samples/common has the
// scene, the window and the recording, which all samples share.
#include "frame.h"
#include "process.h"
#include "report.h"

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
    "  --exposure E           in stops, -6 to 6 (default 0)\n"
    "  --capture FILE.mov     record a HAP Q movie from the start; later segments are FILE-2.mov,\n"
    "                         ... Without it, R in the window records to ssr.mov\n";

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

static enum options_result parse(int argc, char **argv, struct options *options,
                                 struct settings *settings)
{
    const struct argument own[] = {
        {"--roughness", .real = &settings->roughness, .max = 1},
        {"--no-reflections", .flag = &settings->no_reflections},
        {"--linear", .flag = &settings->linear},
        {"--steps", .flag = &settings->shows_steps},
        {"--exposure", .real = &settings->exposure, .min = -SETTINGS_MAX_STOPS,
         .max = SETTINGS_MAX_STOPS},
        {"--capture", .text = &options->output},
    };
    const struct command_line line = {{own, sizeof(own) / sizeof(own[0])}, help_before, help_after};
    return options_parse(&line, argc, argv, options);
}

static bool start(void *state, const struct gpu *gpu, const struct sample_images *images)
{
    return frame_init(gpu, images, state);
}

static void finish(void *state)
{
    frame_finish(state);
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    return frame_resize(state, width, height);
}

static bool framebuffer(void *state, VkImageView view, VkFramebuffer *out)
{
    const struct frame *frame = state;
    return combine_framebuffer(&frame->combine, view, out);
}

static bool record(void *state, uint32_t slot, VkCommandBuffer cmd, const struct picture *picture)
{
    return frame_record(state, slot, cmd, picture);
}

static void press(void *state, int glfw_key)
{
    struct frame *frame = state;
    settings_press(&frame->settings, glfw_key);
}

static void describe(void *state, char *text, size_t size)
{
    frame_describe(state, text, size);
}

int main(int argc, char **argv)
{
    struct options options = {.size = {1280, 720}, .default_output = "ssr.mov"};
    struct frame frame = {.settings = settings_default};
    const struct sample sample = {
        .title = "Weir reflections",
        .features = {.shaderStorageImageWriteWithoutFormat = VK_TRUE},
        .state = &frame,
        .start = start,
        .finish = finish,
        .resize = resize,
        .framebuffer = framebuffer,
        .record = record,
        .press = press,
        .describe = describe,
    };
    process_begin();
    report_as("sample_ssr");
    switch (parse(argc, argv, &options, &frame.settings)) {
    case OPTIONS_HELP:
        return process_has_printed() ? 0 : 1;
    case OPTIONS_BAD:
        return 2;
    case OPTIONS_RUN:
        break;
    }
    return sample_run(&sample, &options);
}
