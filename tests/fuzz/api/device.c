// SPDX-License-Identifier: MIT
// Makes any device, and the context on it.
#include "tests/fuzz/api/api.h"

#include <string.h>

void device_make(void)
{
    static const uint32_t sides[] = {64, 4096, 16384};
    static const uint32_t layers[] = {1, 256, 2048};
    static const uint32_t ranges[] = {1 << 16, 1 << 27, UINT32_MAX};
    static const uint32_t storage_images[] = {4, 32, 64, 1 << 20};
    static const VkResult faults[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                                      VK_ERROR_DEVICE_LOST, VK_ERROR_UNKNOWN};
    struct stub_device device =
        TEST_LIST(.limits = {.maxImageDimension2D = sides[draw_u8() % 3],
                             .maxImageArrayLayers = layers[draw_u8() % 3],
                             .maxStorageBufferRange = ranges[draw_u8() % 3],
                             .maxPerStageDescriptorStorageImages = storage_images[draw_u8() % 4],
                             .maxPerStageDescriptorStorageBuffers = draw_mostly(64),
                             .maxPerStageDescriptorSampledImages = draw_mostly(1 << 10),
                             .maxPerStageResources = draw_mostly(200),
                             .maxComputeSharedMemorySize = draw_u8() < 64 ? 1 << 14 : 1 << 15,
                             .maxComputeWorkGroupInvocations = draw_u8() < 64 ? 128 : 1024,
                             .maxComputeWorkGroupCount = {65535, 65535, 65535},
                             .minStorageBufferOffsetAlignment = 1u << draw_u8() % 9,
                             .timestampPeriod = 1},
                  .format_features = draw_u8() < 224 ? ~0u : draw_u32(),
                  .subgroup = {.subgroupSize = 1u << draw_u8() % 8,
                               .supportedStages = VK_SHADER_STAGE_ALL,
                               .supportedOperations = draw_u8() < 224 ? ~0u : draw_u8()},
                  .type = draw_u8() % 2 ? VK_PHYSICAL_DEVICE_TYPE_CPU
                                        : VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
                  .num_families = 1 + draw_u8() % STUB_MAX_FAMILIES,
                  .fault = faults[draw_u8() % 4]);
    device.calls_until_fault = draw_u8() < 192 ? 0 : draw_number() % 2000;
    for (uint32_t i = 0; i < device.num_families; i++) {
        device.families[i] = (VkQueueFamilyProperties){
            .queueFlags = VK_QUEUE_COMPUTE_BIT | (draw_u8() % 2 ? VK_QUEUE_GRAPHICS_BIT : 0),
            .queueCount = 1 + draw_u8() % 3,
            .timestampValidBits = draw_u8() % 65};
    }
    stub_device_init(&device);
}

// Mostly 0, else one that the device may have, or the last numbers that there are.
static uint32_t index_of_queue(void)
{
    const uint8_t kind = draw_u8();
    return kind < 208 ? 0 : kind < 232 ? kind % 6 : UINT32_MAX - kind % 4;
}

static struct weir_queue queue(void)
{
    const uint8_t kind = draw_u8();
    return (struct weir_queue){
        .queue = kind < 160 ? STUB_HANDLE(VkQueue) : VK_NULL_HANDLE,
        .family = index_of_queue(),
        .index = index_of_queue(),
    };
}

weir_context *device_make_context(void)
{
    VkPhysicalDeviceVulkan12Features core12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .timelineSemaphore = draw_u8() < 250,
        .shaderBufferInt64Atomics = draw_u8() % 2};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &core12};
    memset(&features.features, draw_u8() < 224, sizeof(features.features));
    static const uint8_t damaged[256]; // the device gets nothing of it
    const struct weir_context_params params =
        TEST_LIST(.instance = DRAW_HANDLE(VkInstance),
                  .physical_device = DRAW_HANDLE(VkPhysicalDevice), .device = DRAW_HANDLE(VkDevice),
                  .get_instance_proc_addr = draw_u8() < 250 ? stub_device_proc : NULL,
                  .api_version = draw_u8() < 224 ? 0 : draw_number(),
                  .num_device_extensions = draw_u8() < 250 ? 0 : draw_number(),
                  .num_instance_extensions = draw_u8() < 250 ? 0 : draw_number(),
                  .features = draw_u8() < 250 ? &features : NULL, .graphics = queue(),
                  .compute = queue(), .transfer = {queue(), queue()}, .cache = damaged,
                  .cache_size = draw_u8() < 224 ? 0 : draw_u8(), .log = fuzz_log);
    const unsigned before = fuzz_num_errors();
    weir_context *context = NULL;
    const enum weir_result result = weir_context_create(&params, &context);
    expect_made(result, context, before);
    return context;
}
