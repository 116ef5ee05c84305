// SPDX-License-Identifier: MIT
// The window's images, which are rendered, read by Weir in place, and presented; and one frame of
// it: acquire, render, hand to Weir, present.
#include "presenter.h"

#include "report.h"

#define MAX_FORMATS 64

// The UNORM format with the same texels, for the view through which stored codes are read.
static VkFormat unorm_of(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_B8G8R8A8_SRGB:
        return VK_FORMAT_B8G8R8A8_UNORM;
    case VK_FORMAT_R8G8B8A8_SRGB:
        return VK_FORMAT_R8G8B8A8_UNORM;
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
        return VK_FORMAT_A8B8G8R8_UNORM_PACK32;
    default:
        return VK_FORMAT_UNDEFINED;
    }
}

// Choose the format. sRGB comes first, so that blending and resolving happen in linear light.
static bool choose_format(struct swapchain *swapchain)
{
    static const VkFormat wanted[] = {
        VK_FORMAT_B8G8R8A8_SRGB,  VK_FORMAT_R8G8B8A8_SRGB,  VK_FORMAT_A8B8G8R8_SRGB_PACK32,
        VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_A8B8G8R8_UNORM_PACK32,
    };
    VkSurfaceFormatKHR formats[MAX_FORMATS];
    uint32_t num = MAX_FORMATS;
    VkResult result = vkGetPhysicalDeviceSurfaceFormatsKHR(swapchain->gpu->physical_device,
                                                           swapchain->surface, &num, formats);
    if (result != VK_INCOMPLETE && !vulkan_ok(result, "vkGetPhysicalDeviceSurfaceFormatsKHR")) {
        return false;
    }
    for (size_t w = 0; w < sizeof(wanted) / sizeof(wanted[0]); ++w) {
        for (uint32_t i = 0; i < num; ++i) {
            if (formats[i].format == wanted[w] &&
                formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
                swapchain->format = formats[i];
                return true;
            }
        }
    }
    return report("the window offers no 8-bit sRGB format");
}

static bool get_capabilities(const struct swapchain *swapchain, VkSurfaceCapabilitiesKHR *out)
{
    return vulkan_ok(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(swapchain->gpu->physical_device,
                                                               swapchain->surface, out),
                     "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
}

// The surface may allow a usage that images of this format do not have.
static bool usage_is_possible(const struct swapchain *swapchain, VkImageUsageFlags usage,
                              VkImageCreateFlags flags)
{
    VkImageFormatProperties properties;
    return vkGetPhysicalDeviceImageFormatProperties(
               swapchain->gpu->physical_device, swapchain->format.format, VK_IMAGE_TYPE_2D,
               VK_IMAGE_TILING_OPTIMAL, usage, flags, &properties) == VK_SUCCESS;
}

static void destroy(struct gpu *gpu, void *swapchain)
{
    vkDestroySwapchainKHR(gpu->device, ((struct swapchain *)swapchain)->swapchain, NULL);
}

// Choose format and usage, which stay the same for every size. The device owns what is made.
static bool swapchain_init(struct gpu *gpu, VkSurfaceKHR surface, struct swapchain *swapchain)
{
    VkSurfaceCapabilitiesKHR surface_can;
    *swapchain = (struct swapchain){.gpu = gpu, .surface = surface};
    gpu_own(gpu, destroy, swapchain);
    if (!choose_format(swapchain) || !get_capabilities(swapchain, &surface_can)) {
        return false;
    }
    swapchain->usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    static const VkImageUsageFlags wanted[2] = {VK_IMAGE_USAGE_SAMPLED_BIT,
                                                VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    for (int i = 0; i < 2; ++i) {
        if ((surface_can.supportedUsageFlags & wanted[i]) &&
            usage_is_possible(swapchain, swapchain->usage | wanted[i], 0)) {
            swapchain->usage |= wanted[i];
        }
    }
    // Weir refuses an image without either flag, and logs the reason.
    if (gpu->mutable_swapchain && unorm_of(swapchain->format.format) &&
        usage_is_possible(swapchain, swapchain->usage, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT)) {
        swapchain->flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR;
    }
    return true;
}

static uint32_t clamp(uint32_t x, uint32_t min, uint32_t max)
{
    return x < min ? min : x > max ? max : x;
}

static bool make_swapchain(struct swapchain *swapchain, const VkSurfaceCapabilitiesKHR *surface)
{
    const VkFormat formats[2] = {swapchain->format.format, unorm_of(swapchain->format.format)};
    const VkImageFormatListCreateInfo list = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .viewFormatCount = 2,
        .pViewFormats = formats,
    };
    const uint32_t most = surface->maxImageCount ? surface->maxImageCount : SWAPCHAIN_MAX_IMAGES;
    const VkCompositeAlphaFlagsKHR alpha = surface->supportedCompositeAlpha;
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .pNext = swapchain->flags ? &list : NULL,
        .flags = swapchain->flags,
        .surface = swapchain->surface,
        .minImageCount = clamp(surface->minImageCount + 1, 1, most),
        .imageFormat = swapchain->format.format,
        .imageColorSpace = swapchain->format.colorSpace,
        .imageExtent = {swapchain->width, swapchain->height},
        .imageArrayLayers = 1,
        .imageUsage = swapchain->usage,
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = surface->currentTransform,
        // The lowest flag that the surface has; opaque is the lowest of all.
        .compositeAlpha = (VkCompositeAlphaFlagBitsKHR)(alpha & (~alpha + 1)),
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_FALSE, // a hidden part of the window is recorded too
        .oldSwapchain = swapchain->swapchain,
    };
    VkSwapchainKHR made = VK_NULL_HANDLE;
    const bool ok = vulkan_made(vkCreateSwapchainKHR(swapchain->gpu->device, &info, NULL, &made),
                                "vkCreateSwapchainKHR", &made);
    vkDestroySwapchainKHR(swapchain->gpu->device, swapchain->swapchain, NULL);
    swapchain->swapchain = made;
    return ok;
}

static bool make_images(struct swapchain *swapchain)
{
    struct gpu *gpu = swapchain->gpu;
    VkImage images[SWAPCHAIN_MAX_IMAGES];
    uint32_t num = SWAPCHAIN_MAX_IMAGES;
    if (!vulkan_ok(vkGetSwapchainImagesKHR(gpu->device, swapchain->swapchain, &num, images),
                   "vkGetSwapchainImagesKHR")) {
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; ok && i < num; ++i) {
        const struct weir_image_params params = {
            .image = images[i],
            .format = swapchain->format.format,
            .width = swapchain->width,
            .height = swapchain->height,
            .usage = swapchain->usage,
            .flags = swapchain->flags ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0,
        };
        ok = gpu_semaphore_init(gpu, &swapchain->presentable[i]) &&
             gpu_image_init(gpu, &params, 0, &swapchain->images[i]);
    }
    return ok;
}

// Make the images anew, in the surface's size, or in the given size if the surface leaves the
// choice. The images before were released.
static bool swapchain_resize(struct swapchain *swapchain, uint32_t width, uint32_t height)
{
    VkSurfaceCapabilitiesKHR surface;
    if (!get_capabilities(swapchain, &surface)) {
        return false;
    }
    const bool free_choice = surface.currentExtent.width == UINT32_MAX;
    swapchain->width = clamp(free_choice ? width : surface.currentExtent.width,
                             surface.minImageExtent.width, surface.maxImageExtent.width);
    swapchain->height = clamp(free_choice ? height : surface.currentExtent.height,
                              surface.minImageExtent.height, surface.maxImageExtent.height);
    return make_swapchain(swapchain, &surface) && make_images(swapchain);
}

static const VkImageLayout layout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;

bool presenter_init(struct loop *loop, struct presenter *presenter)
{
    struct gpu *gpu = &loop->gpu;
    struct swapchain *swapchain = &presenter->swapchain;
    *presenter = (struct presenter){.loop = loop, .stale = true};
    bool ok = swapchain_init(gpu, weir_device_get_surface(gpu->made), swapchain);
    for (uint32_t i = 0; ok && i < PRESENTER_NUM_SLOTS; ++i) {
        ok = gpu_semaphore_init(gpu, &presenter->available[i]);
    }
    return ok && loop_start(loop, (struct sample_images){swapchain->format.format, layout,
                                                         PRESENTER_NUM_SLOTS});
}

bool presenter_resize(struct presenter *presenter, uint32_t width, uint32_t height)
{
    struct loop *loop = presenter->loop;
    struct swapchain *swapchain = &presenter->swapchain;
    const bool ok = recorder_goes_on(&loop->recorder) ? gpu_wait_all(&loop->gpu)
                                                      : presenter_stop(presenter);
    // A presentation is over at an unknown time; waiting for the device is the one way to know.
    if (!ok || !vulkan_ok(gpu_wait_idle(&loop->gpu), "vkDeviceWaitIdle")) {
        return false;
    }
    presenter->stale = false;
    gpu_release(&loop->gpu, loop->num_kept);
    return swapchain_resize(swapchain, width, height) &&
           loop_resize(loop, swapchain->width, swapchain->height);
}

bool presenter_stop(struct presenter *presenter)
{
    // Submissions may wait for points of the recording: they must be through before it is closed.
    return gpu_wait_all(&presenter->loop->gpu) && recorder_stop(&presenter->loop->recorder);
}

// Acquire the next image of the swapchain. True with `stale` set: the surface has changed, and
// there is no image.
static bool acquire_image(struct presenter *presenter, VkSemaphore available, uint32_t *image)
{
    VkResult result = vkAcquireNextImageKHR(presenter->loop->gpu.device,
                                            presenter->swapchain.swapchain, UINT64_MAX, available,
                                            VK_NULL_HANDLE, image);
    presenter->stale = result == VK_ERROR_OUT_OF_DATE_KHR;
    return presenter->stale || result == VK_SUBOPTIMAL_KHR ||
           vulkan_ok(result, "vkAcquireNextImageKHR");
}

static bool present(struct presenter *presenter, uint32_t image)
{
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &presenter->swapchain.presentable[image],
        .swapchainCount = 1,
        .pSwapchains = &presenter->swapchain.swapchain,
        .pImageIndices = &image,
    };
    VkResult result = vkQueuePresentKHR(presenter->loop->gpu.graphics.queue, &info);
    presenter->stale = result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR;
    return presenter->stale || vulkan_ok(result, "vkQueuePresentKHR");
}

// Hand the rendered frame to Weir, so that it can be presented afterwards. If Weir works on the
// queue family that renders, it signals the semaphore for which the presentation waits. If it works
// on another one, a submission of ours takes the image back and signals.
static bool record_frame(struct presenter *presenter, uint32_t slot, struct weir_frame *frame,
                         VkSemaphore presentable)
{
    struct gpu *gpu = &presenter->loop->gpu;
    const bool comes_back = weir_frame_changes_owner(frame);
    struct weir_point released;
    frame->signal = comes_back ? VK_NULL_HANDLE : presentable;
    if (!recorder_frame(&presenter->loop->recorder, frame, &released)) {
        return false;
    }
    if (!comes_back) {
        return true;
    }
    VkCommandBuffer cmd;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    if (!gpu_begin(gpu, &cmd)) {
        return false;
    }
    weir_cmd_frame_acquire(frame, cmd, stage, 0);
    const struct weir_gpu_submission submission = {
        .wait = released, .wait_stages = stage, .signals = {presentable}};
    return gpu_submit(gpu, cmd, &submission, &presenter->loop->done[slot]);
}

static bool render(struct presenter *presenter, uint32_t slot, uint32_t image, double seconds,
                   bool is_read)
{
    const struct swapchain *swapchain = &presenter->swapchain;
    const struct recorder *recorder = &presenter->loop->recorder;
    const bool recording = recorder->capture;
    const VkSemaphore presentable = swapchain->presentable[image];
    struct weir_frame frame = {.time_ns = recording ? recorder_time(recorder) : 0};
    const struct loop_frame draw = {
        .picture = {.slot = slot,
                    .image = &swapchain->images[image],
                    .number = recording ? recorder->number : presenter->num_frames,
                    .seconds = recording ? (double)frame.time_ns * 1e-9 : seconds},
        .wait = {presenter->available[slot], 0},
        .signal = recording ? VK_NULL_HANDLE : presentable,
        .is_read = is_read,
    };
    ++presenter->num_frames;
    if (!loop_draw(presenter->loop, draw, &frame)) {
        return false;
    }
    return !recording || record_frame(presenter, slot, &frame, presentable);
}

bool presenter_frame(struct presenter *presenter, double seconds, const char *picture)
{
    struct loop *loop = presenter->loop;
    const uint32_t slot = (uint32_t)(presenter->num_frames % PRESENTER_NUM_SLOTS);
    uint32_t image = 0;
    if (!gpu_wait(&loop->gpu, loop->done[slot]) ||
        !acquire_image(presenter, presenter->available[slot], &image)) {
        return false;
    }
    if (presenter->stale) {
        return true;
    }
    if (picture && !(presenter->swapchain.usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT)) {
        return report("--picture: this window's images cannot be copied; use --headless");
    }
    return render(presenter, slot, image, seconds, picture) && present(presenter, image) &&
           loop_write(loop, picture, false);
}
