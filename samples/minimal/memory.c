// SPDX-License-Identifier: MIT
// The images and buffers of a host, each with memory of its own.
#include "host.h"

static VkDeviceMemory allocate(struct host *h, VkMemoryRequirements needs,
                               VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties has;
    vkGetPhysicalDeviceMemoryProperties(h->gpu, &has);
    uint32_t type = 0;
    while (type + 1 < has.memoryTypeCount &&
           (!(needs.memoryTypeBits >> type & 1) ||
            (has.memoryTypes[type].propertyFlags & flags) != flags)) {
        type++;
    }
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs.size,
                                       .memoryTypeIndex = type};
    host_check(vkAllocateMemory(h->device, &info, NULL, &h->memory[h->num_memory]),
               "vkAllocateMemory");
    return h->memory[h->num_memory++];
}

VkImage host_make_image(struct host *h, VkFormat format, uint32_t levels, VkImageUsageFlags usage,
                        VkImageCreateFlags flags)
{
    usage |= h->headless ? 0 : VK_IMAGE_USAGE_TRANSFER_SRC_BIT; // it is copied to the window
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .flags = flags,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {h->width, h->height, 1},
                                    .mipLevels = levels,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = usage};
    VkImage image;
    VkMemoryRequirements needs;
    host_check(vkCreateImage(h->device, &info, NULL, &image), "vkCreateImage");
    vkGetImageMemoryRequirements(h->device, image, &needs);
    const VkDeviceMemory memory = allocate(h, needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    host_check(vkBindImageMemory(h->device, image, memory, 0), "vkBindImageMemory");
    return h->made_images[h->num_made_images++] = image;
}

VkBuffer host_make_buffer(struct host *h, VkDeviceSize size, VkBufferUsageFlags usage, void **data)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    VkBuffer buffer;
    VkMemoryRequirements needs;
    host_check(vkCreateBuffer(h->device, &info, NULL, &buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(h->device, buffer, &needs);
    const VkMemoryPropertyFlags on_host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkDeviceMemory memory = allocate(h, needs,
                                           data ? on_host : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    host_check(vkBindBufferMemory(h->device, buffer, memory, 0), "vkBindBufferMemory");
    if (data) {
        host_check(vkMapMemory(h->device, memory, 0, VK_WHOLE_SIZE, 0, data), "vkMapMemory");
    }
    return h->made_buffers[h->num_made_buffers++] = buffer;
}
