// SPDX-License-Identifier: MIT
// Screen-space reflections: what the floor mirrors, found in the picture itself.
#include "ssr.h"

#include <string.h>

#include "report.h"
#include "shaders.h"

// The camera, as the kernels read it.
struct ssr_camera {
    float eye[4], right[4], up[4], forward[4];
};
struct trace_constants {
    struct mat4 view_projection;
    struct ssr_camera
        camera; // w of eye: march texel by texel; of right and up: the near and far plane
};
struct resolve_constants {
    struct ssr_camera camera;
    float glow[4];
    float daylight, roughness;
    VkBool32 reflects, shows_steps;
};

// Rays skip what is empty: no surface in a region is nearer than its texel, whose level is exact at
// odd sizes too. And they are blurred by reading a mean, in light, so in a float format.
static bool make_pyramids(struct gpu *gpu, VkFormat depth_format, struct ssr *ssr)
{
    const struct weir_pyramid_params *depth = weir_pyramid_params(.reduction = WEIR_PYRAMID_MIN,
                                                                  .format = VK_FORMAT_R32_SFLOAT,
                                                                  .source_format = depth_format);
    const struct weir_pyramid_params *color = weir_pyramid_params(.reduction = WEIR_PYRAMID_MEAN,
                                                                  .format = HDR_FORMAT,
                                                                  .source_format = HDR_FORMAT);
    return gpu_pyramid_init(gpu, depth, &ssr->depth_pyramid) &&
           gpu_pyramid_init(gpu, color, &ssr->color_pyramid);
}

// Bind the images. The depth buffer is copied to level 0 of its pyramid. The picture is level 0 of
// the other one, which begins at half its size.
static bool make_targets(struct ssr *ssr, const struct gpu_image *light,
                         const struct gpu_image *depth)
{
    const weir_image *depths[] = {ssr->depths.weir}, *depth_buffer[] = {depth->weir};
    const weir_image *colors[] = {ssr->colors.weir}, *picture[] = {light->weir};
    const struct weir_pyramid_target_params *nearest = weir_pyramid_target_params(
            .images = depths, .sources = depth_buffer,
            .source_layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
    const struct weir_pyramid_target_params *mean =
        weir_pyramid_target_params(.images = colors, .sources = picture,
                                   .source_layout = VK_IMAGE_LAYOUT_GENERAL);
    return gpu_target_init(ssr->gpu, ssr->depth_pyramid, nearest, &ssr->depth_target) &&
           gpu_target_init(ssr->gpu, ssr->color_pyramid, mean, &ssr->color_target);
}

// Record the two pyramids, the rays, and their light.
bool ssr_record(const struct ssr *ssr, VkCommandBuffer cmd, const struct view *view,
                const struct ssr_settings *settings, struct timing *timing)
{
    const uint32_t width = ssr->hits.params.width, height = ssr->hits.params.height;
    const VkImageView light = ssr->light->view, hits = ssr->hits.view;
    const struct weir_pyramid_run run = {.dst_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                         .dst_access = VK_ACCESS_SHADER_READ_BIT};
    struct trace_constants trace = {.view_projection = view->view_projection};
    struct resolve_constants resolve = {
        .daylight = view->daylight,
        .roughness = settings->roughness,
        .reflects = !settings->no_reflections,
        .shows_steps = settings->shows_steps,
    };
    memcpy(&resolve.camera, view->eye, sizeof(resolve.camera));
    memcpy(resolve.glow, view->glow, sizeof(resolve.glow));
    trace.camera = resolve.camera;
    trace.camera.eye[3] = settings->linear ? 1.0f : 0.0f;
    trace.camera.right[3] = SCENE_NEAR;
    trace.camera.up[3] = SCENE_FAR;

    const struct gpu_image *images[] = {&ssr->depths, &ssr->colors, &ssr->hits, &ssr->reflection};
    for (int i = 0; i < 4; ++i) {
        gpu_image_discard(ssr->gpu, images[i], cmd);
    }
    if (!settings->no_reflections) {
        if (!weir_ok(weir_cmd_pyramid(ssr->depth_target, cmd, &run), "weir_cmd_pyramid")) {
            return false;
        }
        timing_mark(timing, cmd, "depth pyramid");
        if (!weir_ok(weir_cmd_pyramid(ssr->color_target, cmd, &run), "weir_cmd_pyramid")) {
            return false;
        }
        timing_mark(timing, cmd, "colour pyramid");
        const VkImageView views[] = {light, ssr->depths.view, hits};
        pass_run(&ssr->trace, cmd, (struct bindings){views, NULL, &trace}, width, height, 1);
        pass_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
        timing_mark(timing, cmd, "trace");
    }
    const VkImageView views[] = {light, ssr->colors.view, hits, ssr->reflection.view};
    pass_run(&ssr->resolve, cmd, (struct bindings){views, NULL, &resolve}, width, height, 1);
    pass_barrier(cmd, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
    timing_mark(timing, cmd, "resolve");
    return true;
}

bool ssr_init(struct gpu *gpu, VkFormat depth_format, struct ssr *ssr)
{
    const struct pass_params trace = {
        .code = SHADER(trace_comp),
        .num_textures = 2,
        .num_images = 1,
        .constants_size = sizeof(struct trace_constants),
    };
    const struct pass_params resolve = {
        .code = SHADER(resolve_comp),
        .num_textures = 3,
        .num_images = 1,
        .constants_size = sizeof(struct resolve_constants),
    };
    *ssr = (struct ssr){.gpu = gpu};
    return make_pyramids(gpu, depth_format, ssr) && pass_init(gpu, &trace, &ssr->trace) &&
           pass_init(gpu, &resolve, &ssr->resolve);
}

static bool make_images(struct ssr *ssr, uint32_t width, uint32_t height)
{
    struct gpu *gpu = ssr->gpu;
    const VkExtent2D size = {width, height}, half = weir_pyramid_level_extent(width, height, 1);
    const VkImageUsageFlags depths = weir_pyramid_get_scope(ssr->depth_pyramid).usage;
    const VkImageUsageFlags colors = weir_pyramid_get_scope(ssr->color_pyramid).usage;
    const VkImageUsageFlags stored = VK_IMAGE_USAGE_STORAGE_BIT;
    const VkFormat place = VK_FORMAT_R32G32B32A32_SFLOAT; // half floats are too coarse
    return gpu_texture_init(gpu, VK_FORMAT_R32_SFLOAT, depths, size, UINT32_MAX, &ssr->depths) &&
           gpu_texture_init(gpu, place, stored, size, 1, &ssr->hits) &&
           gpu_texture_init(gpu, HDR_FORMAT, stored, size, 1, &ssr->reflection) &&
           gpu_texture_init(gpu, HDR_FORMAT, colors, half, UINT32_MAX, &ssr->colors);
}

bool ssr_resize(struct ssr *ssr, const struct gpu_image *light, const struct gpu_image *depth)
{
    ssr->light = light;
    return make_images(ssr, light->params.width, light->params.height) &&
           make_targets(ssr, light, depth);
}
