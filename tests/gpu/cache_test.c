// SPDX-License-Identifier: MIT
// Compiled kernels go from one context to another as bytes, and to the driver only where they are
// whole and its own.
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include <weir/encode.h>

#include "tests/gpu/harness.h"
#include "tests/gpu/heard.h"

// What the driver was last given. lavapipe takes everything, and keeps nothing.
static size_t given_size;
static const uint8_t *given;
static VkPipelineCache used;

static VKAPI_ATTR VkResult VKAPI_CALL create_cache(VkDevice device,
                                                   const VkPipelineCacheCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator,
                                                   VkPipelineCache *cache)
{
    given_size = info->initialDataSize;
    given = info->pInitialData;
    return vkCreatePipelineCache(device, info, allocator, cache);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache,
                                                       uint32_t num,
                                                       const VkComputePipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *pipelines)
{
    used = cache;
    return vkCreateComputePipelines(device, cache, num, infos, allocator, pipelines);
}

// Fields that tell one device or driver from another; 0: as they are.
static uint32_t other_vendor, other_device;
static uint8_t other_driver;

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice device,
                                                 VkPhysicalDeviceProperties2 *properties)
{
    vkGetPhysicalDeviceProperties2(device, properties);
    properties->properties.vendorID ^= other_vendor;
    properties->properties.deviceID ^= other_device;
    properties->properties.pipelineCacheUUID[VK_UUID_SIZE - 1] ^= other_driver;
}

static PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char *name)
{
    return strcmp(name, "vkCreatePipelineCache") == 0      ? (PFN_vkVoidFunction)create_cache
           : strcmp(name, "vkCreateComputePipelines") == 0 ? (PFN_vkVoidFunction)create_pipelines
                                                           : vkGetDeviceProcAddr(device, name);
}

static PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char *name)
{
    return strcmp(name, "vkGetDeviceProcAddr") == 0 ? (PFN_vkVoidFunction)device_proc
           : strcmp(name, "vkGetPhysicalDeviceProperties2") == 0
               ? (PFN_vkVoidFunction)get_properties
               : vkGetInstanceProcAddr(instance, name);
}

struct bytes {
    uint8_t *data;
    size_t size;
};

static struct bytes save(weir_context *context)
{
    struct bytes bytes = {0};
    TEST_MUST(weir_context_save_cache(context, &bytes.size, NULL));
    bytes.data = malloc(bytes.size);
    const size_t room = bytes.size;
    TEST_MUST(weir_context_save_cache(context, &bytes.size, bytes.data));
    test_expect(bytes.size <= room, "%zu bytes where there is room for %zu", bytes.size, room);
    return bytes;
}

static weir_context *load(const struct weir_context_params *params, const uint8_t *data,
                          size_t size)
{
    struct weir_context_params with = *params;
    weir_context *context = NULL;
    with.cache = data;
    with.cache_size = size;
    TEST_MUST(weir_context_create(&with, &context));
    return context;
}

static void expect_ignored(const struct weir_context_params *params, struct heard *heard,
                           struct bytes bytes, size_t size, const char *what)
{
    weir_context *context = load(params, bytes.data, size);
    test_expect(given_size == 0, "%s, %zu bytes: the driver gets %zu", what, size, given_size);
    heard_expect(heard, what, WEIR_OK, WEIR_OK, WEIR_LOG_CODE_CACHE_IGNORED, "anew");
    weir_context_destroy(&context);
}

// Every byte is changed, and every length tried, of a cache that is short; else some of them.
static void test_damage(struct harness *h, const struct weir_context_params *params,
                        struct heard *heard, struct bytes bytes)
{
    const bool is_short = bytes.size < 256;
    const uint32_t num = is_short ? (uint32_t)bytes.size : 256;
    for (uint32_t i = 0; i < num; i++) {
        const size_t at = is_short ? i : harness_random_below(h, (uint32_t)bytes.size);
        const uint8_t before = bytes.data[at];
        bytes.data[at] ^= (uint8_t)(1 + harness_random_below(h, 255));
        expect_ignored(params, heard, bytes, bytes.size, "a changed byte");
        bytes.data[at] = before;
        if (at > 0) {
            expect_ignored(params, heard, bytes, at, "a cut");
        }
    }
}

static void test_own(const struct weir_context_params *params, struct heard *heard,
                     struct bytes bytes)
{
    weir_context *context = load(params, bytes.data, bytes.size);
    test_expect(given_size == bytes.size - (size_t)(given - bytes.data) && given > bytes.data,
                "the driver gets %zu of %zu bytes", given_size, bytes.size);
    heard_expect(heard, "own bytes", WEIR_OK, WEIR_OK, WEIR_LOG_CODE_NONE, NULL);
    weir_context_destroy(&context);
}

static void test_foreign(const struct weir_context_params *params, struct heard *heard,
                         struct bytes bytes)
{
    for (int i = 0; i < 3; i++) {
        other_vendor = i == 0;
        other_device = i == 1;
        other_driver = i == 2;
        expect_ignored(params, heard, bytes, bytes.size, "another device or driver");
        test_expect(heard->severity == WEIR_LOG_INFO, "a warning of what heals itself");
    }
    other_driver = 0;
}

static void test_sizes(weir_context *context, struct heard *heard)
{
    size_t size = 10;
    uint8_t small[10];
    heard_expect(heard, "no room", weir_context_save_cache(context, &size, small),
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE, "*size");
    test_expect(size == 0, "%zu bytes without room", size);
}

int main(void)
{
    struct harness h;
    harness_init(&h, true);
    struct heard heard = {0};
    struct weir_context_params params = *h.import;
    params.get_instance_proc_addr = instance_proc;
    params.log = heard_log(&heard);
    params.log.least_severity = WEIR_LOG_INFO;

    weir_context *context = load(&params, NULL, 0);
    test_expect(given_size == 0, "the driver gets bytes that nobody gave");
    const weir_image *like = harness_like(&h, VK_FORMAT_R8G8B8A8_UNORM, 0, WEIR_TRANSFER_DEFAULT);
    weir_encoder *encoder = NULL;
    test_expect(weir_encoder_create(context,
                                    weir_encoder_params(.codec = WEIR_CODEC_BC4, .like = like,
                                                        .effort = WEIR_EFFORT_FAST),
                                    &encoder) == WEIR_OK &&
                    used,
                "a kernel without a cache");
    struct bytes bytes = save(context);
    test_sizes(context, &heard);
    weir_encoder_destroy(&encoder);
    weir_context_destroy(&context);

    test_own(&params, &heard, bytes);
    test_foreign(&params, &heard, bytes);
    test_damage(&h, &params, &heard, bytes);

    params.cache_size = 1;
    heard_expect(&heard, "a size alone", weir_context_create(&params, &context), WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_NULL_ARGUMENT, "cache");
    free(bytes.data);
    return harness_finish(&h);
}
