// SPDX-License-Identifier: MIT
// A window by GLFW.
#include "host.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

const char **window_open(struct window *w, const struct host *h, uint32_t *num_extensions)
{
    const char **names = glfwInit() ? glfwGetRequiredInstanceExtensions(num_extensions) : NULL;
    host_check(names, "a display (--headless needs none)");
    *w = (struct window){.host = h};
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
    const VkSurfaceKHR surface = weir_device_get_surface(w->host->made);
    host_check(weir_swapchain_init(w->host->gpu,
                                   weir_swapchain_params(.surface = surface,
                                                         .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT),
                                   &w->swapchain) == WEIR_OK,
               "a swapchain");
    glfwSetTime(0.0);
}

void window_stop(struct window *w)
{
    weir_swapchain_finish(w->host->gpu, &w->swapchain);
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
    struct weir_swapchain *swapchain = &w->swapchain;
    VkExtent2D size;
    glfwGetFramebufferSize(w->glfw, (int *)&size.width, (int *)&size.height);
    if (size.width == 0 || size.height == 0) {
        return false; // minimised
    }
    if (swapchain->is_stale || size.width != swapchain->image.width ||
        size.height != swapchain->image.height) {
        host_check(weir_swapchain_resize(w->host->gpu, swapchain, size.width, size.height) ==
                       WEIR_OK,
                   "a swapchain");
    }
    const enum weir_result result = weir_swapchain_acquire(w->host->gpu, swapchain);
    host_check(result >= WEIR_OK, "an image of the window");
    return result == WEIR_OK;
}

void window_present(struct window *w)
{
    host_check(weir_swapchain_present(w->host->gpu, &w->swapchain) == WEIR_OK, "a present");
}
