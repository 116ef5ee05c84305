// SPDX-License-Identifier: MIT
// A frame of the window: acquire, render, hand to Weir, present.
#include "presenter.h"

#include "report.h"

static void destroy(struct gpu *gpu, void *swapchain)
{
    weir_swapchain_finish(gpu->work, swapchain);
}

static const VkImageLayout layout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;

// Weir refuses an image that can be neither sampled nor copied, and logs the reason.
bool presenter_init(struct loop *loop, struct presenter *presenter)
{
    struct gpu *gpu = &loop->gpu;
    const struct weir_swapchain_params *params =
        weir_swapchain_params(.surface = weir_device_get_surface(gpu->made),
                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                              .optional_usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                                VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                              // Blending and resolving happen in linear light then.
                              .prefers_srgb = true);
    *presenter = (struct presenter){.loop = loop};
    gpu_own(gpu, destroy, &presenter->swapchain);
    return weir_ok(weir_swapchain_init(gpu->work, params, &presenter->swapchain),
                   "weir_swapchain_init") &&
           loop_start(loop, (struct sample_images){presenter->swapchain.image.format, layout,
                                                   PRESENTER_NUM_SLOTS});
}

static bool make_images(struct presenter *presenter)
{
    const struct weir_swapchain *swapchain = &presenter->swapchain;
    struct weir_image_params params = swapchain->image;
    bool ok = true;
    for (uint32_t i = 0; ok && i < swapchain->num_images; ++i) {
        params.image = swapchain->images[i];
        ok = gpu_image_init(&presenter->loop->gpu, &params, 0, &presenter->images[i]);
    }
    return ok;
}

bool presenter_resize(struct presenter *presenter, uint32_t width, uint32_t height)
{
    struct loop *loop = presenter->loop;
    struct weir_swapchain *swapchain = &presenter->swapchain;
    const bool ok = recorder_goes_on(&loop->recorder) ? gpu_wait_all(&loop->gpu)
                                                      : presenter_stop(presenter);
    if (!ok || !vulkan_ok(gpu_wait_idle(&loop->gpu), "vkDeviceWaitIdle")) {
        return false;
    }
    gpu_release(&loop->gpu, loop->num_kept);
    return weir_ok(weir_swapchain_resize(loop->gpu.work, swapchain, width, height),
                   "weir_swapchain_resize") &&
           make_images(presenter) &&
           loop_resize(loop, swapchain->image.width, swapchain->image.height);
}

bool presenter_stop(struct presenter *presenter)
{
    // Submissions may wait for points of the recording: they must be through before it is closed.
    return gpu_wait_all(&presenter->loop->gpu) && recorder_stop(&presenter->loop->recorder);
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

static bool render(struct presenter *presenter, uint32_t slot, double seconds, bool is_read)
{
    const struct weir_swapchain *swapchain = &presenter->swapchain;
    const struct recorder *recorder = &presenter->loop->recorder;
    const bool recording = recorder->capture;
    struct weir_frame frame = {.time_ns = recording ? recorder_time(recorder) : 0};
    const struct loop_frame draw = {
        .picture = {.slot = slot,
                    .image = &presenter->images[swapchain->index],
                    .number = recording ? recorder->number : presenter->num_frames,
                    .seconds = recording ? (double)frame.time_ns * 1e-9 : seconds},
        .wait = {swapchain->available, 0},
        .signal = recording ? VK_NULL_HANDLE : swapchain->presentable,
        .is_read = is_read,
    };
    ++presenter->num_frames;
    if (!loop_draw(presenter->loop, draw, &frame)) {
        return false;
    }
    return !recording || record_frame(presenter, slot, &frame, swapchain->presentable);
}

bool presenter_frame(struct presenter *presenter, double seconds, const char *picture)
{
    struct loop *loop = presenter->loop;
    const uint32_t slot = (uint32_t)(presenter->num_frames % PRESENTER_NUM_SLOTS);
    weir_gpu *work = loop->gpu.work;
    if (!gpu_wait(&loop->gpu, loop->done[slot])) {
        return false;
    }
    const enum weir_result acquired = weir_swapchain_acquire(work, &presenter->swapchain);
    if (acquired != WEIR_OK) {
        return weir_ok(acquired, "weir_swapchain_acquire");
    }
    if (picture && !(presenter->swapchain.image.usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT)) {
        return report("--picture: this window's images cannot be copied; use --headless");
    }
    return render(presenter, slot, seconds, picture) &&
           weir_ok(weir_swapchain_present(work, &presenter->swapchain), "weir_swapchain_present") &&
           loop_write(loop, picture, false);
}
