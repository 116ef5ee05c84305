// SPDX-License-Identifier: MIT
// The window of weir play.
#define GLFW_INCLUDE_NONE
#include <vulkan/vulkan.h>

#include <GLFW/glfw3.h>

#include <math.h>
#include <stdlib.h>

#include <weir/swapchain.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/play/show.h"

enum { MIN_WIDTH = 320, MIN_HEIGHT = 180 }; // for the line of facts

struct show_window {
    struct show_window_params params;
    struct show_device *device;
    GLFWwindow *handle;
    int x, y, width, height; // of the window while it fills the screen
    struct weir_swapchain swapchain;
};

static void toggle_full_screen(struct show_window *window)
{
    GLFWwindow *handle = window->handle;
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    if (glfwGetWindowMonitor(handle)) {
        glfwSetWindowMonitor(handle, NULL, window->x, window->y, window->width, window->height, 0);
    } else if (mode) {
        glfwGetWindowPos(handle, &window->x, &window->y);
        glfwGetWindowSize(handle, &window->width, &window->height);
        glfwSetWindowMonitor(handle, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    }
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int mods)
{
    struct show_window *window = glfwGetWindowUserPointer(handle);
    (void)scancode;
    (void)mods;
    if (action == GLFW_RELEASE) {
        return;
    }
    if (key == GLFW_KEY_ESCAPE || key == GLFW_KEY_Q) {
        glfwSetWindowShouldClose(handle, GLFW_TRUE);
    } else if (key == GLFW_KEY_F) {
        toggle_full_screen(window);
    } else {
        window->params.press(window->params.user, key);
    }
}

static void on_size(GLFWwindow *handle, int width, int height)
{
    struct show_window *window = glfwGetWindowUserPointer(handle);
    (void)width;
    (void)height;
    window->swapchain.is_stale = true;
}

static VkResult create_surface(void *user, VkInstance instance, VkSurfaceKHR *surface)
{
    return glfwCreateWindowSurface(instance, user, NULL, surface);
}

// The device is chosen for a window, and the movie is opened on it: it is shown when its size is
// known.
static bool open_handle(struct show_window *window)
{
    if (glfwInit() && glfwVulkanSupported()) {
        glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
        window->handle = glfwCreateWindow(640, 360, window->params.title, NULL, NULL);
    }
    if (!window->handle) {
        cli_report_error("no window system with Vulkan here; weir play --headless writes pictures");
        return false;
    }
    glfwSetWindowUserPointer(window->handle, window);
    glfwSetKeyCallback(window->handle, on_key);
    glfwSetFramebufferSizeCallback(window->handle, on_size);
    return true;
}

void show_window_fit(struct show_window *window, uint32_t width, uint32_t height)
{
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    double scale = 1;
    if (mode) {
        const double across = 0.8 * mode->width / width, down = 0.8 * mode->height / height;
        scale = across < scale ? across : scale;
        scale = down < scale ? down : scale;
    }
    glfwSetWindowSize(window->handle, (int)fmax(width * scale + 0.5, MIN_WIDTH),
                      (int)fmax(height * scale + 0.5, MIN_HEIGHT));
    glfwShowWindow(window->handle);
    if (window->params.full_screen) {
        toggle_full_screen(window);
    }
}

static enum weir_result start(struct show_window *window,
                              const struct weir_device_params *device_params)
{
    static const char *const extensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    struct weir_device_params params = *device_params;
    params.create_surface = create_surface;
    params.surface_user = window->handle;
    params.instance_extensions = glfwGetRequiredInstanceExtensions(&params.num_instance_extensions);
    params.device_extensions = extensions;
    params.num_device_extensions = 1;
    WEIR_TRY(show_device_open(window->device, &params));
    return weir_swapchain_init(
        window->device->gpu,
        weir_swapchain_params(.surface = weir_device_get_surface(window->device->device),
                              .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT),
        &window->swapchain);
}

struct show_window *show_window_open(const struct show_window_params *params,
                                     const struct weir_device_params *device_params,
                                     struct show_device *device)
{
    struct show_window *window = calloc(1, sizeof(*window));
    if (!window) {
        return NULL;
    }
    window->params = *params;
    window->device = device;
    if (!open_handle(window) || start(window, device_params) != WEIR_OK) {
        show_window_close(window);
        return NULL;
    }
    return window;
}

void show_window_close(struct show_window *window)
{
    if (window) {
        weir_swapchain_finish(window->device->gpu, &window->swapchain);
        free(window);
    }
}

void show_window_end(void)
{
    glfwTerminate();
}

bool show_window_poll(struct show_window *window, double seconds)
{
    if (seconds > 0) {
        glfwWaitEventsTimeout(seconds);
    } else {
        glfwPollEvents();
    }
    return !glfwWindowShouldClose(window->handle) && !cli_interrupted();
}

void show_window_set_title(struct show_window *window, const char *title)
{
    glfwSetWindowTitle(window->handle, title);
}

// Copy the bytes of a target, which is as large, to the image that was acquired.
static enum weir_result copy(struct show_window *window, struct show_target *target)
{
    static const struct weir_gpu_scope before = {.stages = VK_PIPELINE_STAGE_TRANSFER_BIT};
    static const struct weir_gpu_scope filled = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                 VK_ACCESS_TRANSFER_WRITE_BIT,
                                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    static const struct weir_gpu_scope after = {.stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                .layout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
    weir_gpu *gpu = window->device->gpu;
    const struct weir_swapchain *swapchain = &window->swapchain;
    struct weir_image_params image = swapchain->image;
    image.image = swapchain->images[swapchain->index];
    const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageCopy region = {layers, {0}, layers, {0}, {image.width, image.height, 1}};
    const struct weir_gpu_submission submission = {.wait = {swapchain->available, 0},
                                                   .wait_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                   .signals = {swapchain->presentable}};
    VkCommandBuffer cmd;
    WEIR_TRY(weir_gpu_begin(gpu, &cmd));
    weir_cmd_barrier(gpu, cmd, &image, before, filled);
    vkCmdCopyImage(cmd, target->image.params.image, VK_IMAGE_LAYOUT_GENERAL, image.image,
                   filled.layout, 1, &region);
    weir_cmd_barrier(gpu, cmd, &image, filled, after);
    return weir_gpu_submit(gpu, cmd, &submission, &target->drawn);
}

bool show_window_swaps(const struct show_window *window)
{
    return window->swapchain.image.format == VK_FORMAT_B8G8R8A8_UNORM ||
           window->swapchain.image.format == VK_FORMAT_B8G8R8A8_SRGB;
}

enum weir_result show_window_present(struct show_window *window, struct show *show,
                                     const char *text)
{
    weir_gpu *gpu = window->device->gpu;
    struct weir_swapchain *swapchain = &window->swapchain;
    int width = 0, height = 0;
    struct show_target *target;
    glfwGetFramebufferSize(window->handle, &width, &height);
    if (width == 0 || height == 0) {
        glfwWaitEventsTimeout(0.1); // minimised
        return WEIR_OK;
    }
    if (swapchain->is_stale) {
        WEIR_TRY(weir_swapchain_resize(gpu, swapchain, (uint32_t)width, (uint32_t)height));
    }
    if (show->width != swapchain->image.width || show->height != swapchain->image.height) {
        WEIR_TRY(show_resize(show, swapchain->image.width, swapchain->image.height));
    }
    WEIR_TRY(show_draw(show, text, &target));
    const enum weir_result result = weir_swapchain_acquire(gpu, swapchain);
    if (result != WEIR_OK) {
        return result == WEIR_NOT_READY ? WEIR_OK : result;
    }
    WEIR_TRY(copy(window, target));
    return weir_swapchain_present(gpu, swapchain);
}
