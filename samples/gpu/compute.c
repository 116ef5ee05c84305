// SPDX-License-Identifier: MIT
// A compute pass: a kernel, the images and buffers that it reads and writes, and its constants.
#include "compute.h"

#include "report.h"

bool compute_init(const struct gpu *gpu, const struct compute_params *params,
                  struct compute *compute)
{
    const struct bindings_params bindings = {
        .stages = VK_SHADER_STAGE_COMPUTE_BIT,
        .num_textures = params->num_textures,
        .num_images = params->num_images,
        .num_buffers = params->num_buffers,
        .filter = VK_FILTER_LINEAR,
        .constants_size = params->constants_size,
        .max_sets = params->max_sets,
    };
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
    };
    *compute = (struct compute){0};
    if (!bindings_init(gpu, &bindings, &compute->bindings) ||
        !gpu_shader_init(gpu, params->code, &info.stage.module)) {
        return false;
    }
    info.layout = compute->bindings.layout;
    const VkResult result = vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL,
                                                     &compute->pipeline);
    vkDestroyShaderModule(gpu->device, info.stage.module, NULL);
    return vulkan_ok(result, "vkCreateComputePipelines");
}

void compute_finish(const struct gpu *gpu, struct compute *compute)
{
    vkDestroyPipeline(gpu->device, compute->pipeline, NULL);
    bindings_finish(gpu, &compute->bindings);
    *compute = (struct compute){0};
}

bool compute_reset(const struct gpu *gpu, struct compute *compute)
{
    return bindings_reset(gpu, &compute->bindings);
}

bool compute_bind(const struct gpu *gpu, const struct compute *compute, const VkImageView *views,
                  const VkBuffer *buffers, VkDescriptorSet *set)
{
    const struct bindings_params *params = &compute->bindings.params;
    struct bindings_image images[BINDINGS_MAX] = {0};
    for (uint32_t i = 0; i < params->num_textures + params->num_images; ++i) {
        images[i].view = views[i];
    }
    return bindings_make_set(gpu, &compute->bindings, images, buffers, set);
}

void compute_run(const struct compute *compute, VkCommandBuffer cmd, VkDescriptorSet set,
                 const void *constants, const uint32_t size[3])
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, compute->pipeline);
    bindings_use(&compute->bindings, cmd, set, constants);
    vkCmdDispatch(cmd, (size[0] + 7) / 8, (size[1] + 7) / 8, size[2]);
}

void compute_barrier(VkCommandBuffer cmd, VkPipelineStageFlags readers)
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
