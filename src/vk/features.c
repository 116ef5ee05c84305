// SPDX-License-Identifier: MIT
// What Weir needs of a device, and which features of it the host enabled.
#include "vk/context.h"

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

static const struct weir_requirement requirements[] = {
    {WEIR_REQUIREMENT_VERSION, "1.2", true,
     "timeline semaphores and SPIR-V 1.5; 1.1 is enough with the extensions "
     "VK_KHR_timeline_semaphore and VK_KHR_spirv_1_4"},
    {WEIR_REQUIREMENT_FEATURE, "timelineSemaphore", true,
     "the points in time that host, encoder and readback exchange"},
    {WEIR_REQUIREMENT_FEATURE, "shaderStorageImageWriteWithoutFormat", false,
     "pyramids by compute (else by blits); needed by palettes and by proxies of encoders"},
    {WEIR_REQUIREMENT_FEATURE, "shaderStorageImageArrayDynamicIndexing", false,
     "pyramids of several images in one dispatch; without it each image takes a dispatch"},
    {WEIR_REQUIREMENT_FEATURE, "shaderSampledImageArrayDynamicIndexing", false,
     "pyramids of several images in one dispatch, as above"},
    {WEIR_REQUIREMENT_FEATURE, "shaderInt64", false,
     "palette reduction, which is not possible without it"},
    {WEIR_REQUIREMENT_FEATURE, "shaderBufferInt64Atomics", false,
     "palette reduction by mean shift: colours that meet are merged, which is faster"},
    {WEIR_REQUIREMENT_FEATURE, "subgroupSizeControl", false,
     "full subgroups of a known size for kernels that shuffle; without it they use shared memory"},
    {WEIR_REQUIREMENT_EXTENSION, "VK_EXT_subgroup_size_control", false,
     "where subgroupSizeControl comes from before Vulkan 1.3"},
    {WEIR_REQUIREMENT_EXTENSION, "VK_KHR_swapchain_mutable_format", false,
     "an sRGB swapchain is read as stored codes; without it the kernel encodes them again"},
    {WEIR_REQUIREMENT_EXTENSION, "VK_KHR_image_format_list", false,
     "lets a driver keep a mutable swapchain image compressed"},
};

const struct weir_requirement *weir_requirement_list(size_t *num_requirements)
{
    if (num_requirements) {
        *num_requirements = sizeof(requirements) / sizeof(requirements[0]);
    }
    return requirements;
}
