// SPDX-License-Identifier: MIT
// Bloom, depth of field and exposure from Weir's pyramids: the file to read.
//
// Each effect has three steps. weir_pyramid_create() once: what a texel is made of.
// weir_pyramid_target_create() for each size: of which images. weir_cmd_pyramid() each frame: all
// levels, in one dispatch, between the barriers that its run names. Kernels that read the levels
// follow in the same command buffer.
#include "effects.h"

#include <math.h>

#include "report.h"
#include "scene.h"

static const uint32_t bloom_kernel[] =
#include "bloom_pyramid.comp.inc"
    ;
static const uint32_t coc_kernel[] =
#include "coc_pyramid.comp.inc"
    ;
static const uint32_t luminance_kernel[] =
#include "luminance_pyramid.comp.inc"
    ;

// Who reads the levels of a run.
#define FOR_COMPUTE                                                                                \
    .dst_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, .dst_access = VK_ACCESS_SHADER_READ_BIT

static const VkPipelineStageFlags to_compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
static const VkPipelineStageFlags to_fragment = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;

// ---- Bloom: the picture's bright parts, halved level by level, and blurred on the way up.
//
// Method: J. Jimenez, "Next generation post processing in Call of Duty: Advanced Warfare" (2014),
// but for the way down. His 13 taps lie on 6x6 texels and overlap, so that a workgroup would need
// more around its tile for each level. A texel of Weir's is made of the 2x2 under it (3x3 at odd
// sides), which lets one dispatch make all levels. The price: the glow of a light of few texels
// changes more while it moves over the grid. docs/pyramid.md has how much.

// Below `threshold - knee` nothing glows, above `threshold + knee` all that is above the threshold.
static const float threshold = 1.2f, knee = 0.8f;
// Share of a level that comes from the smaller levels, 0 .. 1. It sets the width of the glow.
static const float spread = 0.75f;

// All pyramids are made, bound to images and recorded by these three. Without a kernel the
// reduction is the mean. With a source level 0 is made of another image, which is read as it is and
// never copied.
static bool create(struct effects *effects, enum pyramid pyramid, struct weir_pyramid_params params)
{
    params.reduction = params.kernel ? WEIR_PYRAMID_CUSTOM : WEIR_PYRAMID_MEAN;
    return weir_ok(weir_pyramid_create(effects->gpu->weir, &params, &effects->pyramids[pyramid]),
                   "weir_pyramid_create");
}

static bool bind(struct effects *effects, enum pyramid pyramid, enum image image,
                 const weir_image *source, VkImageLayout layout)
{
    const weir_image *levels = effects->images[image].weir;
    const struct weir_pyramid_target_params *params =
        weir_pyramid_target_params(.images = &levels, .sources = source ? &source : NULL,
                                   .source_layout = layout);
    return weir_ok(
        weir_pyramid_target_create(effects->pyramids[pyramid], params, &effects->targets[pyramid]),
        "weir_pyramid_target_create");
}

static bool make(const struct effects *effects, VkCommandBuffer cmd, enum pyramid pyramid,
                 const struct weir_pyramid_run *run)
{
    return weir_ok(weir_cmd_pyramid(effects->targets[pyramid], cmd, run), "weir_cmd_pyramid");
}

static bool create_bloom(struct effects *effects)
{
    return create(effects, PYRAMID_BLOOM,
                  (struct weir_pyramid_params){.kernel = bloom_kernel,
                                               .kernel_size = sizeof(bloom_kernel),
                                               .format = effects->glow_format,
                                               .source_format = HDR_FORMAT});
}

static bool bind_bloom(struct effects *effects, const struct hdr *hdr)
{
    return bind(effects, PYRAMID_BLOOM, IMAGE_DOWN, hdr->weir_light, VK_IMAGE_LAYOUT_GENERAL);
}

bool effects_bloom(struct effects *effects, VkCommandBuffer cmd, uint32_t slot)
{
    const struct weir_pyramid_run run = {FOR_COMPUTE, .user = {threshold, knee}};
    if (!make(effects, cmd, PYRAMID_BLOOM, &run)) {
        return false;
    }
    timing_mark(&effects->timing, slot, cmd, PASS_BLOOM_PYRAMID);
    // The tent: each level takes in the next smaller one, and the largest is the glow.
    const struct levels_params *up = &effects->images[IMAGE_UP].params;
    for (uint32_t k = up->num_levels; k-- > 0;) {
        const VkExtent2D extent = weir_pyramid_level_extent(up->width, up->height, k);
        compute_run(&effects->kernels[KERNEL_UPSAMPLE], cmd, effects->upsample_sets[k], &spread,
                    (uint32_t[]){extent.width, extent.height, 1});
        compute_barrier(cmd, k > 0 ? to_compute : to_fragment);
    }
    timing_mark(&effects->timing, slot, cmd, PASS_UPSAMPLE);
    return true;
}

// ---- Depth of field: what is out of focus is spread over its circle of confusion.
//
// 1. A pyramid from the depth buffer: the smallest and the largest circle of every region, as radii
//    in texels of the picture, negative in front of the focus.
// 2. A pyramid of light: behind the focus and in front of it, as two layers, premultiplied.
// 3. For each of the two, taps over the circle, from the level whose texels are as far apart as the
//    taps: no noise and no gaps, however large the circle is.
// 4. The picture becomes its own blurred fields, in place.
//
// Method: Jimenez's as above, with pyramids in place of his tiles and prefilter.

// The radius of the circle at infinity when the focus is at distance 1, in picture heights.
static const float aperture = 0.20f;

static bool create_focus(struct effects *effects)
{
    // A software device compiles kernels while it executes the first frame. That of AUTO would take
    // a third of the time of all of them.
    const bool slow = effects->gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    return create(effects, PYRAMID_COC,
                  (struct weir_pyramid_params){.kernel = coc_kernel,
                                               .kernel_size = sizeof(coc_kernel),
                                               .format = VK_FORMAT_R16G16_SFLOAT,
                                               .source_format = effects->depth_format}) &&
           create(effects, PYRAMID_FIELDS,
                  (struct weir_pyramid_params){.method = slow ? WEIR_PYRAMID_PER_LEVEL
                                                              : WEIR_PYRAMID_AUTO,
                                               .format = HDR_FORMAT});
}

static bool bind_focus(struct effects *effects, const struct hdr *hdr)
{
    return bind(effects, PYRAMID_COC, IMAGE_COC, hdr->weir_depth,
                VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL) &&
           bind(effects, PYRAMID_FIELDS, IMAGE_FIELDS, NULL, VK_IMAGE_LAYOUT_UNDEFINED);
}

static void dispatch(const struct effects *effects, VkCommandBuffer cmd, enum kernel kernel,
                     const void *constants, const uint32_t size[3])
{
    compute_run(&effects->kernels[kernel], cmd, effects->sets[kernel], constants, size);
}

bool effects_focus(struct effects *effects, VkCommandBuffer cmd, uint32_t slot, float distance)
{
    struct timing *timing = &effects->timing;
    const struct levels_params *fields = &effects->images[IMAGE_FIELDS].params;
    const uint32_t half[3] = {fields->width, fields->height, 1};
    const int32_t tiles = (int32_t)effects->images[IMAGE_COC].params.num_levels - 1;
    // The circle's radius at distance d is aperture (1 / focus - 1 / d), of a lens that is thin and
    // short against both. 1 / d is linear in a perspective depth buffer, and so is the circle: a
    // scale and an offset of depth.
    const float lens = aperture * (float)effects->height;
    const struct weir_pyramid_run circles = {
        FOR_COMPUTE,
        .user = {lens * (1.0f / SCENE_NEAR - 1.0f / SCENE_FAR),
                 lens * (1.0f / distance - 1.0f / SCENE_NEAR), effects_max_radius(effects)},
    };
    // Level 0 of the fields is written by a kernel. A picture of three texels has no other one, and
    // of this run the barrier is left then.
    const struct weir_pyramid_run light = {FOR_COMPUTE,
                                           .src_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                           .src_access = VK_ACCESS_SHADER_WRITE_BIT};
    if (!make(effects, cmd, PYRAMID_COC, &circles)) {
        return false;
    }
    timing_mark(timing, slot, cmd, PASS_COC_PYRAMID);
    dispatch(effects, cmd, KERNEL_SPLIT, NULL, half);
    timing_mark(timing, slot, cmd, PASS_SPLIT);
    if (!make(effects, cmd, PYRAMID_FIELDS, &light)) {
        return false;
    }
    timing_mark(timing, slot, cmd, PASS_COLOR_PYRAMID);
    dispatch(effects, cmd, KERNEL_GATHER, &tiles, (uint32_t[]){half[0], half[1], 2});
    compute_barrier(cmd, to_compute);
    timing_mark(timing, slot, cmd, PASS_GATHER);
    dispatch(effects, cmd, KERNEL_RESOLVE, NULL, (uint32_t[]){effects->width, effects->height, 1});
    compute_barrier(cmd, to_compute | to_fragment);
    timing_mark(timing, slot, cmd, PASS_RESOLVE);
    return true;
}

// ---- Exposure: the last level of a pyramid is the mean of the whole picture.
//
// The mean is one of log2(luminance), so that a few lamps do not make a night dark (E. Reinhard et
// al., "Photographic tone reproduction for digital images", 2002). Nothing comes back to the CPU: a
// kernel of one invocation lets the exposure follow the mean, and the last pass reads it.

// The seconds in which 63 % of a change are made up for. The eye is slower in the dark.
static const float brighter_s = 0.5f, darker_s = 1.5f;

static bool create_exposure(struct effects *effects)
{
    return create(effects, PYRAMID_LUMINANCE,
                  (struct weir_pyramid_params){.kernel = luminance_kernel,
                                               .kernel_size = sizeof(luminance_kernel),
                                               .format = VK_FORMAT_R32_SFLOAT,
                                               .source_format = HDR_FORMAT});
}

static bool bind_exposure(struct effects *effects, const struct hdr *hdr)
{
    return bind(effects, PYRAMID_LUMINANCE, IMAGE_LUMINANCE, hdr->weir_light,
                VK_IMAGE_LAYOUT_GENERAL);
}

bool effects_expose(struct effects *effects, VkCommandBuffer cmd, uint32_t slot, double seconds)
{
    const struct weir_pyramid_run run = {FOR_COMPUTE};
    // At first the time is infinite, and so all of the change is made up for.
    const float passed = (float)fmax(seconds - effects->adapted_at, 0.0);
    const float shares[2] = {1.0f - expf(-passed / brighter_s), 1.0f - expf(-passed / darker_s)};
    if (!make(effects, cmd, PYRAMID_LUMINANCE, &run)) {
        return false;
    }
    timing_mark(&effects->timing, slot, cmd, PASS_LUMINANCE_PYRAMID);
    dispatch(effects, cmd, KERNEL_ADAPT, shares, (uint32_t[]){1, 1, 1});
    compute_barrier(cmd, to_compute | to_fragment);
    timing_mark(&effects->timing, slot, cmd, PASS_ADAPT);
    effects->adapted_at = seconds;
    return true;
}

// ---- All of them.

static const char *const pass_names[PASS_NUM_KINDS] = {
    [PASS_SCENE] = "scene",
    [PASS_COC_PYRAMID] = "circle-of-confusion pyramid",
    [PASS_SPLIT] = "split into near and far",
    [PASS_COLOR_PYRAMID] = "colour pyramid",
    [PASS_GATHER] = "gather",
    [PASS_RESOLVE] = "resolve",
    [PASS_BLOOM_PYRAMID] = "bloom pyramid",
    [PASS_UPSAMPLE] = "upsample",
    [PASS_LUMINANCE_PYRAMID] = "luminance pyramid",
    [PASS_ADAPT] = "adapt",
    [PASS_COMBINE] = "combine",
};

bool effects_init(const struct gpu *gpu, uint32_t num_slots, VkFormat depth_format,
                  struct effects *effects)
{
    *effects = (struct effects){.gpu = gpu, .depth_format = depth_format};
    effects->glow_format = effects_choose_glow_format(gpu);
    return create_bloom(effects) && create_focus(effects) && create_exposure(effects) &&
           effects_make_kernels(effects) &&
           timing_init(gpu, num_slots, pass_names, PASS_NUM_KINDS, &effects->timing);
}

static void drop_targets(struct effects *effects)
{
    for (int i = 0; i < PYRAMID_NUM_KINDS; ++i) {
        weir_pyramid_target_destroy(&effects->targets[i]);
    }
    effects_drop_images(effects);
}

void effects_finish(struct effects *effects)
{
    if (!effects->gpu) {
        return;
    }
    timing_print(&effects->timing);
    timing_finish(&effects->timing);
    drop_targets(effects);
    for (int i = 0; i < KERNEL_NUM_KINDS; ++i) {
        compute_finish(effects->gpu, &effects->kernels[i]);
    }
    for (int i = 0; i < PYRAMID_NUM_KINDS; ++i) {
        weir_pyramid_destroy(&effects->pyramids[i]);
    }
    *effects = (struct effects){0};
}

bool effects_resize(struct effects *effects, const struct hdr *hdr, uint32_t width, uint32_t height)
{
    drop_targets(effects);
    effects->width = width;
    effects->height = height;
    effects->is_new = true;
    effects->adapted_at = -INFINITY;
    return effects_make_images(effects) && bind_bloom(effects, hdr) && bind_focus(effects, hdr) &&
           bind_exposure(effects, hdr) && effects_bind_kernels(effects, hdr->light.view);
}
