// SPDX-License-Identifier: MIT
// A window by GLFW, whose swapchain is made anew where its size changes.
#include "window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "host.h"

const char **window_get_extensions(uint32_t *num)
{
    const char **names = glfwInit() ? glfwGetRequiredInstanceExtensions(num) : NULL;
    host_check(names ? VK_SUCCESS : VK_ERROR_UNKNOWN, "no display (--headless needs none)");
    return names;
}

static void make_swapchain(struct window *w)
{
    const struct host *h = w->host;
    VkSurfaceCapabilitiesKHR can;
    VkSurfaceFormatKHR formats[64];
    uint32_t num_formats = 64, num = WINDOW_MAX_IMAGES, i = 0;
    host_check(vkQueueWaitIdle(h->queue), "vkQueueWaitIdle");
    vkDestroySwapchainKHR(h->device, w->swapchain, NULL);
    host_check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(h->gpu, w->surface, &can), "a surface");
    if (can.currentExtent.width != UINT32_MAX) { // else the swapchain decides
        w->size = can.currentExtent;
    }
    vkGetPhysicalDeviceSurfaceFormatsKHR(h->gpu, w->surface, &num_formats, formats);
    while (i + 1 < num_formats && formats[i].format != VK_FORMAT_B8G8R8A8_UNORM) {
        i++; // to the one that stores codes as they are
    }
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = w->surface,
        .minImageCount = can.minImageCount + (can.minImageCount != can.maxImageCount),
        .imageFormat = formats[i].format,
        .imageColorSpace = formats[i].colorSpace,
        .imageExtent = w->size,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .preTransform = can.currentTransform,
        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        .presentMode = VK_PRESENT_MODE_FIFO_KHR};
    host_check(vkCreateSwapchainKHR(h->device, &info, NULL, &w->swapchain), "a swapchain");
    host_check(vkGetSwapchainImagesKHR(h->device, w->swapchain, &num, w->images), "its images");
}

void window_open(struct window *w, const struct host *h)
{
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    *w = (struct window){.host = h, .size = {h->width, h->height}};
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    w->glfw = glfwCreateWindow((int)h->width, (int)h->height, h->output, NULL, NULL);
    host_check(w->glfw ? VK_SUCCESS : VK_ERROR_UNKNOWN, "a window");
    host_check(glfwCreateWindowSurface(h->instance, w->glfw, NULL, &w->surface), "its surface");
    glfwSetInputMode(w->glfw, GLFW_STICKY_KEYS, GLFW_TRUE); // none is missed
    host_check(vkCreateFence(h->device, &fence, NULL, &w->is_free), "vkCreateFence");
    for (int i = 0; i < WINDOW_MAX_IMAGES; i++) {
        host_check(vkCreateSemaphore(h->device, &semaphore, NULL, &w->drawn[i]), "a semaphore");
    }
    make_swapchain(w);
    glfwSetTime(0.0);
}

void window_close(struct window *w)
{
    host_check(vkQueueWaitIdle(w->host->queue), "vkQueueWaitIdle");
    vkDestroySwapchainKHR(w->host->device, w->swapchain, NULL);
    vkDestroyFence(w->host->device, w->is_free, NULL);
    for (int i = 0; i < WINDOW_MAX_IMAGES; i++) {
        vkDestroySemaphore(w->host->device, w->drawn[i], NULL);
    }
    vkDestroySurfaceKHR(w->host->instance, w->surface, NULL);
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
    VkExtent2D size;
    glfwGetFramebufferSize(w->glfw, (int *)&size.width, (int *)&size.height);
    if (size.width != w->size.width || size.height != w->size.height ||
        vkAcquireNextImageKHR(w->host->device, w->swapchain, UINT64_MAX, VK_NULL_HANDLE, w->is_free,
                              &w->index) < 0) {
        w->size = size;
        make_swapchain(w); // if the size is not what was wrong, it says so
        return false;
    }
    host_check(vkWaitForFences(w->host->device, 1, &w->is_free, VK_TRUE, UINT64_MAX), "a fence");
    host_check(vkResetFences(w->host->device, 1, &w->is_free), "vkResetFences");
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
    if (vkQueuePresentKHR(w->host->queue, &info) != VK_SUCCESS) {
        make_swapchain(w);
    }
}
