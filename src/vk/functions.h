// SPDX-License-Identifier: MIT
// The table of Vulkan functions that a context loads from the host's proc address.
#pragma once

#include <vulkan/vulkan_core.h>

#define WEIR_VK_INSTANCE_FUNCTIONS(X)                                                              \
    X(GetDeviceProcAddr)                                                                           \
    X(GetPhysicalDeviceFormatProperties)                                                           \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceQueueFamilyProperties)

#define WEIR_VK_DEVICE_FUNCTIONS(X)                                                                \
    X(AllocateCommandBuffers)                                                                      \
    X(AllocateDescriptorSets)                                                                      \
    X(AllocateMemory)                                                                              \
    X(BeginCommandBuffer)                                                                          \
    X(BindBufferMemory)                                                                            \
    X(BindImageMemory)                                                                             \
    X(CmdBindDescriptorSets)                                                                       \
    X(CmdBindPipeline)                                                                             \
    X(CmdBlitImage)                                                                                \
    X(CmdClearColorImage)                                                                          \
    X(CmdCopyBuffer)                                                                               \
    X(CmdCopyBufferToImage)                                                                        \
    X(CmdCopyImage)                                                                                \
    X(CmdCopyImageToBuffer)                                                                        \
    X(CmdDispatch)                                                                                 \
    X(CmdFillBuffer)                                                                               \
    X(CmdPipelineBarrier)                                                                          \
    X(CmdPushConstants)                                                                            \
    X(CmdResetQueryPool)                                                                           \
    X(CmdUpdateBuffer)                                                                             \
    X(CmdWriteTimestamp)                                                                           \
    X(CreateBuffer)                                                                                \
    X(CreateCommandPool)                                                                           \
    X(CreateComputePipelines)                                                                      \
    X(CreateDescriptorPool)                                                                        \
    X(CreateDescriptorSetLayout)                                                                   \
    X(CreateImage)                                                                                 \
    X(CreateImageView)                                                                             \
    X(CreatePipelineCache)                                                                         \
    X(CreatePipelineLayout)                                                                        \
    X(CreateQueryPool)                                                                             \
    X(CreateSampler)                                                                               \
    X(CreateSemaphore)                                                                             \
    X(CreateShaderModule)                                                                          \
    X(DestroyBuffer)                                                                               \
    X(DestroyCommandPool)                                                                          \
    X(DestroyDescriptorPool)                                                                       \
    X(DestroyDescriptorSetLayout)                                                                  \
    X(DestroyImage)                                                                                \
    X(DestroyImageView)                                                                            \
    X(DestroyPipeline)                                                                             \
    X(DestroyPipelineCache)                                                                        \
    X(DestroyPipelineLayout)                                                                       \
    X(DestroyQueryPool)                                                                            \
    X(DestroySampler)                                                                              \
    X(DestroySemaphore)                                                                            \
    X(DestroyShaderModule)                                                                         \
    X(EndCommandBuffer)                                                                            \
    X(FlushMappedMemoryRanges)                                                                     \
    X(FreeMemory)                                                                                  \
    X(GetBufferMemoryRequirements)                                                                 \
    X(GetImageMemoryRequirements)                                                                  \
    X(GetPipelineCacheData)                                                                        \
    X(GetQueryPoolResults)                                                                         \
    X(InvalidateMappedMemoryRanges)                                                                \
    X(MapMemory)                                                                                   \
    X(QueueSubmit)                                                                                 \
    X(ResetDescriptorPool)                                                                         \
    X(UpdateDescriptorSets)

// Before Vulkan 1.2 their names end with KHR.
#define WEIR_VK_TIMELINE_FUNCTIONS(X)                                                              \
    X(GetSemaphoreCounterValue)                                                                    \
    X(WaitSemaphores)

// Loaded where VK_EXT_debug_utils is enabled, else NULL.
#define WEIR_VK_DEBUG_FUNCTIONS(X)                                                                 \
    X(CmdBeginDebugUtilsLabelEXT)                                                                  \
    X(CmdEndDebugUtilsLabelEXT)                                                                    \
    X(SetDebugUtilsObjectNameEXT)

struct weir_vk_functions {
#define WEIR_VK_MEMBER(name) PFN_vk##name name;
    WEIR_VK_INSTANCE_FUNCTIONS(WEIR_VK_MEMBER)
    WEIR_VK_DEVICE_FUNCTIONS(WEIR_VK_MEMBER)
    WEIR_VK_TIMELINE_FUNCTIONS(WEIR_VK_MEMBER)
    WEIR_VK_DEBUG_FUNCTIONS(WEIR_VK_MEMBER)
#undef WEIR_VK_MEMBER
};
