// SPDX-License-Identifier: MIT
// The program's own use of a Vulkan device: images, buffers and submissions on Weir's queue.
#include "capture/weir/gpu/gpu.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/file.h"
#include "capture/base/place.h"
#include "capture/base/size.h"
#include "capture/files/source/source.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/report.h"

const struct weir_gpu_scope cli_copy_reads = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                              VK_ACCESS_TRANSFER_READ_BIT, 0};
const struct weir_gpu_scope cli_copy_writes = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                               VK_ACCESS_TRANSFER_WRITE_BIT, 0};
const struct weir_gpu_scope cli_kernel_reads = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                                VK_ACCESS_SHADER_READ_BIT,
                                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
const struct weir_gpu_scope cli_kernel_writes = {
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
const struct weir_gpu_scope cli_device_writes = {
    VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
    VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT, 0};
const struct weir_gpu_scope cli_host_reads = {VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT,
                                              0};

// All kernels take some MB. Larger files are neither read nor written.
#define MAX_SIZE ((size_t)64 << 20)

// Get what is in the file, to be given to free(), if it is this user's, and nobody else may write
// it. NULL: nothing.
static void *read_file(const char *path, size_t *size)
{
    struct stat status;
    void *bytes = NULL;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
        status.st_size > 0 && status.st_size <= (off_t)MAX_SIZE) {
        bytes = malloc((size_t)status.st_size);
        *size = bytes && read(fd, bytes, (size_t)status.st_size) == status.st_size
                    ? (size_t)status.st_size
                    : 0;
    }
    if (fd >= 0) {
        close(fd);
    }
    return bytes;
}

// Create a context with the kernels in the file.
static enum weir_result create_context(struct weir_kernel_file *file,
                                       const struct weir_context_params *params, weir_context **out)
{
    struct weir_context_params with_kernels = *params;
    void *bytes = read_file(file->path, &with_kernels.cache_size);
    with_kernels.cache = bytes;
    const enum weir_result result = weir_context_create(&with_kernels, out);
    free(bytes);
    if (result == WEIR_OK) {
        weir_context_save_cache(*out, &file->size, NULL);
    }
    return result;
}

static void write_file(char *path, const void *bytes, size_t size)
{
    static const struct weir_log silent;
    struct weir_file out;
    cli_make_folders(path, 0700); // as the XDG Base Directory Specification has it
    if (weir_file_open_nofollow(&out, path, &silent) == WEIR_OK) {
        out.is_atomic = true;
        if (fchmod(out.fd, 0600) == 0 && weir_file_write(&out, bytes, size) == WEIR_OK) {
            weir_file_commit(&out);
        }
        weir_file_close(&out);
    }
}

// Write the kernels of the context if there are more than it began with, and destroy it. Programs
// that do so at the same time replace each other's file.
static void destroy_context(struct weir_kernel_file *file, weir_context **context)
{
    size_t size = 0;
    if (*context && file->path[0] && weir_context_save_cache(*context, &size, NULL) == WEIR_OK &&
        size > file->size && size <= MAX_SIZE) {
        void *bytes = malloc(size);
        if (bytes && weir_context_save_cache(*context, &size, bytes) == WEIR_OK) {
            write_file(file->path, bytes, size);
        }
        free(bytes);
    }
    weir_context_destroy(context);
}

// Get what the device is, and name the file of its kernels by device and driver. That of another
// version of the driver, which the context does not take, is replaced.
static void read_properties(struct cli_gpu *gpu)
{
    char cache[PATH_MAX], *path = gpu->kernels.path;
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 device = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                          .pNext = &driver};
    vkGetPhysicalDeviceProperties2(gpu->import->physical_device, &device);
    gpu->properties = device.properties;
    snprintf(gpu->driver, sizeof(gpu->driver), "%.120s %.120s", driver.driverName,
             driver.driverInfo);
    const bool has_cache = weir_place_cache(cache, sizeof(cache));
    const int length = snprintf(path, PATH_MAX, "%s/weir/kernels-%04x-%04x-%02x",
                                has_cache ? cache : "", gpu->properties.vendorID,
                                gpu->properties.deviceID, (unsigned)driver.driverID);
    if (!has_cache || length >= PATH_MAX) {
        path[0] = 0;
    }
}

static void read_timestamp_bits(struct cli_gpu *gpu)
{
    VkQueueFamilyProperties families[WEIR_MAX_QUEUE_FAMILIES];
    uint32_t num_families = WEIR_MAX_QUEUE_FAMILIES;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->import->physical_device, &num_families, families);
    if (gpu->queue.family < num_families) {
        gpu->timestamp_bits = families[gpu->queue.family].timestampValidBits;
    }
}

enum weir_result cli_gpu_open(struct cli_gpu *gpu, const struct weir_device_params *params)
{
    struct weir_device_params complete = *params;
    if (!complete.log.print) {
        complete.log = cli_log;
    }
    *gpu = (struct cli_gpu){0};
    WEIR_TRY(weir_device_create(&complete, &gpu->device));
    gpu->import = weir_device_import(gpu->device);
    gpu->vk = gpu->import->device;
    read_properties(gpu);
    enum weir_result result = create_context(&gpu->kernels, gpu->import, &gpu->context);
    if (result == WEIR_OK) {
        gpu->queue = weir_context_get_queue(gpu->context);
        read_timestamp_bits(gpu);
        result = weir_gpu_create(weir_gpu_params(.import = gpu->import, .queue = gpu->queue),
                                 &gpu->work);
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
    weir_gpu_destroy(&gpu->work);
    destroy_context(&gpu->kernels, &gpu->context);
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
    return cli_fail(WEIR_ERROR_UNSUPPORTED,
                    "%s is %ux%u; %s takes at most %u a side: give a smaller picture", input, width,
                    height, gpu->properties.deviceName, limit);
}

enum weir_result cli_image_init(struct cli_gpu *gpu, const struct weir_image_params *params,
                                struct cli_image *image)
{
    struct weir_image_params complete = *params;
    complete.usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                      VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    image->weir = NULL;
    enum weir_result result = weir_gpu_image_init(gpu->work, &complete, 0, &image->gpu);
    if (result == WEIR_OK) {
        result = weir_image_create(gpu->context, &image->gpu.params, &image->weir);
    }
    if (result != WEIR_OK) {
        cli_image_finish(gpu, image);
    }
    return result;
}

void cli_image_finish(struct cli_gpu *gpu, struct cli_image *image)
{
    weir_image_destroy(&image->weir);
    weir_gpu_image_finish(gpu->work, &image->gpu);
}

enum weir_result cli_buffer_init(struct cli_gpu *gpu, uint64_t size, VkBufferUsageFlags usage,
                                 bool mapped, struct weir_gpu_buffer *buffer)
{
    return weir_gpu_buffer_init(
        gpu->work,
        weir_gpu_buffer_params(.size = size, .usage = usage,
                               .memory = mapped ? WEIR_GPU_MEMORY_HOST : WEIR_GPU_MEMORY_DEVICE),
        buffer);
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

void cli_cmd_upload(const struct cli_gpu *gpu, VkCommandBuffer commands,
                    const struct weir_gpu_buffer *staging, const struct cli_image *image)
{
    const struct weir_image_params *params = &image->gpu.params;
    const uint32_t texel_size = cli_texel_size(params->format);
    const size_t pitch = cli_staging_pitch(params->width * texel_size / 4);
    weir_cmd_upload(gpu->work, commands,
                    &(const struct weir_gpu_copy){
                        .image = params,
                        .buffer = staging->buffer,
                        .row_length = (uint32_t)(pitch / texel_size),
                        .scope = cli_kernel_reads,
                    });
}

void cli_timer_init(struct cli_timer *timer, struct cli_gpu *gpu, uint32_t num_parts)
{
    *timer = (struct cli_timer){.gpu = gpu, .num_parts = num_parts};
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2 * num_parts,
    };
    if (num_parts > 0 && gpu->timestamp_bits > 0 &&
        vkCreateQueryPool(gpu->vk, &queries, NULL, &timer->queries) != VK_SUCCESS) {
        timer->queries = VK_NULL_HANDLE;
    }
}

void cli_timer_finish(struct cli_timer *timer)
{
    if (!timer->gpu) {
        return;
    }
    vkDestroyQueryPool(timer->gpu->vk, timer->queries, NULL);
    *timer = (struct cli_timer){0};
}

enum weir_result cli_timer_begin(struct cli_timer *timer)
{
    const enum weir_result result = weir_gpu_begin(timer->gpu->work, &timer->commands);
    if (result == WEIR_OK && timer->queries != VK_NULL_HANDLE) {
        vkCmdResetQueryPool(timer->commands, timer->queries, 0, 2 * timer->num_parts);
    }
    return result;
}

// At the bottom of the pipe both: the first is written when all before it has ended.
static void mark(const struct cli_timer *timer, uint32_t query)
{
    if (timer->queries != VK_NULL_HANDLE) {
        vkCmdWriteTimestamp(timer->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timer->queries,
                            query);
    }
}

void cli_timer_start(const struct cli_timer *timer, uint32_t part)
{
    mark(timer, 2 * part);
}

void cli_timer_stop(const struct cli_timer *timer, uint32_t part)
{
    mark(timer, 2 * part + 1);
}

static void read_part(const struct cli_timer *timer, uint32_t part, double *ns)
{
    const struct cli_gpu *gpu = timer->gpu;
    const uint64_t mask = gpu->timestamp_bits >= 64 ? UINT64_MAX
                                                    : ((uint64_t)1 << gpu->timestamp_bits) - 1;
    uint64_t ticks[2];
    if (vkGetQueryPoolResults(gpu->vk, timer->queries, 2 * part, 2, sizeof(ticks), ticks,
                              sizeof(ticks[0]),
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT) == VK_SUCCESS) {
        *ns = (double)((ticks[1] - ticks[0]) & mask) *
              (double)gpu->properties.limits.timestampPeriod;
    }
}

enum weir_result cli_timer_run(struct cli_timer *timer, uint32_t num, double *ns)
{
    const enum weir_result result = weir_gpu_run(timer->gpu->work, timer->commands);
    for (uint32_t i = 0; i < num && result == WEIR_OK && timer->queries != VK_NULL_HANDLE; i++) {
        read_part(timer, i, &ns[i]);
    }
    return result;
}
