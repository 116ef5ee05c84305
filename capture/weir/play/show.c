// SPDX-License-Identifier: MIT
// A device for a movie or stills, and the kernel that draws their frames.
#include "capture/weir/play/show.h"

#include <string.h>

#include "capture/base/size.h"
#include "capture/weir/common/report.h"

static const uint32_t show_code[] =
#include "show.inc"
    ;

enum { GROUP_SIDE = 8, LINE_DOTS = 10 }; // of kernels/show.comp
enum { LINES_ON_SCREEN = 45 };

struct push {
    float origin[2], size[2];
    uint32_t first_row, num_chars, text_scale;
    char text[SHOW_MAX_TEXT];
};

static void lock_queue(void *user, uint32_t family, uint32_t index)
{
    (void)family;
    (void)index;
    pthread_mutex_lock(user);
}

static void unlock_queue(void *user, uint32_t family, uint32_t index)
{
    (void)family;
    (void)index;
    pthread_mutex_unlock(user);
}

void show_share_queue(struct weir_context_params *import, pthread_mutex_t *lock)
{
    import->lock_queue = lock_queue;
    import->unlock_queue = unlock_queue;
    import->lock_user = lock;
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
    show_share_queue(&device->import, &device->lock);
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

// What a movie does not need is compiled away: the software device computes every branch.
static enum weir_result make_pipeline(struct show *show, bool has_text)
{
    const uint32_t constants[] = {show->info.color, show->alpha, has_text, show->swaps};
    const struct weir_gpu_kernel kernel = {show_code, sizeof(show_code), constants, 4};
    return show->pipelines[has_text] ? WEIR_OK
                                     : weir_gpu_pipeline_init(show->device->gpu, &show->layout,
                                                              &kernel, &show->pipelines[has_text]);
}

uint64_t show_find(const struct show *show, int64_t time_ns)
{
    if (!show->play && !show->stream) {
        return weir_min((uint64_t)(time_ns / show->stills.period_ns), show->info.num_frames - 1);
    }
    return show->play ? weir_play_find(show->play, time_ns)
                      : show_stream_get(show->stream).num_frames - 1;
}

int64_t show_get_time(const struct show *show, uint64_t frame)
{
    return show->play     ? weir_play_get_time(show->play, frame)
           : show->stream ? show_stream_get(show->stream).time_ns
                          : (int64_t)frame * show->stills.period_ns;
}

static void set_image(struct show *show, const struct weir_play_image *image)
{
    if (show->has_image) {
        weir_play_release(show->play, &show->image, weir_gpu_get_last(show->device->gpu));
    }
    show->has_image = image != NULL;
    show->image = image ? *image : show->image;
}

enum weir_result show_take(struct show *show, uint64_t frame, int32_t step)
{
    struct weir_play_image image;
    if (!show->play) {
        return show->stream ? show_stream_frame(show) : show_stills_frame(show, frame);
    }
    WEIR_TRY(weir_play_frame(show->play, frame, step, &image));
    set_image(show, &image);
    return WEIR_OK;
}

static enum weir_result open_movie(struct show *show, const char *path, uint32_t num_ahead)
{
    const struct weir_context_params *import = &show->device->import;
    WEIR_TRY(weir_play_open(weir_play_params(.import = import, .queue = import->graphics,
                                             .path = path, .num_ahead = num_ahead, .log = cli_log),
                            &show->play));
    show->info = weir_play_get_info(show->play);
    return WEIR_OK;
}

static enum weir_result open_input(struct show *show, char *const *paths,
                                   const struct play_options *options)
{
    show->name = paths[0];
    show->stills.num_levels = 1;
    WEIR_TRY(!paths[1] && show_stream_is(paths[0]) ? show_stream_open(show, paths[0])
             : show_stills_are(paths)              ? show_stills_open(show, paths, options)
                                                   : open_movie(show, paths[0], options->headless));
    show->alpha = options->headless             ? SHOW_ALPHA_KEPT
                  : show->info.is_premultiplied ? SHOW_ON_BLACK_MULTIPLIED
                                                : SHOW_ON_BLACK;
    if (options->frame >= show->info.num_frames) {
        return cli_fail(WEIR_ERROR_INVALID, "--frame %llu: %s has %llu frames, counted from 0",
                        (unsigned long long)options->frame, paths[0],
                        (unsigned long long)show->info.num_frames);
    }
    if (options->mip >= show->stills.num_levels) {
        return cli_fail(WEIR_ERROR_INVALID, "--mip %llu: the levels of %s are 0 .. %u",
                        (unsigned long long)options->mip, paths[0], show->stills.num_levels - 1);
    }
    show->stills.level = (uint32_t)options->mip;
    if (!show->play) {
        return show_take(show, options->frame, 1);
    }
    const enum weir_result result = weir_play_wait(show->play, options->frame, UINT64_MAX,
                                                   &show->image);
    show->has_image = result == WEIR_OK;
    return result;
}

enum weir_result show_init(struct show *show, struct show_device *device, char *const *paths,
                           const struct play_options *options, bool swaps)
{
    static const struct weir_gpu_binding bindings[] = {
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1}};
    const struct weir_gpu_layout_params layout = {.bindings = bindings,
                                                  .num_bindings = 3,
                                                  .push_constants_size = sizeof(struct push),
                                                  .filter = VK_FILTER_LINEAR};
    *show = (struct show){.device = device, .swaps = swaps};
    WEIR_TRY(open_input(show, paths, options));
    WEIR_TRY(weir_gpu_layout_init(device->gpu, &layout, &show->layout));
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
    set_image(show, NULL);
    weir_play_close(&show->play);
    weir_gpu_wait(show->device->gpu, weir_gpu_get_last(show->device->gpu), UINT64_MAX);
    show_stream_close(show->stream);
    show_stills_finish(show);
    for (uint32_t i = 0; i < SHOW_NUM_TARGETS; i++) {
        finish_image(show, &show->targets[i]);
        vkDestroyDescriptorPool(device, show->targets[i].pool, NULL);
    }
    vkDestroyPipeline(device, show->pipelines[0], NULL);
    vkDestroyPipeline(device, show->pipelines[1], NULL);
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
static struct push make_push(const struct show *show, const char *text)
{
    const struct weir_play_info *info = &show->info;
    const float across = (float)show->width / (float)info->width;
    const float down = (float)show->height / (float)info->height;
    const float scale = across < down ? across : down;
    struct push push = {.size = {(float)info->width * scale, (float)info->height * scale},
                        .text_scale = show->height / (LINES_ON_SCREEN * LINE_DOTS) + 1};
    push.origin[0] = ((float)show->width - push.size[0]) / 2;
    push.origin[1] = ((float)show->height - push.size[1]) / 2;
    if (text) {
        push.num_chars = (uint32_t)weir_min(strlen(text), SHOW_MAX_TEXT);
        memcpy(push.text, text, push.num_chars);
    }
    return push;
}

// Get the first row that may have text, where a workgroup begins.
static uint32_t text_row(const struct show *show, const struct push *push)
{
    const uint32_t line = LINE_DOTS * push->text_scale;
    return (show->height - (uint32_t)weir_min(show->height, line)) / GROUP_SIDE * GROUP_SIDE;
}

// Draw the rows from push->first_row on, and note where the next ones begin.
static void draw_rows(const struct show *show, VkCommandBuffer cmd, VkDescriptorSet set,
                      struct push *push, uint32_t end, bool has_text)
{
    weir_cmd_bind(show->device->gpu, cmd, &show->layout, show->pipelines[has_text], set, push);
    vkCmdDispatch(cmd, (uint32_t)weir_divide_up(show->width, GROUP_SIDE),
                  (uint32_t)weir_divide_up(end - push->first_row, GROUP_SIDE), 1);
    push->first_row = end;
}

static enum weir_result record(struct show *show, const char *text, struct show_target *target,
                               VkCommandBuffer cmd)
{
    static const struct weir_gpu_scope unused = {.stages = VK_PIPELINE_STAGE_TRANSFER_BIT};
    static const struct weir_gpu_scope written = {
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    static const struct weir_gpu_scope copied = {
        VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT, VK_IMAGE_LAYOUT_GENERAL};
    weir_gpu *gpu = show->device->gpu;
    const struct weir_gpu_descriptor descriptors[] = {
        {.view = show->image.views[0]},
        {.view = show->image.views[show->image.num_textures - 1]},
        {.view = target->view}};
    struct push push = make_push(show, text);
    VkDescriptorSet set;
    vkResetDescriptorPool(show->device->import.device, target->pool, 0);
    WEIR_TRY(weir_gpu_set_init(gpu, target->pool, &show->layout, descriptors, &set));
    weir_cmd_barrier(gpu, cmd, &target->image.params, unused, written);
    draw_rows(show, cmd, set, &push, text ? text_row(show, &push) : show->height, false);
    if (text) {
        draw_rows(show, cmd, set, &push, show->height, true);
    }
    weir_cmd_barrier(gpu, cmd, &target->image.params, written, copied);
    return WEIR_OK;
}

enum weir_result show_draw(struct show *show, const char *text, struct show_target **target)
{
    weir_gpu *gpu = show->device->gpu;
    VkCommandBuffer cmd;
    *target = &show->targets[show->next];
    show->next = (show->next + 1) % SHOW_NUM_TARGETS;
    WEIR_TRY(make_pipeline(show, false));
    WEIR_TRY(text ? make_pipeline(show, true) : WEIR_OK);
    WEIR_TRY(weir_gpu_wait(gpu, (*target)->drawn, UINT64_MAX));
    WEIR_TRY(weir_gpu_begin(gpu, &cmd));
    const enum weir_result result = record(show, text, *target, cmd);
    if (result != WEIR_OK) {
        weir_gpu_discard(gpu, cmd);
        return result;
    }
    const struct weir_gpu_submission submission = {
        .wait = show->image.ready, .wait_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT};
    return weir_gpu_submit(gpu, cmd, &submission, &(*target)->drawn);
}
