// SPDX-License-Identifier: MIT
// One frame of the window: acquire, render, hand to Weir, present.
#include "presenter.h"

#include "report.h"

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
    return gpu_submit(gpu, cmd, &submission, &presenter->done[slot]);
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
    presenter->done[slot] = frame.wait;
    return !recording || record_frame(presenter, slot, &frame, presentable);
}

bool presenter_frame(struct presenter *presenter, double seconds, const char *picture)
{
    struct loop *loop = presenter->loop;
    const uint32_t slot = (uint32_t)(presenter->num_frames % PRESENTER_NUM_SLOTS);
    uint32_t image = 0;
    if (!gpu_wait(&loop->gpu, presenter->done[slot]) ||
        !acquire_image(presenter, presenter->available[slot], &image)) {
        return false;
    }
    if (presenter->stale) {
        return true;
    }
    if (picture && !(presenter->swapchain.usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT)) {
        return report("--picture: this window's images cannot be copied; use --headless");
    }
    if (!render(presenter, slot, image, seconds, picture) || !present(presenter, image)) {
        return false;
    }
    return !picture || (gpu_wait_all(&loop->gpu) && readout_convert(&loop->readout) &&
                        readout_write_png(&loop->readout, &loop->gpu, picture));
}
