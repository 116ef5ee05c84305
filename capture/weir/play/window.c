// SPDX-License-Identifier: MIT
// The window of weir play, and its images.
#define GLFW_INCLUDE_NONE
#include <vulkan/vulkan.h>

#include <GLFW/glfw3.h>

#include <stdlib.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/play/show.h"

enum { MAX_IMAGES = 16, MAX_FORMATS = 64 };

struct show_window {
    struct show_window_params params;
    struct show_device *device;
    GLFWwindow *handle;
    int x, y, width, height; // of the window while it fills the screen
    VkSurfaceKHR surface;
    VkFormat format;
    VkSwapchainKHR swapchain;
    VkExtent2D extent;
    VkImage images[MAX_IMAGES];
    // One an image: a present may still wait for it when the next one is already presented.
    VkSemaphore presentable[MAX_IMAGES];
    VkSemaphore available[SHOW_NUM_TARGETS];
    bool stale; // the surface has changed
};

static enum weir_result check(VkResult result, const char *what)
{
    return result == VK_SUCCESS ? WEIR_OK
                                : cli_fail(WEIR_ERROR_VULKAN, "%s failed (%d)", what, (int)result);
}

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
    static const struct {
        int key;
        enum show_key meaning;
    } keys[] = {
        {GLFW_KEY_SPACE, SHOW_KEY_PAUSE},
        {GLFW_KEY_LEFT, SHOW_KEY_LEFT},
        {GLFW_KEY_RIGHT, SHOW_KEY_RIGHT},
        {GLFW_KEY_LEFT_BRACKET, SHOW_KEY_SLOWER},
        {GLFW_KEY_RIGHT_BRACKET, SHOW_KEY_FASTER},
        {GLFW_KEY_BACKSPACE, SHOW_KEY_BACKWARDS},
        {GLFW_KEY_HOME, SHOW_KEY_HOME},
        {GLFW_KEY_L, SHOW_KEY_LOOP},
        {GLFW_KEY_O, SHOW_KEY_OVERLAY},
    };
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
    }
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (keys[i].key == key) {
            window->params.press(window->params.user, keys[i].meaning);
        }
    }
}

static void on_size(GLFWwindow *handle, int width, int height)
{
    struct show_window *window = glfwGetWindowUserPointer(handle);
    (void)width;
    (void)height;
    window->stale = true;
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
    glfwSetWindowSize(window->handle, (int)(width * scale + 0.5), (int)(height * scale + 0.5));
    glfwShowWindow(window->handle);
    if (window->params.full_screen) {
        toggle_full_screen(window);
    }
}

// The kernel writes codes, so no format of the window's may encode them once more.
static enum weir_result choose_format(struct show_window *window)
{
    static const VkFormat wanted[] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM,
                                      VK_FORMAT_A8B8G8R8_UNORM_PACK32};
    VkSurfaceFormatKHR formats[MAX_FORMATS];
    uint32_t num = MAX_FORMATS;
    const VkResult result = vkGetPhysicalDeviceSurfaceFormatsKHR(
        window->device->import.physical_device, window->surface, &num, formats);
    if (result != VK_INCOMPLETE) {
        WEIR_TRY(check(result, "vkGetPhysicalDeviceSurfaceFormatsKHR"));
    }
    for (size_t w = 0; w < sizeof(wanted) / sizeof(wanted[0]); w++) {
        for (uint32_t i = 0; i < num; i++) {
            if (formats[i].format == wanted[w] &&
                formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
                window->format = wanted[w];
                return WEIR_OK;
            }
        }
    }
    return cli_fail(WEIR_ERROR_UNSUPPORTED, "the window offers no 8-bit format");
}

static enum weir_result make_semaphore(struct show_window *window, VkSemaphore *semaphore)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    return *semaphore
               ? WEIR_OK
               : check(vkCreateSemaphore(window->device->import.device, &info, NULL, semaphore),
                       "vkCreateSemaphore");
}

static uint32_t clamp(uint32_t x, uint32_t min, uint32_t max)
{
    return x < min ? min : x > max ? max : x;
}

static enum weir_result make_swapchain(struct show_window *window, uint32_t width, uint32_t height)
{
    const VkDevice device = window->device->import.device;
    VkSurfaceCapabilitiesKHR can;
    WEIR_TRY(check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(window->device->import.physical_device,
                                                             window->surface, &can),
                   "vkGetPhysicalDeviceSurfaceCapabilitiesKHR"));
    const bool is_free = can.currentExtent.width == UINT32_MAX;
    window->extent = (VkExtent2D){clamp(is_free ? width : can.currentExtent.width,
                                        can.minImageExtent.width, can.maxImageExtent.width),
                                  clamp(is_free ? height : can.currentExtent.height,
                                        can.minImageExtent.height, can.maxImageExtent.height)};
    const uint32_t most = can.maxImageCount ? can.maxImageCount : MAX_IMAGES;
    const VkCompositeAlphaFlagsKHR alpha = can.supportedCompositeAlpha;
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = window->surface,
        .minImageCount = clamp(can.minImageCount + 1, 1, most),
        .imageFormat = window->format,
        .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
        .imageExtent = window->extent,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .preTransform = can.currentTransform,
        // The lowest flag that the surface has; opaque is the lowest of all.
        .compositeAlpha = (VkCompositeAlphaFlagBitsKHR)(alpha & (~alpha + 1)),
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_TRUE,
        .oldSwapchain = window->swapchain,
    };
    VkSwapchainKHR made = VK_NULL_HANDLE;
    const enum weir_result result = check(vkCreateSwapchainKHR(device, &info, NULL, &made),
                                          "vkCreateSwapchainKHR");
    vkDestroySwapchainKHR(device, window->swapchain, NULL);
    window->swapchain = made;
    uint32_t num = MAX_IMAGES;
    WEIR_TRY(result);
    WEIR_TRY(check(vkGetSwapchainImagesKHR(device, made, &num, window->images),
                   "vkGetSwapchainImagesKHR"));
    for (uint32_t i = 0; i < num; i++) {
        WEIR_TRY(make_semaphore(window, &window->presentable[i]));
    }
    return WEIR_OK;
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
    window->surface = weir_device_get_surface(window->device->device);
    for (uint32_t i = 0; i < SHOW_NUM_TARGETS; i++) {
        WEIR_TRY(make_semaphore(window, &window->available[i]));
    }
    return choose_format(window);
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
    window->stale = true;
    if (!open_handle(window) || start(window, device_params) != WEIR_OK) {
        show_window_close(window);
        return NULL;
    }
    return window;
}

void show_window_close(struct show_window *window)
{
    if (!window) {
        return;
    }
    const VkDevice device = window->device->import.device;
    if (device) {
        vkDeviceWaitIdle(device); // a presentation is over at an unknown time
        for (uint32_t i = 0; i < MAX_IMAGES; i++) {
            vkDestroySemaphore(device, window->presentable[i], NULL);
        }
        for (uint32_t i = 0; i < SHOW_NUM_TARGETS; i++) {
            vkDestroySemaphore(device, window->available[i], NULL);
        }
        vkDestroySwapchainKHR(device, window->swapchain, NULL);
    }
    free(window);
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

// Copy the bytes of a target, which is as large, to an image of the window that is available at a
// semaphore.
static enum weir_result copy(struct show_window *window, struct show_target *target,
                             VkSemaphore available, uint32_t index)
{
    static const struct weir_gpu_scope before = {.stages = VK_PIPELINE_STAGE_TRANSFER_BIT};
    static const struct weir_gpu_scope filled = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                 VK_ACCESS_TRANSFER_WRITE_BIT,
                                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    static const struct weir_gpu_scope after = {.stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                .layout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
    weir_gpu *gpu = window->device->gpu;
    const struct weir_image_params image = {.image = window->images[index],
                                            .format = window->format};
    const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageCopy region = {
        layers, {0}, layers, {0}, {window->extent.width, window->extent.height, 1}};
    const struct weir_gpu_submission submission = {.wait = {available, 0},
                                                   .wait_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                   .signals = {window->presentable[index]}};
    VkCommandBuffer cmd;
    WEIR_TRY(weir_gpu_begin(gpu, &cmd));
    weir_cmd_barrier(gpu, cmd, &image, before, filled);
    vkCmdCopyImage(cmd, target->image.params.image, VK_IMAGE_LAYOUT_GENERAL, image.image,
                   filled.layout, 1, &region);
    weir_cmd_barrier(gpu, cmd, &image, filled, after);
    return weir_gpu_submit(gpu, cmd, &submission, &target->drawn);
}

static enum weir_result present(struct show_window *window, uint32_t index)
{
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &window->presentable[index],
                                   .swapchainCount = 1,
                                   .pSwapchains = &window->swapchain,
                                   .pImageIndices = &index};
    pthread_mutex_lock(&window->device->lock);
    const VkResult result = vkQueuePresentKHR(window->device->import.graphics.queue, &info);
    pthread_mutex_unlock(&window->device->lock);
    window->stale = result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR;
    return window->stale ? WEIR_OK : check(result, "vkQueuePresentKHR");
}

static enum weir_result resize(struct show_window *window, struct show *show, int width, int height)
{
    // A presentation is over at an unknown time.
    pthread_mutex_lock(&window->device->lock);
    const VkResult result = vkDeviceWaitIdle(window->device->import.device);
    pthread_mutex_unlock(&window->device->lock);
    WEIR_TRY(check(result, "vkDeviceWaitIdle"));
    window->stale = false;
    WEIR_TRY(make_swapchain(window, (uint32_t)width, (uint32_t)height));
    return show_resize(show, window->extent.width, window->extent.height);
}

bool show_window_swaps(const struct show_window *window)
{
    return window->format == VK_FORMAT_B8G8R8A8_UNORM;
}

enum weir_result show_window_present(struct show_window *window, struct show *show,
                                     const struct weir_play_image *image, const char *text)
{
    int width = 0, height = 0;
    struct show_target *target;
    uint32_t index;
    glfwGetFramebufferSize(window->handle, &width, &height);
    if (width == 0 || height == 0) {
        glfwWaitEventsTimeout(0.1); // minimised
        return WEIR_OK;
    }
    if (window->stale) {
        WEIR_TRY(resize(window, show, width, height));
    }
    WEIR_TRY(show_draw(show, image, text, &target));
    const VkSemaphore available = window->available[target - show->targets];
    const VkResult result = vkAcquireNextImageKHR(window->device->import.device, window->swapchain,
                                                  UINT64_MAX, available, VK_NULL_HANDLE, &index);
    window->stale = result == VK_ERROR_OUT_OF_DATE_KHR;
    if (window->stale) {
        return WEIR_OK;
    }
    if (result != VK_SUBOPTIMAL_KHR) {
        WEIR_TRY(check(result, "vkAcquireNextImageKHR"));
    }
    WEIR_TRY(copy(window, target, available, index));
    return present(window, index);
}
