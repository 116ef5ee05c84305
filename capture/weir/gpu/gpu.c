// SPDX-License-Identifier: MIT
// The program's own use of a Vulkan device: images, buffers and submissions on Weir's queue.
#include "capture/weir/gpu/gpu.h"

#include <stdio.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/files/source/source.h"
#include "capture/weir/common/report.h"
#include "capture/weir/gpu/barrier.h"

enum weir_result cli_gpu_check(VkResult result, const char *call)
{
    switch (result) {
    case VK_SUCCESS:
        return WEIR_OK;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        cli_report_error("%s: out of memory; a smaller --size needs less", call);
        return WEIR_ERROR_OUT_OF_MEMORY;
    case VK_ERROR_DEVICE_LOST:
        weir_log_printf(&cli_log, WEIR_LOG_ERROR, WEIR_LOG_CODE_DEVICE_LOST,
                        "%s: the device was lost; try it again, or choose another with --device",
                        call);
        return WEIR_ERROR_DEVICE_LOST;
    default:
        cli_report_error("%s: VkResult %d", call, (int)result);
        return WEIR_ERROR_VULKAN;
    }
}

enum weir_result cli_gpu_check_made(VkResult result, const char *call, void *handle)
{
    if (result != VK_SUCCESS) {
        memset(handle, 0, sizeof(uint64_t)); // which such handles are
    }
    return cli_gpu_check(result, call);
}

static enum weir_result make_objects(struct cli_gpu *gpu)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    vkGetPhysicalDeviceProperties2(gpu->import->physical_device, &properties);
    vkGetPhysicalDeviceMemoryProperties(gpu->import->physical_device, &gpu->memory);
    gpu->properties = properties.properties;
    snprintf(gpu->driver, sizeof(gpu->driver), "%.120s %.120s", driver.driverName,
             driver.driverInfo);

    VkQueueFamilyProperties families[WEIR_MAX_QUEUE_FAMILIES];
    uint32_t num_families = WEIR_MAX_QUEUE_FAMILIES;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->import->physical_device, &num_families, families);
    if (gpu->queue.family < num_families) {
        gpu->timestamp_bits = families[gpu->queue.family].timestampValidBits;
    }

    VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = gpu->queue.family,
    };
    enum weir_result result = cli_gpu_check_made(
        vkCreateCommandPool(gpu->vk, &pool, NULL, &gpu->pool), "vkCreateCommandPool", &gpu->pool);
    if (result != WEIR_OK) {
        return result;
    }
    VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                       .pNext = &type};
    return cli_gpu_check_made(vkCreateSemaphore(gpu->vk, &semaphore, NULL, &gpu->timeline),
                              "vkCreateSemaphore", &gpu->timeline);
}

enum weir_result cli_gpu_open(struct cli_gpu *gpu, uint32_t index, bool validation)
{
    return cli_gpu_open_with(gpu, &(const struct cli_gpu_params){
                                      .index = index, .validation = validation, .log = cli_log});
}

enum weir_result cli_gpu_open_with(struct cli_gpu *gpu, const struct cli_gpu_params *params)
{
    *gpu = (struct cli_gpu){0};
    enum weir_result result = weir_device_create(
        weir_device_params(.index = params->index, .validation = params->validation,
                           .no_async = params->graphics, .no_transfer = params->no_transfer,
                           .log = params->log),
        &gpu->device);
    if (result != WEIR_OK) {
        return result;
    }
    gpu->import = weir_device_import(gpu->device);
    gpu->vk = gpu->import->device;
    result = weir_context_create(gpu->import, &gpu->context);
    if (result == WEIR_OK) {
        gpu->queue = weir_context_get_queue(gpu->context);
        result = make_objects(gpu);
    }
    if (result != WEIR_OK) {
        cli_gpu_close(gpu);
    }
    return result;
}

bool cli_gpu_close(struct cli_gpu *gpu)
{
    if (!gpu->device) {
        return true;
    }
    cli_gpu_drain(gpu);
    vkDestroySemaphore(gpu->vk, gpu->timeline, NULL);
    vkDestroyCommandPool(gpu->vk, gpu->pool, NULL);
    weir_context_destroy(&gpu->context);
    uint32_t num_messages = weir_device_get_num_messages(gpu->device);
    weir_device_destroy(&gpu->device);
    *gpu = (struct cli_gpu){0};
    if (num_messages > 0) {
        cli_report_error("%u messages of the validation layer", num_messages);
    }
    return num_messages == 0;
}

enum weir_result cli_gpu_close_behind(struct cli_gpu *gpu, enum weir_result result)
{
    const bool is_valid = cli_gpu_close(gpu);
    return result == WEIR_OK && !is_valid ? WEIR_ERROR_VULKAN : result;
}

enum weir_result cli_gpu_check_side(const struct cli_gpu *gpu, const char *input, uint32_t width,
                                    uint32_t height)
{
    const uint32_t limit = gpu->properties.limits.maxImageDimension2D;
    if (width <= limit && height <= limit) {
        return WEIR_OK;
    }
    cli_report_error("%s is %ux%u; %s takes at most %u a side: give a smaller picture", input,
                     width, height, gpu->properties.deviceName, limit);
    return WEIR_ERROR_UNSUPPORTED;
}

uint32_t cli_gpu_find_memory(const struct cli_gpu *gpu, uint32_t allowed,
                             VkMemoryPropertyFlags wanted)
{
    for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; i++) {
        if ((allowed & (1u << i)) != 0 &&
            (gpu->memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
            return i;
        }
    }
    return UINT32_MAX;
}

static enum weir_result allocate(struct cli_gpu *gpu, const VkMemoryRequirements *needs,
                                 bool mapped, VkDeviceMemory *memory)
{
    // Staging rows are written once and in order, and read by the GPU: any coherent memory does,
    // and system memory leaves the device's own to the images.
    static const VkMemoryPropertyFlags coherent = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                  VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = mapped ? cli_gpu_find_memory(gpu, needs->memoryTypeBits,
                                                 coherent | VK_MEMORY_PROPERTY_HOST_CACHED_BIT)
                           : cli_gpu_find_memory(gpu, needs->memoryTypeBits,
                                                 VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (type == UINT32_MAX) {
        type = cli_gpu_find_memory(gpu, needs->memoryTypeBits, mapped ? coherent : 0);
    }
    if (type == UINT32_MAX) {
        cli_report_error("the device has no memory that the host can write");
        return WEIR_ERROR_UNSUPPORTED;
    }
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs->size,
        .memoryTypeIndex = type,
    };
    return cli_gpu_check_made(vkAllocateMemory(gpu->vk, &info, NULL, memory), "vkAllocateMemory",
                              memory);
}

static enum weir_result make_image(struct cli_gpu *gpu, struct cli_image *image)
{
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = image->flags,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = image->format,
        .extent = {image->width, image->height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = image->usage,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
    };
    enum weir_result result = cli_gpu_check_made(vkCreateImage(gpu->vk, &info, NULL, &image->image),
                                                 "vkCreateImage", &image->image);
    if (result != WEIR_OK) {
        return result;
    }
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(gpu->vk, image->image, &needs);
    result = allocate(gpu, &needs, false, &image->memory);
    if (result == WEIR_OK) {
        result = cli_gpu_check(vkBindImageMemory(gpu->vk, image->image, image->memory, 0),
                               "vkBindImageMemory");
    }
    if (result == WEIR_OK) {
        result = weir_image_create(gpu->context,
                                   weir_image_params(.image = image->image, .format = image->format,
                                                     .width = image->width, .height = image->height,
                                                     .usage = image->usage, .flags = image->flags),
                                   &image->weir);
    }
    return result;
}

static enum weir_result init_image(struct cli_gpu *gpu, const struct cli_image *params,
                                   struct cli_image *image)
{
    *image = *params;
    image->usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                    VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    enum weir_result result = make_image(gpu, image);
    if (result != WEIR_OK) {
        cli_image_finish(gpu, image);
    }
    return result;
}

enum weir_result cli_image_init_as(struct cli_gpu *gpu, VkFormat format, uint32_t width,
                                   uint32_t height, struct cli_image *image)
{
    return init_image(
        gpu, &(const struct cli_image){.format = format, .width = width, .height = height}, image);
}

enum weir_result cli_image_init(struct cli_gpu *gpu, uint32_t width, uint32_t height,
                                struct cli_image *image)
{
    return cli_image_init_as(gpu, VK_FORMAT_R8G8B8A8_UNORM, width, height, image);
}

enum weir_result cli_image_init_mutable(struct cli_gpu *gpu, VkFormat format, uint32_t width,
                                        uint32_t height, struct cli_image *image)
{
    return init_image(gpu,
                      &(const struct cli_image){.format = format,
                                                .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
                                                .width = width,
                                                .height = height},
                      image);
}

enum weir_result cli_image_init_written(struct cli_gpu *gpu, VkFormat format, uint32_t width,
                                        uint32_t height, struct cli_image *image)
{
    const VkImageCreateFlags flags = format == VK_FORMAT_R8G8B8A8_SRGB
                                         ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                                               VK_IMAGE_CREATE_EXTENDED_USAGE_BIT
                                         : 0;
    return init_image(gpu,
                      &(const struct cli_image){.format = format,
                                                .flags = flags,
                                                .usage = VK_IMAGE_USAGE_STORAGE_BIT,
                                                .width = width,
                                                .height = height},
                      image);
}

void cli_image_finish(struct cli_gpu *gpu, struct cli_image *image)
{
    weir_image_destroy(&image->weir);
    vkDestroyImage(gpu->vk, image->image, NULL);
    vkFreeMemory(gpu->vk, image->memory, NULL);
    *image = (struct cli_image){0};
}

static enum weir_result make_buffer(struct cli_gpu *gpu, VkBufferUsageFlags usage, bool mapped,
                                    struct cli_buffer *buffer)
{
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = buffer->size,
        .usage = usage,
    };
    enum weir_result result = cli_gpu_check_made(
        vkCreateBuffer(gpu->vk, &info, NULL, &buffer->buffer), "vkCreateBuffer", &buffer->buffer);
    if (result != WEIR_OK) {
        return result;
    }
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(gpu->vk, buffer->buffer, &needs);
    result = allocate(gpu, &needs, mapped, &buffer->memory);
    if (result == WEIR_OK) {
        result = cli_gpu_check(vkBindBufferMemory(gpu->vk, buffer->buffer, buffer->memory, 0),
                               "vkBindBufferMemory");
    }
    void *data = NULL;
    if (result == WEIR_OK && mapped) {
        result = cli_gpu_check(vkMapMemory(gpu->vk, buffer->memory, 0, VK_WHOLE_SIZE, 0, &data),
                               "vkMapMemory");
    }
    buffer->mapped = data;
    return result;
}

enum weir_result cli_buffer_init(struct cli_gpu *gpu, uint64_t size, VkBufferUsageFlags usage,
                                 bool mapped, struct cli_buffer *buffer)
{
    *buffer = (struct cli_buffer){.size = size};
    enum weir_result result = make_buffer(gpu, usage, mapped, buffer);
    if (result != WEIR_OK) {
        cli_buffer_finish(gpu, buffer);
    }
    return result;
}

void cli_buffer_finish(struct cli_gpu *gpu, struct cli_buffer *buffer)
{
    vkDestroyBuffer(gpu->vk, buffer->buffer, NULL);
    vkFreeMemory(gpu->vk, buffer->memory, NULL);
    *buffer = (struct cli_buffer){0};
}

bool cli_gpu_has_format(const struct cli_gpu *gpu, VkFormat format)
{
    const VkFormatFeatureFlags wanted = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
                                        VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
                                        VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(gpu->import->physical_device, format, &properties);
    return (properties.optimalTilingFeatures & wanted) == wanted;
}

uint32_t cli_texel_size(VkFormat format)
{
    return format == VK_FORMAT_R16G16B16A16_SFLOAT || format == VK_FORMAT_R16G16B16A16_UNORM ? 8
                                                                                             : 4;
}

size_t cli_staging_pitch(uint32_t width)
{
    return weir_round_up((size_t)width * 4, WEIR_SOURCE_ALIGNMENT);
}

uint64_t cli_staging_size(uint32_t width, uint32_t height)
{
    return (uint64_t)cli_staging_pitch(width) * height;
}

enum weir_result cli_gpu_wait(struct cli_gpu *gpu, struct weir_point point)
{
    if (point.semaphore == VK_NULL_HANDLE) {
        return WEIR_OK;
    }
    VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &point.semaphore,
        .pValues = &point.value,
    };
    const VkResult waited = vkWaitSemaphores(gpu->vk, &info, UINT64_MAX);
    // What is waited for must be over before its objects are destroyed, so the wait is repeated
    // while memory is short. On a lost device it is over.
    VkResult again = waited;
    while (again == VK_ERROR_OUT_OF_HOST_MEMORY || again == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
        again = vkWaitSemaphores(gpu->vk, &info, UINT64_MAX);
    }
    return cli_gpu_check(waited, "vkWaitSemaphores");
}

void cli_gpu_drain(struct cli_gpu *gpu)
{
    if (gpu->submitted > 0) {
        cli_gpu_wait(gpu, (struct weir_point){gpu->timeline, gpu->submitted});
    }
}

void cli_cmd_upload(VkCommandBuffer commands, const struct cli_buffer *staging,
                    const struct cli_image *image)
{
    const VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const struct cli_image_scope unused = {transfer, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    const struct cli_image_scope filled = {transfer, VK_ACCESS_TRANSFER_WRITE_BIT,
                                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    const struct cli_image_scope read = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                         VK_ACCESS_SHADER_READ_BIT,
                                         VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    cli_cmd_image_barrier(commands, image->image, unused, filled);
    const uint32_t texel_size = cli_texel_size(image->format);
    VkBufferImageCopy copy = {
        .bufferRowLength = (uint32_t)(cli_staging_pitch(image->width * texel_size / 4) /
                                      texel_size),
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {image->width, image->height, 1},
    };
    vkCmdCopyBufferToImage(commands, staging->buffer, image->image, filled.layout, 1, &copy);
    cli_cmd_image_barrier(commands, image->image, filled, read);
}
