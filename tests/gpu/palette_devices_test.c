// SPDX-License-Identifier: MIT
// Palette reduction on devices that lack something: a refusal that names it, or the way around.
#include <string.h>

#include <vulkan/vulkan.h>

#include "tests/gpu/heard.h"
#include "tests/gpu/palette_test.h"

struct lesser {
    struct harness *h;
    struct heard heard;
    weir_context *context; // of a device that lacks something
};

#define EXPECT(e, call, result, code, word)                                                        \
    heard_expect(&(e)->heard, #call, call, result, code, word)

static void expect_refused(struct lesser *e, enum weir_log_code code, const char *word)
{
    weir_palette *none = NULL;
    EXPECT(e,
           weir_palette_create(
               e->context,
               weir_palette_params(.like = harness_like(e->h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0),
                                   .max_colors = 1),
               &none),
           WEIR_ERROR_UNSUPPORTED, code, word);
    test_expect(!none, "a palette after an error");
}

// A context that was told of fewer features than its device has.
static void with_features(struct lesser *e, const VkPhysicalDeviceFeatures *features,
                          void (*test)(struct lesser *e))
{
    VkPhysicalDeviceVulkan12Features timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .timelineSemaphore = true};
    const VkPhysicalDeviceFeatures2 told = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                            .pNext = &timeline,
                                            .features = *features};
    struct weir_context_params params = *e->h->import;
    params.log = heard_log(&e->heard);
    params.features = &told;
    EXPECT(e, weir_context_create(&params, &e->context), WEIR_OK, 0, "");
    test(e);
    weir_context_destroy(&e->context);
}

static void test_no_write(struct lesser *e)
{
    expect_refused(e, WEIR_LOG_CODE_MISSING_FEATURE, "shaderStorageImageWriteWithoutFormat");
}

static void test_no_int64(struct lesser *e)
{
    expect_refused(e, WEIR_LOG_CODE_MISSING_FEATURE, "shaderInt64");
}

// Check that a message says that colours do not merge, unless the params have no_merge.
static void test_no_atomics(struct lesser *e)
{
    for (int no_merge = 0; no_merge < 2; no_merge++) {
        weir_palette *palette = NULL;
        const enum weir_result result = weir_palette_create(
            e->context,
            weir_palette_params(.like = harness_like(e->h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0),
                                .max_colors = 1, .no_merge = no_merge),
            &palette);
        test_expect(no_merge || e->heard.severity == WEIR_LOG_WARNING, "no warning");
        heard_expect(&e->heard, "no 64-bit atomics", result, WEIR_OK,
                     no_merge ? 0 : WEIR_LOG_CODE_FALLBACK, "shaderBufferInt64Atomics");
        test_expect(palette && weir_palette_get_params(palette).no_merge,
                    "a palette that merges without atomics");
        weir_palette_destroy(&palette);
    }
}

// The properties and features that are taken away from what the device reports.
static struct {
    PFN_vkGetPhysicalDeviceProperties2 real;
    uint32_t max_buffers, max_buffer_size; // 0: as it is
    VkSubgroupFeatureFlags no_operations;
    bool no_compute;
} less;

static VKAPI_ATTR void VKAPI_CALL get_less(VkPhysicalDevice device,
                                           VkPhysicalDeviceProperties2 *properties)
{
    less.real(device, properties);
    VkPhysicalDeviceLimits *limits = &properties->properties.limits;
    if (less.max_buffers) {
        limits->maxPerStageDescriptorStorageBuffers = less.max_buffers;
    }
    if (less.max_buffer_size) {
        limits->maxStorageBufferRange = less.max_buffer_size;
    }
    for (VkBaseOutStructure *s = properties->pNext; s; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
            VkPhysicalDeviceSubgroupProperties *subgroup = (void *)s;
            subgroup->supportedOperations &= ~less.no_operations;
            subgroup->supportedStages &= less.no_compute ? ~(VkFlags)VK_SHADER_STAGE_COMPUTE_BIT
                                                         : ~0u;
        }
    }
}

static PFN_vkVoidFunction VKAPI_CALL lesser_proc(VkInstance instance, const char *name)
{
    const PFN_vkVoidFunction real = vkGetInstanceProcAddr(instance, name);
    if (strcmp(name, "vkGetPhysicalDeviceProperties2") != 0) {
        return real;
    }
    less.real = (PFN_vkGetPhysicalDeviceProperties2)real;
    return (PFN_vkVoidFunction)get_less;
}

static void expect_less(struct lesser *e, enum weir_log_code code, const char *word)
{
    struct weir_context_params params = *e->h->import;
    params.log = heard_log(&e->heard);
    params.get_instance_proc_addr = lesser_proc;
    EXPECT(e, weir_context_create(&params, &e->context), WEIR_OK, 0, "");
    expect_refused(e, code, word);
    weir_context_destroy(&e->context);
    less.max_buffers = less.max_buffer_size = 0;
    less.no_operations = 0;
    less.no_compute = false;
}

static void test_lesser_device(struct lesser *e)
{
    less.max_buffers = 4;
    expect_less(e, WEIR_LOG_CODE_DEVICE_LIMIT, "maxPerStageDescriptorStorageBuffers");
    less.max_buffer_size = 1 << 25; // less than a word a colour takes
    expect_less(e, WEIR_LOG_CODE_DEVICE_LIMIT, "maxStorageBufferRange");
    static const VkSubgroupFeatureFlags operations[] = {VK_SUBGROUP_FEATURE_ARITHMETIC_BIT,
                                                        VK_SUBGROUP_FEATURE_BALLOT_BIT,
                                                        VK_SUBGROUP_FEATURE_VOTE_BIT};
    for (int i = 0; i < 4; i++) {
        less.no_operations = i < 3 ? operations[i] : 0;
        less.no_compute = i == 3;
        expect_less(e, WEIR_LOG_CODE_MISSING_FEATURE, "subgroup");
    }
}

void palette_test_devices(struct palette_test *t)
{
    struct lesser e = {.h = &t->h};
    with_features(&e, &(VkPhysicalDeviceFeatures){.shaderInt64 = true}, test_no_write);
    with_features(&e, &(VkPhysicalDeviceFeatures){.shaderStorageImageWriteWithoutFormat = true},
                  test_no_int64);
    with_features(&e,
                  &(VkPhysicalDeviceFeatures){.shaderInt64 = true,
                                              .shaderStorageImageWriteWithoutFormat = true},
                  test_no_atomics);
    test_lesser_device(&e);
}
