// SPDX-License-Identifier: MIT
// A frame of the sample: the scene's light, depth of field, bloom, and what is shown of it.
#include "effects.h"

#include <math.h>
#include <time.h>

#include "effect_passes.h"
#include "report.h"

// The scene is shown at night, so that its lights stand out.
static const struct scene_light night = {.daylight = 0.30f, .lamplight = 1.0f};

static const char *const pass_names[PASS_NUM_KINDS] = {
    [PASS_SCENE] = "scene",
    [PASS_COC_PYRAMID] = "circle-of-confusion pyramid",
    [PASS_SPLIT] = "split into near and far",
    [PASS_COLOR_PYRAMID] = "colour pyramid",
    [PASS_GATHER] = "gather",
    [PASS_RESOLVE] = "resolve",
    [PASS_BLOOM_PYRAMID] = "bloom pyramid",
    [PASS_UPSAMPLE] = "upsample",
    [PASS_COMBINE] = "combine",
};

bool effects_init(const struct gpu *gpu, const struct sample_images *images,
                  struct effects *effects)
{
    const struct renderer_params scene = {
        // Shaders sample and store the light: the general layout is the one for both.
        .passes = {HDR_FORMAT, VK_IMAGE_LAYOUT_GENERAL, .shaded_later = true},
        .light = night,
        .num_slots = images->num_slots,
    };
    effects->gpu = gpu;
    return renderer_init(gpu, &scene, &effects->renderer) &&
           focus_init(gpu, effects->renderer.passes.depth_format, &effects->focus) &&
           bloom_init(gpu, &effects->bloom) && combine_init(gpu, images, &effects->combine) &&
           timing_init(gpu, images->num_slots, pass_names, PASS_NUM_KINDS, &effects->timing);
}

void effects_finish(struct effects *effects)
{
    if (!effects->gpu) {
        return;
    }
    timing_print(&effects->timing);
    timing_finish(&effects->timing);
    combine_finish(&effects->combine);
    bloom_finish(&effects->bloom);
    focus_finish(&effects->focus);
    hdr_finish(effects->gpu, &effects->hdr);
    renderer_finish(&effects->renderer);
    effects->gpu = NULL;
}

bool effects_resize(struct effects *effects, uint32_t width, uint32_t height)
{
    struct passes *passes = &effects->renderer.passes;
    const VkImageUsageFlags usage = bloom_hdr_usage(&effects->bloom) | VK_IMAGE_USAGE_STORAGE_BIT;
    if (!hdr_resize(effects->gpu, passes, usage, width, height, &effects->hdr)) {
        return false;
    }
    const struct focus_images focus = {
        .depth = effects->hdr.weir_depth,
        .hdr = effects->hdr.light.view,
        .width = width,
        .height = height,
    };
    if (!focus_resize(&effects->focus, &focus) ||
        !bloom_resize(&effects->bloom, effects->hdr.weir_light)) {
        return false;
    }
    combine_resize(&effects->combine, effects->hdr.light.view, effects->bloom.up.views[0], width,
                   height);
    return true;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

// The light is out of focus before it is scattered in the lens, and exposed last.
bool effects_record(struct effects *effects, uint32_t slot, VkCommandBuffer cmd,
                    const struct picture *picture)
{
    const struct settings *settings = &effects->settings;
    struct timing *timing = &effects->timing;
    const double begin = now_ms();
    timing_begin(timing, slot, cmd, picture->progress);
    focus_discard(&effects->focus, cmd);
    bloom_discard(&effects->bloom, cmd);

    renderer_record(&effects->renderer, slot, cmd,
                    &(struct picture){.framebuffer = effects->hdr.framebuffer,
                                      .number = picture->number,
                                      .seconds = picture->seconds});
    vkCmdEndRenderPass(cmd);
    timing_mark(timing, slot, cmd, PASS_SCENE);

    if (!settings->no_dof && !focus_record(&effects->focus, cmd, settings->focus, timing, slot)) {
        return false;
    }
    if (!settings->no_bloom && !bloom_record(&effects->bloom, cmd, timing, slot)) {
        return false;
    }
    combine_record(&effects->combine, cmd, picture->framebuffer,
                   settings->no_bloom ? 0.0f : settings->strength, exp2f(settings->exposure));
    timing_mark(timing, slot, cmd, PASS_COMBINE);
    effects->cpu_ms = (float)(now_ms() - begin);
    return true;
}
