// SPDX-License-Identifier: MIT
// The commands of the stand-in: held to what Vulkan allows, and forgotten.
#include "tests/fuzz/api/stub.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

// A stand-in takes what the driver takes, and uses little of it.
#pragma GCC diagnostic ignored "-Wunused-parameter"

PFN_vkVoidFunction stub_find(const struct stub_entry *entries, size_t num, const char *name)
{
    for (size_t i = 0; i < num; i++) {
        if (strcmp(entries[i].name, name) == 0) {
            return entries[i].function;
        }
    }
    return NULL;
}

bool stub_has_range(const VkImageSubresourceRange *range)
{
    const uint32_t max_layers = stub_device_get()->limits.maxImageArrayLayers;
    return range->levelCount >= 1 && range->layerCount >= 1 &&
           (range->layerCount <= max_layers || range->layerCount == VK_REMAINING_ARRAY_LAYERS) &&
           range->baseMipLevel < 32;
}

static VKAPI_ATTR void VKAPI_CALL CmdDispatch(VkCommandBuffer c, uint32_t x, uint32_t y, uint32_t z)
{
    fuzz_expect(c && x >= 1 && x <= stub_device_get()->limits.maxComputeWorkGroupCount[0] &&
                    y >= 1 && y <= stub_device_get()->limits.maxComputeWorkGroupCount[1] &&
                    z >= 1 && z <= stub_device_get()->limits.maxComputeWorkGroupCount[2],
                "a dispatch of %u, %u, %u", x, y, z);
}

static bool is_family(uint32_t family)
{
    return family < stub_device_get()->num_families || family == VK_QUEUE_FAMILY_IGNORED ||
           family == VK_QUEUE_FAMILY_EXTERNAL || family == VK_QUEUE_FAMILY_FOREIGN_EXT;
}

static VKAPI_ATTR void VKAPI_CALL CmdPipelineBarrier(
    VkCommandBuffer c, VkPipelineStageFlags s, VkPipelineStageFlags t, VkDependencyFlags f,
    uint32_t num_memory, const VkMemoryBarrier *memory, uint32_t num_buffers,
    const VkBufferMemoryBarrier *buffers, uint32_t num_images, const VkImageMemoryBarrier *images)
{
    fuzz_expect(c != VK_NULL_HANDLE, "a command buffer");
    for (uint32_t i = 0; i < num_images; i++) {
        fuzz_expect(is_family(images[i].srcQueueFamilyIndex) &&
                        is_family(images[i].dstQueueFamilyIndex) &&
                        stub_has_range(&images[i].subresourceRange),
                    "a barrier of families %u and %u", images[i].srcQueueFamilyIndex,
                    images[i].dstQueueFamilyIndex);
    }
}

static VKAPI_ATTR void VKAPI_CALL CmdCopyBufferToImage(VkCommandBuffer c, VkBuffer b, VkImage i,
                                                       VkImageLayout l, uint32_t n,
                                                       const VkBufferImageCopy *copy)
{
    fuzz_expect(n == 1 && copy->imageOffset.x >= 0 && copy->imageOffset.y >= 0 &&
                    copy->imageExtent.width >= 1 && copy->imageExtent.height >= 1 &&
                    copy->imageSubresource.mipLevel < 32,
                "a copy lies in an image");
}

static VKAPI_ATTR void VKAPI_CALL CmdPushConstants(VkCommandBuffer c, VkPipelineLayout l,
                                                   VkShaderStageFlags s, uint32_t offset,
                                                   uint32_t size, const void *data)
{
    fuzz_expect(offset + size <= 128, "push constants that every device has");
}

static VKAPI_ATTR void VKAPI_CALL CmdBindPipeline(VkCommandBuffer c, VkPipelineBindPoint p,
                                                  VkPipeline pipeline)
{
    fuzz_expect(pipeline != VK_NULL_HANDLE, "a pipeline");
}

static VKAPI_ATTR void VKAPI_CALL CmdBindDescriptorSets(VkCommandBuffer c, VkPipelineBindPoint p,
                                                        VkPipelineLayout l, uint32_t first,
                                                        uint32_t num, const VkDescriptorSet *sets,
                                                        uint32_t num_dynamic,
                                                        const uint32_t *dynamic)
{
    for (uint32_t i = 0; i < num; i++) {
        fuzz_expect(sets[i] != VK_NULL_HANDLE, "a descriptor set");
    }
}

#define IGNORED(name, ...)                                                                         \
    static VKAPI_ATTR void VKAPI_CALL name(__VA_ARGS__) {}
IGNORED(CmdBlitImage, VkCommandBuffer c, VkImage a, VkImageLayout k, VkImage b, VkImageLayout l,
        uint32_t n, const VkImageBlit *r, VkFilter f)
IGNORED(CmdClearColorImage, VkCommandBuffer c, VkImage a, VkImageLayout k,
        const VkClearColorValue *v, uint32_t n, const VkImageSubresourceRange *r)
IGNORED(CmdCopyBuffer, VkCommandBuffer c, VkBuffer a, VkBuffer b, uint32_t n, const VkBufferCopy *r)
IGNORED(CmdCopyImage, VkCommandBuffer c, VkImage a, VkImageLayout k, VkImage b, VkImageLayout l,
        uint32_t n, const VkImageCopy *r)
IGNORED(CmdCopyImageToBuffer, VkCommandBuffer c, VkImage a, VkImageLayout k, VkBuffer b, uint32_t n,
        const VkBufferImageCopy *r)
IGNORED(CmdFillBuffer, VkCommandBuffer c, VkBuffer b, VkDeviceSize o, VkDeviceSize s, uint32_t v)
IGNORED(CmdResetQueryPool, VkCommandBuffer c, VkQueryPool p, uint32_t f, uint32_t n)
IGNORED(CmdUpdateBuffer, VkCommandBuffer c, VkBuffer b, VkDeviceSize o, VkDeviceSize s,
        const void *d)
IGNORED(CmdWriteTimestamp, VkCommandBuffer c, VkPipelineStageFlagBits s, VkQueryPool p, uint32_t q)

PFN_vkVoidFunction stub_command_proc(const char *name)
{
    static const struct stub_entry entries[] = {
        STUB_ENTRY(CmdBindDescriptorSets), STUB_ENTRY(CmdBindPipeline),
        STUB_ENTRY(CmdBlitImage),          STUB_ENTRY(CmdCopyBuffer),
        STUB_ENTRY(CmdCopyBufferToImage),  STUB_ENTRY(CmdCopyImage),
        STUB_ENTRY(CmdDispatch),           STUB_ENTRY(CmdFillBuffer),
        STUB_ENTRY(CmdPipelineBarrier),    STUB_ENTRY(CmdPushConstants),
        STUB_ENTRY(CmdResetQueryPool),     STUB_ENTRY(CmdUpdateBuffer),
        STUB_ENTRY(CmdWriteTimestamp),     STUB_ENTRY(CmdCopyImageToBuffer),
        STUB_ENTRY(CmdClearColorImage),
    };
    return stub_find(entries, sizeof(entries) / sizeof(entries[0]), name);
}
