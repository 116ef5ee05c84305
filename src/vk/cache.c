// SPDX-License-Identifier: MIT
// Saves the compiled kernels of a context as bytes, and loads them in a later process.
#include "vk/context.h"

#include <stdio.h>
#include <string.h>

#include <weir/version.h>

// What stands before the bytes of the driver: a driver may crash on bytes that were damaged.
struct head {
    char name[24];                          // with the version of Weir, whose kernels they are
    uint64_t hash;                          // of what follows
    VkPipelineCacheHeaderVersionOne driver; // the driver's bytes begin with it
};

enum { DRIVER = offsetof(struct head, driver) };

// FNV-1a 64, by words of which the last may be cut. It finds what was damaged, not what was forged.
static uint64_t hash_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u + size;
    for (size_t i = 0; i < size; i += sizeof(hash)) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < sizeof(word) ? size - i : sizeof(word));
        hash = (hash ^ word) * 0x100000001b3u;
        hash ^= hash >> 32;
    }
    return hash;
}

static void set_name(char name[24])
{
    memset(name, 0, 24);
    snprintf(name, 24, "weir kernels %s", weir_version());
}

// True if the bytes are whole, and of this version of Weir, this device and its driver (Vulkan 1.3,
// "Pipeline Cache Header").
static bool is_own(const weir_context *context, const uint8_t *bytes, size_t size)
{
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    const VkPhysicalDeviceProperties *device = &properties.properties;
    struct head head;
    char name[sizeof(head.name)];
    if (size < sizeof(head)) {
        return false;
    }
    memcpy(&head, bytes, sizeof(head));
    set_name(name);
    context->vk.GetPhysicalDeviceProperties2(context->physical_device, &properties);
    return memcmp(head.name, name, sizeof(name)) == 0 &&
           head.hash == hash_of(bytes + DRIVER, size - DRIVER) &&
           head.driver.headerSize >= sizeof(head.driver) &&
           head.driver.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           head.driver.vendorID == device->vendorID && head.driver.deviceID == device->deviceID &&
           memcmp(head.driver.pipelineCacheUUID, device->pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

enum weir_result weir_vk_cache_init(weir_context *context, const struct weir_context_params *params)
{
    VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    context->pipeline_cache = params->pipeline_cache;
    if (params->pipeline_cache) {
        return WEIR_OK;
    }
    if (params->cache_size > 0 && is_own(context, params->cache, params->cache_size)) {
        info.pInitialData = (const uint8_t *)params->cache + DRIVER;
        info.initialDataSize = params->cache_size - DRIVER;
    } else if (params->cache_size > 0) {
        weir_log_printf(&context->log, WEIR_LOG_INFO, WEIR_LOG_CODE_CACHE_IGNORED,
                        "weir_context_params.cache is damaged, or of another device, driver or "
                        "version of Weir: kernels are compiled anew");
    }
    WEIR_TRY(WEIR_VK_MAKE(context, PipelineCache, &info, &context->own_cache));
    context->pipeline_cache = context->own_cache;
    return WEIR_OK;
}

enum weir_result weir_context_save_cache(weir_context *context, size_t *size, void *data)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(weir_context_log(context), context, size));
    WEIR_TRY(weir_context_check_lost(context));
    const size_t room = *size;
    *size = 0;
    WEIR_FAIL_IF(data && room < sizeof(struct head), &context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "*size is %zu: call with NULL for data first, which sets it", room);
    size_t driver_size = room - DRIVER; // not read without data
    uint8_t *driver = data ? (uint8_t *)data + DRIVER : NULL;
    const VkResult result = context->vk.GetPipelineCacheData(
        context->device, context->pipeline_cache, &driver_size, driver);
    if (result != VK_INCOMPLETE) { // kernels that were compiled meanwhile have no room
        WEIR_TRY(weir_vk_check(context, result, "vkGetPipelineCacheData"));
    }
    if (data) {
        const uint64_t hash = hash_of(driver, driver_size);
        set_name(data);
        memcpy((uint8_t *)data + offsetof(struct head, hash), &hash, sizeof(hash));
    }
    *size = DRIVER + driver_size;
    return WEIR_OK;
}
