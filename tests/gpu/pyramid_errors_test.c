// SPDX-License-Identifier: MIT
// What pyramids refuse: the result, the code in the log, and a text that names the thing.
#include <stdio.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "tests/gpu/heard.h"
#include "tests/gpu/pyramid_run.h"

struct errors {
    struct harness harness;
    struct heard heard;
    weir_context *context;
    struct harness_image image; // of 40x24 texels, RGBA8, one level
};

static void expect(struct errors *e, const char *call, enum weir_result got,
                   enum weir_result result, enum weir_log_code code, const char *word)
{
    heard_expect(&e->harness, &e->heard, call, got, result, code, word);
}
#define EXPECT(e, call, result, code, word) expect(e, #call, call, result, code, word)

static void test_null(struct errors *e, const weir_pyramid *pyramid)
{
    const struct weir_pyramid_params params = {.format = VK_FORMAT_R8G8B8A8_UNORM};
    const struct weir_pyramid_target_params target_params = {.width = 1, .height = 1};
    weir_pyramid *none = (weir_pyramid *)e;
    weir_pyramid_target *no_target = (weir_pyramid_target *)e;
    EXPECT(e, weir_pyramid_create(NULL, &params, &none), WEIR_ERROR_INVALID, 0, "");
    harness_expect(&e->harness, !none, "a pyramid after an error");
    EXPECT(e, weir_pyramid_create(e->context, NULL, &none), WEIR_ERROR_INVALID, 0, "");
    EXPECT(e, weir_pyramid_create(e->context, &params, NULL), WEIR_ERROR_INVALID, 0, "");
    EXPECT(e, weir_pyramid_target_create(NULL, &target_params, &no_target), WEIR_ERROR_INVALID, 0,
           "");
    harness_expect(&e->harness, !no_target, "a target after an error");
    EXPECT(e, weir_pyramid_target_create(pyramid, NULL, &no_target), WEIR_ERROR_INVALID, 0, "");
    EXPECT(e, weir_pyramid_target_create(pyramid, &target_params, NULL), WEIR_ERROR_INVALID, 0, "");
    EXPECT(e, weir_cmd_pyramid(NULL, VK_NULL_HANDLE, NULL), WEIR_ERROR_INVALID, 0, "");
    weir_pyramid_destroy(NULL);
    weir_pyramid_destroy(&none);
    weir_pyramid_target_destroy(NULL);
    weir_pyramid_target_destroy(&no_target);
}

// A format that the device cannot sample: rare ones first.
static VkFormat unsampled_format(const struct errors *e)
{
    static const VkFormat formats[] = {VK_FORMAT_R64G64B64A64_SFLOAT,  VK_FORMAT_R64_SFLOAT,
                                       VK_FORMAT_ASTC_4x4_UNORM_BLOCK, VK_FORMAT_R8G8B8_UNORM,
                                       VK_FORMAT_R16G16B16_SFLOAT,     VK_FORMAT_UNDEFINED};
    for (int i = 0; formats[i]; i++) {
        VkFormatProperties properties;
        vkGetPhysicalDeviceFormatProperties(e->harness.import->physical_device, formats[i],
                                            &properties);
        if (!(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)) {
            return formats[i];
        }
    }
    return VK_FORMAT_UNDEFINED;
}

#define CREATE(e, result, code, word, ...)                                                         \
    do {                                                                                           \
        weir_pyramid *none = NULL;                                                                 \
        EXPECT(e, weir_pyramid_create((e)->context, weir_pyramid_params(__VA_ARGS__), &none),      \
               result, code, word);                                                                \
        harness_expect(&(e)->harness, !none, "a pyramid after an error");                          \
    } while (0)

static void test_kinds(struct errors *e)
{
    const VkFormat rgba8 = VK_FORMAT_R8G8B8A8_UNORM;
    static const uint32_t words[5] = {0x07230203};
    CREATE(e, WEIR_ERROR_INVALID, WEIR_LOG_UNKNOWN_VALUE, "method 99", .format = rgba8,
           .method = (enum weir_pyramid_method)99);
    CREATE(e, WEIR_ERROR_INVALID, WEIR_LOG_UNKNOWN_VALUE, "method -1", .format = rgba8,
           .method = (enum weir_pyramid_method) - 1);
    CREATE(e, WEIR_ERROR_INVALID, WEIR_LOG_UNKNOWN_VALUE, "reduction 99", .format = rgba8,
           .reduction = (enum weir_pyramid_reduction)99);
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT, "VkFormat 0", .format = 0);
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT, "VkFormat 41",
           .format = VK_FORMAT_R8G8B8A8_UINT);
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT, "VkFormat 126",
           .format = VK_FORMAT_D32_SFLOAT);
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT, "alpha_mean",
           .format = VK_FORMAT_R8G8_UNORM, .reduction = WEIR_PYRAMID_ALPHA_MEAN);
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT, "r32_sfloat",
           .format = VK_FORMAT_R32_SFLOAT, .reduction = WEIR_PYRAMID_MIN_MAX);
    CREATE(e, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT, "kernel", .format = rgba8,
           .reduction = WEIR_PYRAMID_CUSTOM);
    CREATE(e, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT, "kernel", .format = rgba8,
           .kernel = words, .kernel_size = sizeof(words));
    CREATE(e, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT, "kernel", .format = rgba8,
           .reduction = WEIR_PYRAMID_CUSTOM, .kernel = words, .kernel_size = 6);
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_UNKNOWN_VALUE, "CUSTOM", .format = rgba8,
           .method = WEIR_PYRAMID_GENERAL, .reduction = WEIR_PYRAMID_CUSTOM, .kernel = words,
           .kernel_size = sizeof(words));
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FEATURE, "mean", .format = rgba8,
           .method = WEIR_PYRAMID_BLIT, .reduction = WEIR_PYRAMID_MAX);
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FEATURE, "source", .format = rgba8,
           .method = WEIR_PYRAMID_BLIT, .source_format = rgba8);
    const VkFormat unsampled = unsampled_format(e);
    if (unsampled) {
        CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT, "source_format", .format = rgba8,
               .source_format = unsampled);
    }
    // integers, which a view answers as such
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT, "source_format", .format = rgba8,
           .source_format = VK_FORMAT_R8G8B8A8_UINT);
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT, "source_format", .format = rgba8,
           .source_format = VK_FORMAT_R32_SINT);
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FORMAT, "source_format", .format = rgba8,
           .source_format = VK_FORMAT_S8_UINT);
}

// Every format of the table is made, or refused with a reason where the device lacks what it takes.
static void test_formats(struct errors *e)
{
    size_t num_formats;
    const struct weir_pyramid_format *formats = weir_pyramid_formats(&num_formats);
    for (size_t i = 0; i < num_formats; i++) {
        VkFormatProperties format, store;
        vkGetPhysicalDeviceFormatProperties(e->harness.import->physical_device, formats[i].format,
                                            &format);
        vkGetPhysicalDeviceFormatProperties(e->harness.import->physical_device, formats[i].store,
                                            &store);
        const bool has = (format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) &&
                         (store.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT);
        weir_pyramid *pyramid = NULL;
        const enum weir_result result = weir_pyramid_create(
            e->context,
            weir_pyramid_params(.format = formats[i].format, .method = WEIR_PYRAMID_PER_LEVEL),
            &pyramid);
        expect(e, formats[i].name, result, has ? WEIR_OK : WEIR_ERROR_UNSUPPORTED,
               has ? 0 : WEIR_LOG_MISSING_FEATURE, formats[i].name);
        weir_pyramid_destroy(&pyramid);
    }
}

#define TARGET(e, pyramid, result, code, word, ...)                                                \
    do {                                                                                           \
        struct weir_pyramid_target_params params = good;                                           \
        __VA_ARGS__;                                                                               \
        weir_pyramid_target *none = NULL;                                                          \
        EXPECT(e, weir_pyramid_target_create(pyramid, &params, &none), result, code, word);        \
        harness_expect(&(e)->harness, !none, "a target after an error");                           \
    } while (0)

static void test_target(struct errors *e, const weir_pyramid *pyramid)
{
    const uint32_t max_side = 1u << 30;
    const VkImage pair[] = {e->image.image, VK_NULL_HANDLE};
    const struct weir_pyramid_target_params good = {.images = &e->image.image,
                                                    .width = 40,
                                                    .height = 24,
                                                    .levels = 4,
                                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                                             VK_IMAGE_USAGE_STORAGE_BIT};
    const enum weir_result invalid = WEIR_ERROR_INVALID;
    const enum weir_log_code range = WEIR_LOG_OUT_OF_RANGE;
    TARGET(e, pyramid, invalid, range, "width is 0", params.width = 0);
    TARGET(e, pyramid, invalid, range, "width", params.width = max_side);
    TARGET(e, pyramid, invalid, range, "height is 0", params.height = 0);
    TARGET(e, pyramid, invalid, range, "height", params.height = max_side);
    TARGET(e, pyramid, invalid, range, "layers", params.layers = max_side);
    TARGET(e, pyramid, invalid, range, "num_images is 3; it must be 1 to 2", params.num_images = 3);
    TARGET(e, pyramid, invalid, range, "levels is 7; it must be 1 to 6", params.levels = 7);
    TARGET(e, pyramid, invalid, range, "first_level is 4", params.first_level = 4);
    TARGET(e, pyramid, invalid, range, "last_level is 4", params.last_level = 4);
    TARGET(e, pyramid, invalid, range, "last_level is 1", params.first_level = 2;
           params.last_level = 1);
    TARGET(e, pyramid, invalid, WEIR_LOG_NULL_ARGUMENT, "images[0]", params.images = NULL);
    TARGET(e, pyramid, invalid, WEIR_LOG_NULL_ARGUMENT, "images[1]", params.images = pair;
           params.num_images = 2);
    TARGET(e, pyramid, invalid, WEIR_LOG_NULL_ARGUMENT, "source_format", params.sources = pair);
    TARGET(e, pyramid, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE, "VK_IMAGE_USAGE_SAMPLED_BIT",
           params.usage = VK_IMAGE_USAGE_STORAGE_BIT);
    TARGET(e, pyramid, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE, "STORAGE_BIT",
           params.usage = VK_IMAGE_USAGE_SAMPLED_BIT);
}

static void test_sources(struct errors *e, const weir_pyramid *pyramid)
{
    const VkImage pair[] = {e->image.image, VK_NULL_HANDLE};
    const VkImage twice[] = {e->image.image, e->image.image};
    const struct weir_pyramid_target_params good = {.images = &e->image.image,
                                                    .width = 40,
                                                    .height = 24,
                                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                                             VK_IMAGE_USAGE_STORAGE_BIT,
                                                    .sources = &e->image.image,
                                                    .source_usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    const enum weir_result invalid = WEIR_ERROR_INVALID;
    const enum weir_log_code range = WEIR_LOG_OUT_OF_RANGE;
    TARGET(e, pyramid, invalid, WEIR_LOG_NULL_ARGUMENT, "sources", params.sources = NULL);
    TARGET(e, pyramid, invalid, WEIR_LOG_NULL_ARGUMENT, "sources[1]", params.sources = pair;
           params.images = twice; params.num_images = 2);
    TARGET(e, pyramid, invalid, range, "41x24", params.source_width = 41;
           params.source_height = 24);
    TARGET(e, pyramid, invalid, range, "79x48", params.source_width = 79;
           params.source_height = 48);
    TARGET(e, pyramid, invalid, range, "80x24", params.source_width = 80;
           params.source_height = 24);
    TARGET(e, pyramid, invalid, range, "40x0", params.source_width = 40);
    TARGET(e, pyramid, invalid, range, "level 1, 20x12", params.first_level = 1;
           params.source_width = 80; params.source_height = 48);
    TARGET(e, pyramid, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE, "SAMPLED",
           params.source_usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
}

static weir_pyramid *create(struct errors *e, const struct weir_pyramid_params *params)
{
    weir_pyramid *pyramid = NULL;
    EXPECT(e, weir_pyramid_create(e->context, params, &pyramid), WEIR_OK, 0, "");
    return pyramid;
}

// Sides that FAST and SUBGROUP cannot halve, flags that sRGB needs, usage that blits need.
static void test_methods(struct errors *e)
{
    const struct weir_pyramid_target_params good = {.images = &e->image.image,
                                                    .width = 40,
                                                    .height = 24,
                                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                                             VK_IMAGE_USAGE_STORAGE_BIT};
    const VkFormat rgba8 = VK_FORMAT_R8G8B8A8_UNORM;
    static const enum weir_pyramid_method even[] = {WEIR_PYRAMID_FAST, WEIR_PYRAMID_SUBGROUP};
    for (int i = 0; i < 2; i++) {
        weir_pyramid *pyramid = create(e, weir_pyramid_params(.format = rgba8, .method = even[i]));
        const char *name = weir_pyramid_method_name(even[i]);
        const enum weir_result refused = WEIR_ERROR_UNSUPPORTED;
        const enum weir_log_code range = WEIR_LOG_OUT_OF_RANGE;
        TARGET(e, pyramid, refused, range, name, params.width = 41);
        TARGET(e, pyramid, refused, range, "40x24", params.levels = 5); // 40 halves three times
        weir_pyramid_destroy(&pyramid);
    }
    weir_pyramid *srgb = create(e, weir_pyramid_params(.format = VK_FORMAT_R8G8B8A8_SRGB,
                                                       .method = WEIR_PYRAMID_PER_LEVEL));
    TARGET(e, srgb, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE,
           "VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT", params.flags = 0);
    TARGET(e, srgb, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE, "EXTENDED_USAGE",
           params.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT);
    weir_pyramid_destroy(&srgb);
    weir_pyramid *blit = NULL;
    const enum weir_result result = weir_pyramid_create(
        e->context, weir_pyramid_params(.format = rgba8, .method = WEIR_PYRAMID_BLIT), &blit);
    if (result == WEIR_OK) {
        TARGET(e, blit, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_USAGE, "TRANSFER_SRC",
               params.usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    } else {
        expect(e, "blits", result, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FEATURE, "blit");
    }
    weir_pyramid_destroy(&blit);
}

// A buffer for the seams of too many layers, on devices where that is possible.
static void test_limit(struct errors *e, const weir_pyramid *pyramid)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(e->harness.import->physical_device, &properties);
    const struct weir_pyramid_target_params good = {.images = &e->image.image,
                                                    .width = properties.limits.maxImageDimension2D,
                                                    .height = properties.limits.maxImageDimension2D,
                                                    .layers = properties.limits.maxImageArrayLayers,
                                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                                             VK_IMAGE_USAGE_STORAGE_BIT};
    // at least a texel of four floats for 64x64 texels of the image
    const uint64_t least = (uint64_t)good.width / 64 * (good.height / 64) * good.layers * 16;
    if (least > properties.limits.maxStorageBufferRange) {
        TARGET(e, pyramid, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_DEVICE_LIMIT, "maxStorageBufferRange",
               params.levels = 0);
    } else {
        printf("left out: this device's storage buffers hold the seams of any image\n");
    }
}

// Without features that are recommended only: AUTO takes blits and says so, SINGLE names what is
// missing.
static void test_plain_device(struct errors *e)
{
    weir_device *device = NULL;
    if (!harness_expect(&e->harness,
                        weir_device_create(weir_device_params(.no_recommended = true), &device) ==
                            WEIR_OK,
                        "a device without recommended features")) {
        return;
    }
    weir_context *context = e->context;
    struct weir_context_params params = *weir_device_import(device);
    params.log = heard_log(&e->heard);
    weir_pyramid *pyramid = NULL;
    EXPECT(e, weir_context_create(&params, &e->context), WEIR_OK, 0, "");
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FEATURE,
           "shaderStorageImageWriteWithoutFormat", .format = VK_FORMAT_R8G8B8A8_SRGB,
           .method = WEIR_PYRAMID_SINGLE);
    CREATE(e, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FEATURE,
           "shaderStorageImageWriteWithoutFormat", .format = VK_FORMAT_R8G8B8A8_SRGB,
           .reduction = WEIR_PYRAMID_MAX);
    const enum weir_result result = weir_pyramid_create(
        e->context, weir_pyramid_params(.format = VK_FORMAT_R8G8B8A8_SRGB), &pyramid);
    if (params.graphics.queue) {
        harness_expect(&e->harness, e->heard.level == WEIR_LOG_WARNING, "no warning");
        expect(e, "AUTO", result, WEIR_OK, WEIR_LOG_FALLBACK,
               "shaderStorageImageWriteWithoutFormat");
        harness_expect(&e->harness,
                       pyramid && weir_pyramid_get_params(pyramid).method == WEIR_PYRAMID_BLIT,
                       "AUTO takes no blits");
    } else {
        expect(e, "AUTO", result, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_MISSING_FEATURE,
               "shaderStorageImageWriteWithoutFormat");
    }
    weir_pyramid_destroy(&pyramid);
    weir_context_destroy(&e->context);
    weir_device_destroy(&device);
    e->context = context;
}

int main(void)
{
    static const uint8_t texels[40 * 24 * 4];
    struct errors e = {.context = NULL};
    harness_init(&e.harness, false);
    harness_image_init(&e.harness, VK_FORMAT_R8G8B8A8_UNORM, 40, 24, VK_IMAGE_USAGE_SAMPLED_BIT, 0,
                       texels, 4, VK_IMAGE_LAYOUT_GENERAL, &e.image);
    struct weir_context_params params = *e.harness.import;
    params.log = heard_log(&e.heard);
    EXPECT(&e, weir_context_create(&params, &e.context), WEIR_OK, 0, "");
    weir_pyramid *pyramid = create(&e, weir_pyramid_params(.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                           .method = WEIR_PYRAMID_SINGLE,
                                                           .max_images = 2));
    weir_pyramid *converting = create(
        &e, weir_pyramid_params(.format = VK_FORMAT_R8G8B8A8_UNORM, .method = WEIR_PYRAMID_SINGLE,
                                .source_format = VK_FORMAT_R8G8B8A8_UNORM, .max_images = 2));
    test_null(&e, pyramid);
    test_kinds(&e);
    test_formats(&e);
    test_target(&e, pyramid);
    test_sources(&e, converting);
    test_limit(&e, pyramid);
    test_methods(&e);
    test_plain_device(&e);
    weir_pyramid_destroy(&pyramid);
    weir_pyramid_destroy(&converting);
    weir_context_destroy(&e.context);
    harness_image_finish(&e.harness, &e.image);
    return harness_finish(&e.harness);
}
