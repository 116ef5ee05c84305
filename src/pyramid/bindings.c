// SPDX-License-Identifier: MIT
// Makes the descriptor set layouts of pyramid kernels.
#include "pyramid/bindings.h"

#include "pyramid/plan.h"
#include "vk/descriptors.h"

static VkDescriptorSetLayoutBinding binding(uint32_t index, VkDescriptorType type, uint32_t num,
                                            const VkSampler *sampler)
{
    return (VkDescriptorSetLayoutBinding){
        .binding = index,
        .descriptorType = type,
        .descriptorCount = num,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .pImmutableSamplers = sampler,
    };
}

static enum weir_result check_limits(const weir_context *context, uint32_t num_images)
{
    const uint64_t needed = (uint64_t)num_images * WEIR_PYRAMID_MAX_LEVELS;
    if (needed > context->limits.maxPerStageDescriptorStorageImages ||
        num_images > context->limits.maxPerStageDescriptorSampledImages ||
        needed + num_images + 2 > context->limits.maxPerStageResources) {
        return weir_fail(&context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_DEVICE_LIMIT,
                         "a pyramid of %u images at a time binds %llu storage images; this "
                         "device allows %u (maxPerStageDescriptorStorageImages), and %u resources "
                         "in all",
                         num_images, (unsigned long long)needed,
                         context->limits.maxPerStageDescriptorStorageImages,
                         context->limits.maxPerStageResources);
    }
    return WEIR_OK;
}

enum weir_result weir_pyramid_bindings_init(weir_context *context, uint32_t num_images,
                                            VkFilter filter, struct weir_pyramid_bindings *out)
{
    *out = (struct weir_pyramid_bindings){.num_images = num_images};
    WEIR_TRY(check_limits(context, num_images));
    WEIR_TRY(weir_vk_sampler_init(context, filter, &out->sampler));
    const VkDescriptorSetLayoutBinding images[] = {
        binding(WEIR_PYRAMID_BINDING_BASES, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, num_images, NULL),
        binding(WEIR_PYRAMID_BINDING_LEVELS, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                num_images * WEIR_PYRAMID_MAX_LEVELS, NULL),
        binding(WEIR_PYRAMID_BINDING_SAMPLER, VK_DESCRIPTOR_TYPE_SAMPLER, 1, &out->sampler),
        binding(WEIR_PYRAMID_BINDING_GATHERS, VK_DESCRIPTOR_TYPE_SAMPLER, 1,
                &context->gather_sampler),
    };
    const VkDescriptorSetLayoutBinding scratch[] = {
        binding(WEIR_PYRAMID_BINDING_TEXELS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, NULL),
        binding(WEIR_PYRAMID_BINDING_COUNTERS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, NULL),
    };
    WEIR_TRY(weir_vk_set_layout_init(context, images, 4, &out->images));
    return weir_vk_set_layout_init(context, scratch, 2, &out->scratch);
}

void weir_pyramid_bindings_finish(weir_context *context, struct weir_pyramid_bindings *bindings)
{
    context->vk.DestroyDescriptorSetLayout(context->device, bindings->images, NULL);
    context->vk.DestroyDescriptorSetLayout(context->device, bindings->scratch, NULL);
    context->vk.DestroySampler(context->device, bindings->sampler, NULL);
    *bindings = (struct weir_pyramid_bindings){0};
}
