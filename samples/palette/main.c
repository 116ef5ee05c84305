// SPDX-License-Identifier: MIT
// sample_palette: the scene in 4 to 256 colours, chosen anew for each frame or kept.
//
// The calls of <weir/palette.h> are in posterize.c. The order of a frame is in record() below.
// samples/common has the scene, the window and the recording, which all samples share.
#include <stdio.h>

#include "levels.h"
#include "palette_passes.h"
#include "posterize.h"
#include "process.h"
#include "renderer.h"
#include "report.h"
#include "sample.h"
#include "screen.h"
#include "settings.h"
#include "strip.h"
#include "timing.h"

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
    "  --no-strip             without the row of the colours below the picture\n"
    "  --capture FILE.mov     record a HAP Q movie from the start; later segments are FILE-2.mov,\n"
    "                         ... Without it, R in the window records to palette.mov\n";

static const char help_after[] =
    "\n"
    "In the window: + and - number of colours, D dither, M method, K keeps the colours as they "
    "are, S the row\n"
    "of colours; R starts and stops recording, P pauses it; Esc quits.\n"
    "At the end the GPU time of each pass is printed.\n"
    "Exit status: 0 done, 1 failed or interrupted, 2 wrong usage.\n"
    "\n"
    "Example: a picture in eight colours without a window\n"
    "  sample_palette --headless --frames 5 --colors 8 --picture palette.png\n";

static const char *const pass_names[PASS_NUM_KINDS] = {
    [PASS_SCENE] = "scene", [PASS_COUNT] = "count colours", [PASS_CHOOSE] = "choose colours",
    [PASS_MAP] = "map",     [PASS_STRIP] = "strip",         [PASS_SHOW] = "show",
};

static const uint32_t show_code[] =
#include "show.frag.inc"
    ;

struct state {
    const struct gpu *gpu;
    struct settings settings;
    struct renderer renderer;
    struct posterize posterize;
    struct strip strip;
    struct screen screen;
    struct timing timing;
    struct levels scene;  // as it is rendered, sRGB
    struct levels result; // in few colours, sRGB codes
    VkFramebuffer framebuffer;
};

static enum options_result parse(int argc, char **argv, struct options *options,
                                 struct settings *settings)
{
    static const char *const methods[] = {"mean_shift", "k_means", NULL};
    static const char *const dithers[] = {"none", "ordered", "blue_noise", NULL};
    int method = (int)settings->method, dither = (int)settings->dither;
    const struct argument own[] = {
        {"--colors", .number = &settings->num_colors, .min = SETTINGS_MIN_COLORS,
         .max = WEIR_PALETTE_MAX_NUM_COLORS},
        {"--method", .choice = &method, .choices = methods},
        {"--dither", .choice = &dither, .choices = dithers},
        {"--keep", .flag = &settings->keep},
        {"--no-strip", .flag = &settings->no_strip},
        {"--capture", .text = &options->output},
    };
    const struct command_line line = {{own, sizeof(own) / sizeof(own[0])}, help_before, help_after};
    const enum options_result result = options_parse(&line, argc, argv, options);
    settings->method = (enum weir_palette_method)method;
    settings->dither = (enum weir_palette_dither)dither;
    return result;
}

static bool start(void *user, const struct gpu *gpu, const struct sample_images *images)
{
    struct state *state = user;
    state->gpu = gpu;
    const struct renderer_params scene = {
        .passes = {VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                   .shaded_later = true},
        .light = {.daylight = 1.0f},
        .num_slots = images->num_slots,
    };
    const struct screen_params screen = {.code = show_code,
                                         .code_size = sizeof(show_code),
                                         .num_textures = 2,
                                         .constants_size = sizeof(int32_t),
                                         .filter = VK_FILTER_LINEAR};
    return renderer_init(gpu, &scene, &state->renderer) &&
           posterize_init(gpu, scene.passes.format, &state->posterize) &&
           strip_init(gpu, &state->strip) && screen_init(gpu, images, &screen, &state->screen) &&
           timing_init(gpu, images->num_slots, pass_names, PASS_NUM_KINDS, &state->timing);
}

static void drop_pictures(struct state *state)
{
    vkDestroyFramebuffer(state->gpu->device, state->framebuffer, NULL);
    state->framebuffer = VK_NULL_HANDLE;
    levels_finish(state->gpu, &state->scene);
    levels_finish(state->gpu, &state->result);
}

static void finish(void *user)
{
    struct state *state = user;
    if (!state->gpu) {
        return;
    }
    timing_print(&state->timing);
    timing_finish(&state->timing);
    screen_finish(&state->screen);
    strip_finish(&state->strip);
    posterize_finish(&state->posterize);
    drop_pictures(state);
    renderer_finish(&state->renderer);
    state->gpu = NULL;
}

static bool resize(void *user, uint32_t width, uint32_t height)
{
    struct state *state = user;
    const struct gpu *gpu = state->gpu;
    struct passes *passes = &state->renderer.passes;
    struct levels_params picture = {.format = passes->params.format,
                                    .width = width,
                                    .height = height,
                                    .num_levels = 1,
                                    .num_layers = 1,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                             VK_IMAGE_USAGE_SAMPLED_BIT};
    drop_pictures(state);
    if (!levels_init(gpu, &picture, &state->scene)) {
        return false;
    }
    picture.format = VK_FORMAT_R8G8B8A8_UNORM;
    picture.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    if (!levels_init(gpu, &picture, &state->result) || !passes_resize(gpu, width, height, passes) ||
        !passes_framebuffer(gpu, passes, state->scene.image.view, &state->framebuffer) ||
        !strip_bind(&state->strip, state->result.image.view)) {
        return false;
    }
    state->posterize.source = state->scene.weir;
    state->posterize.result = state->result.weir;
    const struct screen_texture textures[] = {
        {state->result.image.view, VK_IMAGE_LAYOUT_GENERAL},
        {state->strip.colors.image.view, VK_IMAGE_LAYOUT_GENERAL}};
    screen_resize(&state->screen, width, height);
    screen_bind(&state->screen, textures);
    return true;
}

static bool framebuffer(void *user, VkImageView view, VkFramebuffer *out)
{
    const struct state *state = user;
    return screen_framebuffer(&state->screen, view, out);
}

static bool record(void *user, uint32_t slot, VkCommandBuffer cmd, const struct picture *picture)
{
    struct state *state = user;
    struct timing *timing = &state->timing;
    const uint32_t width = state->screen.width, height = state->screen.height;
    const uint32_t strip_height = state->settings.no_strip ? 0 : height / 15;
    const int32_t top = (int32_t)(height - strip_height);

    timing_begin(timing, slot, cmd, picture->progress);
    renderer_record(&state->renderer, slot, cmd,
                    &(struct picture){.framebuffer = state->framebuffer,
                                      .number = picture->number,
                                      .seconds = picture->seconds});
    vkCmdEndRenderPass(cmd);
    levels_discard(&state->result, cmd);
    timing_mark(timing, slot, cmd, PASS_SCENE);

    if (!posterize_record(&state->posterize, &state->settings, cmd, timing, slot)) {
        return false;
    }
    strip_record(&state->strip, cmd, width, height);
    timing_mark(timing, slot, cmd, PASS_STRIP);
    screen_record(&state->screen, cmd, picture->framebuffer, &top);
    timing_mark(timing, slot, cmd, PASS_SHOW);
    return true;
}

static void press(void *user, int glfw_key)
{
    struct state *state = user;
    settings_press(&state->settings, glfw_key);
}

static void describe(void *user, char *text, size_t size)
{
    const struct state *state = user;
    int length = 0;
    if (state->timing.frame_ms > 0.0f) {
        length = snprintf(text, size, ", GPU %.2f ms", (double)state->timing.frame_ms);
    }
    length += snprintf(text + length, size - (size_t)length, " \u2014 ");
    settings_describe(&state->settings, posterize_count(&state->posterize), text + length,
                      size - (size_t)length);
}

int main(int argc, char **argv)
{
    struct options options = {.size = {1280, 720}, .default_output = "palette.mov"};
    struct state state = {.settings = settings_default};
    const struct sample sample = {
        .title = "Weir palette",
        .features = {.shaderInt64 = VK_TRUE, .shaderStorageImageWriteWithoutFormat = VK_TRUE},
        .state = &state,
        .start = start,
        .finish = finish,
        .resize = resize,
        .framebuffer = framebuffer,
        .record = record,
        .press = press,
        .describe = describe,
    };
    process_begin();
    report_as("sample_palette");
    switch (parse(argc, argv, &options, &state.settings)) {
    case OPTIONS_HELP:
        return process_has_printed() ? 0 : 1;
    case OPTIONS_BAD:
        return 2;
    case OPTIONS_RUN:
        break;
    }
    return sample_run(&sample, &options);
}
