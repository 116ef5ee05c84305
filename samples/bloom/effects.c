// SPDX-License-Identifier: MIT
// Bloom, depth of field and exposure from mip pyramids: the file to read.
//
// A pyramid of Weir's has three steps. weir_pyramid_create() once: what a texel is made of.
// weir_pyramid_target_create() for each size: of which images. (gpu.h calls these two, and destroys
// what they make.) weir_cmd_pyramid() each frame: all levels, in one dispatch, between the barriers
// that its run names. Kernels that read the levels follow in the same command buffer.
#include "effects.h"

#include <math.h>

#include "report.h"
#include "scene.h"
#include "shaders.h"

// Who reads what a pyramid or a kernel has made.
static const VkPipelineStageFlags readers = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                            VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;

// ---- The images.

static VkFormat glow_format(const struct gpu *gpu)
{
    const VkFormat small = VK_FORMAT_B10G11R11_UFLOAT_PACK32; // half the bytes, if it can be stored
    return gpu_has_format(gpu, small, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) ? small : HDR_FORMAT;
}

static float max_radius(uint32_t height)
{
    return 0.03f * (float)height;
}

// Get the level of IMAGE_COC whose texels are the tiles of focus_gather.comp: light reaches at most
// 1.25 times its circle's radius, which is at most two of them.
static uint32_t tile_level(uint32_t height)
{
    return (uint32_t)ceilf(log2f(fmaxf(1.0f, 1.25f * max_radius(height) / 2.0f)));
}

static bool make_image(struct effects *effects, enum image image, VkFormat format, VkExtent2D size,
                       uint32_t num_levels, uint32_t num_layers)
{
    const uint32_t full = weir_pyramid_full_chain(size.width, size.height);
    const struct weir_image_params params = {
        .format = format,
        .width = size.width,
        .height = size.height,
        .levels = num_levels < full ? num_levels : full,
        .layers = num_layers,
        // What weir_pyramid_get_scope() says of a pyramid, and what kernels need.
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
    };
    return gpu_image_init(effects->gpu, &params, 0, &effects->images[image]);
}

static bool make_images(struct effects *effects, uint32_t width, uint32_t height)
{
    const VkExtent2D size = {width, height}, half = weir_pyramid_level_extent(width, height, 1);
    const VkFormat light = HDR_FORMAT;
    return make_image(effects, IMAGE_GLOW, effects->glow_format, half, NUM_GLOW_LEVELS, 1) &&
           make_image(effects, IMAGE_COC, VK_FORMAT_R16G16_SFLOAT, size, tile_level(height) + 1,
                      1) &&
           make_image(effects, IMAGE_FIELDS, light, half, NUM_FIELD_LEVELS, 2) &&
           make_image(effects, IMAGE_BLURRED, light, half, 1, 2) &&
           make_image(effects, IMAGE_LUMINANCE, VK_FORMAT_R32_SFLOAT, half, GPU_MAX_LEVELS, 1) &&
           make_image(effects, IMAGE_STOPS, VK_FORMAT_R32_SFLOAT, (VkExtent2D){1, 1}, 1, 1);
}

void effects_discard(struct effects *effects, VkCommandBuffer cmd)
{
    const int num = effects->adapted_at < 0.0 ? IMAGE_NUM_KINDS : IMAGE_STOPS;
    for (int i = 0; i < num; ++i) {
        gpu_image_discard(effects->gpu, &effects->images[i], cmd);
    }
}

// ---- The pyramids.

static bool create_pyramids(struct effects *effects, VkFormat depth_format)
{
    // A software device compiles kernels while it executes the first frame. That of AUTO would take
    // a third of the time of all of them.
    const bool slow = effects->gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const struct weir_pyramid_params params[NUM_PYRAMIDS] = {
        [IMAGE_GLOW] = {.reduction = WEIR_PYRAMID_CUSTOM,
                        .kernel = bloom_pyramid_comp,
                        .kernel_size = sizeof(bloom_pyramid_comp),
                        .format = effects->glow_format,
                        .source_format = HDR_FORMAT},
        [IMAGE_COC] = {.reduction = WEIR_PYRAMID_CUSTOM,
                       .kernel = coc_pyramid_comp,
                       .kernel_size = sizeof(coc_pyramid_comp),
                       .format = VK_FORMAT_R16G16_SFLOAT,
                       .source_format = depth_format},
        [IMAGE_FIELDS] = {.reduction = WEIR_PYRAMID_MEAN,
                          .method = slow ? WEIR_PYRAMID_PER_LEVEL : WEIR_PYRAMID_AUTO,
                          .format = HDR_FORMAT},
        [IMAGE_LUMINANCE] = {.reduction = WEIR_PYRAMID_CUSTOM,
                             .kernel = luminance_pyramid_comp,
                             .kernel_size = sizeof(luminance_pyramid_comp),
                             .format = VK_FORMAT_R32_SFLOAT,
                             .source_format = HDR_FORMAT},
    };
    bool ok = true;
    for (int i = 0; ok && i < NUM_PYRAMIDS; ++i) {
        ok = gpu_pyramid_init(effects->gpu, &params[i], &effects->pyramids[i]);
    }
    return ok;
}

static bool bind_pyramids(struct effects *effects, const struct gpu_image *depth)
{
    // What level 0 is made of: it is read as it is, and never copied. A kernel writes the fields'.
    const weir_image *light = effects->light->weir;
    const weir_image *const sources[NUM_PYRAMIDS] = {
        [IMAGE_GLOW] = light, [IMAGE_COC] = depth->weir, [IMAGE_LUMINANCE] = light};
    bool ok = true;
    for (int i = 0; ok && i < NUM_PYRAMIDS; ++i) {
        const weir_image *levels = effects->images[i].weir;
        const struct weir_pyramid_target_params *params = weir_pyramid_target_params(
                .images = &levels, .sources = sources[i] ? &sources[i] : NULL,
                .source_layout = i == IMAGE_COC ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL
                                                : VK_IMAGE_LAYOUT_GENERAL);
        ok = gpu_target_init(effects->gpu, effects->pyramids[i], params, &effects->targets[i]);
    }
    return ok;
}

static bool make(const struct effects *effects, VkCommandBuffer cmd, enum image pyramid,
                 struct weir_pyramid_run run)
{
    run.dst_stages = readers;
    run.dst_access = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    return weir_ok(weir_cmd_pyramid(effects->targets[pyramid], cmd, &run), "weir_cmd_pyramid");
}

// ---- The kernels beside them.

static const struct pass_params kernel_params[KERNEL_NUM_KINDS] = {
    [KERNEL_DOWNSAMPLE] = {.code = SHADER(bloom_downsample_comp),
                           .num_textures = 1,
                           .num_images = 1,
                           .constants_size = sizeof(float[2])},
    [KERNEL_UPSAMPLE] = {.code = SHADER(bloom_upsample_comp),
                         .num_textures = 2,
                         .num_images = 1,
                         .constants_size = sizeof(float)},
    [KERNEL_SPLIT] = {.code = SHADER(focus_split_comp), .num_textures = 2, .num_images = 1},
    [KERNEL_GATHER] = {.code = SHADER(focus_gather_comp),
                       .num_textures = 2,
                       .num_images = 1,
                       .constants_size = sizeof(int32_t)},
    [KERNEL_RESOLVE] = {.code = SHADER(focus_resolve_comp), .num_textures = 2, .num_images = 1},
    [KERNEL_ADAPT] = {.code = SHADER(adapt_comp),
                      .num_textures = 1,
                      .num_images = 1,
                      .constants_size = sizeof(float[2])},
};

// Record a kernel: a texel of an image's level is made of views and constants.
static void dispatch(const struct effects *effects, VkCommandBuffer cmd, enum kernel kernel,
                     const VkImageView *views, const void *constants,
                     const struct weir_image_params *image, uint32_t level)
{
    const VkExtent2D extent = weir_pyramid_level_extent(image->width, image->height, level);
    pass_run(&effects->kernels[kernel], cmd, (struct bindings){views, NULL, constants},
             extent.width, extent.height, image->layers);
    pass_barrier(cmd, readers);
}

// ---- Bloom: the picture's bright parts, halved level by level, and blurred on the way up.
//
// Method: J. Jimenez, "Next generation post processing in Call of Duty: Advanced Warfare" (2014).
// Each texel of a level is made by 13 taps, on 6x6 texels of the level before. These overlap, so
// that each level is a dispatch. By 4 taps it is made of the 2x2 under it (3x3 at odd sides), and
// Weir makes all levels in one; but the glow of a small light changes more while it moves over the
// grid. docs/pyramid.md has how much.

// Below `threshold - knee` nothing glows, above `threshold + knee` all that is above the threshold.
static const float threshold = 1.2f, knee = 0.8f;
// Share of a level that comes from the smaller levels, 0 .. 1. It sets the width of the glow.
static const float spread = 0.75f;

bool effects_bloom(struct effects *effects, VkCommandBuffer cmd, struct timing *timing,
                   bool by_weir)
{
    const struct weir_image_params *glow = &effects->images[IMAGE_GLOW].params;
    const VkImageView *levels = effects->images[IMAGE_GLOW].views;
    bool ok = true;
    if (by_weir) {
        ok = make(effects, cmd, IMAGE_GLOW, (struct weir_pyramid_run){.user = {threshold, knee}});
        timing_mark(timing, cmd, "bloom pyramid");
    } else {
        for (uint32_t k = 0; k < glow->levels; ++k) {
            const float glows[2] = {threshold, k == 0 ? knee : 0.0f}; // in level 0 all does
            const VkImageView views[] = {k > 0 ? levels[k - 1] : effects->light->view, levels[k]};
            dispatch(effects, cmd, KERNEL_DOWNSAMPLE, views, glows, glow, k);
        }
        timing_mark(timing, cmd, "downsample");
    }
    // The tent: each level takes in the next smaller one, in place, and level 0 is the glow.
    for (uint32_t k = glow->levels - 1; k-- > 0;) {
        const VkImageView views[] = {levels[k], levels[k + 1], levels[k]};
        dispatch(effects, cmd, KERNEL_UPSAMPLE, views, &spread, glow, k);
    }
    timing_mark(timing, cmd, "upsample");
    return ok;
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

bool effects_focus(struct effects *effects, VkCommandBuffer cmd, struct timing *timing,
                   float distance)
{
    const struct gpu_image *fields = &effects->images[IMAGE_FIELDS];
    const struct gpu_image *blurred = &effects->images[IMAGE_BLURRED];
    const struct gpu_image *circle = &effects->images[IMAGE_COC], *picture = effects->light;
    const struct weir_image_params *coc = &circle->params;
    const int32_t tiles = (int32_t)coc->levels - 1;
    const VkImageView split[] = {circle->view, picture->view, fields->views[0]};
    const VkImageView gather[] = {circle->view, fields->view, blurred->view};
    const VkImageView resolve[] = {circle->view, blurred->view, picture->view};
    // The circle's radius at distance d is aperture (1 / focus - 1 / d), of a lens that is thin and
    // short against both. 1 / d is linear in a perspective depth buffer, and so is the circle: a
    // scale and an offset of depth.
    const float lens = aperture * (float)coc->height;
    const struct weir_pyramid_run circles = {
        .user = {lens * (1.0f / SCENE_NEAR - 1.0f / SCENE_FAR),
                 lens * (1.0f / distance - 1.0f / SCENE_NEAR), max_radius(coc->height)},
    };
    // Level 0 of the fields is written by a kernel. A picture of three texels has no other one, and
    // of this run the barrier is left then.
    const struct weir_pyramid_run light = {.src_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                           .src_access = VK_ACCESS_SHADER_WRITE_BIT};
    bool ok = make(effects, cmd, IMAGE_COC, circles);
    timing_mark(timing, cmd, "circle-of-confusion pyramid");
    pass_run(&effects->kernels[KERNEL_SPLIT], cmd, (struct bindings){split, NULL, NULL},
             fields->params.width, fields->params.height, 1);
    timing_mark(timing, cmd, "split into near and far");
    ok = make(effects, cmd, IMAGE_FIELDS, light) && ok;
    timing_mark(timing, cmd, "colour pyramid");
    dispatch(effects, cmd, KERNEL_GATHER, gather, &tiles, &blurred->params, 0);
    timing_mark(timing, cmd, "gather");
    dispatch(effects, cmd, KERNEL_RESOLVE, resolve, NULL, coc, 0);
    timing_mark(timing, cmd, "resolve");
    return ok;
}

// ---- Exposure: the last level of a pyramid is the mean of the whole picture.
//
// The mean is one of log2(luminance), so that a few lamps do not make a night dark (E. Reinhard et
// al., "Photographic tone reproduction for digital images", 2002). Nothing comes back to the CPU: a
// kernel of one invocation lets the exposure follow the mean, and the last pass reads it.

// The seconds in which 63 % of a change are made up for. The eye is slower in the dark.
static const float brighter_s = 0.5f, darker_s = 1.5f;

bool effects_expose(struct effects *effects, VkCommandBuffer cmd, struct timing *timing,
                    double seconds)
{
    // At first the time is infinite, and so all of the change is made up for.
    const float passed = (float)fmax(seconds - effects->adapted_at, 0.0);
    const float shares[2] = {1.0f - expf(-passed / brighter_s), 1.0f - expf(-passed / darker_s)};
    const struct gpu_image *luminance = &effects->images[IMAGE_LUMINANCE];
    const struct gpu_image *stops = &effects->images[IMAGE_STOPS];
    const VkImageView adapt[] = {luminance->views[luminance->params.levels - 1], stops->view};
    const bool ok = make(effects, cmd, IMAGE_LUMINANCE, (struct weir_pyramid_run){0});
    timing_mark(timing, cmd, "luminance pyramid");
    dispatch(effects, cmd, KERNEL_ADAPT, adapt, shares, &stops->params, 0);
    timing_mark(timing, cmd, "adapt");
    effects->adapted_at = seconds;
    return ok;
}

// ---- All of them.

bool effects_init(struct gpu *gpu, VkFormat depth_format, struct effects *effects)
{
    *effects = (struct effects){.gpu = gpu, .glow_format = glow_format(gpu)};
    bool ok = create_pyramids(effects, depth_format);
    for (int i = 0; ok && i < KERNEL_NUM_KINDS; ++i) {
        ok = pass_init(gpu, &kernel_params[i], &effects->kernels[i]);
    }
    return ok;
}

bool effects_resize(struct effects *effects, const struct gpu_image *light,
                    const struct gpu_image *depth)
{
    effects->light = light;
    effects->adapted_at = -INFINITY;
    return make_images(effects, light->params.width, light->params.height) &&
           bind_pyramids(effects, depth);
}
