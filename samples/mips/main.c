// SPDX-License-Identifier: MIT
// sample_mips: a viewer of mip pyramids, by every method and reduction that Weir has.
//
// The calls of <weir/pyramid.h> are in mips.c. The order of a frame is in viewer_record() of
// viewer.c. samples/common has the window and the recording, which all samples share.
#include <stdio.h>

#include "process.h"
#include "report.h"
#include "sample.h"
#include "viewer.h"

static const char help_before[] =
    "Usage: sample_mips [OPTION]...\n"
    "Shows the mip levels of a picture, which Weir makes anew in each frame, and how far they are\n"
    "from what is exact.\n"
    "\n"
    "  --input FILE.png       the picture (default: a zone plate, rings as fine as texels)\n"
    "  --level N              the level that is shown, 0 to 31, at most the last (default 2)\n"
    "  --view flat|split|difference|plane\n"
    "                         the level; by two methods, side by side; what it differs from the\n"
    "                         exact means, 16 times; or a plane to the horizon, on which each "
    "level\n"
    "                         has a colour (default flat)\n"
    "  --method NAME          auto, single, hybrid, fast, general, subgroup, per_level or blit\n"
    "                         (default single)\n"
    "  --other NAME           the method of the right half of --view split (default blit)\n"
    "  --reduction NAME       mean, alpha_mean, min, max, min_max or luma_mean (default mean)\n"
    "  --codes                means of sRGB codes, as of data such as normals; else of light\n"
    "  --capture FILE.mov     record a HAP Q movie from the start; later segments are FILE-2.mov,\n"
    "                         ... Without it, R in the window records to mips.mov\n";

static const char help_after[] =
    "\n"
    "In the window: the arrows up and down level, M method, N the other method, F reduction, S\n"
    "split, D difference, T plane, C codes or light; R starts and stops recording, P pauses it;\n"
    "Esc quits.\n"
    "At the end the GPU time of each pass is printed.\n"
    "Exit status: 0 done, 1 failed or interrupted, 2 wrong usage.\n"
    "\n"
    "Example: what a blit makes of a picture with odd sides, without a window\n"
    "  sample_mips --headless --frames 1 --size 641x359 --level 3 --view split --picture "
    "mips.png\n";

#define MAX_NAMES 15

static enum options_result parse(int argc, char **argv, struct options *options,
                                 struct viewer *viewer)
{
    struct settings *settings = &viewer->settings;
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
    int view = (int)settings->view, reduction = (int)settings->reduction;
    int first = (int)settings->methods[0], other = -1;
    const struct argument own[] = {
        {"--input", .text = &viewer->path},
        {"--level", .number = &settings->level, .max = 31},
        {"--view", .choice = &view, .choices = view_names},
        {"--method", .choice = &first, .choices = methods},
        {"--other", .choice = &other, .choices = methods},
        {"--reduction", .choice = &reduction, .choices = reductions},
        {"--codes", .flag = &settings->codes},
        {"--capture", .text = &options->output},
    };
    const struct command_line line = {{own, sizeof(own) / sizeof(own[0])}, help_before, help_after};
    const enum options_result result = options_parse(&line, argc, argv, options);
    settings->view = (enum view)view;
    settings->reduction = (enum weir_pyramid_reduction)reduction;
    settings->methods[0] = (enum weir_pyramid_method)first;
    // Blits know no other reduction than the mean.
    settings->methods[1] = other >= 0                       ? (enum weir_pyramid_method)other
                           : reduction == WEIR_PYRAMID_MEAN ? WEIR_PYRAMID_BLIT
                                                            : WEIR_PYRAMID_PER_LEVEL;
    return result;
}

static bool start(void *state, const struct gpu *gpu, const struct sample_images *images)
{
    return viewer_init(gpu, images, state);
}

static void finish(void *state)
{
    viewer_finish(state);
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    return viewer_resize(state, width, height);
}

static bool framebuffer(void *state, VkImageView view, VkFramebuffer *out)
{
    const struct viewer *viewer = state;
    return screen_framebuffer(&viewer->screen, view, out);
}

static bool record(void *state, uint32_t slot, VkCommandBuffer cmd, const struct picture *picture)
{
    return viewer_record(state, slot, cmd, picture);
}

static void press(void *state, int glfw_key)
{
    struct viewer *viewer = state;
    settings_press(&viewer->settings, glfw_key);
}

static void describe(void *state, char *text, size_t size)
{
    const struct viewer *viewer = state;
    const uint32_t num = weir_pyramid_target_get_num_dispatches(viewer->mips[0].target);
    int length = 0;
    if (viewer->timing.frame_ms > 0.0f) {
        length = snprintf(text, size, ", GPU %.3f ms", (double)viewer->timing.frame_ms);
    }
    length += snprintf(text + length, size - (size_t)length, ", %u %s \u2014 ", num,
                       num == 1 ? "dispatch" : "dispatches");
    settings_describe(&viewer->settings, text + length, size - (size_t)length);
}

int main(int argc, char **argv)
{
    struct options options = {.size = {1280, 720}, .default_output = "mips.mov"};
    struct viewer viewer = {.settings = settings_default};
    const struct sample sample = {
        .title = "Weir mips",
        .features = {.shaderStorageImageWriteWithoutFormat = VK_TRUE},
        .state = &viewer,
        .start = start,
        .finish = finish,
        .resize = resize,
        .framebuffer = framebuffer,
        .record = record,
        .press = press,
        .describe = describe,
    };
    process_begin();
    report_as("sample_mips");
    switch (parse(argc, argv, &options, &viewer)) {
    case OPTIONS_HELP:
        return process_has_printed() ? 0 : 1;
    case OPTIONS_BAD:
        return 2;
    case OPTIONS_RUN:
        break;
    }
    return sample_run(&sample, &options);
}
