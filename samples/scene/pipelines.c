// SPDX-License-Identifier: MIT
// The graphics pipelines of the scene, from shaders that were compiled into the program.
#include <stddef.h>

#include "renderer.h"
#include "shaders.h"

// The shaders' constants 0, 1 and 2.
struct constants {
    uint32_t film; // enum film of screen.h
    uint32_t pattern;
    float mirror; // 1, or -1 for the image in the floor
};
static const VkSpecializationMapEntry constant_places[3] = {
    {0, offsetof(struct constants, film), sizeof(uint32_t)},
    {1, offsetof(struct constants, pattern), sizeof(uint32_t)},
    {2, offsetof(struct constants, mirror), sizeof(float)},
};

static const VkVertexInputBindingDescription vertex = {0, sizeof(struct vertex),
                                                       VK_VERTEX_INPUT_RATE_VERTEX};
static const VkVertexInputAttributeDescription attributes[3] = {
    {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position)},
    {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, normal)},
    {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, u)},
};

static VkPipelineVertexInputStateCreateInfo vertices(uint32_t num_attributes)
{
    return (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &vertex,
        .vertexAttributeDescriptionCount = num_attributes,
        .pVertexAttributeDescriptions = attributes,
    };
}

static bool make_pipeline(struct renderer *renderer, struct graphics_params *params,
                          const struct constants *constants, enum pipeline_kind kind)
{
    const VkSpecializationInfo info = {3, constant_places, sizeof(*constants), constants};
    params->layout = renderer->pass.layout.layout;
    params->constants = &info;
    params->depth_format = renderer->depth_format;
    params->depth_test = VK_COMPARE_OP_LESS_OR_EQUAL;
    if (kind != PIPELINE_SHADOW) {
        params->color_format = renderer->params.images.format;
        params->samples = renderer->samples;
    }
    return graphics_init(renderer->gpu, params, &renderer->pipelines[kind]);
}

static bool make_shadow(struct renderer *renderer)
{
    const VkPipelineVertexInputStateCreateInfo positions = vertices(1);
    struct graphics_params params = {
        .vert = SHADER(shadow_vert),
        .vertices = &positions,
        .cull = VK_CULL_MODE_BACK_BIT,
        .depth_bias = true,
    };
    return make_pipeline(renderer, &params, &(struct constants){0}, PIPELINE_SHADOW);
}

static bool make_sky_and_floor(struct renderer *renderer)
{
    const struct constants constants = {.film = film_of(renderer->params.images.format)};
    const bool bare = renderer->params.bare_floor;
    const VkPipelineColorBlendAttachmentState blend = {
        .blendEnable = VK_TRUE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
        .dstColorBlendFactor = bare ? VK_BLEND_FACTOR_ZERO : VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = bare ? VK_BLEND_FACTOR_ZERO : VK_BLEND_FACTOR_ONE,
        .colorWriteMask = 0xf,
    };
    struct graphics_params sky = {
        .vert = SHADER(sky_vert), .frag = SHADER(sky_frag), .no_depth_write = true};
    struct graphics_params floor = {
        .vert = SHADER(floor_vert), .frag = SHADER(floor_frag), .is_strip = true, .blend = &blend};
    return make_pipeline(renderer, &sky, &constants, PIPELINE_SKY) &&
           make_pipeline(renderer, &floor, &constants, PIPELINE_FLOOR);
}

static bool make_objects(struct renderer *renderer)
{
    const VkPipelineVertexInputStateCreateInfo all = vertices(3);
    bool ok = true;
    for (uint32_t i = 0; ok && i < 2 * PATTERN_NUM_KINDS; ++i) {
        const bool mirrored = i >= PATTERN_NUM_KINDS;
        const struct constants constants = {film_of(renderer->params.images.format),
                                            i % PATTERN_NUM_KINDS, mirrored ? -1.0f : 1.0f};
        struct graphics_params params = {
            .vert = SHADER(object_vert),
            .frag = SHADER(object_frag),
            .vertices = &all,
            // A mirror turns triangles around.
            .cull = mirrored ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT,
        };
        ok = make_pipeline(renderer, &params, &constants, PIPELINE_OBJECTS + i);
    }
    return ok;
}

bool renderer_make_pipelines(struct renderer *renderer)
{
    const bool is_filtered = gpu_has_format(renderer->gpu, renderer->depth_format,
                                            VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT);
    const struct pass_params pass = {
        .stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        .num_depths = 1,
        .num_buffers = 2,
        .nearest = !is_filtered,
        .compare = VK_COMPARE_OP_LESS_OR_EQUAL,
    };
    return pass_init(renderer->gpu, &pass, &renderer->pass) && make_shadow(renderer) &&
           make_sky_and_floor(renderer) && make_objects(renderer);
}
