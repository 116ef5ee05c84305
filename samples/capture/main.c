// SPDX-License-Identifier: MIT
// sample_capture: an animated scene in a window or offscreen, recorded while it is rendered.
//
// The code is in samples/common: offscreen.c is the shortest render loop with Weir, presenter.c is
// the loop with a swapchain, and recorder.c has the calls of <weir/capture.h>.
#include <vulkan/vulkan.h>

#include "cells.h"
#include "process.h"
#include "progress.h"
#include "renderer.h"
#include "report.h"
#include "sample.h"

static const char help_before[] =
    "Usage: sample_capture [OPTION]... --output FILE.mov\n"
    "Renders an animated scene and records it as a HAP movie while it runs: every image of the\n"
    "window is read by Weir's encoder where it is, on the GPU, before it is presented.\n"
    "\n"
    "  --output FILE.mov      the movie; later recordings, such as those of another size without\n"
    "                         --segment, are FILE-2.mov, FILE-3.mov, ...\n"
    "                         In a window recording starts at once. Without it, R records to\n"
    "                         capture.mov\n"
    "  --codec hap_q|hap|hap_alpha|hap_q_alpha|hap_alpha_only|hap_r\n"
    "                         the kind of HAP (default hap_q)\n"
    "  --sink mov|null|hash   a movie, nothing, or a text file with a hash a frame (default mov)\n"
    "  --reference FILE.rgb   write the rendered frames as raw RGB24 too, to compare a movie with\n"
    "                         them (headless, slow)\n"
    "  --reference-every N    of those, only frames 0, N, 2 N, ... (default 1)\n";

static const char help_after[] =
    "\n"
    "In the window: R starts and stops recording, P pauses it, F9 saves a replay, Esc quits.\n"
    "The lower left corner carries the frame's number in black and white cells (not in images\n"
    "smaller than 192x16).\n"
    "Exit status: 0 done, 1 failed or interrupted, 2 wrong usage.\n"
    "\n"
    "Example: five seconds, without a window\n"
    "  sample_capture --headless --frames 300 --output demo.mov --picture demo.png\n";

static enum options_result parse(int argc, char **argv, struct options *options)
{
    static const char *const sinks[] = {"mov", "null", "hash", NULL};
    static const enum weir_sink values[] = {WEIR_SINK_MOV, WEIR_SINK_NULL, WEIR_SINK_HASH};
    static const char *const codecs[] = {"hap_q",          "hap",   "hap_alpha", "hap_q_alpha",
                                         "hap_alpha_only", "hap_r", NULL};
    int sink = 0, codec = 0;
    const struct argument own[] = {
        {"--output", .text = &options->output},
        {"--codec", .choice = &codec, .choices = codecs},
        {"--sink", .choice = &sink, .choices = sinks},
        {"--reference", .text = &options->reference},
        {"--reference-every", .number = &options->reference_every, .min = 1, .max = UINT32_MAX},
    };
    const struct command_line line = {{own, sizeof(own) / sizeof(own[0])}, help_before, help_after};
    const enum options_result result = options_parse(&line, argc, argv, options);
    if (result != OPTIONS_RUN) {
        return result;
    }
    options->sink = values[sink];
    weir_movie_codec_by_name(codecs[codec], &options->codec);
    if (options_collide(options->output, options->reference) ||
        options_collide(options->picture, options->reference)) {
        return OPTIONS_BAD;
    }
    if (options->reference && !options->headless &&
        !arguments_complain("--reference needs --headless")) {
        return OPTIONS_BAD;
    }
    if (options->headless && !options->output && options->sink != WEIR_SINK_NULL &&
        !arguments_complain("--headless needs --output FILE.mov")) {
        return OPTIONS_BAD;
    }
    return OPTIONS_RUN;
}

static bool start(void *state, const struct gpu *gpu, const struct sample_images *images)
{
    return renderer_init(gpu,
                         &(struct renderer_params){.passes = {.format = images->format,
                                                              .final_layout = images->final_layout},
                                                   .light = {.daylight = 1.0f},
                                                   .num_slots = images->num_slots},
                         state);
}

static void finish(void *state)
{
    renderer_finish(state);
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    struct renderer *renderer = state;
    return passes_resize(renderer->gpu, width, height, &renderer->passes);
}

static bool framebuffer(void *state, VkImageView view, VkFramebuffer *out)
{
    const struct renderer *renderer = state;
    return passes_framebuffer(renderer->gpu, &renderer->passes, view, out);
}

static bool record(void *state, uint32_t slot, VkCommandBuffer cmd, const struct picture *picture)
{
    struct renderer *renderer = state;
    renderer_record(renderer, slot, cmd, picture);
    cells_draw(cmd, renderer->passes.width, renderer->passes.height, picture->number);
    vkCmdEndRenderPass(cmd);
    progress_mark(picture->progress, cmd, "scene");
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {
        .size = {1280, 720}, .default_output = "capture.mov", .reference_every = 1};
    struct renderer renderer = {0};
    const struct sample sample = {
        .title = "Weir capture",
        .state = &renderer,
        .start = start,
        .finish = finish,
        .resize = resize,
        .framebuffer = framebuffer,
        .record = record,
    };
    process_begin();
    report_as("sample_capture");
    switch (parse(argc, argv, &options)) {
    case OPTIONS_HELP:
        return process_has_printed() ? 0 : 1;
    case OPTIONS_BAD:
        return 2;
    case OPTIONS_RUN:
        break;
    }
    return sample_run(&sample, &options);
}
