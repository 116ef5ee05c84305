// SPDX-License-Identifier: MIT
// The device, the random numbers and the images of GPU tests.
#include "tests/gpu/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

enum { MAX_LIKES = 32 };

static void finish_likes(struct harness *harness);

#include "tests/seeded.h"

// Validation layers older than their pull request 8519 (September 2024) can wait in vain for
// themselves where a host signals a timeline semaphore. They go on after 10 s, and say that this is
// most likely their own mistake.
static bool is_of_the_layer(const struct weir_log_message *message)
{
    return message->code == WEIR_LOG_CODE_VALIDATION &&
           strstr(message->text, "UNASSIGNED-VkSemaphore-state-timeout");
}

static void on_log(void *user, const struct weir_log_message *message)
{
    struct harness *harness = user;
    if (is_of_the_layer(message)) {
        printf("not counted: the layer waited in vain for a timeline semaphore\n");
        return;
    }
    test_expect(!strstr(message->text, " 1 queue families"), "one is no plural: %s", message->text);
    if (message->code >= 0 && message->code < 512) {
        harness->log_codes[message->code]++;
    }
    if (message->code == WEIR_LOG_CODE_VALIDATION || getenv("WEIR_TEST_VERBOSE")) {
        weir_log_print_stderr(NULL, message);
    }
}

static void create_device(struct harness *harness, const VkPhysicalDeviceFeatures *features)
{
    const struct weir_log log = {.print = on_log, .user = harness, .least_severity = WEIR_LOG_INFO};
    enum weir_result result = weir_device_create(
        weir_device_params(.validation = true, .features = features, .log = log), &harness->device);
    if (result != WEIR_OK) {
        printf("no validation layer on this machine: running without it\n");
        result = weir_device_create(weir_device_params(.features = features, .log = log),
                                    &harness->device);
    }
    if (result != WEIR_OK) {
        test_skip("no Vulkan device (install mesa-vulkan-drivers)");
    }
}

// Make the device, and give the context's params that import it.
static struct weir_context_params init_device(struct harness *harness, bool queue_is_shared,
                                              const VkPhysicalDeviceFeatures *features)
{
    memset(harness, 0, sizeof(*harness));
    harness->random = seeded_seed();
    create_device(harness, features);
    harness->import = weir_device_import(harness->device);
    harness->vk = harness->import->device;
    harness->host = harness->import->graphics.queue ? harness->import->graphics
                                                    : harness->import->compute;
    struct weir_context_params params = *harness->import;
    if (queue_is_shared) {
        params.graphics = harness->host;
        params.compute = (struct weir_queue){0};
    }
    return params;
}

static void init_context(struct harness *harness, const struct weir_context_params *params)
{
    TEST_MUST(weir_context_create(params, &harness->context));
    TEST_MUST(weir_gpu_create(weir_gpu_params(.import = harness->import, .queue = harness->host),
                              &harness->gpu));
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = harness->host.family,
    };
    test_must(vkCreateCommandPool(harness->vk, &pool, NULL, &harness->pool) == VK_SUCCESS, "pool");
}

void harness_init(struct harness *harness, bool queue_is_shared)
{
    harness_init_features(harness, queue_is_shared, NULL);
}

void harness_init_features(struct harness *harness, bool queue_is_shared,
                           const VkPhysicalDeviceFeatures *features)
{
    const struct weir_context_params params = init_device(harness, queue_is_shared, features);
    init_context(harness, &params);
}

void harness_init_copies(struct harness *harness, bool queue_is_shared, bool copies_apart)
{
    struct weir_context_params params = init_device(harness, queue_is_shared, NULL);
    if (!copies_apart) {
        memset(params.transfer, 0, sizeof(params.transfer));
    } else if (!params.transfer[0].queue) {
        params.transfer[0] = params.transfer[1] = harness->host;
    }
    init_context(harness, &params);
}

int harness_finish(struct harness *harness)
{
    finish_likes(harness);
    vkDestroyCommandPool(harness->vk, harness->pool, NULL);
    weir_gpu_destroy(&harness->gpu);
    weir_context_destroy(&harness->context);
    weir_device_destroy(&harness->device); // here the layer names what outlives it
    const int messages = harness->log_codes[WEIR_LOG_CODE_VALIDATION];
    test_expect(messages == 0, "%d validation messages", messages);
    return test_finish();
}

uint32_t harness_random(struct harness *harness)
{
    return seeded_next(&harness->random);
}

uint32_t harness_random_below(struct harness *harness, uint32_t limit)
{
    return (uint32_t)((uint64_t)harness_random(harness) * limit >> 32);
}

uint32_t harness_random_side(struct harness *harness, uint32_t limit)
{
    uint32_t side;
    do {
        side = 1 + harness_random_below(harness, limit);
    } while ((side & (side - 1)) == 0);
    return side;
}

void harness_buffer_init(struct harness *harness, uint64_t size, VkBufferUsageFlags usage,
                         struct weir_gpu_buffer *out)
{
    TEST_MUST(weir_gpu_buffer_init(
        harness->gpu,
        weir_gpu_buffer_params(.size = size, .usage = usage, .memory = WEIR_GPU_MEMORY_HOST), out));
}

void harness_buffer_finish(struct harness *harness, struct weir_gpu_buffer *buffer)
{
    weir_gpu_buffer_finish(harness->gpu, buffer);
}

void harness_storage_init(struct harness *harness, uint64_t size, struct harness_storage *out)
{
    harness_buffer_init(harness, size,
                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                        &out->memory);
    TEST_MUST(weir_buffer_create(harness->context,
                                 weir_buffer_params(.buffer = out->memory.buffer, .size = size),
                                 &out->buffer));
}

void harness_storage_finish(struct harness *harness, struct harness_storage *storage)
{
    weir_buffer_destroy(&storage->buffer);
    harness_buffer_finish(harness, &storage->memory);
}

VkCommandBuffer harness_begin(struct harness *harness)
{
    VkCommandBuffer cmd;
    TEST_MUST(weir_gpu_begin(harness->gpu, &cmd));
    return cmd;
}

void harness_submit(struct harness *harness, VkCommandBuffer cmd, const struct weir_point *wait,
                    VkPipelineStageFlags wait_stage)
{
    struct weir_gpu_submission submit = {.wait_stages = wait_stage};
    struct weir_point done;
    if (wait) {
        submit.wait = *wait;
    }
    TEST_MUST(weir_gpu_submit(harness->gpu, cmd, &submit, &done));
    TEST_MUST(weir_gpu_wait(harness->gpu, done, UINT64_MAX));
}

static void upload(struct harness *harness, const struct weir_image_params *image,
                   const void *texels, uint32_t texel_size, VkImageLayout layout)
{
    const uint64_t size = (uint64_t)image->width * image->height * texel_size;
    struct weir_gpu_buffer staging;
    harness_buffer_init(harness, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, &staging);
    memcpy(staging.mapped, texels, size);
    VkCommandBuffer cmd = harness_begin(harness);
    weir_cmd_upload(harness->gpu, cmd,
                    &(const struct weir_gpu_copy){.image = image,
                                                  .buffer = staging.buffer,
                                                  .scope = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                            VK_ACCESS_TRANSFER_WRITE_BIT, layout}});
    harness_submit(harness, cmd, NULL, 0);
    harness_buffer_finish(harness, &staging);
}

void harness_image_init(struct harness *harness, VkFormat format, uint32_t width, uint32_t height,
                        VkImageUsageFlags usage, VkImageCreateFlags flags, const void *texels,
                        uint32_t texel_size, VkImageLayout layout, struct weir_gpu_image *out)
{
    TEST_MUST(weir_gpu_image_init(
        harness->gpu,
        weir_image_params(.format = format, .width = width, .height = height,
                          .usage = usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT, .flags = flags),
        0, out));
    upload(harness, &out->params, texels, texel_size, layout);
}

void harness_image_finish(struct harness *harness, struct weir_gpu_image *image)
{
    weir_gpu_image_finish(harness->gpu, image);
}

void harness_record_host_reads(const struct harness *harness, VkCommandBuffer cmd)
{
    const struct weir_gpu_scope written = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                           VK_ACCESS_MEMORY_WRITE_BIT, 0};
    const struct weir_gpu_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT, 0};
    weir_cmd_barrier(harness->gpu, cmd, NULL, written, host);
}

void harness_record_copy(const struct harness *harness, VkCommandBuffer cmd,
                         const struct weir_gpu_image *image, VkBuffer buffer, uint64_t offset)
{
    const struct weir_gpu_scope written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                           VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    const struct weir_gpu_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT, 0};
    weir_cmd_download(
        harness->gpu, cmd,
        &(const struct weir_gpu_copy){
            .image = &image->params, .buffer = buffer, .offset = offset, .scope = written});
    weir_cmd_barrier(harness->gpu, cmd, NULL, written, host);
}

weir_image *harness_wrap(struct harness *harness, const struct weir_gpu_image *image,
                         enum weir_transfer transfer)
{
    struct weir_image_params params = image->params;
    params.transfer = transfer;
    weir_image *wrapped = NULL;
    test_expect(weir_image_create(harness->context, &params, &wrapped) == WEIR_OK,
                "weir_image_create for format %d", (int)params.format);
    return wrapped;
}

// Images that harness_like() has made. Their texels are never used.
struct harness_likes {
    struct {
        struct weir_gpu_image image;
        weir_image *wrapped;
        VkImageCreateFlags flags;
        enum weir_transfer transfer;
    } entries[MAX_LIKES];
    uint32_t num;
};

static bool is_possible(const struct harness *harness, VkFormat format, VkImageCreateFlags flags)
{
    VkImageFormatProperties properties;
    return vkGetPhysicalDeviceImageFormatProperties(
               harness->import->physical_device, format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
               VK_IMAGE_USAGE_SAMPLED_BIT, flags, &properties) == VK_SUCCESS;
}

const weir_image *harness_like(struct harness *harness, VkFormat format, VkImageCreateFlags flags,
                               enum weir_transfer transfer)
{
    static const uint8_t texel[32];
    if (!harness->likes) {
        harness->likes = calloc(1, sizeof(*harness->likes));
        test_must(harness->likes, "memory");
    }
    struct harness_likes *likes = harness->likes;
    for (uint32_t i = 0; i < likes->num; i++) {
        if (likes->entries[i].image.params.format == format && likes->entries[i].flags == flags &&
            likes->entries[i].transfer == transfer) {
            return likes->entries[i].wrapped;
        }
    }
    test_must(likes->num < MAX_LIKES, "kinds of images");
    if (!is_possible(harness, format, flags)) {
        return NULL;
    }
    struct weir_gpu_image *image = &likes->entries[likes->num].image;
    harness_image_init(harness, format, 1, 1, VK_IMAGE_USAGE_SAMPLED_BIT, flags, texel,
                       sizeof(texel), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, image);
    likes->entries[likes->num].flags = flags;
    likes->entries[likes->num].transfer = transfer;
    likes->entries[likes->num].wrapped = harness_wrap(harness, image, transfer);
    return likes->entries[likes->num++].wrapped;
}

static void finish_likes(struct harness *harness)
{
    for (uint32_t i = 0; harness->likes && i < harness->likes->num; i++) {
        weir_image_destroy(&harness->likes->entries[i].wrapped);
        harness_image_finish(harness, &harness->likes->entries[i].image);
    }
    free(harness->likes);
}

void harness_release(struct harness *harness, const struct weir_frame *frame)
{
    if (weir_frame_changes_owner(frame)) {
        VkCommandBuffer cmd = harness_begin(harness);
        weir_cmd_frame_release(frame, cmd, VK_PIPELINE_STAGE_TRANSFER_BIT,
                               VK_ACCESS_TRANSFER_WRITE_BIT);
        harness_submit(harness, cmd, NULL, 0);
    }
}

void harness_acquire(struct harness *harness, const struct weir_frame *frame,
                     const struct weir_point *released)
{
    if (weir_frame_changes_owner(frame)) {
        VkCommandBuffer cmd = harness_begin(harness);
        weir_cmd_frame_acquire(frame, cmd, VK_PIPELINE_STAGE_TRANSFER_BIT,
                               VK_ACCESS_TRANSFER_READ_BIT);
        harness_submit(harness, cmd, released, VK_PIPELINE_STAGE_TRANSFER_BIT);
    }
}
