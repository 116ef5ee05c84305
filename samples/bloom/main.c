// SPDX-License-Identifier: MIT
// sample_bloom: bloom, depth of field and exposure from mip pyramids, in the renderer's own command
// buffer.
//
// Read effects.c: it has all calls of <weir/pyramid.h>. Below is the order of a frame, and
// shaders/bloom_pyramid.comp is a custom reduction. The window and the recording are in
// samples/common.
#include <math.h>

#include "effects.h"
#include "settings.h"

struct frame {
    const struct gpu *gpu;
    struct settings settings;
    struct renderer renderer;
    struct gpu_image light;
    struct effects effects;
    struct screen show;
};

// The scene is shown at night, so that its lights stand out.
static const struct scene_light night = {.daylight = 0.30f, .lamplight = 1.0f};

static bool start(void *state, const struct gpu *gpu, const struct sample_images *images)
{
    struct frame *frame = state;
    const struct renderer_params scene = {
        // Shaders sample and store the light: the general layout is the one for both.
        .images = {HDR_FORMAT, VK_IMAGE_LAYOUT_GENERAL, images->num_slots},
        .light = night,
        .keeps_depth = true,
    };
    frame->gpu = gpu;
    return renderer_init(gpu, &scene, &frame->renderer) &&
           effects_init(gpu, images->num_slots, frame->renderer.depth_format, &frame->effects) &&
           hdr_show_init(gpu, images, &frame->show);
}

static void finish(void *state)
{
    struct frame *frame = state;
    if (!frame->gpu) {
        return;
    }
    effects_finish(&frame->effects);
    screen_finish(&frame->show);
    gpu_image_finish(frame->gpu, &frame->light);
    renderer_finish(&frame->renderer);
    frame->gpu = NULL;
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    struct frame *frame = state;
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_STORAGE_BIT; // depth of field works in place
    const struct gpu_image *images = frame->effects.images;
    return hdr_resize(&frame->renderer, usage, width, height, &frame->light) &&
           effects_resize(&frame->effects, &frame->light, &frame->renderer.depth_texture) &&
           hdr_show_resize(&frame->show, &frame->light, images[IMAGE_GLOW].views[0],
                           images[IMAGE_STOPS].views[0]);
}

static void record_scene(struct frame *frame, uint32_t slot, VkCommandBuffer cmd,
                         const struct picture *picture)
{
    const float light = exp2f(settings_light(&frame->settings, picture->seconds));
    frame->renderer.scene.light.daylight = night.daylight * light;
    frame->renderer.scene.light.lamplight = night.lamplight * light;
    renderer_record(&frame->renderer, slot, cmd,
                    &(struct picture){&frame->light, picture->number, picture->seconds, NULL});
    renderer_end(&frame->renderer, cmd);
    timing_mark(&frame->effects.timing, slot, cmd, PASS_SCENE);
}

// The light is out of focus before it is scattered in the lens, and exposed last.
static bool record(void *state, uint32_t slot, VkCommandBuffer cmd, const struct picture *picture)
{
    struct frame *frame = state;
    const struct settings *settings = &frame->settings;
    struct effects *effects = &frame->effects;
    timing_begin(&effects->timing, slot, cmd, picture->progress);
    effects_discard(effects, cmd);
    record_scene(frame, slot, cmd, picture);
    const bool ok = (settings->no_dof || effects_focus(effects, cmd, slot, settings->focus)) &&
                    (settings->no_bloom ||
                     effects_bloom(effects, cmd, slot, settings->taps == TAPS_4)) &&
                    (settings->no_adapt || effects_expose(effects, cmd, slot, picture->seconds));
    hdr_show(&frame->show, cmd, picture->image, settings->no_bloom ? 0.0f : settings->strength,
             exp2f(settings->exposure), !settings->no_adapt);
    timing_mark(&effects->timing, slot, cmd, PASS_COMBINE);
    return ok;
}

static void describe(void *state, char *text, size_t size)
{
    const struct frame *frame = state;
    settings_describe(&frame->settings, text, size);
    timing_describe(&frame->effects.timing, text, size);
}

static void press(void *state, int glfw_key)
{
    struct frame *frame = state;
    settings_press(&frame->settings, glfw_key);
}

int main(int argc, char **argv)
{
    static struct frame frame;
    const struct sample sample = {
        .title = "Weir bloom",
        .features = {.shaderStorageImageWriteWithoutFormat = VK_TRUE},
        .state = &frame,
        .start = start,
        .finish = finish,
        .resize = resize,
        .record = record,
        .press = press,
        .describe = describe,
    };
    return settings_run(&sample, argc, argv, &frame.settings);
}
