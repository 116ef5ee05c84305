// SPDX-License-Identifier: MIT
// A program that uses the stand-in in every way: what a surface says, swapchains that follow each
// other, images that are acquired and presented with semaphores, fences and none, and the pace.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vulkan.h>

#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define CALL(call) CHECK((call) == VK_SUCCESS)

enum { NUM_IMAGES = 3, MOST = 16, HZ = 200 };

struct program {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkFence fence;
    VkSemaphore acquired[MOST], rendered[MOST];
};

struct window {
    VkSurfaceKHR surface;
    VkSwapchainKHR swapchain;
    VkImage images[MOST];
    uint32_t num_images;
};

static void open_device(struct program *p)
{
    const char *const of_instance[] = {VK_KHR_SURFACE_EXTENSION_NAME,
                                       VK_KHR_GET_SURFACE_CAPABILITIES_2_EXTENSION_NAME,
                                       VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME};
    const char *const of_device[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    CALL(vkCreateInstance(&(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                  .pApplicationInfo = &application,
                                                  .enabledExtensionCount = 3,
                                                  .ppEnabledExtensionNames = of_instance},
                          NULL, &p->instance));
    uint32_t num = 1;
    CHECK(vkEnumeratePhysicalDevices(p->instance, &num, &p->physical) >= 0 && num == 1);
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &(float){1}};
    CALL(vkCreateDevice(p->physical,
                        &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                              .queueCreateInfoCount = 1,
                                              .pQueueCreateInfos = &queue,
                                              .enabledExtensionCount = 1,
                                              .ppEnabledExtensionNames = of_device},
                        NULL, &p->device));
    vkGetDeviceQueue(p->device, 0, 0, &p->queue);
    CALL(vkCreateCommandPool(
        p->device, &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO},
        NULL, &p->pool));
    CALL(vkCreateFence(p->device,
                       &(VkFenceCreateInfo){.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO}, NULL,
                       &p->fence));
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    for (uint32_t i = 0; i < MOST; i++) {
        CALL(vkCreateSemaphore(p->device, &semaphore, NULL, &p->acquired[i]));
        CALL(vkCreateSemaphore(p->device, &semaphore, NULL, &p->rendered[i]));
    }
}

static void close_device(struct program *p)
{
    for (uint32_t i = 0; i < MOST; i++) {
        vkDestroySemaphore(p->device, p->acquired[i], NULL);
        vkDestroySemaphore(p->device, p->rendered[i], NULL);
    }
    vkDestroyFence(p->device, p->fence, NULL);
    vkDestroyCommandPool(p->device, p->pool, NULL);
    vkDestroyDevice(p->device, NULL);
    vkDestroyInstance(p->instance, NULL);
}

// The driver's own surfaces have other modes, formats and numbers of images.
static void check_surface(const struct program *p, VkSurfaceKHR surface)
{
    VkBool32 is_supported = VK_FALSE;
    CALL(vkGetPhysicalDeviceSurfaceSupportKHR(p->physical, 0, surface, &is_supported));
    CHECK(is_supported);
    VkSurfaceCapabilitiesKHR one;
    CALL(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(p->physical, surface, &one));
    CHECK(one.minImageCount == 2 && one.maxImageCount == MOST);
    CHECK(one.currentExtent.width == UINT32_MAX && one.currentExtent.height == UINT32_MAX);
    CHECK(one.supportedUsageFlags & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    CHECK(one.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    const PFN_vkGetPhysicalDeviceSurfaceCapabilities2KHR get_2 =
        (PFN_vkGetPhysicalDeviceSurfaceCapabilities2KHR)vkGetInstanceProcAddr(
            p->instance, "vkGetPhysicalDeviceSurfaceCapabilities2KHR");
    VkSurfaceCapabilities2KHR two = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR};
    const VkPhysicalDeviceSurfaceInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR, .surface = surface};
    CALL(get_2(p->physical, &info, &two));
    CHECK(two.surfaceCapabilities.maxImageCount == MOST);
    VkPresentModeKHR modes[MOST];
    uint32_t num = 1;
    CHECK(vkGetPhysicalDeviceSurfacePresentModesKHR(p->physical, surface, &num, modes) ==
          VK_INCOMPLETE);
    num = MOST;
    CALL(vkGetPhysicalDeviceSurfacePresentModesKHR(p->physical, surface, &num, modes));
    CHECK(num == 3 && modes[0] == VK_PRESENT_MODE_FIFO_KHR);
    CHECK(modes[1] == VK_PRESENT_MODE_MAILBOX_KHR && modes[2] == VK_PRESENT_MODE_IMMEDIATE_KHR);
}

static bool has_format(const struct program *p, VkSurfaceKHR surface, VkFormat format)
{
    VkSurfaceFormatKHR formats[MOST];
    uint32_t num = MOST;
    bool has = false;
    CALL(vkGetPhysicalDeviceSurfaceFormatsKHR(p->physical, surface, &num, formats));
    for (uint32_t i = 0; i < num; i++) {
        has = has || formats[i].format == format;
    }
    return has;
}

static uint32_t count_extension(const struct program *p, const char *name)
{
    static VkExtensionProperties list[1024];
    uint32_t num = 1024, found = 0;
    CALL(vkEnumerateDeviceExtensionProperties(p->physical, NULL, &num, list));
    for (uint32_t i = 0; i < num; i++) {
        found += strcmp(list[i].extensionName, name) == 0;
    }
    return found;
}

static VkResult open_swapchain(const struct program *p, struct window *w, uint32_t width,
                               VkPresentModeKHR mode, VkSwapchainKHR old)
{
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = w->surface,
        .minImageCount = NUM_IMAGES,
        .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
        .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
        .imageExtent = {width, 48},
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        .presentMode = mode,
        .clipped = VK_TRUE,
        .oldSwapchain = old,
    };
    const VkResult result = vkCreateSwapchainKHR(p->device, &info, NULL, &w->swapchain);
    if (result == VK_SUCCESS) {
        w->num_images = MOST;
        CALL(vkGetSwapchainImagesKHR(p->device, w->swapchain, &w->num_images, w->images));
        CHECK(w->num_images == NUM_IMAGES);
    }
    return result;
}

// Clear an image to a grey. `acquired` and `rendered` may be none.
static void render(const struct program *p, VkImage image, VkSemaphore acquired,
                   VkSemaphore rendered)
{
    VkCommandBuffer commands;
    CALL(vkAllocateCommandBuffers(
        p->device,
        &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = p->pool,
                                       .commandBufferCount = 1},
        &commands));
    CALL(vkBeginCommandBuffer(commands, &(VkCommandBufferBeginInfo){
                                            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                    .image = image,
                                    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, NULL, 0, NULL, 1, &barrier);
    vkCmdClearColorImage(commands, image, barrier.newLayout,
                         &(VkClearColorValue){.float32 = {0.5f, 0.5f, 0.5f, 1}}, 1,
                         &barrier.subresourceRange);
    barrier.oldLayout = barrier.newLayout;
    barrier.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    barrier.srcAccessMask = barrier.dstAccessMask;
    barrier.dstAccessMask = 0;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    CALL(vkEndCommandBuffer(commands));
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = acquired != VK_NULL_HANDLE,
        .pWaitSemaphores = &acquired,
        .pWaitDstStageMask = &(VkPipelineStageFlags){VK_PIPELINE_STAGE_TRANSFER_BIT},
        .commandBufferCount = 1,
        .pCommandBuffers = &commands,
        .signalSemaphoreCount = rendered != VK_NULL_HANDLE,
        .pSignalSemaphores = &rendered};
    CALL(vkQueueSubmit(p->queue, 1, &submit, VK_NULL_HANDLE));
}

static void await_fence(const struct program *p)
{
    CALL(vkWaitForFences(p->device, 1, &p->fence, VK_TRUE, UINT64_MAX));
    CALL(vkResetFences(p->device, 1, &p->fence));
}

// Present images of swapchains at once, after `num_waits` semaphores of `rendered`.
static void present(const struct program *p, uint32_t num, const VkSwapchainKHR *swapchains,
                    const uint32_t *images, uint32_t num_waits)
{
    VkResult results[MOST] = {VK_NOT_READY, VK_NOT_READY};
    CALL(
        vkQueuePresentKHR(p->queue, &(VkPresentInfoKHR){.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                                        .waitSemaphoreCount = num_waits,
                                                        .pWaitSemaphores = p->rendered,
                                                        .swapchainCount = num,
                                                        .pSwapchains = swapchains,
                                                        .pImageIndices = images,
                                                        .pResults = results}));
    for (uint32_t i = 0; i < num; i++) {
        CHECK(results[i] == VK_SUCCESS);
    }
}

// Present frames with a semaphore each.
static void present_frames(const struct program *p, const struct window *w, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++) {
        uint32_t image;
        CALL(vkAcquireNextImageKHR(p->device, w->swapchain, UINT64_MAX, p->acquired[0], p->fence,
                                   &image));
        CHECK(image == i % NUM_IMAGES);
        await_fence(p);
        render(p, w->images[image], p->acquired[0], p->rendered[0]);
        present(p, 1, &w->swapchain, &image, 1);
        CALL(vkQueueWaitIdle(p->queue)); // so that the semaphores are free
    }
}

static void check_waits(const struct program *p, const struct window *w)
{
    // Without semaphores: the program has waited.
    uint32_t image;
    const VkAcquireNextImageInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
                                            .swapchain = w[0].swapchain,
                                            .timeout = UINT64_MAX,
                                            .fence = p->fence,
                                            .deviceMask = 1};
    CALL(vkAcquireNextImage2KHR(p->device, &info, &image));
    await_fence(p);
    render(p, w[0].images[image], VK_NULL_HANDLE, VK_NULL_HANDLE);
    CALL(vkQueueWaitIdle(p->queue));
    present(p, 1, &w[0].swapchain, &image, 0);
    // Two swapchains at once, and more semaphores than one submission of the layer's has.
    uint32_t images[2];
    for (uint32_t i = 0; i < 2; i++) {
        CALL(vkAcquireNextImageKHR(p->device, w[i].swapchain, UINT64_MAX, p->acquired[i],
                                   VK_NULL_HANDLE, &images[i]));
        render(p, w[i].images[images[i]], p->acquired[i], p->rendered[i]);
    }
    const VkSubmitInfo more = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .signalSemaphoreCount = MOST - 2,
                               .pSignalSemaphores = &p->rendered[2]};
    CALL(vkQueueSubmit(p->queue, 1, &more, VK_NULL_HANDLE));
    present(p, 2, (const VkSwapchainKHR[]){w[0].swapchain, w[1].swapchain}, images, MOST);
    CALL(vkDeviceWaitIdle(p->device));
    // All images at once, and then there is none.
    for (uint32_t i = 0; i < NUM_IMAGES; i++) {
        CALL(vkAcquireNextImageKHR(p->device, w[0].swapchain, 1000000000, VK_NULL_HANDLE, p->fence,
                                   &images[0]));
        await_fence(p);
    }
    CHECK(vkAcquireNextImageKHR(p->device, w[0].swapchain, 0, VK_NULL_HANDLE, p->fence, &image) ==
          VK_NOT_READY);
    CHECK(vkAcquireNextImageKHR(p->device, w[0].swapchain, 1, VK_NULL_HANDLE, p->fence, &image) ==
          VK_TIMEOUT);
}

// An image of the program's, in the memory of one of the swapchain's.
static void check_alias(const struct program *p, const struct window *w)
{
    const VkImageSwapchainCreateInfoKHR of = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR, .swapchain = w->swapchain};
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .pNext = &of,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_B8G8R8A8_UNORM,
                                    .extent = {64, 48, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkImage image;
    CALL(vkCreateImage(p->device, &info, NULL, &image));
    const VkBindImageMemorySwapchainInfoKHR index = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR,
        .swapchain = w->swapchain,
        .imageIndex = 1};
    CALL(vkBindImageMemory2(
        p->device, 1,
        &(VkBindImageMemoryInfo){
            .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, .pNext = &index, .image = image}));
    vkDestroyImage(p->device, image, NULL);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void pace(const struct program *p, struct window *w, const char *hz)
{
    setenv("WEIR_STAND_IN_HZ", hz, 1);
    const VkSwapchainKHR old = w->swapchain;
    CALL(open_swapchain(p, w, 64, VK_PRESENT_MODE_FIFO_KHR, old));
    vkDestroySwapchainKHR(p->device, old, NULL);
}

// As many images as the swapchain has come at once, all others at the pace of the display.
static void check_pace(const struct program *p, struct window *w)
{
    enum { NUM = 40 };
    uint32_t image;
    pace(p, w, "200");
    const double begin = seconds();
    present_frames(p, w, NUM);
    CHECK(seconds() - begin >= (double)(NUM - NUM_IMAGES) / HZ);
    pace(p, w, "0.1"); // a busy machine does not let ten seconds pass
    present_frames(p, w, NUM_IMAGES);
    CHECK(vkAcquireNextImageKHR(p->device, w->swapchain, 1000, VK_NULL_HANDLE, p->fence, &image) ==
          VK_TIMEOUT);
}

int main(void)
{
    struct program p = {0};
    struct window w[2] = {{0}};
    open_device(&p);
    for (int i = 0; i < 2; i++) {
        CALL(vkCreateHeadlessSurfaceEXT(
            p.instance,
            &(VkHeadlessSurfaceCreateInfoEXT){
                .sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT},
            NULL, &w[i].surface));
        check_surface(&p, w[i].surface);
    }
    CHECK(has_format(&p, w[0].surface, VK_FORMAT_B8G8R8A8_UNORM));
    CHECK(has_format(&p, w[0].surface, VK_FORMAT_A2B10G10R10_UNORM_PACK32));
    CHECK(!has_format(&p, w[0].surface, VK_FORMAT_R16G16B16A16_SFLOAT));
    setenv("WEIR_STAND_IN_EXTENDED", "1", 1);
    CHECK(has_format(&p, w[0].surface, VK_FORMAT_R16G16B16A16_SFLOAT));
    CHECK(count_extension(&p, "VK_KHR_swapchain") == 1);
    CHECK(count_extension(&p, "VK_KHR_incremental_present") == 0);
    for (int i = 0; i < 2; i++) {
        CALL(open_swapchain(&p, &w[i], 64, VK_PRESENT_MODE_MAILBOX_KHR, VK_NULL_HANDLE));
        present_frames(&p, &w[i], 20);
    }
    // Of another size, beside the old one.
    const VkSwapchainKHR old = w[0].swapchain;
    CALL(open_swapchain(&p, &w[0], 80, VK_PRESENT_MODE_IMMEDIATE_KHR, old));
    present_frames(&p, &w[0], 10);
    vkDestroySwapchainKHR(p.device, old, NULL);
    check_waits(&p, w);
    struct window other = {.surface = w[0].surface};
    CHECK(open_swapchain(&p, &other, 64, VK_PRESENT_MODE_FIFO_KHR, VK_NULL_HANDLE) ==
          VK_ERROR_NATIVE_WINDOW_IN_USE_KHR);
    check_alias(&p, &w[1]);
    check_pace(&p, &w[0]);
    CALL(vkDeviceWaitIdle(p.device));
    for (int i = 0; i < 2; i++) {
        vkDestroySwapchainKHR(p.device, w[i].swapchain, NULL);
        vkDestroySurfaceKHR(p.instance, w[i].surface, NULL);
    }
    close_device(&p);
    return 0;
}
