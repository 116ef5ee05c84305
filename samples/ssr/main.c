// SPDX-License-Identifier: MIT
// sample_ssr: screen-space reflections, traced and blurred by Weir's pyramids.
//
// The calls of <weir/pyramid.h> are in ssr.c, the march through the pyramid of depths in
// shaders/trace.comp, and the look-up of light in shaders/resolve.comp. Below is the order of a
// frame. samples/scene has the scene, and samples/common the window and the recording.
#include <math.h>

#include "hdr.h"
#include "settings.h"
#include "ssr.h"
#include "timing.h"

struct frame {
    const struct gpu *gpu;
    struct settings settings;
    struct renderer renderer;
    struct gpu_image light;
    struct ssr ssr;
    struct screen show;
    struct timing timing;
};

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

static bool start(void *state, const struct gpu *gpu, const struct sample_images *images)
{
    struct frame *frame = state;
    const struct renderer_params scene = {
        .images = {HDR_FORMAT, VK_IMAGE_LAYOUT_GENERAL, images->num_slots},
        .light = night,
        .keeps_depth = true,
        .bare_floor = true,
    };
    frame->gpu = gpu;
    return renderer_init(gpu, &scene, &frame->renderer) &&
           ssr_init(gpu, frame->renderer.depth_format, &frame->ssr) &&
           hdr_show_init(gpu, images, &frame->show) &&
           timing_init(gpu, images->num_slots, pass_names, PASS_NUM_KINDS, &frame->timing);
}

static void finish(void *state)
{
    struct frame *frame = state;
    if (!frame->gpu) {
        return;
    }
    timing_print(&frame->timing);
    timing_finish(&frame->timing);
    screen_finish(&frame->show);
    ssr_finish(&frame->ssr);
    gpu_image_finish(frame->gpu, &frame->light);
    renderer_finish(&frame->renderer);
    frame->gpu = NULL;
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    struct frame *frame = state;
    return hdr_resize(&frame->renderer, 0, width, height, &frame->light) &&
           ssr_resize(&frame->ssr, &frame->light, &frame->renderer.depth_texture) &&
           hdr_show_resize(&frame->show, &frame->light, frame->ssr.reflection.views[0],
                           VK_NULL_HANDLE);
}

static bool record(void *state, uint32_t slot, VkCommandBuffer cmd, const struct picture *picture)
{
    struct frame *frame = state;
    struct timing *timing = &frame->timing;
    timing_begin(timing, slot, cmd, picture->progress);
    renderer_record(&frame->renderer, slot, cmd,
                    &(struct picture){&frame->light, picture->number, picture->seconds, NULL});
    renderer_end(&frame->renderer, cmd);
    timing_mark(timing, slot, cmd, PASS_SCENE);
    if (!ssr_record(&frame->ssr, cmd, &frame->renderer.scene.view, &frame->settings, timing,
                    slot)) {
        return false;
    }
    hdr_show(&frame->show, cmd, picture->image, 1.0f, exp2f(frame->settings.exposure), false);
    timing_mark(timing, slot, cmd, PASS_COMBINE);
    return true;
}

static void press(void *state, int glfw_key)
{
    struct frame *frame = state;
    settings_press(&frame->settings, glfw_key);
}

static void describe(void *state, char *text, size_t size)
{
    const struct frame *frame = state;
    settings_describe(&frame->settings, text, size);
    timing_describe(&frame->timing, text, size);
}

int main(int argc, char **argv)
{
    static struct frame frame;
    const struct sample sample = {
        .title = "Weir reflections",
        .features = {.shaderStorageImageWriteWithoutFormat = VK_TRUE},
        .state = &frame,
        .start = start,
        .finish = finish,
        .resize = resize,
        .record = record,
        .press = press,
        .describe = describe,
    };
    frame.settings = settings_default;
    return settings_run(&sample, argc, argv, &frame.settings);
}
