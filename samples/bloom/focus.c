// SPDX-License-Identifier: MIT
// Depth of field: what is out of focus is spread over its circle of confusion.
#include "focus.h"

#include <math.h>

#include "effect_passes.h"
#include "report.h"
#include "scene.h"

static const uint32_t coc_kernel[] =
#include "coc_pyramid.comp.inc"
    ;
static const uint32_t split_kernel[] =
#include "focus_split.comp.inc"
    ;
static const uint32_t gather_kernel[] =
#include "focus_gather.comp.inc"
    ;
static const uint32_t resolve_kernel[] =
#include "focus_resolve.comp.inc"
    ;

// The lens, in shares of the picture's height: the radius of the circle at infinity when the focus
// is at distance 1, and the largest radius that is drawn.
static const float aperture = 0.20f, max_radius = 0.03f;
// Most levels of the fields. The taps of the largest circle are at most as far apart as the texels
// of the last level.
#define NUM_FIELD_LEVELS 5

enum { FAR_FIELD, NEAR_FIELD, NUM_FIELDS };

static bool make_pyramids(struct focus *focus, VkFormat depth_format)
{
    const struct weir_pyramid_params *coc = weir_pyramid_params(.reduction = WEIR_PYRAMID_CUSTOM,
                                                                .format = VK_FORMAT_R16G16_SFLOAT,
                                                                .source_format = depth_format,
                                                                .kernel = coc_kernel,
                                                                .kernel_size = sizeof(coc_kernel));
    // A software device compiles kernels while it executes the first frame. That of AUTO would take
    // a third of the time of all of them.
    const bool slow = focus->gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const struct weir_pyramid_params *fields =
        weir_pyramid_params(.method = slow ? WEIR_PYRAMID_PER_LEVEL : WEIR_PYRAMID_AUTO,
                            .format = VK_FORMAT_R16G16B16A16_SFLOAT);
    return weir_ok(weir_pyramid_create(focus->gpu->weir, coc, &focus->coc_pyramid),
                   "weir_pyramid_create") &&
           weir_ok(weir_pyramid_create(focus->gpu->weir, fields, &focus->field_pyramid),
                   "weir_pyramid_create");
}

bool focus_init(const struct gpu *gpu, VkFormat depth_format, struct focus *focus)
{
    *focus = (struct focus){.gpu = gpu};
    const struct compute_params split = {
        .code = split_kernel,
        .code_size = sizeof(split_kernel),
        .num_textures = 2,
        .num_images = 1,
        .max_sets = 1,
    };
    const struct compute_params gather = {
        .code = gather_kernel,
        .code_size = sizeof(gather_kernel),
        .num_textures = 2,
        .num_images = 1,
        .constants_size = sizeof(int32_t),
        .max_sets = 1,
    };
    const struct compute_params resolve = {
        .code = resolve_kernel,
        .code_size = sizeof(resolve_kernel),
        .num_textures = 2,
        .num_images = 1,
        .max_sets = 1,
    };
    return make_pyramids(focus, depth_format) && compute_init(gpu, &split, &focus->split) &&
           compute_init(gpu, &gather, &focus->gather) &&
           compute_init(gpu, &resolve, &focus->resolve);
}

static void drop_images(struct focus *focus)
{
    weir_pyramid_target_destroy(&focus->coc_target);
    weir_pyramid_target_destroy(&focus->field_target);
    levels_finish(focus->gpu, &focus->coc);
    levels_finish(focus->gpu, &focus->fields);
    levels_finish(focus->gpu, &focus->blurred);
}

void focus_finish(struct focus *focus)
{
    if (!focus->gpu) {
        return;
    }
    drop_images(focus);
    compute_finish(focus->gpu, &focus->split);
    compute_finish(focus->gpu, &focus->gather);
    compute_finish(focus->gpu, &focus->resolve);
    weir_pyramid_destroy(&focus->coc_pyramid);
    weir_pyramid_destroy(&focus->field_pyramid);
    *focus = (struct focus){0};
}

static uint32_t at_most(uint32_t x, uint32_t most)
{
    return x < most ? x : most;
}

// Get the level of `coc` whose texels are the tiles of focus_gather.comp: light reaches at most
// 1.25 times its circle's radius, which is at most two of them.
static uint32_t tile_level(const struct focus *focus)
{
    const float side = fmaxf(1.0f, 1.25f * max_radius * (float)focus->height / 2.0f);
    return (uint32_t)ceilf(log2f(side));
}

static bool make_images(struct focus *focus)
{
    const uint32_t width = focus->width, height = focus->height;
    const VkExtent2D half = weir_pyramid_level_extent(width, height, 1);
    const struct levels_params coc = {
        .format = VK_FORMAT_R16G16_SFLOAT,
        .width = width,
        .height = height,
        .num_levels = at_most(weir_pyramid_full_chain(width, height), tile_level(focus) + 1),
        .num_layers = 1,
        .usage = weir_pyramid_get_scope(focus->coc_pyramid).usage | VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    struct levels_params fields = {
        .format = VK_FORMAT_R16G16B16A16_SFLOAT,
        .width = half.width,
        .height = half.height,
        .num_levels = at_most(weir_pyramid_full_chain(half.width, half.height), NUM_FIELD_LEVELS),
        .num_layers = NUM_FIELDS,
        .usage = weir_pyramid_get_scope(focus->field_pyramid).usage | VK_IMAGE_USAGE_SAMPLED_BIT |
                 VK_IMAGE_USAGE_STORAGE_BIT,
    };
    if (!levels_init(focus->gpu, &coc, &focus->coc) ||
        !levels_init(focus->gpu, &fields, &focus->fields)) {
        return false;
    }
    fields.num_levels = 1;
    return levels_init(focus->gpu, &fields, &focus->blurred);
}

static bool make_targets(struct focus *focus, const struct focus_images *images)
{
    const weir_image *coc[] = {focus->coc.weir}, *fields[] = {focus->fields.weir};
    const weir_image *sources[] = {images->depth};
    const struct weir_pyramid_target_params *coc_target = weir_pyramid_target_params(
            .images = coc, .sources = sources,
            .source_layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
    const struct weir_pyramid_target_params *field_target =
        weir_pyramid_target_params(.images = fields);
    return weir_ok(weir_pyramid_target_create(focus->coc_pyramid, coc_target, &focus->coc_target),
                   "weir_pyramid_target_create") &&
           weir_ok(
               weir_pyramid_target_create(focus->field_pyramid, field_target, &focus->field_target),
               "weir_pyramid_target_create");
}

bool focus_resize(struct focus *focus, const struct focus_images *images)
{
    const struct gpu *gpu = focus->gpu;
    drop_images(focus);
    focus->width = images->width;
    focus->height = images->height;
    if (!make_images(focus) || !make_targets(focus, images)) {
        return false;
    }
    const VkImageView coc = focus->coc.image.view, blurred = focus->blurred.views[0];
    return compute_reset(gpu, &focus->split) && compute_reset(gpu, &focus->gather) &&
           compute_reset(gpu, &focus->resolve) &&
           compute_bind(gpu, &focus->split,
                        (VkImageView[]){coc, images->hdr, focus->fields.views[0]}, NULL,
                        &focus->split_set) &&
           compute_bind(gpu, &focus->gather,
                        (VkImageView[]){coc, focus->fields.image.view, blurred}, NULL,
                        &focus->gather_set) &&
           compute_bind(gpu, &focus->resolve, (VkImageView[]){coc, blurred, images->hdr}, NULL,
                        &focus->resolve_set);
}

void focus_discard(const struct focus *focus, VkCommandBuffer cmd)
{
    levels_discard(&focus->coc, cmd);
    levels_discard(&focus->fields, cmd);
    levels_discard(&focus->blurred, cmd);
}

// The circle's radius at distance d is aperture (1 / focus - 1 / d), of a lens that is thin and
// short against both. 1 / d is linear in a perspective depth buffer, and so is the circle: a scale
// and an offset of depth.
static void set_lens(const struct focus *focus, float distance, float user[4])
{
    const float height = (float)focus->height;
    user[0] = aperture * height * (1.0f / SCENE_NEAR - 1.0f / SCENE_FAR);
    user[1] = aperture * height * (1.0f / distance - 1.0f / SCENE_NEAR);
    user[2] = max_radius * height;
}

static bool make_coc(const struct focus *focus, VkCommandBuffer cmd, float distance)
{
    struct weir_pyramid_run run = {
        .dst_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .dst_access = VK_ACCESS_SHADER_READ_BIT,
    };
    set_lens(focus, distance, run.user);
    return weir_ok(weir_cmd_pyramid(focus->coc_target, cmd, &run), "weir_cmd_pyramid");
}

static bool make_fields(const struct focus *focus, VkCommandBuffer cmd)
{
    const struct weir_pyramid_run run = {
        .src_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .src_access = VK_ACCESS_SHADER_WRITE_BIT,
        .dst_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .dst_access = VK_ACCESS_SHADER_READ_BIT,
    };
    // The fields of a picture of three texels have one level. Of this run the barrier is left then.
    return weir_ok(weir_cmd_pyramid(focus->field_target, cmd, &run), "weir_cmd_pyramid");
}

bool focus_record(const struct focus *focus, VkCommandBuffer cmd, float distance,
                  struct timing *timing, uint32_t slot)
{
    const struct levels_params *fields = &focus->fields.params;
    const uint32_t picture[3] = {focus->width, focus->height, 1};
    const uint32_t half[3] = {fields->width, fields->height, 1};
    const uint32_t half_fields[3] = {fields->width, fields->height, NUM_FIELDS};
    const int32_t level = (int32_t)focus->coc.params.num_levels - 1;
    if (!make_coc(focus, cmd, distance)) {
        return false;
    }
    timing_mark(timing, slot, cmd, PASS_COC_PYRAMID);
    compute_run(&focus->split, cmd, focus->split_set, NULL, half);
    timing_mark(timing, slot, cmd, PASS_SPLIT);
    if (!make_fields(focus, cmd)) {
        return false;
    }
    timing_mark(timing, slot, cmd, PASS_COLOR_PYRAMID);
    compute_run(&focus->gather, cmd, focus->gather_set, &level, half_fields);
    compute_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    timing_mark(timing, slot, cmd, PASS_GATHER);
    compute_run(&focus->resolve, cmd, focus->resolve_set, NULL, picture);
    compute_barrier(cmd,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
    timing_mark(timing, slot, cmd, PASS_RESOLVE);
    return true;
}
