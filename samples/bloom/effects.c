// SPDX-License-Identifier: MIT
// A frame of the sample: the scene's light, depth of field, bloom, and what is shown of it.
#include "effects.h"

#include <math.h>
#include <time.h>

#include "effect_passes.h"
#include "report.h"

static const uint32_t combine_code[] =
#include "combine.frag.inc"
    ;
struct combine_constants {
    float strength, exposure; // factors of the bloom, which is not read at 0, and of all light
};

static const VkFormat hdr_format = VK_FORMAT_R16G16B16A16_SFLOAT;
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
        .passes = {hdr_format, VK_IMAGE_LAYOUT_GENERAL, .shaded_later = true},
        .light = night,
        .num_slots = images->num_slots,
    };
    const struct screen_params combine = {
        .code = combine_code,
        .code_size = sizeof(combine_code),
        .num_textures = 2,
        .constants_size = sizeof(struct combine_constants),
    };
    effects->gpu = gpu;
    return renderer_init(gpu, &scene, &effects->renderer) &&
           focus_init(gpu, effects->renderer.passes.depth_format, &effects->focus) &&
           bloom_init(gpu, &effects->bloom) &&
           screen_init(gpu, images, &combine, &effects->combine) &&
           timing_init(gpu, images->num_slots, pass_names, PASS_NUM_KINDS, &effects->timing);
}

static void drop_hdr(struct effects *effects)
{
    vkDestroyFramebuffer(effects->gpu->device, effects->framebuffer, NULL);
    effects->framebuffer = VK_NULL_HANDLE;
    weir_image_destroy(&effects->weir_hdr);
    weir_image_destroy(&effects->weir_depth);
    gpu_image_finish(effects->gpu, &effects->hdr);
}

void effects_finish(struct effects *effects)
{
    if (!effects->gpu) {
        return;
    }
    timing_print(&effects->timing);
    timing_finish(&effects->timing);
    screen_finish(&effects->combine);
    bloom_finish(&effects->bloom);
    focus_finish(&effects->focus);
    drop_hdr(effects);
    renderer_finish(&effects->renderer);
    effects->gpu = NULL;
}

static bool make_hdr(struct effects *effects, VkImageUsageFlags usage, uint32_t width,
                     uint32_t height)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = hdr_format,
        .extent = {width, height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = usage,
    };
    return gpu_image_init(effects->gpu, &info, VK_IMAGE_ASPECT_COLOR_BIT, &effects->hdr) &&
           passes_framebuffer(effects->gpu, &effects->renderer.passes, effects->hdr.view,
                              &effects->framebuffer);
}

static bool wrap(struct effects *effects, VkImageUsageFlags hdr_usage, uint32_t width,
                 uint32_t height)
{
    const struct passes *passes = &effects->renderer.passes;
    const struct weir_image_params *hdr = weir_image_params(.image = effects->hdr.image,
                                                            .format = hdr_format, .width = width,
                                                            .height = height, .usage = hdr_usage);
    const struct weir_image_params *depth = weir_image_params(.image = passes->depth_texture.image,
                                                              .format = passes->depth_format,
                                                              .width = width, .height = height,
                                                              .usage = PASSES_DEPTH_TEXTURE_USAGE);
    return weir_ok(weir_image_create(effects->gpu->weir, hdr, &effects->weir_hdr),
                   "weir_image_create") &&
           weir_ok(weir_image_create(effects->gpu->weir, depth, &effects->weir_depth),
                   "weir_image_create");
}

bool effects_resize(struct effects *effects, uint32_t width, uint32_t height)
{
    struct passes *passes = &effects->renderer.passes;
    const VkImageUsageFlags usage = bloom_hdr_usage(&effects->bloom) |
                                    VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                    VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    drop_hdr(effects);
    if (!passes_resize(effects->gpu, width, height, passes) ||
        !make_hdr(effects, usage, width, height) || !wrap(effects, usage, width, height)) {
        return false;
    }
    const struct focus_images focus = {
        .depth = effects->weir_depth,
        .hdr = effects->hdr.view,
        .width = width,
        .height = height,
    };
    if (!focus_resize(&effects->focus, &focus) ||
        !bloom_resize(&effects->bloom, effects->weir_hdr)) {
        return false;
    }
    const VkImageView views[] = {effects->hdr.view, effects->bloom.up.views[0]};
    screen_resize(&effects->combine, width, height);
    screen_bind(&effects->combine, views);
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
                    &(struct picture){.framebuffer = effects->framebuffer,
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
    const struct combine_constants combine = {settings->no_bloom ? 0.0f : settings->strength,
                                              exp2f(settings->exposure)};
    screen_record(&effects->combine, cmd, picture->framebuffer, &combine);
    timing_mark(timing, slot, cmd, PASS_COMBINE);
    effects->cpu_ms = (float)(now_ms() - begin);
    return true;
}
