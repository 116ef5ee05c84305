// SPDX-License-Identifier: MIT
// Layouts, compute pipelines and descriptor sets.
#include "base/check.h"
#include "base/size.h"
#include "device/gpu.h"
#include "vk/descriptors.h"
#include "vk/pipeline.h"

static bool is_buffer(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static bool has_sampler(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static enum weir_result make_layouts(weir_gpu *gpu, bool pushes, struct weir_gpu_layout *out)
{
    VkDescriptorSetLayoutBinding bindings[WEIR_GPU_MAX_BINDINGS];
    for (uint32_t i = 0; i < out->num_bindings; i++) {
        const struct weir_gpu_binding *binding = &out->bindings[i];
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = binding->type,
            .descriptorCount = binding->count,
            .stageFlags = out->stages,
            // Mesa 25's software device ignores immutable samplers where descriptors are pushed.
            .pImmutableSamplers = has_sampler(binding->type) && !pushes ? &out->sampler : NULL,
        };
    }
    WEIR_TRY(weir_vk_set_layout_init(
        &gpu->context, pushes ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0,
        bindings, out->num_bindings, &out->set_layout));
    const struct weir_vk_pipeline_params params = {
        .push_constants_size = out->push_constants_size,
        .set_layouts = &out->set_layout,
        .num_set_layouts = 1,
    };
    return weir_vk_pipeline_layout_init(&gpu->context, out->stages, &params, &out->layout);
}

enum weir_result weir_gpu_layout_init(weir_gpu *gpu, const struct weir_gpu_layout_params *params,
                                      struct weir_gpu_layout *out)
{
    const struct weir_gpu_binding *bindings = params ? params->bindings : NULL;
    WEIR_TRY(WEIR_CHECK_OUT(weir_gpu_log(gpu), out, gpu, params, bindings));
    WEIR_FAIL_IF(params->num_bindings == 0 || params->num_bindings > WEIR_GPU_MAX_BINDINGS,
                 weir_gpu_log(gpu), WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_gpu_layout_params.num_bindings is %u and must be 1 to %u",
                 params->num_bindings, WEIR_GPU_MAX_BINDINGS);
    out->num_bindings = params->num_bindings;
    out->push_constants_size = params->push_constants_size;
    out->stages = params->stages ? params->stages : VK_SHADER_STAGE_COMPUTE_BIT;
    for (uint32_t i = 0; i < params->num_bindings; i++) {
        out->bindings[i] = bindings[i];
        out->bindings[i].count = weir_at_least_1(bindings[i].count);
    }
    WEIR_TRY(
        weir_vk_sampler_init(&gpu->context, params->filter, params->compare, true, &out->sampler));
    return make_layouts(gpu, params->pushes, out);
}

void weir_gpu_layout_finish(weir_gpu *gpu, struct weir_gpu_layout *layout)
{
    if (!gpu || !layout) {
        return;
    }
    const struct weir_vk_functions *vk = &gpu->context.vk;
    vk->DestroyPipelineLayout(gpu->context.device, layout->layout, NULL);
    vk->DestroyDescriptorSetLayout(gpu->context.device, layout->set_layout, NULL);
    vk->DestroySampler(gpu->context.device, layout->sampler, NULL);
    *layout = (struct weir_gpu_layout){0};
}

enum weir_result weir_gpu_pipeline_init(weir_gpu *gpu, const struct weir_gpu_layout *layout,
                                        const struct weir_gpu_kernel *kernel, VkPipeline *out)
{
    const uint32_t *code = kernel ? kernel->code : NULL;
    WEIR_TRY(WEIR_CHECK_OUT(weir_gpu_log(gpu), out, gpu, layout, kernel, code));
    WEIR_FAIL_IF(kernel->num_constants > WEIR_VK_MAX_CONSTANTS, weir_gpu_log(gpu),
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_gpu_kernel.num_constants is %u and must be at most %d",
                 kernel->num_constants, WEIR_VK_MAX_CONSTANTS);
    const struct weir_vk_pipeline_params params = {
        .kernel = &(const struct weir_vk_kernel){"kernel", code,
                                                 code + kernel->code_size / sizeof(*code)},
        .constants = kernel->constants,
        .num_constants = kernel->num_constants,
    };
    return weir_vk_compute_init(&gpu->context, &params, layout->layout, out);
}

enum weir_result weir_gpu_pool_init(weir_gpu *gpu, const struct weir_gpu_layout *layout,
                                    uint32_t max_sets, VkDescriptorPool *out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_gpu_log(gpu), out, gpu, layout));
    VkDescriptorPoolSize sizes[WEIR_GPU_MAX_BINDINGS];
    for (uint32_t i = 0; i < layout->num_bindings; i++) {
        const struct weir_gpu_binding *binding = &layout->bindings[i];
        sizes[i] = (VkDescriptorPoolSize){binding->type, binding->count * max_sets};
    }
    return weir_vk_descriptor_pool_init(&gpu->context, sizes, layout->num_bindings, max_sets, out);
}

static void write_descriptor(const weir_gpu *gpu, VkDescriptorSet set, uint32_t binding,
                             uint32_t element, VkDescriptorType type,
                             const struct weir_gpu_descriptor *descriptor)
{
    const VkImageLayout usual = type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                                    ? VK_IMAGE_LAYOUT_GENERAL
                                    : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    const VkDescriptorImageInfo image = {
        .imageView = descriptor->view,
        .imageLayout = descriptor->image_layout ? descriptor->image_layout : usual,
    };
    const VkDescriptorBufferInfo buffer = {descriptor->buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = binding,
        .dstArrayElement = element,
        .descriptorCount = 1,
        .descriptorType = type,
        .pImageInfo = is_buffer(type) ? NULL : &image,
        .pBufferInfo = is_buffer(type) ? &buffer : NULL,
    };
    gpu->context.vk.UpdateDescriptorSets(gpu->context.device, 1, &write, 0, NULL);
}

enum weir_result weir_gpu_set_init(weir_gpu *gpu, VkDescriptorPool pool,
                                   const struct weir_gpu_layout *layout,
                                   const struct weir_gpu_descriptor *descriptors,
                                   VkDescriptorSet *out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_gpu_log(gpu), out, gpu, pool, layout, descriptors));
    WEIR_TRY(weir_vk_descriptor_set_allocate(&gpu->context, pool, layout->set_layout, out));
    for (uint32_t i = 0; i < layout->num_bindings; i++) {
        const struct weir_gpu_binding *binding = &layout->bindings[i];
        for (uint32_t k = 0; k < binding->count && binding->type != VK_DESCRIPTOR_TYPE_SAMPLER;
             k++) {
            write_descriptor(gpu, *out, i, k, binding->type, descriptors++);
        }
    }
    return WEIR_OK;
}

void weir_cmd_bind(const weir_gpu *gpu, VkCommandBuffer cmd, const struct weir_gpu_layout *layout,
                   VkPipeline pipeline, VkDescriptorSet set, const void *push_constants)
{
    if (!gpu || !cmd || !layout) {
        return;
    }
    const struct weir_vk_functions *vk = &gpu->context.vk;
    const VkPipelineBindPoint point = layout->stages == VK_SHADER_STAGE_COMPUTE_BIT
                                          ? VK_PIPELINE_BIND_POINT_COMPUTE
                                          : VK_PIPELINE_BIND_POINT_GRAPHICS;
    if (pipeline) {
        vk->CmdBindPipeline(cmd, point, pipeline);
    }
    vk->CmdBindDescriptorSets(cmd, point, layout->layout, 0, 1, &set, 0, NULL);
    if (push_constants) {
        vk->CmdPushConstants(cmd, layout->layout, layout->stages, 0, layout->push_constants_size,
                             push_constants);
    }
}
