// SPDX-License-Identifier: MIT
// A Vulkan program in plain calls: the device, command buffers and the loop.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

void host_check(VkResult result, const char *what)
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
        } else if (!strcmp(name, "--headless")) {
            h->headless = true;
        } else if (name[0] != '-') {
            h->output = name;
        } else {
            i++;
            ok = (!strcmp(name, "--frames") && sscanf(value, "%6u%c", &h->num_frames, &rest) == 1 &&
                  h->num_frames - 1 < 999999) ||
                 (!strcmp(name, "--size") &&
                  sscanf(value, "%5ux%5u%c", &h->width, &h->height, &rest) == 2) ||
                 (!strcmp(name, "--device") &&
                  sscanf(value, "%6u%c", &h->device_index, &rest) == 1);
        }
    }
    if (h->num_frames == 0) {
        h->num_frames = h->headless ? 120 : UINT32_MAX;
    }
    if (!ok || h->width - 1 > 16383 || h->height - 1 > 16383) {
        fprintf(stderr,
                "%s [OUTPUT] [--frames N] [--size WxH] [--device N] [--headless] [--validation]\n"
                "By default: %s, 640x360, device 0, and without a window 120 frames\n",
                argv[0], h->output);
        exit(2);
    }
}

static void make_instance(struct host *h)
{
    uint32_t num_extensions = 0;
    const char **extensions = h->headless ? NULL : window_get_extensions(&num_extensions);
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
        .ppEnabledLayerNames = (const char *[]){"VK_LAYER_KHRONOS_validation"},
        .enabledExtensionCount = num_extensions,
        .ppEnabledExtensionNames = extensions};
    host_check(vkCreateInstance(&info, NULL, &h->instance), "vkCreateInstance");
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
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &h->features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = h->headless ? 0 : 1,
        .ppEnabledExtensionNames = (const char *[]){VK_KHR_SWAPCHAIN_EXTENSION_NAME}};
    host_check(vkCreateDevice(h->gpu, &info, NULL, &h->device), "vkCreateDevice");
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
    host_check(vkCreateCommandPool(h->device, &pool, NULL, &h->pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = h->pool,
        .commandBufferCount = HOST_NUM_IMAGES};
    host_check(vkAllocateCommandBuffers(h->device, &commands, h->commands),
               "vkAllocateCommandBuffers");
    for (uint32_t i = 0; i < HOST_NUM_IMAGES; i++) {
        host_check(vkCreateFence(h->device, &fence, NULL, &h->done[i]), "vkCreateFence");
        host_check(vkCreateSemaphore(h->device, &semaphore, NULL, &h->drawn[i]),
                   "vkCreateSemaphore");
        host_check(vkCreateSemaphore(h->device, &semaphore, NULL, &h->is_free[i]),
                   "vkCreateSemaphore");
    }
}

static void start(struct host *h, int argc, char **argv)
{
    read_arguments(h, argc, argv);
    make_instance(h);
    make_device(h);
    make_loop(h);
    void *texels = NULL;
    h->picture = host_make_buffer(h, (VkDeviceSize)h->width * h->height * 4,
                                  VK_BUFFER_USAGE_TRANSFER_SRC_BIT, &texels);
    paint_picture(texels, h->width, h->height);
    if (!h->headless) {
        window_open(&h->window, h);
    }
}

void host_open(struct host *h, int argc, char **argv, const char *output)
{
    *h = (struct host){.output = output, .width = 640, .height = 360, .headless = true};
    start(h, argc, argv);
}

void host_open_loop(struct host *h, int argc, char **argv, const char *output)
{
    *h = (struct host){.output = output, .width = 640, .height = 360};
    start(h, argc, argv);
}

void host_close(struct host *h)
{
    if (!h->headless) {
        window_close(&h->window);
    }
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

VkCommandBuffer host_begin(struct host *h)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    host_check(vkWaitForFences(h->device, 1, &h->done[h->index], VK_TRUE, UINT64_MAX), "a fence");
    host_check(vkResetFences(h->device, 1, &h->done[h->index]), "vkResetFences");
    host_check(vkBeginCommandBuffer(h->commands[h->index], &info), "vkBeginCommandBuffer");
    return h->commands[h->index];
}

static void submit(struct host *h, VkSemaphore wait, const VkSemaphore *signals, uint32_t num)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .waitSemaphoreCount = wait ? 1 : 0,
                               .pWaitSemaphores = &wait,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &h->commands[h->index],
                               .signalSemaphoreCount = num,
                               .pSignalSemaphores = signals};
    host_check(vkEndCommandBuffer(h->commands[h->index]), "vkEndCommandBuffer");
    host_check(vkQueueSubmit(h->queue, 1, &info, h->done[h->index]), "vkQueueSubmit");
}

void host_submit(struct host *h)
{
    submit(h, VK_NULL_HANDLE, NULL, 0);
}

void host_wait(struct host *h)
{
    host_check(vkWaitForFences(h->device, HOST_NUM_IMAGES, h->done, VK_TRUE, UINT64_MAX), "fences");
}

bool host_draw(struct host *h)
{
    h->time_ns = (int64_t)h->num_drawn * 1000000000 / HOST_RATE;
    if (h->num_drawn == h->num_frames ||
        (!h->headless && !window_poll(&h->window, (double)h->time_ns * 1e-9))) {
        return false;
    }
    h->index = h->num_drawn % HOST_NUM_IMAGES;
    const bool is_first = h->num_drawn < HOST_NUM_IMAGES; // of this image
    const bool is_shown = !h->headless && window_acquire(&h->window);
    const VkImage image = h->images[h->index];
    const VkCommandBuffer cmd = host_begin(h);
    record_picture(h, cmd, image, h->num_drawn++);
    record_barrier(cmd, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    if (is_shown) {
        record_show(h, cmd, image);
    }
    const VkSemaphore signals[] = {h->drawn[h->index], h->window.drawn[h->window.index]};
    submit(h, is_first ? VK_NULL_HANDLE : h->is_free[h->index], signals, is_shown ? 2 : 1);
    if (is_shown) {
        window_present(&h->window);
    }
    return true;
}
