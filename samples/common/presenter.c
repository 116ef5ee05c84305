// SPDX-License-Identifier: MIT
// One frame of the window: acquire, render, hand to Weir, present.
#include "presenter.h"

#include "report.h"

static const VkImageLayout layout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;

static bool make_semaphores(struct presenter *presenter)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    bool ok = true;
    for (uint32_t i = 0; ok && i < PRESENTER_NUM_SLOTS; ++i) {
        VkSemaphore *semaphore = &presenter->available[i];
        ok = vulkan_made(vkCreateSemaphore(presenter->gpu->device, &info, NULL, semaphore),
                         "vkCreateSemaphore", semaphore);
    }
    return ok;
}

bool presenter_init(const struct gpu *gpu, const struct sample *sample, struct recorder *recorder,
                    struct presenter *presenter)
{
    *presenter = (struct presenter){
        .gpu = gpu, .sample = sample, .recorder = recorder, .stale = true, .progress.gpu = gpu};
    return swapchain_init(gpu, sample, weir_device_get_surface(gpu->made), &presenter->swapchain) &&
           sample->start(sample->state, gpu,
                         &(struct sample_images){presenter->swapchain.format.format, layout,
                                                 PRESENTER_NUM_SLOTS}) &&
           make_semaphores(presenter);
}

void presenter_finish(struct presenter *presenter)
{
    gpu_wait_idle(presenter->gpu);
    for (uint32_t i = 0; i < PRESENTER_NUM_SLOTS; ++i) {
        vkDestroySemaphore(presenter->gpu->device, presenter->available[i], NULL);
    }
    recorder_stop(presenter->recorder);
    progress_finish(&presenter->progress);
    swapchain_finish(&presenter->swapchain);
    presenter->sample->finish(presenter->sample->state);
}

bool presenter_resize(struct presenter *presenter, uint32_t width, uint32_t height)
{
    const bool ok = recorder_goes_on(presenter->recorder) ? gpu_wait_all(presenter->gpu)
                                                          : presenter_stop(presenter);
    // A presentation is over at an unknown time; waiting for the device is the one way to know.
    if (!ok || !vulkan_ok(gpu_wait_idle(presenter->gpu), "vkDeviceWaitIdle")) {
        return false;
    }
    presenter->stale = false;
    presenter->fresh = true;
    return swapchain_resize(&presenter->swapchain, width, height);
}

bool presenter_record(struct presenter *presenter)
{
    return recorder_start(presenter->recorder, presenter->swapchain.images[0].weir);
}

bool presenter_stop(struct presenter *presenter)
{
    // Submissions may wait for points of the recording: they must be through before it is closed.
    return gpu_wait_all(presenter->gpu) && recorder_stop(presenter->recorder);
}

// Acquire the next image of the swapchain. True with `stale` set: the surface has changed, and
// there is no image.
static bool acquire_image(struct presenter *presenter, VkSemaphore available, uint32_t *image)
{
    VkResult result = vkAcquireNextImageKHR(presenter->gpu->device, presenter->swapchain.swapchain,
                                            UINT64_MAX, available, VK_NULL_HANDLE, image);
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
    VkResult result = vkQueuePresentKHR(presenter->gpu->graphics.queue, &info);
    presenter->stale = result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR;
    return presenter->stale || vulkan_ok(result, "vkQueuePresentKHR");
}

// Hand the rendered frame to Weir, so that it can be presented afterwards. If Weir works on the
// queue family that renders, it signals the semaphore for which the presentation waits. If it works
// on another one, a submission of ours takes the image back and signals.
static bool record_frame(struct presenter *presenter, uint32_t slot, struct weir_frame *frame,
                         VkSemaphore presentable)
{
    const bool comes_back = weir_frame_changes_owner(frame);
    struct weir_point released;
    frame->signal = comes_back ? VK_NULL_HANDLE : presentable;
    if (!recorder_frame(presenter->recorder, frame, &released)) {
        return false;
    }
    if (!comes_back) {
        return true;
    }
    VkCommandBuffer cmd;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    if (!gpu_begin(presenter->gpu, &cmd)) {
        return false;
    }
    weir_cmd_frame_acquire(frame, cmd, stage, 0);
    const struct weir_gpu_submission submission = {
        .wait = released, .wait_stages = stage, .signals = {presentable}};
    return gpu_submit(presenter->gpu, cmd, &submission, &presenter->done[slot]);
}

static bool write_picture(struct presenter *presenter, struct readout *readout, const char *path)
{
    return gpu_wait_all(presenter->gpu) && readout_write_png(readout, presenter->gpu, path);
}

// Wait for the first frame of a size before it is presented, as presenting it may wait too.
static bool wait_first(struct presenter *presenter)
{
    presenter->fresh = false;
    const bool ok = progress_wait(&presenter->progress);
    progress_finish(&presenter->progress);
    return ok;
}

static bool render(struct presenter *presenter, uint32_t slot, uint32_t image, double seconds,
                   const struct readout *readout)
{
    const bool recording = presenter->recorder->capture, fresh = presenter->fresh;
    const struct gpu_image *target = &presenter->swapchain.images[image];
    VkSemaphore presentable = presenter->swapchain.presentable[image];
    VkCommandBuffer cmd;
    struct weir_frame frame = {
        .image = target->weir, .layout = layout, .queue_family = presenter->gpu->graphics.family};
    uint64_t number = presenter->num_frames++;
    if (recording) {
        frame.time_ns = recorder_time(presenter->recorder);
        number = presenter->recorder->number;
        seconds = (double)frame.time_ns * 1e-9;
    }
    const struct sample *sample = presenter->sample;
    if (!gpu_begin(presenter->gpu, &cmd) ||
        !sample->record(
            sample->state, slot, cmd,
            &(struct picture){target, number, seconds, fresh ? &presenter->progress : NULL})) {
        return false;
    }
    if (readout) {
        readout_record(readout, presenter->gpu, cmd, target->params.image, layout);
    }
    if (recording) {
        weir_cmd_frame_release(&frame, cmd,
                               VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                   VK_PIPELINE_STAGE_TRANSFER_BIT,
                               VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
    }
    const struct weir_gpu_submission submission = {
        .wait = {presenter->available[slot], 0},
        .wait_stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .signals = {recording ? VK_NULL_HANDLE : presentable},
    };
    if (!gpu_submit(presenter->gpu, cmd, &submission, &frame.wait)) {
        return false;
    }
    presenter->done[slot] = frame.wait;
    return (!fresh || wait_first(presenter)) &&
           (!recording || record_frame(presenter, slot, &frame, presentable));
}

bool presenter_frame(struct presenter *presenter, double seconds, const char *picture)
{
    const struct swapchain *swapchain = &presenter->swapchain;
    const uint32_t slot = (uint32_t)(presenter->num_frames % PRESENTER_NUM_SLOTS);
    uint32_t image = 0;
    if (!gpu_wait(presenter->gpu, presenter->done[slot]) ||
        !acquire_image(presenter, presenter->available[slot], &image)) {
        return false;
    }
    if (presenter->stale) {
        return true;
    }
    if (!picture) {
        return render(presenter, slot, image, seconds, NULL) && present(presenter, image);
    }
    if (!(swapchain->usage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT)) {
        return report("--picture: this window's images cannot be copied; use --headless");
    }
    struct readout readout;
    bool ok = readout_init(presenter->gpu, swapchain->format.format, swapchain->width,
                           swapchain->height, &readout) &&
              render(presenter, slot, image, seconds, &readout) && present(presenter, image) &&
              write_picture(presenter, &readout, picture);
    gpu_wait_idle(presenter->gpu);
    readout_finish(presenter->gpu, &readout);
    return ok;
}
