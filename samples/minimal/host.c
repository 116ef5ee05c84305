// SPDX-License-Identifier: MIT
// The device, the command line and the loop.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weir/still.h>

void host_check(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s has failed\n", what);
        exit(1);
    }
}

static void read_arguments(struct host *h, int argc, char **argv)
{
    bool ok = true;
    for (int i = 1; ok && i < argc; i++) {
        const char *name = argv[i], *value = argv[i + 1] ? argv[i + 1] : "";
        char rest;
        if (!strcmp(name, "--validation")) {
            h->validation = true;
        } else if (!strcmp(name, "--headless")) {
            h->headless = true;
        } else if (name[0] != '-') {
            h->output = name;
        } else {
            i++;
            ok = (!strcmp(name, "--frames") && sscanf(value, "%6u%c", &h->num_frames, &rest) == 1 &&
                  h->num_frames - 1 < 999999) ||
                 (!strcmp(name, "--size") &&
                  sscanf(value, "%5ux%5u%c", &h->width, &h->height, &rest) == 2) ||
                 (!strcmp(name, "--device") &&
                  sscanf(value, "%6u%c", &h->device_index, &rest) == 1);
        }
    }
    if (h->num_frames == 0) {
        h->num_frames = h->headless ? 120 : UINT32_MAX;
    }
    if (!ok || h->width - 1 > 16383 || h->height - 1 > 16383) {
        fprintf(stderr,
                "%s [OUTPUT] [--frames N] [--size WxH] [--device N] [--headless] [--validation]\n"
                "By default: %s, 640x360, device 0, and without a window 120 frames\n",
                argv[0], h->output);
        exit(2);
    }
}

static void make_device(struct host *h, const VkPhysicalDeviceFeatures *features)
{
    const char *const swapchain = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
    struct weir_device_params params = {.index = h->device_index,
                                        .validation = h->validation,
                                        .no_async = true, // one queue: no image changes its owner
                                        .features = features,
                                        .log = {.print = weir_log_print_stderr}};
    if (!h->headless) {
        params.instance_extensions = window_open(&h->window, h, &params.num_instance_extensions);
        params.device_extensions = &swapchain;
        params.num_device_extensions = 1;
        params.create_surface = window_make_surface;
        params.surface_user = &h->window;
    }
    if (weir_device_create(&params, &h->made) != WEIR_OK) {
        fprintf(stderr, "no Vulkan device %u\n", h->device_index);
        exit(1);
    }
    h->device = weir_device_import(h->made);
    h->queue = h->device->graphics;
    host_check(h->queue.queue, "a queue that draws");
    host_check(weir_gpu_create(weir_gpu_params(.import = h->device, .queue = h->queue), &h->gpu) ==
                   WEIR_OK,
               "weir_gpu_create");
}

static void make_semaphores(struct host *h)
{
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    for (uint32_t i = 0; i < HOST_NUM_IMAGES; i++) {
        host_check(!vkCreateSemaphore(h->device->device, &semaphore, NULL, &h->drawn[i]) &&
                       !vkCreateSemaphore(h->device->device, &semaphore, NULL, &h->is_free[i]),
                   "vkCreateSemaphore");
    }
}

static void start(struct host *h, int argc, char **argv, const VkPhysicalDeviceFeatures *features)
{
    read_arguments(h, argc, argv);
    make_device(h, features);
    make_semaphores(h);
    const struct weir_gpu_buffer_params picture = {.size = (uint64_t)h->width * h->height * 4,
                                                   .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                                   .memory = WEIR_GPU_MEMORY_HOST};
    host_check(weir_gpu_buffer_init(h->gpu, &picture, &h->picture) == WEIR_OK, "a buffer");
    paint_picture(h->picture.mapped, h->width, h->height);
    if (!h->headless) {
        window_start(&h->window);
    }
}

void host_open(struct host *h, int argc, char **argv, const char *output,
               const VkPhysicalDeviceFeatures *features)
{
    *h = (struct host){.output = output, .width = 640, .height = 360, .headless = true};
    start(h, argc, argv, features);
}

void host_open_loop(struct host *h, int argc, char **argv, const char *output)
{
    *h = (struct host){.output = output, .width = 640, .height = 360};
    start(h, argc, argv, NULL);
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    for (int i = 0; i < HOST_NUM_IMAGES; i++) {
        h->images[i] = host_make_image(h, VK_FORMAT_R8G8B8A8_UNORM, 1, usage, 0);
    }
}

void host_close(struct host *h)
{
    if (!h->headless) {
        window_stop(&h->window);
    }
    for (uint32_t i = 0; i < HOST_NUM_IMAGES; i++) {
        vkDestroySemaphore(h->device->device, h->drawn[i], NULL);
        vkDestroySemaphore(h->device->device, h->is_free[i], NULL);
    }
    while (h->num_made_images > 0) {
        weir_gpu_image_finish(h->gpu, &h->made_images[--h->num_made_images]);
    }
    while (h->num_made_buffers > 0) {
        weir_gpu_buffer_finish(h->gpu, &h->made_buffers[--h->num_made_buffers]);
    }
    weir_gpu_buffer_finish(h->gpu, &h->picture);
    weir_gpu_destroy(&h->gpu);
    weir_device_destroy(&h->made);
    if (!h->headless) {
        window_close(&h->window);
    }
}

const struct weir_image_params *host_make_image(struct host *h, VkFormat format, uint32_t levels,
                                                VkImageUsageFlags usage, VkImageCreateFlags flags)
{
    struct weir_gpu_image *made = &h->made_images[h->num_made_images++];
    usage |= h->headless ? 0 : VK_IMAGE_USAGE_TRANSFER_SRC_BIT; // it is copied to the window
    host_check(weir_gpu_image_init(h->gpu,
                                   weir_image_params(.format = format, .width = h->width,
                                                     .height = h->height, .levels = levels,
                                                     .usage = usage, .flags = flags),
                                   0, made) == WEIR_OK,
               "an image");
    return &made->params;
}

VkBuffer host_make_buffer(struct host *h, VkDeviceSize size, VkBufferUsageFlags usage, void **data)
{
    struct weir_gpu_buffer *made = &h->made_buffers[h->num_made_buffers++];
    const struct weir_gpu_buffer_params params = {.size = size,
                                                  .usage = usage,
                                                  .memory = data ? WEIR_GPU_MEMORY_HOST
                                                                 : WEIR_GPU_MEMORY_DEVICE};
    host_check(weir_gpu_buffer_init(h->gpu, &params, made) == WEIR_OK, "a buffer");
    if (data) {
        *data = made->mapped;
    }
    return made->buffer;
}

weir_image *host_wrap_image(struct host *h, weir_context *weir, VkFormat format,
                            VkImageUsageFlags usage, const struct weir_image_params **image)
{
    weir_image *wrapped = NULL;
    *image = host_make_image(h, format, 1, usage, 0);
    weir_image_create(weir, *image, &wrapped);
    return wrapped;
}

enum weir_result host_write_png(const char *path, uint32_t width, uint32_t height,
                                const void *texels)
{
    return weir_still_write_png(
        path,
        WEIR_REF(weir_still, .width = width, .height = height, .num_channels = 4, .pixels = texels),
        WEIR_REF(weir_log, .print = weir_log_print_stderr));
}

void host_wait(struct host *h)
{
    host_check(weir_gpu_wait(h->gpu, weir_gpu_get_last(h->gpu), UINT64_MAX) == WEIR_OK, "a wait");
}

// Show the image that was drawn, before it is handed on.
static void show(struct host *h, const struct weir_image_params *image)
{
    const struct weir_swapchain *swapchain = &h->window.swapchain;
    const struct weir_gpu_submission submission = {
        .wait = {.semaphore = swapchain->available},
        .wait_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .signals = {h->drawn[h->index], swapchain->presentable}};
    VkCommandBuffer cmd;
    host_check(weir_gpu_begin(h->gpu, &cmd) == WEIR_OK, "a command buffer");
    record_show(h, cmd, image);
    host_check(weir_gpu_submit(h->gpu, cmd, &submission, &h->done[h->index]) == WEIR_OK,
               "a submission");
    window_present(&h->window);
}

bool host_draw(struct host *h)
{
    h->time_ns = (int64_t)h->num_drawn * 1000000000 / HOST_RATE;
    if (h->num_drawn == h->num_frames ||
        (!h->headless && !window_poll(&h->window, (double)h->time_ns * 1e-9))) {
        return false;
    }
    h->index = h->num_drawn % HOST_NUM_IMAGES;
    const bool is_first = h->num_drawn < HOST_NUM_IMAGES; // of this image
    const struct weir_image_params *image = h->images[h->index];
    VkCommandBuffer cmd;
    host_check(weir_gpu_wait(h->gpu, h->done[h->index], UINT64_MAX) == WEIR_OK, "a wait");
    const bool is_shown = !h->headless && window_acquire(&h->window);
    const struct weir_gpu_submission draw = {
        .wait = {.semaphore = is_first ? VK_NULL_HANDLE : h->is_free[h->index]},
        .wait_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .signals = {is_shown ? VK_NULL_HANDLE : h->drawn[h->index]}};
    host_check(weir_gpu_begin(h->gpu, &cmd) == WEIR_OK, "a command buffer");
    record_picture(h, cmd, image, h->num_drawn++);
    record_barrier(h, cmd, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    host_check(weir_gpu_submit(h->gpu, cmd, &draw, &h->done[h->index]) == WEIR_OK, "a submission");
    if (is_shown) {
        show(h, image);
    }
    return true;
}
