// SPDX-License-Identifier: MIT
// A Vulkan program in plain calls: the device, objects, command buffers and the loop.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

static void check(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
        exit(1);
    }
}

static void read_arguments(struct host *h, int argc, char **argv)
{
    bool ok = true;
    for (int i = 1; ok && i < argc; i++) {
        const char *name = argv[i], *value = argv[i + 1] ? argv[i + 1] : "";
        char rest;
        if (!strcmp(name, "--validation")) {
            h->validation = true;
        } else if (name[0] != '-') {
            h->output = name;
        } else if (strcmp(name, "--headless") != 0) { // for other samples, which have windows
            i++;
            ok = (!strcmp(name, "--frames") &&
                  sscanf(value, "%6u%c", &h->num_frames, &rest) == 1) ||
                 (!strcmp(name, "--size") &&
                  sscanf(value, "%5ux%5u%c", &h->width, &h->height, &rest) == 2) ||
                 (!strcmp(name, "--device") &&
                  sscanf(value, "%6u%c", &h->device_index, &rest) == 1);
        }
    }
    if (!ok || h->num_frames - 1 > 999998 || h->width - 1 > 16383 || h->height - 1 > 16383) {
        fprintf(stderr,
                "%s [OUTPUT] [--frames N] [--size WxH] [--device N] [--headless] "
                "[--validation]\nBy default: %s --frames 120 --size 640x360 --device 0\n",
                argv[0], h->output);
        exit(2);
    }
}

static void make_instance(struct host *h)
{
    const VkValidationFeatureEnableEXT enable =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                              .enabledValidationFeatureCount = 1,
                                              .pEnabledValidationFeatures = &enable};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = h->validation ? &features : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = h->validation ? 1 : 0,
        .ppEnabledLayerNames = (const char *[]){"VK_LAYER_KHRONOS_validation"}};
    check(vkCreateInstance(&info, NULL, &h->instance), "vkCreateInstance");
    VkPhysicalDevice gpus[16];
    uint32_t num = 16;
    if (vkEnumeratePhysicalDevices(h->instance, &num, gpus) < 0 || h->device_index >= num) {
        fprintf(stderr, "no Vulkan device %u\n", h->device_index);
        exit(1);
    }
    h->gpu = gpus[h->device_index];
}

// Enables what the device has of Vulkan 1.2, but for the bounds checks of buffers, which cost time.
static void make_device(struct host *h)
{
    h->vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    h->features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    h->features.pNext = &h->vulkan12;
    vkGetPhysicalDeviceFeatures2(h->gpu, &h->features);
    h->features.features.robustBufferAccess = VK_FALSE;
    const VkQueueFlags needs = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    VkQueueFamilyProperties families[16];
    uint32_t num = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(h->gpu, &num, families);
    while (h->family + 1 < num && (families[h->family].queueFlags & needs) != needs) {
        h->family++;
    }
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = h->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &(float){1.0f}};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &h->features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    check(vkCreateDevice(h->gpu, &info, NULL, &h->device), "vkCreateDevice");
    vkGetDeviceQueue(h->device, h->family, 0, &h->queue);
}

static void make_loop(struct host *h)
{
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                     .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = h->family};
    check(vkCreateCommandPool(h->device, &pool, NULL, &h->pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = h->pool,
        .commandBufferCount = HOST_NUM_IMAGES};
    check(vkAllocateCommandBuffers(h->device, &commands, h->commands), "vkAllocateCommandBuffers");
    for (uint32_t i = 0; i < HOST_NUM_IMAGES; i++) {
        check(vkCreateFence(h->device, &fence, NULL, &h->done[i]), "vkCreateFence");
        check(vkCreateSemaphore(h->device, &semaphore, NULL, &h->drawn[i]), "vkCreateSemaphore");
        check(vkCreateSemaphore(h->device, &semaphore, NULL, &h->is_free[i]), "vkCreateSemaphore");
    }
}

void host_open(struct host *h, int argc, char **argv, const char *output)
{
    *h = (struct host){.output = output, .num_frames = 120, .width = 640, .height = 360};
    read_arguments(h, argc, argv);
    make_instance(h);
    make_device(h);
    make_loop(h);
    void *texels = NULL;
    h->picture = host_make_buffer(h, (VkDeviceSize)h->width * h->height * 4,
                                  VK_BUFFER_USAGE_TRANSFER_SRC_BIT, &texels);
    paint_picture(texels, h->width, h->height);
}

void host_close(struct host *h)
{
    for (uint32_t i = 0; i < HOST_NUM_IMAGES; i++) {
        vkDestroyFence(h->device, h->done[i], NULL);
        vkDestroySemaphore(h->device, h->drawn[i], NULL);
        vkDestroySemaphore(h->device, h->is_free[i], NULL);
    }
    vkDestroyCommandPool(h->device, h->pool, NULL);
    while (h->num_made_images > 0) {
        vkDestroyImage(h->device, h->made_images[--h->num_made_images], NULL);
    }
    while (h->num_made_buffers > 0) {
        vkDestroyBuffer(h->device, h->made_buffers[--h->num_made_buffers], NULL);
    }
    while (h->num_memory > 0) {
        vkFreeMemory(h->device, h->memory[--h->num_memory], NULL);
    }
    vkDestroyDevice(h->device, NULL);
    vkDestroyInstance(h->instance, NULL);
}

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
    check(vkAllocateMemory(h->device, &info, NULL, &h->memory[h->num_memory]), "vkAllocateMemory");
    return h->memory[h->num_memory++];
}

VkImage host_make_image(struct host *h, VkFormat format, uint32_t levels, VkImageUsageFlags usage,
                        VkImageCreateFlags flags)
{
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
    check(vkCreateImage(h->device, &info, NULL, &image), "vkCreateImage");
    vkGetImageMemoryRequirements(h->device, image, &needs);
    const VkDeviceMemory memory = allocate(h, needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    check(vkBindImageMemory(h->device, image, memory, 0), "vkBindImageMemory");
    return h->made_images[h->num_made_images++] = image;
}

VkBuffer host_make_buffer(struct host *h, VkDeviceSize size, VkBufferUsageFlags usage, void **data)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    VkBuffer buffer;
    VkMemoryRequirements needs;
    check(vkCreateBuffer(h->device, &info, NULL, &buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(h->device, buffer, &needs);
    const VkMemoryPropertyFlags on_host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkDeviceMemory memory = allocate(h, needs,
                                           data ? on_host : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    check(vkBindBufferMemory(h->device, buffer, memory, 0), "vkBindBufferMemory");
    if (data) {
        check(vkMapMemory(h->device, memory, 0, VK_WHOLE_SIZE, 0, data), "vkMapMemory");
    }
    return h->made_buffers[h->num_made_buffers++] = buffer;
}

VkCommandBuffer host_begin(struct host *h)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkWaitForFences(h->device, 1, &h->done[h->index], VK_TRUE, UINT64_MAX), "a fence");
    check(vkResetFences(h->device, 1, &h->done[h->index]), "vkResetFences");
    check(vkBeginCommandBuffer(h->commands[h->index], &info), "vkBeginCommandBuffer");
    return h->commands[h->index];
}

void host_submit(struct host *h, VkSemaphore wait, VkSemaphore signal)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .waitSemaphoreCount = wait ? 1 : 0,
                               .pWaitSemaphores = &wait,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &h->commands[h->index],
                               .signalSemaphoreCount = signal ? 1 : 0,
                               .pSignalSemaphores = &signal};
    check(vkEndCommandBuffer(h->commands[h->index]), "vkEndCommandBuffer");
    check(vkQueueSubmit(h->queue, 1, &info, h->done[h->index]), "vkQueueSubmit");
}

void host_wait(struct host *h)
{
    check(vkWaitForFences(h->device, HOST_NUM_IMAGES, h->done, VK_TRUE, UINT64_MAX), "fences");
}

bool host_draw(struct host *h)
{
    if (h->num_drawn == h->num_frames) {
        return false;
    }
    h->index = h->num_drawn % HOST_NUM_IMAGES;
    h->time_ns = (int64_t)h->num_drawn * 1000000000 / HOST_RATE;
    const VkCommandBuffer cmd = host_begin(h);
    record_picture(h, cmd, h->images[h->index], h->num_drawn);
    record_barrier(cmd, h->images[h->index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_GENERAL);
    const bool is_first = h->num_drawn++ < HOST_NUM_IMAGES; // of this image
    host_submit(h, is_first ? VK_NULL_HANDLE : h->is_free[h->index], h->drawn[h->index]);
    return true;
}
