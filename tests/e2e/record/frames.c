// SPDX-License-Identifier: MIT
// The frames of e2e_present: what it draws, submits and presents.
#include "frames.h"

#include <math.h>
#include <stdlib.h>

#include "picture.h"

static void make_pass(struct frames *frames)
{
    const VkAttachmentDescription attachment = {
        .format = (VkFormat)frames->options->format,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
    };
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    // The stage at which a submission waits for the image.
    const VkSubpassDependency dependency = {
        .srcSubpass = VK_SUBPASS_EXTERNAL,
        .dstSubpass = 0,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 1,
        .pDependencies = &dependency,
    };
    gpu_check(vkCreateRenderPass(frames->gpu->device, &info, NULL, &frames->pass),
              "vkCreateRenderPass");
}

static VkSemaphore make_semaphore(const struct gpu *gpu)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore semaphore;
    gpu_check(vkCreateSemaphore(gpu->device, &info, NULL, &semaphore), "vkCreateSemaphore");
    return semaphore;
}

void frames_init(struct frames *frames, const struct gpu *gpu, const struct options *options,
                 struct window *windows)
{
    *frames = (struct frames){.gpu = gpu, .options = options, .windows = windows};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                     .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = gpu->families[0],
    };
    make_pass(frames);
    frames->extensions = options->has_extensions ? extensions_create(gpu) : NULL;
    gpu_check(vkCreateCommandPool(gpu->device, &pool, NULL, &frames->pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = frames->pool,
        .commandBufferCount = FRAMES_IN_FLIGHT,
    };
    gpu_check(vkAllocateCommandBuffers(gpu->device, &commands, frames->commands),
              "vkAllocateCommandBuffers");
    for (int i = 0; i < FRAMES_IN_FLIGHT; i++) {
        gpu_check(vkCreateFence(gpu->device, &fence, NULL, &frames->fences[i]), "vkCreateFence");
        for (uint32_t w = 0; w < options->num_windows; w++) {
            frames->acquired[i][w] = make_semaphore(gpu);
        }
    }
    for (int i = 0; i < MAX_IMAGES; i++) {
        for (uint32_t k = 0; k < options->num_waits; k++) {
            frames->drawn[i][k] = make_semaphore(gpu);
        }
    }
    frames_remake(frames);
}

void frames_finish(struct frames *frames)
{
    const VkDevice device = frames->gpu->device;
    gpu_wait_idle(frames->gpu);
    for (int i = 0; i < FRAMES_IN_FLIGHT; i++) {
        vkDestroyFence(device, frames->fences[i], NULL);
        for (uint32_t w = 0; w < MAX_WINDOWS; w++) {
            vkDestroySemaphore(device, frames->acquired[i][w], NULL);
        }
    }
    for (int i = 0; i < MAX_IMAGES; i++) {
        for (uint32_t k = 0; k < MAX_WAITS; k++) {
            vkDestroySemaphore(device, frames->drawn[i][k], NULL);
        }
    }
    extensions_destroy(frames->extensions);
    vkDestroyCommandPool(device, frames->pool, NULL);
    vkDestroyRenderPass(device, frames->pass, NULL);
}

void frames_remake(struct frames *frames)
{
    gpu_wait_idle(frames->gpu);
    for (uint32_t w = 0; w < frames->options->num_windows; w++) {
        window_make_swapchain(&frames->windows[w], frames->gpu, frames->options);
    }
}

// What a clear takes for a code that a display gets: sRGB formats encode, half floats are linear.
static float clear_value(const struct options *options, uint8_t code)
{
    const float value = (float)code / 255.0f;
    const bool is_linear = options->format == VK_FORMAT_B8G8R8A8_SRGB ||
                           options->format == VK_FORMAT_R8G8B8A8_SRGB ||
                           options->format == VK_FORMAT_R16G16B16A16_SFLOAT;
    if (!is_linear) {
        return value;
    }
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

static void draw(const struct frames *frames, VkCommandBuffer commands, const struct window *window,
                 uint32_t number)
{
    const VkRenderPassBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = frames->pass,
        .framebuffer = window->framebuffers[window->image],
        .renderArea = {{0, 0}, window->extent},
    };
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    for (unsigned i = 0; i < PICTURE_RECTS; i++) {
        const struct picture_rect part = picture_rect(window->extent.width, window->extent.height,
                                                      number, i);
        if (part.width == 0 || part.height == 0) {
            continue; // of a tiny window
        }
        VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
        for (int c = 0; c < 3; c++) {
            clear.clearValue.color.float32[c] = clear_value(frames->options, part.codes[c]);
        }
        clear.clearValue.color.float32[3] = 1.0f;
        const VkClearRect rect = {
            .rect = {{(int32_t)part.x, (int32_t)part.y}, {part.width, part.height}},
            .layerCount = 1,
        };
        vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
    }
    vkCmdEndRenderPass(commands);
}

static void record(const struct frames *frames, VkCommandBuffer commands, uint32_t number)
{
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    gpu_check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    for (uint32_t w = 0; w < frames->options->num_windows; w++) {
        window_prepare_image(&frames->windows[w], frames->gpu, frames->options, frames->pass);
        draw(frames, commands, &frames->windows[w], number);
    }
    gpu_check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

static void submit(const struct frames *frames, uint64_t slot)
{
    VkPipelineStageFlags stages[MAX_WINDOWS];
    for (int w = 0; w < MAX_WINDOWS; w++) {
        stages[w] = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    }
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = frames->options->num_windows,
        .pWaitSemaphores = frames->acquired[slot],
        .pWaitDstStageMask = stages,
        .commandBufferCount = 1,
        .pCommandBuffers = &frames->commands[slot],
        .signalSemaphoreCount = frames->options->num_waits,
        .pSignalSemaphores = frames->drawn[frames->windows[0].image],
    };
    const VkFence fence = frames->fences[slot];
    gpu_check(vkResetFences(frames->gpu->device, 1, &fence), "vkResetFences");
    gpu_lock(frames->gpu);
    gpu_check(vkQueueSubmit(frames->gpu->queue, 1, &info, fence), "vkQueueSubmit");
    gpu_unlock(frames->gpu);
    if (frames->options->num_waits == 0) { // the present waits for nothing
        gpu_check(vkWaitForFences(frames->gpu->device, 1, &fence, VK_TRUE, UINT64_MAX),
                  "vkWaitForFences");
    }
}

// A result that leaves the image presentable, or acquired.
static bool is_done(VkResult result, const char *what)
{
    if (result != VK_ERROR_OUT_OF_DATE_KHR && result != VK_SUBOPTIMAL_KHR) {
        gpu_check(result, what);
    }
    return result != VK_ERROR_OUT_OF_DATE_KHR;
}

// An acquired image that is not presented stays acquired until its swapchain goes, and its
// semaphore signaled: another takes its place.
static void forget_acquired(struct frames *frames, uint64_t slot, uint32_t num)
{
    gpu_wait_idle(frames->gpu);
    for (uint32_t w = 0; w < num; w++) {
        vkDestroySemaphore(frames->gpu->device, frames->acquired[slot][w], NULL);
        frames->acquired[slot][w] = make_semaphore(frames->gpu);
    }
}

bool frames_present(struct frames *frames, uint32_t number)
{
    const struct gpu *gpu = frames->gpu;
    const uint64_t slot = frames->num_begun++ % FRAMES_IN_FLIGHT;
    VkSwapchainKHR swapchains[MAX_WINDOWS];
    uint32_t images[MAX_WINDOWS];
    gpu_check(vkWaitForFences(gpu->device, 1, &frames->fences[slot], VK_TRUE, UINT64_MAX),
              "vkWaitForFences");
    for (uint32_t w = 0; w < frames->options->num_windows; w++) {
        struct window *window = &frames->windows[w];
        const VkResult result = vkAcquireNextImageKHR(gpu->device, window->swapchain, UINT64_MAX,
                                                      frames->acquired[slot][w], VK_NULL_HANDLE,
                                                      &window->image);
        if (!is_done(result, "vkAcquireNextImageKHR")) {
            forget_acquired(frames, slot, w);
            return false;
        }
        swapchains[w] = window->swapchain;
        images[w] = window->image;
    }
    record(frames, frames->commands[slot], number);
    submit(frames, slot);
    VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = frames->options->num_waits,
        .pWaitSemaphores = frames->drawn[frames->windows[0].image],
        .swapchainCount = frames->options->num_windows,
        .pSwapchains = swapchains,
        .pImageIndices = images,
    };
    extensions_begin(frames->extensions, &info);
    gpu_lock(gpu);
    const struct present_moment begin = present_moment_now();
    const VkResult result = vkQueuePresentKHR(gpu->present_queue, &info);
    present_times_note(&frames->times, begin);
    gpu_unlock(gpu);
    extensions_end(frames->extensions, &info);
    return is_done(result, "vkQueuePresentKHR");
}
