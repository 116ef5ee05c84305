// SPDX-License-Identifier: MIT
// Weir uses the host's objects as agreed: its queue under its lock, and its pipeline cache.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include <weir/encode.h>
#include <weir/readback.h>

#include "tests/gpu/harness.h"
#include "tests/replaced_calls.h"

struct host_lock {
    pthread_mutex_t mutex;
    uint32_t family, index; // the queue that may be locked
    int num_locks, num_unlocks, num_strangers;
};

static void lock_queue(void *user, uint32_t family, uint32_t index)
{
    struct host_lock *lock = user;
    pthread_mutex_lock(&lock->mutex);
    lock->num_locks++;
    lock->num_strangers += family != lock->family || index != lock->index;
}

static void unlock_queue(void *user, uint32_t family, uint32_t index)
{
    struct host_lock *lock = user;
    lock->num_strangers += family != lock->family || index != lock->index;
    lock->num_unlocks++;
    pthread_mutex_unlock(&lock->mutex);
}

// The host submits to the same queue from a thread of its own, under the same lock.
struct host_thread {
    struct harness *h;
    struct host_lock *lock;
    int num_submits;
};

static void *submit_beside(void *user)
{
    struct host_thread *thread = user;
    const struct weir_queue *queue = &thread->h->host;
    for (int i = 0; i < thread->num_submits; i++) {
        const VkSubmitInfo empty = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
        lock_queue(thread->lock, queue->family, queue->index);
        vkQueueSubmit(queue->queue, 1, &empty, VK_NULL_HANDLE);
        unlock_queue(thread->lock, queue->family, queue->index);
    }
    return NULL;
}

// The cache that the last pipeline was made with: lavapipe's holds nothing that could be measured.
static VkPipelineCache used_cache;

static PFN_vkCreateComputePipelines real_CreateComputePipelines;
static VKAPI_ATTR VkResult VKAPI_CALL replace_CreateComputePipelines(
    VkDevice device, VkPipelineCache cache, uint32_t num, const VkComputePipelineCreateInfo *infos,
    const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    used_cache = cache;
    return real_CreateComputePipelines(device, cache, num, infos, allocator, pipelines);
}

REPLACE_CALLS(REPLACE(replace_, vk, CreateComputePipelines))

static void run_frames(struct harness *h, weir_context *context, const struct weir_gpu_image *image,
                       int num_frames)
{
    weir_image *source = NULL;
    weir_encoder *encoder = NULL;
    weir_readback *readback = NULL;
    const struct weir_image_params wrap = image->params;
    const uint64_t size = weir_codec_image_size(WEIR_CODEC_DEFAULT, image->params.width,
                                                image->params.height);
    TEST_OK(weir_image_create(context, &wrap, &source));
    TEST_OK(weir_encoder_create(context, weir_encoder_params(.like = source), &encoder));
    TEST_OK(weir_readback_create(context, weir_readback_params(.size = size), &readback));
    const struct weir_frame frame = {
        .image = source, .layout = VK_IMAGE_LAYOUT_GENERAL, .queue_family = h->host.family};
    for (int i = 0; i < num_frames; i++) {
        struct weir_slot slot;
        struct weir_readback_data data;
        test_expect(weir_readback_begin(readback, &frame, &slot) == WEIR_OK, "begin %d", i);
        const struct weir_encode encode = {.source = source,
                                           .buffer = weir_slot_buffer(readback, &slot)};
        weir_cmd_encode(encoder, slot.cmd, &encode);
        TEST_OK(weir_readback_submit(readback, &slot, NULL));
        TEST_OK(weir_readback_wait(readback, slot.index, UINT64_MAX, &data));
        weir_readback_release(readback, slot.index);
    }
    weir_readback_destroy(&readback);
    weir_encoder_destroy(&encoder);
    weir_image_destroy(&source);
}

// Frames beside a thread of the host's on the same queue, which takes the copies too if `apart`.
static void test_lock(struct harness *h, const struct weir_context_params *good,
                      const struct weir_gpu_image *image, bool apart)
{
    enum { NUM_FRAMES = 100, NUM_HOST_SUBMITS = 300 };
    struct host_lock lock = {.family = h->host.family, .index = h->host.index};
    pthread_mutex_init(&lock.mutex, NULL);
    struct weir_context_params params = *good;
    params.lock_queue = lock_queue;
    if (apart) {
        params.transfer[0] = h->host;
    }
    weir_context *context = NULL;
    test_expect(weir_context_create(&params, &context) == WEIR_ERROR_INVALID,
                "a lock without an unlock is taken");
    params.unlock_queue = unlock_queue;
    params.lock_user = &lock;
    TEST_OK(weir_context_create(&params, &context));

    struct host_thread beside = {.h = h, .lock = &lock, .num_submits = NUM_HOST_SUBMITS};
    pthread_t thread;
    pthread_create(&thread, NULL, submit_beside, &beside);
    run_frames(h, context, image, NUM_FRAMES);
    pthread_join(thread, NULL);
    vkQueueWaitIdle(h->host.queue);
    test_expect(lock.num_locks == (apart ? 2 : 1) * NUM_FRAMES + NUM_HOST_SUBMITS &&
                    lock.num_unlocks == lock.num_locks && lock.num_strangers == 0,
                "%d locks, %d unlocks, %d of another queue", lock.num_locks, lock.num_unlocks,
                lock.num_strangers);
    weir_context_destroy(&context);
    pthread_mutex_destroy(&lock.mutex);
}

int main(void)
{
    struct harness h;
    harness_init(&h, true);
    static const uint8_t texels[32 * 16 * 4];
    struct weir_gpu_image image;
    harness_image_init(&h, VK_FORMAT_R8G8B8A8_UNORM, 32, 16, VK_IMAGE_USAGE_SAMPLED_BIT, 0, texels,
                       4, VK_IMAGE_LAYOUT_GENERAL, &image);
    VkPipelineCache cache = VK_NULL_HANDLE;
    const VkPipelineCacheCreateInfo cache_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    vkCreatePipelineCache(h.vk, &cache_info, NULL, &cache);

    struct weir_context_params params = *h.import;
    params.graphics = h.host;
    params.compute = (struct weir_queue){0};
    memset(params.transfer, 0, sizeof(params.transfer));
    params.pipeline_cache = cache;
    params.get_instance_proc_addr = replaced_instance_proc;
    test_lock(&h, &params, &image, false);
    test_lock(&h, &params, &image, true);
    test_expect(cache && used_cache == cache, "the pipeline cache is not used");
    vkDestroyPipelineCache(h.vk, cache, NULL);
    harness_image_finish(&h, &image);
    return harness_finish(&h);
}
