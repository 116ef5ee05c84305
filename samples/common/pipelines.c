// SPDX-License-Identifier: MIT
// The graphics pipelines of the scene, from shaders that were compiled into the program.
#include "pipelines.h"

#include <stddef.h>

#include "descriptors.h"
#include "film.h"
#include "mesh.h"
#include "report.h"

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

struct code {
    const uint32_t *words;
    size_t size; // [bytes]
};

struct recipe {
    struct code vert, frag;
    bool shadow;   // draws in the pass of the shadow map, else in that of the picture
    bool meshes;   // reads vertices
    bool no_write; // does not write depth
    bool blend;
    VkCullModeFlags cull;
    // The shaders' constants 0, 1 and 2.
    struct constants {
        uint32_t film; // enum film of film.h
        uint32_t pattern;
        float mirror; // 1, or -1 for the image in the floor
    } constants;
};

static struct recipe recipe_of(int kind, VkFormat format)
{
    const uint32_t film = film_of(format);
    if (kind == PIPELINE_SHADOW) {
        return (struct recipe){.vert = {shadow_vert, sizeof(shadow_vert)},
                               .shadow = true,
                               .meshes = true,
                               .cull = VK_CULL_MODE_BACK_BIT};
    }
    if (kind == PIPELINE_SKY) {
        return (struct recipe){.vert = {sky_vert, sizeof(sky_vert)},
                               .frag = {sky_frag, sizeof(sky_frag)},
                               .no_write = true,
                               .constants = {.film = film}};
    }
    if (kind == PIPELINE_FLOOR) {
        return (struct recipe){.vert = {floor_vert, sizeof(floor_vert)},
                               .frag = {floor_frag, sizeof(floor_frag)},
                               .blend = true,
                               .constants = {.film = film}};
    }
    const bool mirrored = kind >= PIPELINE_MIRRORED;
    return (struct recipe){
        .vert = {object_vert, sizeof(object_vert)},
        .frag = {object_frag, sizeof(object_frag)},
        .meshes = true,
        // A mirror turns triangles around.
        .cull = mirrored ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT,
        .constants = {film, (uint32_t)(kind - (mirrored ? PIPELINE_MIRRORED : PIPELINE_OBJECTS)),
                      mirrored ? -1.0f : 1.0f},
    };
}

static bool make_layout(const struct gpu *gpu, struct pipelines *pipelines)
{
    const VkShaderStageFlags both = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkDescriptorSetLayoutBinding bindings[3] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, both, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, both, NULL},
        {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
    };
    return descriptors_make_layouts(gpu, bindings, 3, NULL, &pipelines->set_layout,
                                    &pipelines->layout);
}

static bool make_stage(const struct gpu *gpu, VkShaderStageFlagBits stage, struct code code,
                       const VkSpecializationInfo *constants, VkPipelineShaderStageCreateInfo *out)
{
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = code.size,
                                           .pCode = code.words};
    *out = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .pName = "main",
        .pSpecializationInfo = constants,
    };
    return vulkan_made(vkCreateShaderModule(gpu->device, &info, NULL, &out->module),
                       "vkCreateShaderModule", &out->module);
}

static VkPipelineVertexInputStateCreateInfo vertex_input(const struct recipe *recipe)
{
    static const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex),
                                                            VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attributes[3] = {
        {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position)},
        {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, normal)},
        {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, u)},
    };
    return (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = recipe->meshes,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = recipe->meshes ? (recipe->shadow ? 1 : 3) : 0,
        .pVertexAttributeDescriptions = attributes,
    };
}

static VkPipelineColorBlendAttachmentState blending(const struct recipe *recipe, bool bare_floor)
{
    const VkBlendFactor zero = VK_BLEND_FACTOR_ZERO;
    return (VkPipelineColorBlendAttachmentState){
        .blendEnable = recipe->blend,
        .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
        .dstColorBlendFactor = bare_floor ? zero : VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstAlphaBlendFactor = bare_floor ? zero : VK_BLEND_FACTOR_ONE,
        .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                          VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT,
    };
}

static VkPipelineRasterizationStateCreateInfo rasterization(const struct recipe *recipe)
{
    return (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .cullMode = recipe->cull,
        .lineWidth = 1.0f,
        .depthBiasEnable = recipe->shadow,
        .depthBiasConstantFactor = 1.0f,
        .depthBiasSlopeFactor = 1.5f,
    };
}

static bool make_pipeline(const struct gpu *gpu, const struct passes *passes,
                          const struct recipe *recipe,
                          const VkPipelineShaderStageCreateInfo stages[2], VkPipelineLayout layout,
                          VkPipeline *out)
{
    const VkPipelineVertexInputStateCreateInfo vertices = vertex_input(recipe);
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = recipe->blend ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
                                  : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1,
    };
    const VkPipelineRasterizationStateCreateInfo raster = rasterization(recipe);
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = recipe->shadow ? VK_SAMPLE_COUNT_1_BIT : passes->samples,
    };
    const VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = VK_TRUE,
        .depthWriteEnable = !recipe->no_write,
        .depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL,
    };
    const VkPipelineColorBlendAttachmentState blend = blending(recipe, passes->params.bare_floor);
    const VkPipelineColorBlendStateCreateInfo color = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = recipe->shadow ? 0 : 1,
        .pAttachments = &blend,
    };
    const VkDynamicState states[2] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = states,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = recipe->frag.words ? 2 : 1,
        .pStages = stages,
        .pVertexInputState = &vertices,
        .pInputAssemblyState = &assembly,
        .pViewportState = &viewport,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pDepthStencilState = &depth,
        .pColorBlendState = &color,
        .pDynamicState = &dynamic,
        .layout = layout,
        .renderPass = recipe->shadow ? passes->shadow : passes->picture,
    };
    return vulkan_ok(vkCreateGraphicsPipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL, out),
                     "vkCreateGraphicsPipelines");
}

static const VkSpecializationMapEntry constant_places[3] = {
    {0, offsetof(struct constants, film), sizeof(uint32_t)},
    {1, offsetof(struct constants, pattern), sizeof(uint32_t)},
    {2, offsetof(struct constants, mirror), sizeof(float)},
};

bool pipelines_init(const struct gpu *gpu, const struct passes *passes, struct pipelines *pipelines)
{
    *pipelines = (struct pipelines){0};
    bool ok = make_layout(gpu, pipelines);
    for (int i = 0; ok && i < PIPELINE_NUM_KINDS; ++i) {
        const struct recipe recipe = recipe_of(i, passes->params.format);
        const VkSpecializationInfo constants = {3, constant_places, sizeof(recipe.constants),
                                                &recipe.constants};
        VkPipelineShaderStageCreateInfo stages[2] = {0};
        ok = make_stage(gpu, VK_SHADER_STAGE_VERTEX_BIT, recipe.vert, &constants, &stages[0]) &&
             (!recipe.frag.words ||
              make_stage(gpu, VK_SHADER_STAGE_FRAGMENT_BIT, recipe.frag, &constants, &stages[1])) &&
             make_pipeline(gpu, passes, &recipe, stages, pipelines->layout,
                           &pipelines->pipelines[i]);
        vkDestroyShaderModule(gpu->device, stages[0].module, NULL);
        vkDestroyShaderModule(gpu->device, stages[1].module, NULL);
    }
    return ok;
}

void pipelines_finish(const struct gpu *gpu, struct pipelines *pipelines)
{
    for (int i = 0; i < PIPELINE_NUM_KINDS; ++i) {
        vkDestroyPipeline(gpu->device, pipelines->pipelines[i], NULL);
    }
    vkDestroyPipelineLayout(gpu->device, pipelines->layout, NULL);
    vkDestroyDescriptorSetLayout(gpu->device, pipelines->set_layout, NULL);
    *pipelines = (struct pipelines){0};
}
