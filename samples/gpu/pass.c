// SPDX-License-Identifier: MIT
// A pass: a kernel or another pipeline, what it reads and writes, and its constants.
#include "pass.h"

#include "report.h"

static uint32_t count_views(const struct pass_params *params)
{
    return params->num_textures + params->num_depths + params->num_images;
}

static uint32_t count(const struct pass_params *params)
{
    return count_views(params) + params->num_buffers;
}

static bool is_texture(const struct pass_params *params, uint32_t binding)
{
    return binding < params->num_textures + params->num_depths;
}

static VkDescriptorType type_of(const struct pass_params *params, uint32_t binding)
{
    return is_texture(params, binding)     ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
           : binding < count_views(params) ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                                           : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static bool make_sampler(struct pass *pass)
{
    const struct pass_params *params = &pass->params;
    const VkFilter filter = params->nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = filter,
        .minFilter = filter,
        .mipmapMode = params->nearest ? VK_SAMPLER_MIPMAP_MODE_NEAREST
                                      : VK_SAMPLER_MIPMAP_MODE_LINEAR,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .compareEnable = params->compare != VK_COMPARE_OP_NEVER,
        .compareOp = params->compare,
        .maxLod = VK_LOD_CLAMP_NONE,
    };
    return vulkan_made(vkCreateSampler(pass->gpu->device, &info, NULL, &pass->sampler),
                       "vkCreateSampler", &pass->sampler);
}

static bool make_layouts(struct pass *pass)
{
    const VkDevice device = pass->gpu->device;
    const struct pass_params *params = &pass->params;
    VkDescriptorSetLayoutBinding all[PASS_MAX_BINDINGS];
    for (uint32_t i = 0; i < count(params); ++i) {
        all[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = type_of(params, i),
            .descriptorCount = 1,
            .stageFlags = params->stages,
            .pImmutableSamplers = is_texture(params, i) ? &pass->sampler : NULL,
        };
    }
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
        .bindingCount = count(params),
        .pBindings = all,
    };
    const VkPushConstantRange constants = {params->stages, 0, params->constants_size};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &pass->set_layout,
        .pushConstantRangeCount = params->constants_size > 0 ? 1 : 0,
        .pPushConstantRanges = &constants,
    };
    return vulkan_made(vkCreateDescriptorSetLayout(device, &set, NULL, &pass->set_layout),
                       "vkCreateDescriptorSetLayout", &pass->set_layout) &&
           vulkan_made(vkCreatePipelineLayout(device, &info, NULL, &pass->layout),
                       "vkCreatePipelineLayout", &pass->layout);
}

static bool make_pipeline(struct pass *pass)
{
    const VkDevice device = pass->gpu->device;
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = pass->layout,
    };
    if (!gpu_shader_init(pass->gpu, pass->params.code, &info.stage.module)) {
        return false;
    }
    const VkResult result = vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL,
                                                     &pass->pipeline);
    vkDestroyShaderModule(device, info.stage.module, NULL);
    return vulkan_made(result, "vkCreateComputePipelines", &pass->pipeline);
}

static void destroy(struct gpu *gpu, void *object)
{
    struct pass *pass = object;
    vkDestroyPipeline(gpu->device, pass->pipeline, NULL);
    vkDestroyPipelineLayout(gpu->device, pass->layout, NULL);
    vkDestroyDescriptorSetLayout(gpu->device, pass->set_layout, NULL);
    vkDestroySampler(gpu->device, pass->sampler, NULL);
    *pass = (struct pass){0};
}

bool pass_init(struct gpu *gpu, const struct pass_params *params, struct pass *pass)
{
    *pass = (struct pass){.gpu = gpu, .params = *params};
    pass->params.stages |= params->stages ? 0 : VK_SHADER_STAGE_COMPUTE_BIT;
    gpu_own(gpu, destroy, pass);
    return make_sampler(pass) && make_layouts(pass) && (!params->code.words || make_pipeline(pass));
}

// Record what is bound.
static void bind(const struct pass *pass, VkCommandBuffer cmd, VkPipelineBindPoint point,
                 const struct bindings *bindings)
{
    const struct pass_params *params = &pass->params;
    const uint32_t num_views = count_views(params);
    VkDescriptorImageInfo images[PASS_MAX_BINDINGS];
    VkDescriptorBufferInfo ranges[PASS_MAX_BINDINGS];
    VkWriteDescriptorSet writes[PASS_MAX_BINDINGS];
    for (uint32_t i = 0; i < count(params); ++i) {
        if (i < num_views) {
            const bool is_depth = i >= params->num_textures && is_texture(params, i);
            images[i] = (VkDescriptorImageInfo){
                .imageView = bindings->views[i],
                .imageLayout = is_depth ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL
                                        : VK_IMAGE_LAYOUT_GENERAL};
        } else {
            ranges[i] = (VkDescriptorBufferInfo){bindings->buffers[i - num_views], 0,
                                                 VK_WHOLE_SIZE};
        }
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = type_of(params, i),
            .pImageInfo = &images[i],
            .pBufferInfo = &ranges[i],
        };
    }
    pass->gpu->push_descriptors(cmd, point, pass->layout, 0, count(params), writes);
}

void pass_use(const struct pass *pass, VkCommandBuffer cmd, struct bindings bindings)
{
    const struct pass_params *params = &pass->params;
    const VkPipelineBindPoint point = params->stages == VK_SHADER_STAGE_COMPUTE_BIT
                                          ? VK_PIPELINE_BIND_POINT_COMPUTE
                                          : VK_PIPELINE_BIND_POINT_GRAPHICS;
    if (pass->pipeline) {
        vkCmdBindPipeline(cmd, point, pass->pipeline);
    }
    bind(pass, cmd, point, &bindings);
    if (params->constants_size > 0) {
        vkCmdPushConstants(cmd, pass->layout, params->stages, 0, params->constants_size,
                           bindings.constants);
    }
}

void pass_run(const struct pass *pass, VkCommandBuffer cmd, struct bindings bindings,
              uint32_t width, uint32_t height, uint32_t depth)
{
    pass_use(pass, cmd, bindings);
    vkCmdDispatch(cmd, (width + 7) / 8, (height + 7) / 8, depth);
}

void pass_barrier(VkCommandBuffer cmd, VkPipelineStageFlags readers)
{
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    if (readers & VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT) {
        barrier.dstAccessMask |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
    }
    if (readers & VK_PIPELINE_STAGE_HOST_BIT) {
        barrier.dstAccessMask |= VK_ACCESS_HOST_READ_BIT;
    }
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, readers, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
}
