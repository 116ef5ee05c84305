// SPDX-License-Identifier: MIT
// Pyramids refuse wrong input: with the right result, the right code in the log, and a text that
// names the thing.
#include <stdio.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "tests/gpu/heard.h"
#include "tests/gpu/pyramid_test.h"

struct errors {
    struct harness *harness;
    struct heard heard;
    weir_context *context;
    struct weir_gpu_image image; // of 40x24 texels, R32_SFLOAT, one level
    VkImage none;                // another handle, for a target without images
};

static void expect(struct errors *e, const char *call, enum weir_result got,
                   enum weir_result result, enum weir_log_code code, const char *word)
{
    heard_expect(&e->heard, call, got, result, code, word);
}
#define EXPECT(e, call, result, code, word) expect(e, #call, call, result, code, word)

// A format that the device cannot sample: rare ones first.
static VkFormat unsampled_format(const struct errors *e)
{
    static const VkFormat formats[] = {VK_FORMAT_R64G64B64A64_SFLOAT,  VK_FORMAT_R64_SFLOAT,
                                       VK_FORMAT_ASTC_4x4_UNORM_BLOCK, VK_FORMAT_R8G8B8_UNORM,
                                       VK_FORMAT_R16G16B16_SFLOAT,     VK_FORMAT_UNDEFINED};
    for (int i = 0; formats[i]; i++) {
        VkFormatProperties properties;
        vkGetPhysicalDeviceFormatProperties(e->harness->import->physical_device, formats[i],
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
               WEIR_ERROR_##result, WEIR_LOG_CODE_##code, word);                                   \
        test_expect(!none, "a pyramid after an error");                                            \
    } while (0)

static void test_kinds(struct errors *e)
{
    const VkFormat rgba8 = VK_FORMAT_R8G8B8A8_UNORM;
    static const uint32_t words[5] = {0x07230203};
    CREATE(e, INVALID, UNKNOWN_VALUE, "method 99", .format = rgba8,
           .method = (enum weir_pyramid_method)99);
    CREATE(e, INVALID, UNKNOWN_VALUE, "method -1", .format = rgba8,
           .method = (enum weir_pyramid_method) - 1);
    CREATE(e, INVALID, UNKNOWN_VALUE, "reduction 99", .format = rgba8,
           .reduction = (enum weir_pyramid_reduction)99);
    CREATE(e, UNSUPPORTED, MISSING_FORMAT, "VkFormat 0", .format = 0);
    CREATE(e, UNSUPPORTED, MISSING_FORMAT, "VkFormat 41", .format = VK_FORMAT_R8G8B8A8_UINT);
    CREATE(e, UNSUPPORTED, MISSING_FORMAT, "VkFormat 126", .format = VK_FORMAT_D32_SFLOAT);
    CREATE(e, UNSUPPORTED, MISSING_FORMAT, "alpha_mean", .format = VK_FORMAT_R8G8_UNORM,
           .reduction = WEIR_PYRAMID_ALPHA_MEAN);
    CREATE(e, UNSUPPORTED, MISSING_FORMAT, "r32_sfloat", .format = VK_FORMAT_R32_SFLOAT,
           .reduction = WEIR_PYRAMID_MIN_MAX);
    CREATE(e, INVALID, NULL_ARGUMENT, "kernel", .format = rgba8, .reduction = WEIR_PYRAMID_CUSTOM);
    CREATE(e, INVALID, NULL_ARGUMENT, "kernel", .format = rgba8, .kernel = words,
           .kernel_size = sizeof(words));
    CREATE(e, INVALID, NULL_ARGUMENT, "kernel", .format = rgba8, .reduction = WEIR_PYRAMID_CUSTOM,
           .kernel = words, .kernel_size = 6);
    CREATE(e, UNSUPPORTED, UNKNOWN_VALUE, "CUSTOM", .format = rgba8, .method = WEIR_PYRAMID_GENERAL,
           .reduction = WEIR_PYRAMID_CUSTOM, .kernel = words, .kernel_size = sizeof(words));
    CREATE(e, UNSUPPORTED, MISSING_FEATURE, "mean", .format = rgba8, .method = WEIR_PYRAMID_BLIT,
           .reduction = WEIR_PYRAMID_MAX);
    CREATE(e, UNSUPPORTED, MISSING_FEATURE, "source", .format = rgba8, .method = WEIR_PYRAMID_BLIT,
           .source_format = rgba8);
    CREATE(e, INVALID, OUT_OF_RANGE, "max_images", .format = rgba8, .max_images = 65537);
    // numbers that are no formats, and a format of two planes
    static const int unknown[] = {-1, 185, 999999999, 1000054008, 1000156003, INT32_MAX};
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
        CREATE(e, UNSUPPORTED, MISSING_FORMAT, "unknown or has several planes", .format = rgba8,
               .source_format = (VkFormat)unknown[i]);
    }
    const VkFormat unsampled = unsampled_format(e);
    if (unsampled) {
        CREATE(e, UNSUPPORTED, MISSING_FORMAT, "source_format", .format = rgba8,
               .source_format = unsampled);
    }
    // integers, which a view answers as such
    CREATE(e, UNSUPPORTED, MISSING_FORMAT, "source_format", .format = rgba8,
           .source_format = VK_FORMAT_R8G8B8A8_UINT);
    CREATE(e, UNSUPPORTED, MISSING_FORMAT, "source_format", .format = rgba8,
           .source_format = VK_FORMAT_R32_SINT);
    CREATE(e, UNSUPPORTED, MISSING_FORMAT, "source_format", .format = rgba8,
           .source_format = VK_FORMAT_S8_UINT);
}

// Every format of the table is made, or refused with a reason where the device lacks what it takes.
static void test_formats(struct errors *e)
{
    size_t num_formats;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num_formats);
    for (size_t i = 0; i < num_formats; i++) {
        VkFormatProperties format, store;
        vkGetPhysicalDeviceFormatProperties(e->harness->import->physical_device, formats[i].format,
                                            &format);
        vkGetPhysicalDeviceFormatProperties(e->harness->import->physical_device, formats[i].store,
                                            &store);
        const bool has = (format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) &&
                         (store.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT);
        weir_pyramid *pyramid = NULL;
        const enum weir_result result = weir_pyramid_create(
            e->context,
            weir_pyramid_params(.format = formats[i].format, .method = WEIR_PYRAMID_PER_LEVEL),
            &pyramid);
        expect(e, formats[i].name, result, has ? WEIR_OK : WEIR_ERROR_UNSUPPORTED,
               has ? 0 : WEIR_LOG_CODE_MISSING_FEATURE, formats[i].name);
        weir_pyramid_destroy(&pyramid);
    }
}

// The params of a target, and of the images and sources that are wrapped for it. Their params need
// not be true: nothing reads or writes the images, and no views of this format are made before a
// target was accepted.
struct target {
    struct weir_image_params image, source;
    bool has_second, has_sources, has_second_source, is_second_unlike, is_of_harness;
    VkImageUsageFlags second_usage, second_source_usage; // 0: that of the first
    struct weir_pyramid_target_params params;
};

static weir_image *wrap(weir_context *context, const struct weir_image_params *params,
                        VkImageUsageFlags usage)
{
    struct weir_image_params given = *params;
    given.usage = usage ? usage : params->usage;
    weir_image *image = NULL;
    TEST_MUST(weir_image_create(context, &given, &image));
    return image;
}

static enum weir_result make(struct errors *e, const weir_pyramid *pyramid, struct target *asked,
                             weir_pyramid_target **out)
{
    struct weir_image_params unlike = asked->image;
    unlike.width++;
    weir_image *image = wrap(asked->is_of_harness ? e->harness->context : e->context, &asked->image,
                             0);
    weir_image *other = wrap(e->context, asked->is_second_unlike ? &unlike : &asked->image,
                             asked->second_usage);
    weir_image *source = wrap(e->context, &asked->source, 0);
    weir_image *other_source = wrap(e->context, &asked->source, asked->second_source_usage);
    const weir_image *images[] = {image, asked->has_second ? other : NULL};
    const weir_image *sources[] = {source, asked->has_second_source ? other_source : NULL};
    if (asked->image.image != e->none) {
        asked->params.images = images;
    }
    asked->params.sources = asked->has_sources ? sources : NULL;
    const enum weir_result result = weir_pyramid_target_create(pyramid, &asked->params, out);
    weir_image_destroy(&image);
    weir_image_destroy(&other);
    weir_image_destroy(&source);
    weir_image_destroy(&other_source);
    return result;
}

#define TARGET(e, pyramid, result, code, word, ...)                                                \
    do {                                                                                           \
        struct target t = good;                                                                    \
        __VA_ARGS__;                                                                               \
        weir_pyramid_target *none = NULL;                                                          \
        EXPECT(e, make(e, pyramid, &t, &none), WEIR_ERROR_##result, WEIR_LOG_CODE_##code, word);   \
        test_expect(!none, "a target after an error");                                             \
    } while (0)

static struct target good_target(const struct errors *e)
{
    const struct weir_image_params image = {.image = e->image.params.image,
                                            .format = e->image.params.format,
                                            .width = 40,
                                            .height = 24,
                                            .levels = 4,
                                            .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                                     VK_IMAGE_USAGE_STORAGE_BIT};
    struct target target = {.image = image, .source = image};
    target.source.levels = 1;
    return target;
}

static void test_target(struct errors *e, const weir_pyramid *pyramid)
{
    const struct target good = good_target(e);
    TARGET(e, pyramid, INVALID, OUT_OF_RANGE, "num_images is 3; it must be 1 to 2",
           t.params.num_images = 3);
    TARGET(e, pyramid, INVALID, OUT_OF_RANGE, "first_level is 4", t.params.first_level = 4);
    TARGET(e, pyramid, INVALID, OUT_OF_RANGE, "last_level is 4", t.params.last_level = 4);
    TARGET(e, pyramid, INVALID, OUT_OF_RANGE, "last_level is 1", t.params.first_level = 2;
           t.params.last_level = 1);
    TARGET(e, pyramid, INVALID, NULL_ARGUMENT, "images[0]", t.image.image = e->none);
    TARGET(e, pyramid, INVALID, NULL_ARGUMENT, "images[1]", t.params.num_images = 2);
    TARGET(e, pyramid, INVALID, FORMAT_MISMATCH, "images[1] is not like", t.params.num_images = 2;
           t.has_second = t.is_second_unlike = true);
    TARGET(e, pyramid, INVALID, FORMAT_MISMATCH, "VkFormat 103",
           t.image.format = VK_FORMAT_R32G32_SFLOAT);
    TARGET(e, pyramid, INVALID, NULL_ARGUMENT, "source_format", t.has_sources = true);
    TARGET(e, pyramid, UNSUPPORTED, MISSING_USAGE, "VK_IMAGE_USAGE_SAMPLED_BIT",
           t.image.usage = VK_IMAGE_USAGE_STORAGE_BIT);
    TARGET(e, pyramid, UNSUPPORTED, MISSING_USAGE, "STORAGE_BIT",
           t.image.usage = VK_IMAGE_USAGE_SAMPLED_BIT);
    TARGET(e, pyramid, UNSUPPORTED, MISSING_USAGE, "STORAGE_BIT", t.params.num_images = 2;
           t.has_second = true; t.second_usage = VK_IMAGE_USAGE_SAMPLED_BIT);
    TARGET(e, pyramid, INVALID, OUT_OF_RANGE, "images[0] belongs to another context",
           t.is_of_harness = true);
}

static void test_sources(struct errors *e, const weir_pyramid *pyramid)
{
    struct target good = good_target(e);
    good.has_sources = true;
    TARGET(e, pyramid, INVALID, NULL_ARGUMENT, "sources", t.has_sources = false);
    TARGET(e, pyramid, INVALID, NULL_ARGUMENT, "sources[1]", t.has_second = true;
           t.params.num_images = 2);
    TARGET(e, pyramid, INVALID, FORMAT_MISMATCH, "VkFormat 103",
           t.source.format = VK_FORMAT_R32G32_SFLOAT);
    TARGET(e, pyramid, INVALID, OUT_OF_RANGE, "41x24", t.source.width = 41);
    TARGET(e, pyramid, INVALID, OUT_OF_RANGE, "79x48", t.source.width = 79; t.source.height = 48);
    TARGET(e, pyramid, INVALID, OUT_OF_RANGE, "80x24", t.source.width = 80);
    TARGET(e, pyramid, INVALID, OUT_OF_RANGE, "level 1, 20x12", t.params.first_level = 1;
           t.source.width = 80; t.source.height = 48);
    TARGET(e, pyramid, INVALID, OUT_OF_RANGE, "1 layers and the images have 2", t.image.layers = 2);
    TARGET(e, pyramid, UNSUPPORTED, MISSING_USAGE, "SAMPLED",
           t.source.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    TARGET(e, pyramid, UNSUPPORTED, MISSING_USAGE, "SAMPLED", t.params.num_images = 2;
           t.has_second = t.has_second_source = true;
           t.second_source_usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
}

static weir_pyramid *create(struct errors *e, const struct weir_pyramid_params *params)
{
    weir_pyramid *pyramid = NULL;
    EXPECT(e, weir_pyramid_create(e->context, params, &pyramid), WEIR_OK, 0, "");
    return pyramid;
}

// Sides that FAST and SUBGROUP cannot halve, usage that blits need.
static void test_methods(struct errors *e)
{
    const struct target good = good_target(e);
    const VkFormat format = e->image.params.format;
    static const enum weir_pyramid_method even[] = {WEIR_PYRAMID_FAST, WEIR_PYRAMID_SUBGROUP};
    for (int i = 0; i < 2; i++) {
        weir_pyramid *pyramid = create(e, weir_pyramid_params(.method = even[i], .format = format));
        const char *name = weir_pyramid_method_get_info(even[i])->name;
        TARGET(e, pyramid, UNSUPPORTED, OUT_OF_RANGE, name, t.image.width = 41);
        // 40 halves three times
        TARGET(e, pyramid, UNSUPPORTED, OUT_OF_RANGE, "40x24", t.image.levels = 5);
        weir_pyramid_destroy(&pyramid);
    }
    weir_pyramid *blit = NULL;
    const enum weir_result result = weir_pyramid_create(
        e->context, weir_pyramid_params(.method = WEIR_PYRAMID_BLIT, .format = format), &blit);
    if (result == WEIR_OK) {
        TARGET(e, blit, UNSUPPORTED, MISSING_USAGE, "TRANSFER_SRC",
               t.image.usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    } else {
        expect(e, "blits", result, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE, "blit");
    }
    weir_pyramid_destroy(&blit);
}

// Flags that sRGB needs, of images that lack them.
static void test_srgb(struct errors *e)
{
    static const uint8_t texels[40 * 24 * 4];
    static const VkImageCreateFlags flags[] = {0, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT};
    weir_pyramid *srgb = create(e, weir_pyramid_params(.method = WEIR_PYRAMID_PER_LEVEL,
                                                       .format = VK_FORMAT_R8G8B8A8_SRGB));
    for (int i = 0; i < 2; i++) {
        struct weir_gpu_image image;
        harness_image_init(e->harness, VK_FORMAT_R8G8B8A8_SRGB, 40, 24, VK_IMAGE_USAGE_SAMPLED_BIT,
                           flags[i], texels, 4, VK_IMAGE_LAYOUT_GENERAL, &image);
        struct target good = good_target(e);
        good.image.image = good.source.image = image.params.image;
        good.image.format = good.source.format = image.params.format;
        good.image.levels = good.source.levels = 1;
        good.image.flags = good.source.flags = flags[i];
        TARGET(e, srgb, UNSUPPORTED, MISSING_USAGE, "EXTENDED_USAGE", (void)t);
        harness_image_finish(e->harness, &image);
    }
    weir_pyramid_destroy(&srgb);
}

// A buffer for the seams of too many layers, on devices where that is possible.
static void test_limit(struct errors *e, const weir_pyramid *pyramid)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(e->harness->import->physical_device, &properties);
    struct target good = good_target(e);
    good.image.width = good.image.height = properties.limits.maxImageDimension2D;
    good.image.layers = properties.limits.maxImageArrayLayers;
    good.image.levels = weir_pyramid_full_chain(good.image.width, good.image.height);
    // at least a texel of one float, as R32_SFLOAT has, for 64x64 texels of the image
    const uint64_t least = (uint64_t)good.image.width / 64 * (good.image.height / 64) *
                           good.image.layers * 4;
    if (least > properties.limits.maxStorageBufferRange) {
        TARGET(e, pyramid, UNSUPPORTED, DEVICE_LIMIT, "maxStorageBufferRange", (void)t);
    } else {
        printf("left out: this device's storage buffers hold the seams of any image\n");
    }
}

// Without features that are recommended only: AUTO takes blits and says so, SINGLE names what is
// missing.
static void test_plain_device(struct errors *e)
{
    weir_device *device = NULL;
    if (!test_expect(weir_device_create(weir_device_params(.no_recommended = true), &device) ==
                         WEIR_OK,
                     "a device without recommended features")) {
        return;
    }
    weir_context *context = e->context;
    struct weir_context_params params = *weir_device_import(device);
    params.log = heard_log(&e->heard);
    weir_pyramid *pyramid = NULL;
    EXPECT(e, weir_context_create(&params, &e->context), WEIR_OK, 0, "");
    CREATE(e, UNSUPPORTED, MISSING_FEATURE, "shaderStorageImageWriteWithoutFormat",
           .format = VK_FORMAT_R8G8B8A8_SRGB, .method = WEIR_PYRAMID_SINGLE);
    CREATE(e, UNSUPPORTED, MISSING_FEATURE, "shaderStorageImageWriteWithoutFormat",
           .format = VK_FORMAT_R8G8B8A8_SRGB, .reduction = WEIR_PYRAMID_MAX);
    const enum weir_result result = weir_pyramid_create(
        e->context, weir_pyramid_params(.format = VK_FORMAT_R8G8B8A8_SRGB), &pyramid);
    if (params.graphics.queue) {
        test_expect(e->heard.severity == WEIR_LOG_WARNING, "no warning");
        expect(e, "AUTO", result, WEIR_OK, WEIR_LOG_CODE_FALLBACK,
               "shaderStorageImageWriteWithoutFormat");
        test_expect(pyramid && weir_pyramid_get_params(pyramid).method == WEIR_PYRAMID_BLIT,
                    "AUTO takes no blits");
    } else {
        expect(e, "AUTO", result, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
               "shaderStorageImageWriteWithoutFormat");
    }
    weir_pyramid_destroy(&pyramid);
    weir_context_destroy(&e->context);
    weir_device_destroy(&device);
    e->context = context;
}

void pyramid_test_errors(struct pyramid_runner *runner)
{
    static const uint8_t texels[40 * 24 * 4];
    struct errors e = {.harness = runner->harness};
    const VkFormat format = VK_FORMAT_R32_SFLOAT;
    harness_image_init(e.harness, format, 40, 24, VK_IMAGE_USAGE_SAMPLED_BIT, 0, texels, 4,
                       VK_IMAGE_LAYOUT_GENERAL, &e.image);
    struct weir_gpu_image other;
    harness_image_init(e.harness, format, 1, 1, VK_IMAGE_USAGE_SAMPLED_BIT, 0, texels, 4,
                       VK_IMAGE_LAYOUT_GENERAL, &other);
    e.none = other.params.image;
    struct weir_context_params params = *e.harness->import;
    params.log = heard_log(&e.heard);
    EXPECT(&e, weir_context_create(&params, &e.context), WEIR_OK, 0, "");
    weir_pyramid *pyramid = create(
        &e, weir_pyramid_params(.method = WEIR_PYRAMID_SINGLE, .format = format, .max_images = 2));
    weir_pyramid *converting = create(
        &e, weir_pyramid_params(.method = WEIR_PYRAMID_SINGLE, .format = format,
                                .source_format = format, .max_images = 2));
    test_kinds(&e);
    test_formats(&e);
    test_target(&e, pyramid);
    test_sources(&e, converting);
    test_limit(&e, pyramid);
    test_methods(&e);
    test_srgb(&e);
    test_plain_device(&e);
    weir_pyramid_destroy(&pyramid);
    weir_pyramid_destroy(&converting);
    weir_context_destroy(&e.context);
    harness_image_finish(e.harness, &other);
    harness_image_finish(e.harness, &e.image);
}
