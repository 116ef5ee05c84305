// SPDX-License-Identifier: MIT
// What recording a swapchain needs.
#include "capture/layer/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weir/pyramid.h>

// The variant of frames that have a small picture.
enum { WITH_PREVIEW = 1 };

// Get the levels of frames. NULL: there are none.
static const weir_image *levels_of(const struct layer_stream *stream)
{
    return weir_preview_get_info(stream->preview).levels;
}

// A mutable image is read as one that is not: its list of formats need not have Weir's.
static bool create_image(const struct layer_stream *stream, const struct layer_swapchain *swapchain,
                         uint32_t index, weir_image **image)
{
    const VkSwapchainCreateInfoKHR *info = &swapchain->info;
    return weir_image_create(
               stream->host->context,
               weir_image_params(.image = swapchain->images[index].handle,
                                 .format = info->imageFormat, .width = info->imageExtent.width,
                                 .height = info->imageExtent.height, .usage = info->imageUsage,
                                 .concurrent = info->imageSharingMode ==
                                               VK_SHARING_MODE_CONCURRENT),
               image) == WEIR_OK;
}

static void say(const struct layer_stream *stream, const struct layer_swapchain *swapchain,
                const char *reason)
{
    char text[2 * LINK_TEXT_SIZE]; // cut where it is sent
    snprintf(text, sizeof(text), "a window of %ux%u is not recorded: %s",
             swapchain->info.imageExtent.width, swapchain->info.imageExtent.height, reason);
    layer_sender_say(stream->device->sender, true, text);
}

// True if the recorder's memory is what the encoders write.
static bool fits(const struct layer_stream *stream, uint64_t *size)
{
    const struct link_setup *setup = &stream->device->sender->setup;
    const struct link_stream *asked = &stream->transfer.asked;
    uint64_t sizes[LINK_NUM_PARTS] = {0};
    for (uint32_t i = 0; i < stream->encoders->num; i++) {
        sizes[i] = weir_codec_image_size((enum weir_codec)setup->codecs[i], asked->width,
                                         asked->height);
    }
    sizes[LINK_PREVIEW] = weir_codec_image_size(WEIR_CODEC_BC1, asked->preview_width,
                                                asked->preview_height);
    *size = sizes[0] + sizes[1] + sizes[LINK_PREVIEW];
    return memcmp(sizes, stream->transfer.accept.sizes, sizeof(sizes)) == 0;
}

static bool create_readback(struct layer_stream *stream, const weir_image *image, uint64_t size)
{
    const struct link_setup *setup = &stream->device->sender->setup;
    return weir_readback_create(stream->host->context,
                                weir_readback_params(.size = size,
                                                     .num_slots = stream->transfer.accept.num_slots,
                                                     .history_size = setup->steady ? size : 0,
                                                     .resize = {.mode = stream->resize,
                                                                .like = image,
                                                                .width = stream->size.width,
                                                                .height = stream->size.height}),
                                &stream->readback) == WEIR_OK;
}

// Find the window of a surface. NULL: no frame of it was recorded yet.
static const struct layer_window *find_window(const struct layer_device *device,
                                              VkSurfaceKHR surface)
{
    for (uint32_t i = 0; i < LAYER_MAX_WINDOWS; i++) {
        if (device->windows[i].surface == surface) {
            return &device->windows[i];
        }
    }
    return NULL;
}

// Choose the size of what is recorded, and how frames get it.
static void choose_size(struct layer_stream *stream, const VkSwapchainCreateInfoKHR *info)
{
    const struct link_setup *setup = &stream->device->sender->setup;
    const struct layer_window *window = find_window(stream->device, info->surface);
    const VkExtent2D own = info->imageExtent;
    stream->size = weir_pyramid_level_extent(own.width, own.height, setup->level);
    if (!window) {
        stream->device->windows[stream->device->num_windows++ % LAYER_MAX_WINDOWS] =
            (struct layer_window){.surface = info->surface, .size = own};
    }
    if (window && setup->level == 0 && setup->resize != WEIR_RESIZE_NEW &&
        (own.width != window->size.width || own.height != window->size.height)) {
        stream->size = window->size;
        stream->resize = (enum weir_resize)setup->resize;
    }
}

// Make the levels that are recorded or shown. Without small pictures frames are recorded all the
// same. False: what is recorded cannot be made.
static bool open_preview(struct layer_stream *stream, const weir_image *image,
                         struct link_stream *asked)
{
    const struct link_setup *setup = &stream->device->sender->setup;
    struct weir_preview_params params = {
        .like = image, .max_side = setup->preview, .num_levels = setup->level};
    enum weir_result result = weir_preview_create(stream->host->context, &params, &stream->preview);
    if (result != WEIR_OK && setup->level > 0) {
        params.max_side = 0;
        result = weir_preview_create(stream->host->context, &params, &stream->preview);
    }
    const struct weir_preview_info info = weir_preview_get_info(stream->preview);
    asked->preview_width = info.width;
    asked->preview_height = info.height;
    return result == WEIR_OK || setup->level == 0;
}

// Returns why it cannot be, or NULL.
static const char *open_all(struct layer_stream *stream, const struct layer_swapchain *swapchain,
                            uint32_t image)
{
    struct layer_sender *sender = stream->device->sender;
    const VkSwapchainCreateInfoKHR *info = &swapchain->info;
    const struct link_setup *setup = &sender->setup;
    choose_size(stream, info);
    struct link_stream asked = {.width = stream->size.width,
                                .height = stream->size.height,
                                .format = info->imageFormat,
                                .color_space = info->imageColorSpace,
                                .window = (uint64_t)(uintptr_t)info->surface};
    if (!(info->imageUsage & (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT))) {
        return "its surface does not allow reading its images";
    }
    if (stream->resize != WEIR_RESIZE_NEW &&
        !(info->imageUsage & VK_IMAGE_USAGE_TRANSFER_SRC_BIT)) {
        return "its surface does not allow copying its images, which --on-resize needs";
    }
    if (info->flags & VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR) {
        return "it is protected";
    }
    if (info->imageArrayLayers != 1) {
        return "it is stereoscopic";
    }
    stream->images = calloc(swapchain->num_images, sizeof(stream->images[0]));
    stream->num_images = stream->images ? swapchain->num_images : 0;
    if (!stream->images || !create_image(stream, swapchain, image, &stream->images[image])) {
        return "its images cannot be read";
    }
    if ((setup->level > 0 || setup->preview > 0) &&
        !open_preview(stream, stream->images[image], &asked)) {
        return "it cannot be made smaller";
    }
    stream->encoders = layer_host_get_encoders(
        stream->host, setup->level > 0 ? levels_of(stream) : stream->images[image], setup);
    if (!stream->encoders) {
        return "its format cannot be encoded";
    }
    if (!layer_transfer_open(sender, &stream->transfer, &asked)) {
        return stream->transfer.reason;
    }
    uint64_t num_bytes;
    if (fits(stream, &num_bytes) && create_readback(stream, stream->images[image], num_bytes)) {
        return NULL;
    }
    layer_transfer_close(sender, &stream->transfer);
    return "no memory is left for its frames";
}

static void destroy(struct layer_stream *stream)
{
    if (stream->transfer.is_kept) {
        return;
    }
    weir_readback_destroy(&stream->readback); // first: it waits for the GPU
    weir_preview_destroy(&stream->preview);
    for (uint32_t i = 0; i < stream->num_images; i++) {
        weir_image_destroy(&stream->images[i]);
    }
    free(stream->images);
    free(stream);
}

struct layer_stream *layer_stream_open(struct layer_device *device,
                                       const struct layer_swapchain *swapchain,
                                       const struct layer_queue *queue, uint32_t image,
                                       bool *is_refused)
{
    struct layer_stream *stream = calloc(1, sizeof(*stream));
    *is_refused = !stream;
    if (!stream) {
        return NULL;
    }
    stream->device = device;
    stream->host = queue->can_compute ? layer_host_of(device, queue) : NULL;
    const char *reason = stream->host         ? open_all(stream, swapchain, image)
                         : queue->can_compute ? "Weir cannot work on its device"
                                              : "it is presented from a queue without compute";
    if (reason) {
        if (!stream->transfer.is_refused) {
            say(stream, swapchain, reason);
        }
        *is_refused = reason != stream->transfer.reason || stream->transfer.is_answered;
        destroy(stream);
        return NULL;
    }
    return stream;
}

void layer_stream_close(struct layer_stream **stream)
{
    if (*stream) {
        layer_transfer_close((*stream)->device->sender, &(*stream)->transfer);
        destroy(*stream);
        *stream = NULL;
    }
}

bool layer_stream_add_image(struct layer_stream *stream, const struct layer_swapchain *swapchain,
                            uint32_t image)
{
    const bool is_added = stream->images[image] ||
                          create_image(stream, swapchain, image, &stream->images[image]);
    if (!is_added) {
        say(stream, swapchain, "its images cannot be read");
    }
    return is_added;
}

static enum weir_result record(const struct layer_stream *stream, const struct weir_slot *slot,
                               const struct weir_frame *frame)
{
    const uint32_t level = stream->device->sender->setup.level;
    const weir_buffer *buffer = weir_slot_buffer(stream->readback, slot);
    struct weir_encode encode = {
        .source = level > 0 ? levels_of(stream) : slot->image,
        .level = level > 0 ? level - 1 : 0,
        .buffer = buffer,
        .history = weir_readback_history(stream->readback),
    };
    const struct weir_preview_run run = {
        .source = frame->image,
        .commands = slot->commands,
        .buffer = frame->variant == WITH_PREVIEW ? buffer : NULL,
        .offset = weir_readback_get_params(stream->readback).size -
                  weir_preview_get_info(stream->preview).size,
    };
    enum weir_result result = level > 0 || run.buffer
                                  ? weir_cmd_preview(stream->preview, slot->cmd, &run)
                                  : WEIR_OK;
    for (uint32_t i = 0; result == WEIR_OK && i < stream->encoders->num; i++) {
        result = weir_cmd_encode(stream->encoders->encoders[i], slot->cmd, &encode);
        encode.offset += stream->transfer.accept.sizes[i];
        encode.history_offset = encode.offset;
    }
    return result;
}

// True if a frame is to have a small picture, at most 30 a second.
static bool is_due(const struct layer_stream *stream, const struct layer_stream_frame *frame)
{
    const int64_t least_ns = 1000000000 / 30 - 4000000; // times are not exact
    return weir_preview_get_info(stream->preview).size > 0 &&
           atomic_load_explicit(&stream->device->sender->is_watched, memory_order_relaxed) &&
           frame->time_ns - stream->preview_ns >= least_ns;
}

bool layer_stream_encode(struct layer_stream *stream, const struct layer_stream_frame *given)
{
    const bool is_shown = is_due(stream, given);
    const struct weir_frame frame = {
        .image = stream->images[given->image],
        .layout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
        .queue_family = stream->host->queue.family,
        .wait = {.semaphore = given->wait},
        .signal = given->done,
        .time_ns = given->time_ns,
        .variant = is_shown ? WITH_PREVIEW : 0,
    };
    struct weir_slot taken;
    if (weir_readback_begin(stream->readback, &frame, &taken) != WEIR_OK) {
        return false;
    }
    taken.keep = taken.is_recorded || record(stream, &taken, &frame) == WEIR_OK;
    if (weir_readback_submit(stream->readback, &taken, NULL) != WEIR_OK) {
        weir_readback_release(stream->readback, taken.index);
        return false;
    }
    stream->preview_ns = is_shown ? given->time_ns : stream->preview_ns;
    layer_transfer_push(stream->device->sender, &stream->transfer,
                        &(const struct layer_blocks){.readback = stream->readback,
                                                     .readback_slot = taken.index,
                                                     .slot = given->slot,
                                                     .time_ns = given->time_ns,
                                                     .has_preview = is_shown});
    return true;
}
