// SPDX-License-Identifier: MIT
// The graphics pipelines of the scene, from shaders that were compiled into the program.
#include "pipelines.h"

#include <stddef.h>

#include "film.h"
#include "graphics.h"
#include "mesh.h"

static const uint32_t object_vert[] =
#include "object.vert.inc"
    ;
static const uint32_t object_frag[] =
#include "object.frag.inc"
    ;
static const uint32_t shadow_vert[] =
#include "shadow.vert.inc"
    ;
static const uint32_t sky_vert[] =
#include "sky.vert.inc"
    ;
static const uint32_t sky_frag[] =
#include "sky.frag.inc"
    ;
static const uint32_t floor_vert[] =
#include "floor.vert.inc"
    ;
static const uint32_t floor_frag[] =
#include "floor.frag.inc"
    ;

// The shaders' constants 0, 1 and 2.
struct constants {
    uint32_t film; // enum film of film.h
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

static bool make_pipeline(const struct gpu *gpu, struct graphics_params *params,
                          const struct constants *constants, VkPipeline *out)
{
    const VkSpecializationInfo info = {3, constant_places, sizeof(*constants), constants};
    params->constants = &info;
    params->depth_test = VK_COMPARE_OP_LESS_OR_EQUAL;
    return graphics_init(gpu, params, out);
}

static bool make_shadow(const struct gpu *gpu, const struct passes *passes,
                        struct pipelines *pipelines)
{
    const VkPipelineVertexInputStateCreateInfo positions = vertices(1);
    struct graphics_params params = {
        .vert = {shadow_vert, sizeof(shadow_vert)},
        .layout = pipelines->bindings.layout,
        .pass = &passes->shadow,
        .vertices = &positions,
        .cull = VK_CULL_MODE_BACK_BIT,
        .depth_bias = true,
    };
    return make_pipeline(gpu, &params, &(struct constants){0},
                         &pipelines->pipelines[PIPELINE_SHADOW]);
}

static bool make_sky_and_floor(const struct gpu *gpu, const struct passes *passes,
                               struct pipelines *pipelines)
{
    const struct constants constants = {.film = film_of(passes->params.format)};
    const bool bare = passes->params.bare_floor;
    const VkPipelineColorBlendAttachmentState blend = {
        .blendEnable = VK_TRUE,
        .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
        .dstColorBlendFactor = bare ? VK_BLEND_FACTOR_ZERO : VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = bare ? VK_BLEND_FACTOR_ZERO : VK_BLEND_FACTOR_ONE,
        .colorWriteMask = 0xf,
    };
    struct graphics_params sky = {
        .vert = {sky_vert, sizeof(sky_vert)},
        .frag = {sky_frag, sizeof(sky_frag)},
        .layout = pipelines->bindings.layout,
        .pass = &passes->picture,
        .no_depth_write = true,
    };
    struct graphics_params floor = {
        .vert = {floor_vert, sizeof(floor_vert)},
        .frag = {floor_frag, sizeof(floor_frag)},
        .layout = pipelines->bindings.layout,
        .pass = &passes->picture,
        .is_strip = true,
        .blend = &blend,
    };
    return make_pipeline(gpu, &sky, &constants, &pipelines->pipelines[PIPELINE_SKY]) &&
           make_pipeline(gpu, &floor, &constants, &pipelines->pipelines[PIPELINE_FLOOR]);
}

static bool make_objects(const struct gpu *gpu, const struct passes *passes,
                         struct pipelines *pipelines)
{
    const VkPipelineVertexInputStateCreateInfo all = vertices(3);
    bool ok = true;
    for (uint32_t i = 0; ok && i < 2 * PATTERN_NUM_KINDS; ++i) {
        const bool mirrored = i >= PATTERN_NUM_KINDS;
        const struct constants constants = {film_of(passes->params.format), i % PATTERN_NUM_KINDS,
                                            mirrored ? -1.0f : 1.0f};
        struct graphics_params params = {
            .vert = {object_vert, sizeof(object_vert)},
            .frag = {object_frag, sizeof(object_frag)},
            .layout = pipelines->bindings.layout,
            .pass = &passes->picture,
            .vertices = &all,
            // A mirror turns triangles around.
            .cull = mirrored ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT,
        };
        ok = make_pipeline(gpu, &params, &constants, &pipelines->pipelines[PIPELINE_OBJECTS + i]);
    }
    return ok;
}

bool pipelines_init(const struct gpu *gpu, const struct passes *passes, uint32_t num_slots,
                    struct pipelines *pipelines)
{
    const struct bindings_params bindings = {
        .stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
        .num_textures = 1,
        .num_buffers = 2,
        .filter = passes->shadow_filter,
        .compare = VK_COMPARE_OP_LESS_OR_EQUAL,
        .max_sets = num_slots,
    };
    *pipelines = (struct pipelines){0};
    return bindings_init(gpu, &bindings, &pipelines->bindings) &&
           make_shadow(gpu, passes, pipelines) && make_sky_and_floor(gpu, passes, pipelines) &&
           make_objects(gpu, passes, pipelines);
}

void pipelines_finish(const struct gpu *gpu, struct pipelines *pipelines)
{
    for (int i = 0; i < PIPELINE_NUM_KINDS; ++i) {
        vkDestroyPipeline(gpu->device, pipelines->pipelines[i], NULL);
    }
    bindings_finish(gpu, &pipelines->bindings);
    *pipelines = (struct pipelines){0};
}
