// SPDX-License-Identifier: MIT
// Images that a program makes itself, and that share the memory of a swapchain's. The driver knows
// nothing of the layer's swapchains, and is told of none.
#include "tests/e2e/record/stand_in/alias.h"

#include "tests/e2e/record/stand_in/swapchain.h"

static const void *find(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *at = chain;
    while (at && at->sType != type) {
        at = at->pNext;
    }
    return at;
}

VkResult stand_in_create_image(VkDevice handle, const VkImageCreateInfo *info,
                               const VkAllocationCallbacks *allocator, VkImage *out)
{
    const struct stand_in_device *device = stand_in_device_of(handle);
    const VkImageSwapchainCreateInfoKHR *of = find(
        info->pNext, VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR);
    VkImageCreateInfo own = *info;
    if (of && of->swapchain) {
        own.pNext = NULL; // as the swapchain's own images are made
    }
    return device->CreateImage(handle, &own, allocator, out);
}

static VkResult bind(VkDevice handle, PFN_vkBindImageMemory2 next, uint32_t num,
                     const VkBindImageMemoryInfo *infos)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; result == VK_SUCCESS && i < num; i++) {
        VkBindImageMemoryInfo own = infos[i];
        const VkBindImageMemorySwapchainInfoKHR *of = find(
            infos[i].pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
        if (of && of->swapchain) {
            own.pNext = NULL;
            own.memory = stand_in_swapchain_of(of->swapchain)->images[of->imageIndex].memory;
            own.memoryOffset = 0;
        }
        result = next(handle, 1, &own);
    }
    return result;
}

VkResult stand_in_bind_image_memory_2(VkDevice handle, uint32_t num,
                                      const VkBindImageMemoryInfo *infos)
{
    return bind(handle, stand_in_device_of(handle)->BindImageMemory2, num, infos);
}

VkResult stand_in_bind_image_memory_2_khr(VkDevice handle, uint32_t num,
                                          const VkBindImageMemoryInfo *infos)
{
    return bind(handle, stand_in_device_of(handle)->BindImageMemory2KHR, num, infos);
}
