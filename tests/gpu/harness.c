// SPDX-License-Identifier: MIT
// The device, the random numbers and the images of GPU tests.
#include "tests/gpu/harness.h"

#include <stdarg.h>
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
    if (message->code >= 0 && message->code < 512) {
        harness->log_codes[message->code]++;
    }
    if (message->code == WEIR_LOG_CODE_VALIDATION || getenv("WEIR_TEST_VERBOSE")) {
        weir_log_print_stderr(NULL, message);
    }
}

void harness_must(bool condition, const char *what)
{
    if (!condition) {
        printf("FAILED: the test itself cannot go on: %s\n", what);
        exit(1);
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
        printf("SKIPPED: no Vulkan device (install mesa-vulkan-drivers)\n");
        exit(77);
    }
}

void harness_device_features(VkPhysicalDeviceFeatures *features)
{
    struct harness harness = {0};
    create_device(&harness, NULL);
    vkGetPhysicalDeviceFeatures(weir_device_import(harness.device)->physical_device, features);
    weir_device_destroy(&harness.device);
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
    harness_must(weir_context_create(params, &harness->context) == WEIR_OK, "weir_context_create");
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
        .queueFamilyIndex = harness->host.family,
    };
    harness_must(vkCreateCommandPool(harness->vk, &pool, NULL, &harness->pool) == VK_SUCCESS,
                 "pool");
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
    weir_context_destroy(&harness->context);
    weir_device_destroy(&harness->device); // here the layer names what outlives it
    const int messages = harness->log_codes[WEIR_LOG_CODE_VALIDATION];
    harness_expect(harness, messages == 0, "%d validation messages", messages);
    printf("%s\n", harness->failures ? "FAILED" : "passed");
    return harness->failures != 0;
}

bool harness_expect(struct harness *harness, bool condition, const char *format, ...)
{
    if (!condition) {
        va_list args;
        va_start(args, format);
        printf("FAILED: ");
        vprintf(format, args);
        printf("\n");
        va_end(args);
        harness->failures++;
    }
    return condition;
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

static bool find_memory_type(const VkPhysicalDeviceMemoryProperties *memory, uint32_t bits,
                             VkMemoryPropertyFlags flags, uint32_t *out)
{
    for (*out = 0; *out < memory->memoryTypeCount; ++*out) {
        if ((bits >> *out & 1) && (memory->memoryTypes[*out].propertyFlags & flags) == flags) {
            return true;
        }
    }
    return false;
}

// Find a memory type. Memory that is visible to the host is cached if possible, as reading other
// memory is slow.
static uint32_t memory_type(const struct harness *harness, uint32_t bits,
                            VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(harness->import->physical_device, &memory);
    const bool is_visible = flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    uint32_t type;
    harness_must(
        (is_visible &&
         find_memory_type(&memory, bits, flags | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, &type)) ||
            find_memory_type(&memory, bits, flags, &type),
        "no memory type");
    return type;
}

VkDeviceMemory harness_allocate(struct harness *harness, const VkMemoryRequirements *requirements,
                                VkMemoryPropertyFlags flags)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = requirements->size,
        .memoryTypeIndex = memory_type(harness, requirements->memoryTypeBits, flags),
    };
    VkDeviceMemory memory;
    harness_must(vkAllocateMemory(harness->vk, &info, NULL, &memory) == VK_SUCCESS,
                 "vkAllocateMemory");
    return memory;
}

void harness_buffer_init(struct harness *harness, uint64_t size, VkBufferUsageFlags usage,
                         struct harness_buffer *out)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    harness_must(vkCreateBuffer(harness->vk, &info, NULL, &out->buffer) == VK_SUCCESS,
                 "vkCreateBuffer");
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(harness->vk, out->buffer, &requirements);
    out->memory = harness_allocate(harness, &requirements,
                                   VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                       VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    vkBindBufferMemory(harness->vk, out->buffer, out->memory, 0);
    void *mapped;
    harness_must(vkMapMemory(harness->vk, out->memory, 0, VK_WHOLE_SIZE, 0, &mapped) == VK_SUCCESS,
                 "map");
    out->mapped = mapped;
    out->size = size;
}

void harness_buffer_finish(struct harness *harness, struct harness_buffer *buffer)
{
    vkDestroyBuffer(harness->vk, buffer->buffer, NULL);
    vkFreeMemory(harness->vk, buffer->memory, NULL);
}

void harness_storage_init(struct harness *harness, uint64_t size, struct harness_storage *out)
{
    harness_buffer_init(harness, size,
                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                        &out->memory);
    harness_must(weir_buffer_create(harness->context,
                                    weir_buffer_params(.buffer = out->memory.buffer, .size = size),
                                    &out->buffer) == WEIR_OK,
                 "weir_buffer_create");
}

void harness_storage_finish(struct harness *harness, struct harness_storage *storage)
{
    weir_buffer_destroy(&storage->buffer);
    harness_buffer_finish(harness, &storage->memory);
}

VkCommandBuffer harness_begin(struct harness *harness)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = harness->pool,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cmd;
    harness_must(vkAllocateCommandBuffers(harness->vk, &info, &cmd) == VK_SUCCESS,
                 "command buffer");
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    harness_must(vkBeginCommandBuffer(cmd, &begin) == VK_SUCCESS, "vkBeginCommandBuffer");
    return cmd;
}

void harness_submit(struct harness *harness, VkCommandBuffer cmd, const struct weir_point *wait,
                    VkPipelineStageFlags wait_stage)
{
    const uint32_t num_waits = wait && wait->semaphore ? 1 : 0;
    harness_must(vkEndCommandBuffer(cmd) == VK_SUCCESS, "vkEndCommandBuffer");
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = num_waits,
        .pWaitSemaphoreValues = wait ? &wait->value : NULL,
    };
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .waitSemaphoreCount = num_waits,
        .pWaitSemaphores = wait ? &wait->semaphore : NULL,
        .pWaitDstStageMask = &wait_stage,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
    };
    harness_must(vkQueueSubmit(harness->host.queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS,
                 "submit");
    harness_must(vkQueueWaitIdle(harness->host.queue) == VK_SUCCESS, "vkQueueWaitIdle");
    vkFreeCommandBuffers(harness->vk, harness->pool, 1, &cmd);
}

static void upload(struct harness *harness, const struct harness_image *image, const void *texels,
                   uint32_t texel_size, VkImageLayout layout)
{
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkAccessFlags writes = VK_ACCESS_TRANSFER_WRITE_BIT;
    const struct cli_image_scope before = {transfer, writes, VK_IMAGE_LAYOUT_UNDEFINED};
    const struct cli_image_scope filled = {transfer, writes, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    const struct cli_image_scope after = {transfer, writes, layout};
    const uint64_t size = (uint64_t)image->width * image->height * texel_size;
    struct harness_buffer staging;
    harness_buffer_init(harness, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, &staging);
    memcpy(staging.mapped, texels, size);
    VkCommandBuffer cmd = harness_begin(harness);
    cli_cmd_image_barrier(cmd, image->image, before, filled);
    const VkBufferImageCopy copy = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {image->width, image->height, 1},
    };
    vkCmdCopyBufferToImage(cmd, staging.buffer, image->image, filled.layout, 1, &copy);
    cli_cmd_image_barrier(cmd, image->image, filled, after);
    harness_submit(harness, cmd, NULL, 0);
    harness_buffer_finish(harness, &staging);
}

void harness_image_init(struct harness *harness, VkFormat format, uint32_t width, uint32_t height,
                        VkImageUsageFlags usage, VkImageCreateFlags flags, const void *texels,
                        uint32_t texel_size, VkImageLayout layout, struct harness_image *out)
{
    *out = (struct harness_image){.format = format,
                                  .usage = usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                  .flags = flags,
                                  .width = width,
                                  .height = height};
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = flags,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {width, height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = out->usage,
    };
    harness_must(vkCreateImage(harness->vk, &info, NULL, &out->image) == VK_SUCCESS,
                 "vkCreateImage");
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(harness->vk, out->image, &requirements);
    out->memory = harness_allocate(harness, &requirements, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    vkBindImageMemory(harness->vk, out->image, out->memory, 0);
    upload(harness, out, texels, texel_size, layout);
}

void harness_image_finish(struct harness *harness, struct harness_image *image)
{
    vkDestroyImage(harness->vk, image->image, NULL);
    vkFreeMemory(harness->vk, image->memory, NULL);
}

void harness_record_host_reads(VkCommandBuffer cmd)
{
    const struct cli_scope written = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                      VK_ACCESS_MEMORY_WRITE_BIT};
    const struct cli_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};
    cli_cmd_barrier(cmd, written, host);
}

void harness_record_copy(VkCommandBuffer cmd, const struct harness_image *image, VkBuffer buffer,
                         uint64_t offset)
{
    const struct cli_scope written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                      VK_ACCESS_SHADER_WRITE_BIT};
    const struct cli_scope read = {VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                                   VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT};
    const struct cli_scope copied = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
    const struct cli_scope host = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT};
    const VkBufferImageCopy copy = {
        .bufferOffset = offset,
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageExtent = {image->width, image->height, 1},
    };
    cli_cmd_barrier(cmd, written, read);
    vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &copy);
    cli_cmd_barrier(cmd, copied, host);
}

struct weir_image_params harness_image_params(const struct harness_image *image)
{
    return (struct weir_image_params){.image = image->image,
                                      .format = image->format,
                                      .width = image->width,
                                      .height = image->height,
                                      .usage = image->usage,
                                      .flags = image->flags};
}

weir_image *harness_wrap(struct harness *harness, const struct harness_image *image,
                         enum weir_transfer transfer)
{
    struct weir_image_params params = harness_image_params(image);
    params.transfer = transfer;
    weir_image *wrapped = NULL;
    harness_expect(harness, weir_image_create(harness->context, &params, &wrapped) == WEIR_OK,
                   "weir_image_create for format %d", (int)image->format);
    return wrapped;
}

// Images that harness_like() has made. Their texels are never used.
struct harness_likes {
    struct {
        struct harness_image image;
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
        harness_must(harness->likes, "memory");
    }
    struct harness_likes *likes = harness->likes;
    for (uint32_t i = 0; i < likes->num; i++) {
        if (likes->entries[i].image.format == format && likes->entries[i].flags == flags &&
            likes->entries[i].transfer == transfer) {
            return likes->entries[i].wrapped;
        }
    }
    harness_must(likes->num < MAX_LIKES, "kinds of images");
    if (!is_possible(harness, format, flags)) {
        return NULL;
    }
    struct harness_image *image = &likes->entries[likes->num].image;
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
