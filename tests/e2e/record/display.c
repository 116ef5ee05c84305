// SPDX-License-Identifier: MIT
// Windows of an X server, or none, with their surfaces.
#define VK_USE_PLATFORM_XCB_KHR
#include <xcb/xcb.h>

#include <stdlib.h>
#include <time.h>

#include <vulkan/vulkan.h>

#include "window.h"

enum { MAX_RESIZE_TRIES = 1000 };

struct display {
    xcb_connection_t *connection;
    const xcb_screen_t *screen;
};

struct display *display_open(void)
{
    struct display *display = malloc(sizeof(*display));
    gpu_check(display ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY, "memory");
    display->connection = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(display->connection)) {
        gpu_skip("no X server");
    }
    display->screen = xcb_setup_roots_iterator(xcb_get_setup(display->connection)).data;
    return display;
}

void display_close(struct display *display)
{
    if (display) {
        xcb_disconnect(display->connection);
        free(display);
    }
}

static void make_headless(struct window *window, const struct gpu *gpu)
{
    const VkHeadlessSurfaceCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    PFN_vkCreateHeadlessSurfaceEXT create = (PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(
        gpu->instance, "vkCreateHeadlessSurfaceEXT");
    gpu_check(create(gpu->instance, &info, NULL, &window->surface), "vkCreateHeadlessSurfaceEXT");
}

void window_open(struct window *window, struct display *display, const struct gpu *gpu,
                 uint32_t width, uint32_t height)
{
    window->display = display;
    window->extent = (VkExtent2D){width, height};
    if (!display) {
        make_headless(window, gpu);
        return;
    }
    const xcb_screen_t *screen = display->screen;
    window->id = xcb_generate_id(display->connection);
    xcb_create_window(display->connection, XCB_COPY_FROM_PARENT, window->id, screen->root, 0, 0,
                      (uint16_t)width, (uint16_t)height, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
                      screen->root_visual, 0, NULL);
    xcb_map_window(display->connection, window->id);
    xcb_flush(display->connection);
    const VkXcbSurfaceCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR,
        .connection = display->connection,
        .window = window->id,
    };
    gpu_check(vkCreateXcbSurfaceKHR(gpu->instance, &info, NULL, &window->surface),
              "vkCreateXcbSurfaceKHR");
}

void window_resize(struct window *window, const struct gpu *gpu, uint32_t width, uint32_t height)
{
    const uint32_t size[2] = {width, height};
    const struct timespec pause = {.tv_nsec = 1000000};
    window->extent = (VkExtent2D){width, height};
    if (!window->display) {
        return;
    }
    xcb_configure_window(window->display->connection, window->id,
                         XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
    xcb_flush(window->display->connection);
    // A window manager may take its time, or decide otherwise.
    for (int i = 0; i < MAX_RESIZE_TRIES; i++) {
        VkSurfaceCapabilitiesKHR can;
        gpu_check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu->physical, window->surface, &can),
                  "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
        if (can.currentExtent.width == width && can.currentExtent.height == height) {
            return;
        }
        nanosleep(&pause, NULL);
    }
}
