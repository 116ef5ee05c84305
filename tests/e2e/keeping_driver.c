// SPDX-License-Identifier: MIT
// Preloaded into a program, it makes every driver one that keeps compiled kernels, as lavapipe of
// Mesa 22.3 does not: a cache has 1000 bytes for each pipeline, and those that it was made with.
// WEIR_GIVEN names a file for the number of these. With WEIR_COMPILES_NOTHING pipelines are empty.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "tests/e2e/real_vulkan.h"

enum { HEADER_SIZE = 32, KERNEL_SIZE = 1000 };

static PFN_vkGetDeviceProcAddr real_device_proc;
static PFN_vkCreatePipelineCache real_create;
static PFN_vkGetPipelineCacheData real_data;
static PFN_vkCreateComputePipelines real_pipelines;
static size_t num_given; // beyond the header
static _Atomic size_t num_pipelines;

static VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice device, const VkPipelineCacheCreateInfo *info,
                                             const VkAllocationCallbacks *allocator,
                                             VkPipelineCache *cache)
{
    VkPipelineCacheCreateInfo empty = *info;
    const char *path = getenv("WEIR_GIVEN");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%zu\n", info->initialDataSize);
        fclose(file);
    }
    num_given = info->initialDataSize > HEADER_SIZE ? info->initialDataSize - HEADER_SIZE : 0;
    empty.initialDataSize = 0;
    return real_create(device, &empty, allocator, cache);
}

static VKAPI_ATTR VkResult VKAPI_CALL get_data(VkDevice device, VkPipelineCache cache, size_t *size,
                                               void *data)
{
    const size_t wanted = HEADER_SIZE + num_given + KERNEL_SIZE * num_pipelines, room = *size;
    *size = wanted;
    if (!data) {
        return VK_SUCCESS;
    }
    if (room < wanted) {
        *size = 0;
        return VK_INCOMPLETE;
    }
    size_t header = HEADER_SIZE;
    memset(data, 'k', wanted);
    return real_data(device, cache, &header, data) < 0 ? VK_ERROR_UNKNOWN : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL make(VkDevice device, VkPipelineCache cache, uint32_t num,
                                           const VkComputePipelineCreateInfo *infos,
                                           const VkAllocationCallbacks *allocator, VkPipeline *out)
{
    num_pipelines += cache ? num : 0;
    if (getenv("WEIR_COMPILES_NOTHING")) {
        memset(out, 0, num * sizeof(*out));
        return VK_SUCCESS;
    }
    return real_pipelines(device, cache, num, infos, allocator, out);
}

// Keep the function of that name in `place`, and replace it.
#define REPLACE(function, place, replacement)                                                      \
    if (strcmp(name, "vk" #function) == 0) {                                                       \
        place = (PFN_vk##function)found;                                                           \
        return (PFN_vkVoidFunction)replacement;                                                    \
    }

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char *name)
{
    const PFN_vkVoidFunction found = real_device_proc(device, name);
    REPLACE(CreatePipelineCache, real_create, create)
    REPLACE(GetPipelineCacheData, real_data, get_data)
    REPLACE(CreateComputePipelines, real_pipelines, make)
    return found;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                               const char *name)
{
    if (strcmp(name, "vkSetDebugUtilsObjectNameEXT") == 0) {
        return NULL; // an empty pipeline has no name
    }
    const PFN_vkVoidFunction found = real_instance_proc(instance, name);
    REPLACE(GetDeviceProcAddr, real_device_proc, device_proc)
    return found;
}
