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

static void destroy(struct gpu *gpu, void *object)
{
    struct pass *pass = object;
    vkDestroyPipeline(gpu->device, pass->pipeline, NULL);
    weir_gpu_layout_finish(gpu->work, &pass->layout);
}

bool pass_init(struct gpu *gpu, const struct pass_params *params, struct pass *pass)
{
    struct weir_gpu_binding bindings[PASS_MAX_BINDINGS] = {{0}};
    for (uint32_t i = 0; i < count(params); ++i) {
        bindings[i].type = type_of(params, i);
    }
    const struct weir_gpu_layout_params layout = {
        .bindings = bindings,
        .num_bindings = count(params),
        .push_constants_size = params->constants_size,
        .stages = params->stages,
        .pushes = true,
        .filter = params->nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
        .compare = params->compare,
    };
    const struct weir_gpu_kernel kernel = {.code = params->code.words,
                                           .code_size = params->code.size};
    *pass = (struct pass){.gpu = gpu, .params = *params};
    gpu_own(gpu, destroy, pass);
    return weir_ok(weir_gpu_layout_init(gpu->work, &layout, &pass->layout),
                   "weir_gpu_layout_init") &&
           (!kernel.code ||
            weir_ok(weir_gpu_pipeline_init(gpu->work, &pass->layout, &kernel, &pass->pipeline),
                    "weir_gpu_pipeline_init"));
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
                .sampler = pass->layout.sampler,
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
    pass->gpu->push_descriptors(cmd, point, pass->layout.layout, 0, count(params), writes);
}

void pass_use(const struct pass *pass, VkCommandBuffer cmd, struct bindings bindings)
{
    const struct pass_params *params = &pass->params;
    const struct weir_gpu_layout *layout = &pass->layout;
    const VkPipelineBindPoint point = params->stages ? VK_PIPELINE_BIND_POINT_GRAPHICS
                                                     : VK_PIPELINE_BIND_POINT_COMPUTE;
    if (pass->pipeline) {
        vkCmdBindPipeline(cmd, point, pass->pipeline);
    }
    bind(pass, cmd, point, &bindings);
    if (params->constants_size > 0) {
        vkCmdPushConstants(cmd, layout->layout, layout->stages, 0, params->constants_size,
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
