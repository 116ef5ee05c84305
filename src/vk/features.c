// SPDX-License-Identifier: MIT
// Reads the enabled features from the chain that the host passed to vkCreateDevice.
#include "vk/features.h"

static void read_struct(const VkBaseInStructure *s, struct weir_vk_features *out)
{
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
        const VkPhysicalDeviceVulkan12Features *f = (const void *)s;
        out->timeline_semaphore = f->timelineSemaphore;
        out->int64_atomics = f->shaderBufferInt64Atomics;
    }
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES) {
        const VkPhysicalDeviceShaderAtomicInt64Features *f = (const void *)s;
        out->int64_atomics = f->shaderBufferInt64Atomics;
    }
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES) {
        out->timeline_semaphore =
            ((const VkPhysicalDeviceTimelineSemaphoreFeatures *)s)->timelineSemaphore;
    }
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES) {
        const VkPhysicalDeviceVulkan13Features *f = (const void *)s;
        out->subgroup_size_control = f->subgroupSizeControl && f->computeFullSubgroups;
    }
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES) {
        const VkPhysicalDeviceSubgroupSizeControlFeatures *f = (const void *)s;
        out->subgroup_size_control = f->subgroupSizeControl && f->computeFullSubgroups;
    }
}

struct weir_vk_features weir_vk_features_read(const VkPhysicalDeviceFeatures2 *features)
{
    struct weir_vk_features out = {
        .write_without_format = features->features.shaderStorageImageWriteWithoutFormat,
        .dynamic_storage_images = features->features.shaderStorageImageArrayDynamicIndexing,
        .dynamic_sampled_images = features->features.shaderSampledImageArrayDynamicIndexing,
        .int64 = features->features.shaderInt64,
    };
    for (const VkBaseInStructure *s = features->pNext; s; s = s->pNext) {
        read_struct(s, &out);
    }
    return out;
}
