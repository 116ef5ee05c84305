// SPDX-License-Identifier: MIT
// Presents: each swapchain image is encoded before it is shown.
//
// Weir submits to the queue that presents, which the program lets no other thread use meanwhile, so
// no lock is needed. The encoder waits for the program's semaphore and the present for the
// encoder's. Where a present has not exactly one swapchain and one semaphore, a submission without
// commands turns what it waits for into a semaphore for each image.
#include "capture/layer/swapchain.h"

#include <stdlib.h>
#include <time.h>

#include "capture/layer/sender.h"
#include "capture/layer/stream.h"

enum { MAX_SWAPCHAINS = LINK_MAX_STREAMS, FEW_WAITS = 16 };

// A frame that is to be encoded, of one swapchain of a present.
struct taken {
    struct layer_swapchain *swapchain;
    struct layer_stream *stream;
    const struct layer_swapchain_image *image;
    struct layer_stream_frame frame;
};

struct present {
    struct layer_device *device;
    VkQueue queue;
    const VkPresentInfoKHR *info;
    int64_t time_ns;
    uint32_t num_taken;
    struct taken taken[MAX_SWAPCHAINS];
};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Make the stream of a swapchain for its first frame from a queue, and what the image needs. False:
// it is not recorded.
static bool prepare(struct layer_device *device, struct layer_swapchain *swapchain,
                    const struct layer_queue *queue, uint32_t image)
{
    if (swapchain->stream && swapchain->stream->host->queue.handle != queue->handle) {
        layer_stream_close(&swapchain->stream); // another queue presents from now on
    }
    if (!swapchain->stream && !swapchain->is_refused && !layer_sender_is_silent(device->sender) &&
        layer_sender_is_allowed(device->sender)) {
        swapchain->stream = layer_stream_open(device, swapchain, queue, image,
                                              &swapchain->is_refused);
    }
    if (swapchain->stream && !layer_stream_add_image(swapchain->stream, swapchain, image)) {
        layer_stream_close(&swapchain->stream);
        swapchain->is_refused = true;
    }
    return swapchain->stream;
}

// Get a slot for a frame of a swapchain, if it is to be recorded and there is one.
static void take(struct present *present, uint32_t index, const struct layer_queue *queue)
{
    struct layer_sender *sender = present->device->sender;
    struct layer_swapchain *swapchain = layer_swapchain_find(present->device,
                                                             present->info->pSwapchains[index]);
    const uint32_t image = present->info->pImageIndices[index];
    if (!swapchain || image >= swapchain->num_images ||
        !prepare(present->device, swapchain, queue, image) ||
        swapchain->stream->num_presented++ % sender->setup.every != 0) {
        return;
    }
    struct layer_transfer *transfer = &swapchain->stream->transfer;
    struct taken *taken = &present->taken[present->num_taken];
    *taken = (struct taken){
        .swapchain = swapchain,
        .stream = swapchain->stream,
        .image = &swapchain->images[image],
        .frame = {.image = image,
                  .done = swapchain->images[image].done,
                  .time_ns = present->time_ns},
    };
    if (layer_transfer_get_slot(sender, transfer, &taken->frame.slot)) {
        present->num_taken++;
    } else {
        layer_transfer_push(
            sender, transfer,
            &(const struct layer_blocks){.slot = LINK_NO_SLOT, .time_ns = present->time_ns});
    }
}

// Submit no commands: wait for the program's semaphores, and signal that images are ready.
static bool make_ready(const struct present *present)
{
    const VkPresentInfoKHR *info = present->info;
    VkPipelineStageFlags few[FEW_WAITS], *stages = few;
    VkSemaphore ready[MAX_SWAPCHAINS];
    if (info->waitSemaphoreCount > FEW_WAITS) {
        stages = calloc(info->waitSemaphoreCount, sizeof(stages[0]));
    }
    for (uint32_t i = 0; stages && i < info->waitSemaphoreCount; i++) {
        stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    }
    for (uint32_t i = 0; i < present->num_taken; i++) {
        ready[i] = present->taken[i].image->ready;
    }
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = info->waitSemaphoreCount,
        .pWaitSemaphores = info->pWaitSemaphores,
        .pWaitDstStageMask = stages,
        .signalSemaphoreCount = present->num_taken,
        .pSignalSemaphores = ready,
    };
    const bool is_done = stages && present->device->QueueSubmit(present->queue, 1, &submit,
                                                                VK_NULL_HANDLE) == VK_SUCCESS;
    if (stages != few) {
        free(stages);
    }
    return is_done;
}

// Encode what was taken, or drop it. Returns how many semaphores the present has to wait for in
// place of the program's; 0: the program's own.
static uint32_t encode(struct present *present, VkSemaphore waits[MAX_SWAPCHAINS])
{
    const VkPresentInfoKHR *info = present->info;
    const bool is_simple = info->waitSemaphoreCount == 1 && info->swapchainCount == 1;
    const bool is_ready = present->num_taken > 0 && (is_simple || make_ready(present));
    for (uint32_t i = 0; i < present->num_taken; i++) {
        struct taken *taken = &present->taken[i];
        taken->frame.wait = is_simple ? info->pWaitSemaphores[0] : taken->image->ready;
        taken->swapchain->queue = present->queue;
        taken->swapchain->last_encoded = ++present->device->num_encoded;
        const bool is_encoded = is_ready && layer_stream_encode(taken->stream, &taken->frame);
        waits[i] = is_encoded ? taken->frame.done : taken->frame.wait;
        if (!is_encoded) {
            layer_transfer_drop(present->device->sender, &taken->stream->transfer,
                                taken->frame.slot, taken->frame.time_ns);
        }
    }
    return is_ready ? present->num_taken : 0;
}

VkResult layer_queue_present(VkQueue queue, const VkPresentInfoKHR *info)
{
    struct layer_device *device = layer_device_of(queue);
    if (!layer_sender_is_recording(device->sender)) {
        return device->QueuePresentKHR(queue, info);
    }
    struct present present = {.device = device, .queue = queue, .info = info, .time_ns = now_ns()};
    VkSemaphore waits[MAX_SWAPCHAINS];
    pthread_mutex_lock(&device->mutex);
    const struct layer_queue *known = layer_device_find_queue(device, queue);
    for (uint32_t i = 0; known && i < info->swapchainCount && present.num_taken < MAX_SWAPCHAINS;
         i++) {
        take(&present, i, known);
    }
    const uint32_t num_waits = encode(&present, waits);
    pthread_mutex_unlock(&device->mutex);
    VkPresentInfoKHR changed = *info;
    if (num_waits > 0) {
        changed.waitSemaphoreCount = num_waits;
        changed.pWaitSemaphores = waits;
    }
    return device->QueuePresentKHR(queue, &changed);
}
