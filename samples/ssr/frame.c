// SPDX-License-Identifier: MIT
// A frame of the sample: the scene's light, what the floor mirrors of it, and what is shown.
#include "frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The scene is shown at night, so that its lights stand out.
static const struct scene_light night = {.daylight = 0.20f, .lamplight = 0.5f, .no_pool = true};

static const char *const pass_names[PASS_NUM_KINDS] = {
    [PASS_SCENE] = "scene",
    [PASS_DEPTH_PYRAMID] = "depth pyramid",
    [PASS_COLOR_PYRAMID] = "colour pyramid",
    [PASS_TRACE] = "trace",
    [PASS_RESOLVE] = "resolve",
    [PASS_COMBINE] = "combine",
};

bool frame_init(const struct gpu *gpu, const struct sample_images *images, struct frame *frame)
{
    const struct renderer_params scene = {
        .passes = {HDR_FORMAT, VK_IMAGE_LAYOUT_GENERAL, .shaded_later = true, .bare_floor = true},
        .light = night,
        .num_slots = images->num_slots,
    };
    frame->gpu = gpu;
    return renderer_init(gpu, &scene, &frame->renderer) &&
           ssr_init(gpu, frame->renderer.passes.depth_format, &frame->ssr) &&
           combine_init(gpu, images, &frame->combine) &&
           timing_init(gpu, images->num_slots, pass_names, PASS_NUM_KINDS, &frame->timing);
}

void frame_finish(struct frame *frame)
{
    if (!frame->gpu) {
        return;
    }
    timing_print(&frame->timing);
    timing_finish(&frame->timing);
    combine_finish(&frame->combine);
    ssr_finish(&frame->ssr);
    hdr_finish(frame->gpu, &frame->hdr);
    renderer_finish(&frame->renderer);
    frame->gpu = NULL;
}

bool frame_resize(struct frame *frame, uint32_t width, uint32_t height)
{
    if (!hdr_resize(frame->gpu, &frame->renderer.passes, 0, width, height, &frame->hdr) ||
        !ssr_resize(&frame->ssr, &frame->hdr, width, height)) {
        return false;
    }
    combine_resize(&frame->combine, frame->hdr.light.view, frame->ssr.reflection.views[0],
                   VK_NULL_HANDLE, width, height);
    return true;
}

bool frame_record(struct frame *frame, uint32_t slot, VkCommandBuffer cmd,
                  const struct picture *picture)
{
    struct timing *timing = &frame->timing;
    timing_begin(timing, slot, cmd, picture->progress);
    renderer_record(&frame->renderer, slot, cmd,
                    &(struct picture){.framebuffer = frame->hdr.framebuffer,
                                      .number = picture->number,
                                      .seconds = picture->seconds});
    vkCmdEndRenderPass(cmd);
    timing_mark(timing, slot, cmd, PASS_SCENE);
    if (!ssr_record(&frame->ssr, cmd, &frame->renderer.scene.view, &frame->settings, timing,
                    slot)) {
        return false;
    }
    combine_record(&frame->combine, cmd, picture->framebuffer, 1.0f,
                   exp2f(frame->settings.exposure), false);
    timing_mark(timing, slot, cmd, PASS_COMBINE);
    return true;
}

// The title has the settings, and the GPU time of each pass of the last frame.
void frame_describe(const struct frame *frame, char *text, size_t size)
{
    const struct timing *timing = &frame->timing;
    int length = snprintf(text, size, " \u2014 ");
    settings_describe(&frame->settings, text + length, size - (size_t)length);
    for (uint32_t pass = 0; pass < PASS_NUM_KINDS; ++pass) {
        const uint32_t num = timing->num_frames[pass];
        const bool mirrors = pass >= PASS_DEPTH_PYRAMID && pass <= PASS_TRACE;
        if (num == 0 || (mirrors && frame->settings.no_reflections)) {
            continue;
        }
        const float ms = timing->times[pass][(num - 1) % TIMING_MAX_FRAMES];
        const size_t used = strlen(text);
        snprintf(text + used, size - used, ", %s %.2f ms", pass_names[pass], (double)ms);
    }
}
