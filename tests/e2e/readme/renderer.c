// SPDX-License-Identifier: MIT
// A render loop without a window: three images, binary semaphores, a fence an image.
#include "renderer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        printf("%s: VkResult %d\n", what, (int)result);
        exit(1);
    }
}

static uint32_t find_memory(const struct renderer *r, uint32_t allowed)
{
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(r->vulkan.physical_device, &properties);
    for (uint32_t i = 0; i < properties.memoryTypeCount; i++) {
        if ((allowed >> i & 1) &&
            (properties.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)) {
            return i;
        }
    }
    printf("no memory type for an image\n");
    exit(1);
}

static void create_image(struct renderer *r, uint32_t i)
{
    const VkDevice device = r->vulkan.device;
    const VkImageCreateInfo image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = r->format,
        .extent = {r->width, r->height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    check(vkCreateImage(device, &image, NULL, &r->images[i]), "vkCreateImage");
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device, r->images[i], &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = find_memory(r, needs.memoryTypeBits),
    };
    check(vkAllocateMemory(device, &memory, NULL, &r->memory[i]), "vkAllocateMemory");
    check(vkBindImageMemory(device, r->images[i], r->memory[i], 0), "vkBindImageMemory");
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    check(vkCreateSemaphore(device, &semaphore, NULL, &r->rendered[i]), "vkCreateSemaphore");
    check(vkCreateSemaphore(device, &semaphore, NULL, &r->presentable[i]), "vkCreateSemaphore");
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                     .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    check(vkCreateFence(device, &fence, NULL, &r->presented[i]), "vkCreateFence");
}

static void destroy_images(struct renderer *r)
{
    const VkDevice device = r->vulkan.device;
    check(vkDeviceWaitIdle(device), "vkDeviceWaitIdle");
    for (uint32_t i = 0; i < NUM_IMAGES; i++) {
        vkDestroyFence(device, r->presented[i], NULL);
        vkDestroySemaphore(device, r->rendered[i], NULL);
        vkDestroySemaphore(device, r->presentable[i], NULL);
        vkDestroyImage(device, r->images[i], NULL);
        vkFreeMemory(device, r->memory[i], NULL);
    }
}

// Stands in for a user who drags the window's corner.
static VkExtent2D window_size(const struct renderer *r)
{
    return r->num_drawn < RESIZED_FRAME ? (VkExtent2D){320, 180} : (VkExtent2D){203, 117};
}

void renderer_init(struct renderer *r)
{
    memset(r, 0, sizeof(*r));
    const struct weir_log log = {.print = weir_log_print_stderr,
                                 .least_severity = WEIR_LOG_WARNING};
    if (weir_device_create(weir_device_params(.validation = true, .log = log), &r->device) !=
        WEIR_OK) {
        printf("skipped: no Vulkan device, or no validation layer\n");
        exit(77);
    }
    r->vulkan = *weir_device_import(r->device);
    r->vulkan.compute = (struct weir_queue){.queue = VK_NULL_HANDLE};
    r->format = VK_FORMAT_R8G8B8A8_UNORM;
    r->layout = VK_IMAGE_LAYOUT_GENERAL;
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = r->vulkan.graphics.family,
    };
    check(vkCreateCommandPool(r->vulkan.device, &pool, NULL, &r->pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = r->pool,
        .commandBufferCount = NUM_IMAGES,
    };
    check(vkAllocateCommandBuffers(r->vulkan.device, &commands, r->commands),
          "vkAllocateCommandBuffers");
}

bool renderer_begin(struct renderer *r)
{
    destroy_images(r);
    r->width = window_size(r).width;
    r->height = window_size(r).height;
    for (uint32_t i = 0; i < NUM_IMAGES; i++) {
        create_image(r, i);
    }
    return r->num_drawn < NUM_FRAMES;
}

static void record_barrier(const struct renderer *r, VkCommandBuffer cmd, VkImageLayout from,
                           VkImageLayout to, VkAccessFlags src_access, VkAccessFlags dst_access)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = src_access,
        .dstAccessMask = dst_access,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = r->images[r->index],
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                         NULL, 0, NULL, 1, &barrier);
}

static void record_clear(const struct renderer *r, VkCommandBuffer cmd, float grey)
{
    const VkImageLayout drawing = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    const VkClearColorValue color = {.float32 = {grey, grey, grey, 1.0f}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    record_barrier(r, cmd, VK_IMAGE_LAYOUT_UNDEFINED, drawing, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdClearColorImage(cmd, r->images[r->index], drawing, &color, 1, &range);
    record_barrier(r, cmd, drawing, r->layout, VK_ACCESS_TRANSFER_WRITE_BIT, 0);
}

bool renderer_draw(struct renderer *r)
{
    if (r->num_drawn == NUM_FRAMES || window_size(r).width != r->width) {
        return false;
    }
    r->index = r->num_drawn % NUM_IMAGES;
    r->time_ns = (int64_t)r->num_drawn * 1000000000 / 60;
    const float grey = (float)(12 * r->num_drawn++) / 255.0f;
    check(vkWaitForFences(r->vulkan.device, 1, &r->presented[r->index], VK_TRUE, UINT64_MAX),
          "vkWaitForFences");
    check(vkResetFences(r->vulkan.device, 1, &r->presented[r->index]), "vkResetFences");
    VkCommandBuffer cmd = r->commands[r->index];
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
    record_clear(r, cmd, grey);
    check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &r->rendered[r->index],
    };
    check(vkQueueSubmit(r->vulkan.graphics.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    return true;
}

void renderer_present(struct renderer *r)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &r->presentable[r->index],
        .pWaitDstStageMask = &stage,
    };
    check(vkQueueSubmit(r->vulkan.graphics.queue, 1, &submit, r->presented[r->index]),
          "vkQueueSubmit");
}

void renderer_finish(struct renderer *r)
{
    destroy_images(r);
    vkDestroyCommandPool(r->vulkan.device, r->pool, NULL);
    weir_device_destroy(&r->device);
}
