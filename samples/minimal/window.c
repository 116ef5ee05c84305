// SPDX-License-Identifier: MIT
// A window by GLFW, whose swapchain is made anew where its size changes.
#include "host.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

static void make_swapchain(struct window *w)
{
    const struct host *h = w->host;
    const VkDevice device = h->device->device;
    const VkPhysicalDevice gpu = h->device->physical_device;
    const VkSurfaceKHR surface = weir_device_get_surface(h->made);
    VkSurfaceCapabilitiesKHR can;
    VkSurfaceFormatKHR formats[64];
    uint32_t num_formats = 64, num = WINDOW_MAX_IMAGES, i = 0;
    host_check(!vkQueueWaitIdle(h->queue.queue), "vkQueueWaitIdle");
    vkDestroySwapchainKHR(device, w->swapchain, NULL);
    host_check(!vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu, surface, &can), "a surface");
    if (can.currentExtent.width != UINT32_MAX) { // else the swapchain decides
        w->size = can.currentExtent;
    }
    vkGetPhysicalDeviceSurfaceFormatsKHR(gpu, surface, &num_formats, formats);
    while (i + 1 < num_formats && formats[i].format != VK_FORMAT_B8G8R8A8_UNORM) {
        i++; // to the one that stores codes as they are
    }
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = surface,
        .minImageCount = can.minImageCount + (can.minImageCount != can.maxImageCount),
        .imageFormat = formats[i].format,
        .imageColorSpace = formats[i].colorSpace,
        .imageExtent = w->size,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .preTransform = can.currentTransform,
        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        .presentMode = VK_PRESENT_MODE_FIFO_KHR};
    host_check(!vkCreateSwapchainKHR(device, &info, NULL, &w->swapchain), "a swapchain");
    host_check(!vkGetSwapchainImagesKHR(device, w->swapchain, &num, w->images), "its images");
}

const char **window_open(struct window *w, const struct host *h, uint32_t *num_extensions)
{
    const char **names = glfwInit() ? glfwGetRequiredInstanceExtensions(num_extensions) : NULL;
    host_check(names, "a display (--headless needs none)");
    *w = (struct window){.host = h, .size = {h->width, h->height}};
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    w->glfw = glfwCreateWindow((int)h->width, (int)h->height, h->output, NULL, NULL);
    host_check(w->glfw, "a window");
    glfwSetInputMode(w->glfw, GLFW_STICKY_KEYS, GLFW_TRUE); // none is missed
    return names;
}

VkResult window_make_surface(void *window, VkInstance instance, VkSurfaceKHR *surface)
{
    return glfwCreateWindowSurface(instance, ((struct window *)window)->glfw, NULL, surface);
}

void window_start(struct window *w)
{
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkDevice device = w->host->device->device;
    host_check(!vkCreateFence(device, &fence, NULL, &w->is_free), "vkCreateFence");
    for (int i = 0; i < WINDOW_MAX_IMAGES; i++) {
        host_check(!vkCreateSemaphore(device, &semaphore, NULL, &w->drawn[i]), "a semaphore");
    }
    make_swapchain(w);
    glfwSetTime(0.0);
}

void window_stop(struct window *w)
{
    const VkDevice device = w->host->device->device;
    host_check(!vkQueueWaitIdle(w->host->queue.queue), "vkQueueWaitIdle");
    vkDestroySwapchainKHR(device, w->swapchain, NULL);
    vkDestroyFence(device, w->is_free, NULL);
    for (int i = 0; i < WINDOW_MAX_IMAGES; i++) {
        vkDestroySemaphore(device, w->drawn[i], NULL);
    }
}

void window_close(struct window *w)
{
    glfwDestroyWindow(w->glfw);
    glfwTerminate();
}

bool window_poll(struct window *w, double seconds)
{
    glfwPollEvents();
    for (double now = glfwGetTime(); now < seconds; now = glfwGetTime()) {
        glfwWaitEventsTimeout(seconds - now);
    }
    return !glfwWindowShouldClose(w->glfw) && !glfwGetKey(w->glfw, GLFW_KEY_ESCAPE);
}

bool window_acquire(struct window *w)
{
    const VkDevice device = w->host->device->device;
    VkExtent2D size;
    glfwGetFramebufferSize(w->glfw, (int *)&size.width, (int *)&size.height);
    if (size.width != w->size.width || size.height != w->size.height ||
        vkAcquireNextImageKHR(device, w->swapchain, UINT64_MAX, VK_NULL_HANDLE, w->is_free,
                              &w->index) < 0) {
        w->size = size;
        make_swapchain(w); // if the size is not what was wrong, it says so
        return false;
    }
    host_check(!vkWaitForFences(device, 1, &w->is_free, VK_TRUE, UINT64_MAX), "a fence");
    host_check(!vkResetFences(device, 1, &w->is_free), "vkResetFences");
    return true;
}

void window_present(struct window *w)
{
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &w->drawn[w->index],
                                   .swapchainCount = 1,
                                   .pSwapchains = &w->swapchain,
                                   .pImageIndices = &w->index};
    if (vkQueuePresentKHR(w->host->queue.queue, &info) != VK_SUCCESS) {
        make_swapchain(w);
    }
}
