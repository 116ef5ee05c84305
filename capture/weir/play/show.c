// SPDX-License-Identifier: MIT
// A device for a movie, and the kernel that draws its frames.
#include "capture/weir/play/show.h"

#include <string.h>

#include "capture/base/size.h"
#include "capture/weir/common/report.h"

static const uint32_t show_code[] =
#include "show.inc"
    ;

enum { GROUP_SIDE = 8, LINE_DOTS = 9 }; // of kernels/show.comp
enum { LINES_ON_SCREEN = 45 };

struct push {
    float origin[2], size[2];
    uint32_t color, alpha, swaps, num_chars, text_scale;
    char text[SHOW_MAX_TEXT];
};

static void lock(void *user, uint32_t family, uint32_t index)
{
    (void)family;
    (void)index;
    pthread_mutex_lock(user);
}

static void unlock(void *user, uint32_t family, uint32_t index)
{
    (void)family;
    (void)index;
    pthread_mutex_unlock(user);
}

enum weir_result show_device_open(struct show_device *device,
                                  const struct weir_device_params *params)
{
    static const VkPhysicalDeviceFeatures features = {.textureCompressionBC = VK_TRUE};
    struct weir_device_params complete = *params;
    complete.features = &features;
    complete.log = cli_log;
    complete.no_async = complete.no_transfer = true; // the kernel's queue presents
    *device = (struct show_device){.device = NULL};
    pthread_mutex_init(&device->lock, NULL);
    WEIR_TRY(weir_device_create(&complete, &device->device));
    device->import = *weir_device_import(device->device);
    device->import.lock_queue = lock;
    device->import.unlock_queue = unlock;
    device->import.lock_user = &device->lock;
    if (!device->import.graphics.queue) {
        return cli_fail(WEIR_ERROR_UNSUPPORTED, "this device has no queue for graphics; choose "
                                                "another one by --device");
    }
    return weir_gpu_create(
        weir_gpu_params(.import = &device->import, .queue = device->import.graphics), &device->gpu);
}

bool show_device_close(struct show_device *device)
{
    weir_gpu_destroy(&device->gpu);
    const uint32_t num = weir_device_get_num_messages(device->device);
    weir_device_destroy(&device->device);
    pthread_mutex_destroy(&device->lock);
    if (num > 0) {
        cli_report_error("%u messages of the validation layer", num);
    }
    return num == 0;
}

enum weir_result show_init(struct show *show, struct show_device *device)
{
    static const struct weir_gpu_binding bindings[] = {
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1}};
    const struct weir_gpu_layout_params layout = {.bindings = bindings,
                                                  .num_bindings = 3,
                                                  .push_constants_size = sizeof(struct push),
                                                  .filter = VK_FILTER_LINEAR};
    const struct weir_gpu_kernel kernel = {show_code, sizeof(show_code), NULL, 0};
    *show = (struct show){.device = device};
    WEIR_TRY(weir_gpu_layout_init(device->gpu, &layout, &show->layout));
    WEIR_TRY(weir_gpu_pipeline_init(device->gpu, &show->layout, &kernel, &show->pipeline));
    for (uint32_t i = 0; i < SHOW_NUM_TARGETS; i++) {
        WEIR_TRY(weir_gpu_pool_init(device->gpu, &show->layout, 1, &show->targets[i].pool));
    }
    return WEIR_OK;
}

static void finish_image(struct show *show, struct show_target *target)
{
    vkDestroyImageView(show->device->import.device, target->view, NULL);
    target->view = VK_NULL_HANDLE;
    weir_gpu_image_finish(show->device->gpu, &target->image);
}

void show_finish(struct show *show)
{
    if (!show->device || !show->device->gpu) {
        return;
    }
    const VkDevice device = show->device->import.device;
    weir_gpu_wait(show->device->gpu, weir_gpu_get_last(show->device->gpu), UINT64_MAX);
    for (uint32_t i = 0; i < SHOW_NUM_TARGETS; i++) {
        finish_image(show, &show->targets[i]);
        vkDestroyDescriptorPool(device, show->targets[i].pool, NULL);
    }
    vkDestroyPipeline(device, show->pipeline, NULL);
    weir_gpu_layout_finish(show->device->gpu, &show->layout);
    *show = (struct show){.device = NULL};
}

enum weir_result show_resize(struct show *show, uint32_t width, uint32_t height)
{
    weir_gpu *gpu = show->device->gpu;
    const struct weir_image_params params = {.format = VK_FORMAT_R8G8B8A8_UNORM,
                                             .width = width,
                                             .height = height,
                                             .usage = VK_IMAGE_USAGE_STORAGE_BIT |
                                                      VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    show->width = width;
    show->height = height;
    for (uint32_t i = 0; i < SHOW_NUM_TARGETS; i++) {
        struct show_target *target = &show->targets[i];
        finish_image(show, target);
        WEIR_TRY(weir_gpu_image_init(gpu, &params, 0, &target->image));
        WEIR_TRY(weir_gpu_view_init(gpu, &target->image.params, 0, 1, &target->view));
    }
    return WEIR_OK;
}

// Lay the picture in the middle, as large as its shape allows.
static struct push make_push(const struct show *show, const struct show_frame *frame)
{
    const struct weir_play_info *info = frame->info;
    const float across = (float)show->width / (float)info->width;
    const float down = (float)show->height / (float)info->height;
    const float scale = across < down ? across : down;
    struct push push = {.size = {(float)info->width * scale, (float)info->height * scale},
                        .color = info->color,
                        .alpha = frame->alpha,
                        .swaps = show->swaps,
                        .text_scale = show->height / (LINES_ON_SCREEN * LINE_DOTS) + 1};
    push.origin[0] = ((float)show->width - push.size[0]) / 2;
    push.origin[1] = ((float)show->height - push.size[1]) / 2;
    if (frame->text) {
        push.num_chars = (uint32_t)weir_min(strlen(frame->text), SHOW_MAX_TEXT);
        memcpy(push.text, frame->text, push.num_chars);
    }
    return push;
}

static enum weir_result record(struct show *show, const struct show_frame *frame,
                               struct show_target *target, VkCommandBuffer cmd)
{
    static const struct weir_gpu_scope unused = {.stages = VK_PIPELINE_STAGE_TRANSFER_BIT};
    static const struct weir_gpu_scope written = {
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    static const struct weir_gpu_scope copied = {
        VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT, VK_IMAGE_LAYOUT_GENERAL};
    weir_gpu *gpu = show->device->gpu;
    const struct weir_play_image *image = frame->image;
    const struct weir_gpu_descriptor descriptors[] = {
        {.view = image->views[0]},
        {.view = image->views[image->num_textures - 1]},
        {.view = target->view}};
    const struct push push = make_push(show, frame);
    VkDescriptorSet set;
    vkResetDescriptorPool(show->device->import.device, target->pool, 0);
    WEIR_TRY(weir_gpu_set_init(gpu, target->pool, &show->layout, descriptors, &set));
    weir_cmd_barrier(gpu, cmd, &target->image.params, unused, written);
    weir_cmd_bind(gpu, cmd, &show->layout, show->pipeline, set, &push);
    vkCmdDispatch(cmd, (uint32_t)weir_divide_up(show->width, GROUP_SIDE),
                  (uint32_t)weir_divide_up(show->height, GROUP_SIDE), 1);
    weir_cmd_barrier(gpu, cmd, &target->image.params, written, copied);
    return WEIR_OK;
}

enum weir_result show_draw(struct show *show, const struct show_frame *frame,
                           struct show_target **target)
{
    weir_gpu *gpu = show->device->gpu;
    VkCommandBuffer cmd;
    *target = &show->targets[show->next];
    show->next = (show->next + 1) % SHOW_NUM_TARGETS;
    WEIR_TRY(weir_gpu_wait(gpu, (*target)->drawn, UINT64_MAX));
    WEIR_TRY(weir_gpu_begin(gpu, &cmd));
    const enum weir_result result = record(show, frame, *target, cmd);
    if (result != WEIR_OK) {
        weir_gpu_discard(gpu, cmd);
        return result;
    }
    const struct weir_gpu_submission submission = {
        .wait = frame->image->ready, .wait_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT};
    return weir_gpu_submit(gpu, cmd, &submission, &(*target)->drawn);
}
