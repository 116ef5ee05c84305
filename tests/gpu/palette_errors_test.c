// SPDX-License-Identifier: MIT
// Palette reductions refuse wrong input: with the right result, the right code in the log, and a
// text that names the thing.
#include <math.h>

#include <vulkan/vulkan.h>

#include <weir/palette.h>

#include "tests/gpu/heard.h"

enum { WIDTH = 40, HEIGHT = 24 };

struct errors {
    struct harness harness;
    struct heard heard;
    weir_context *context;
    struct weir_gpu_image image, decoded, turned; // RGBA8; in sRGB; of 24x40
    struct weir_gpu_image target;
};

#define EXPECT(e, call, result, code, word)                                                        \
    heard_expect(&(e)->heard, #call, call, result, code, word)

#define CREATE(e, result, code, word, ...)                                                         \
    do {                                                                                           \
        weir_palette *none = NULL;                                                                 \
        EXPECT(e,                                                                                  \
               weir_palette_create((e)->context,                                                   \
                                   weir_palette_params(.max_colors = 1, __VA_ARGS__), &none),      \
               result, code, word);                                                                \
        test_expect(!none, "a palette after an error");                                            \
    } while (0)

static void test_params(struct errors *e)
{
    const weir_image *rgba8 = harness_like(&e->harness, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    const enum weir_result invalid = WEIR_ERROR_INVALID, unsupported = WEIR_ERROR_UNSUPPORTED;
    CREATE(e, invalid, WEIR_LOG_CODE_UNKNOWN_VALUE, "weight 2", .like = rgba8,
           .weight = (enum weir_palette_weight)2);
    CREATE(e, invalid, WEIR_LOG_CODE_UNKNOWN_VALUE, "weight -1", .like = rgba8,
           .weight = (enum weir_palette_weight) - 1);
    CREATE(e, invalid, WEIR_LOG_CODE_UNKNOWN_VALUE, "light 2", .like = rgba8,
           .light = (enum weir_palette_light)2);
    CREATE(e, invalid, WEIR_LOG_CODE_UNKNOWN_VALUE, "light -1", .like = rgba8,
           .light = (enum weir_palette_light) - 1);
    CREATE(e, invalid, WEIR_LOG_CODE_UNKNOWN_VALUE, "method 2", .like = rgba8,
           .method = (enum weir_palette_method)2);
    CREATE(e, invalid, WEIR_LOG_CODE_UNKNOWN_VALUE, "metric -1", .like = rgba8,
           .metric = (enum weir_palette_metric) - 1);
    CREATE(e, invalid, WEIR_LOG_CODE_UNKNOWN_VALUE, "dither 3", .like = rgba8,
           .method = WEIR_PALETTE_METHOD_K_MEANS, .dither = (enum weir_palette_dither)3);
    CREATE(e, invalid, WEIR_LOG_CODE_UNKNOWN_VALUE, "is for WEIR_PALETTE_METHOD_K_MEANS",
           .like = rgba8, .dither = WEIR_PALETTE_DITHER_ORDERED);
    CREATE(e, invalid, WEIR_LOG_CODE_NULL_ARGUMENT, "like", .like = NULL);
    CREATE(e, unsupported, WEIR_LOG_CODE_MISSING_FORMAT, "VkFormat 41",
           .like = harness_like(&e->harness, VK_FORMAT_R8G8B8A8_UINT, 0, 0));
    CREATE(e, unsupported, WEIR_LOG_CODE_MISSING_FORMAT, "VkFormat 38",
           .like = harness_like(&e->harness, VK_FORMAT_R8G8B8A8_SNORM, 0, 0));
    weir_palette *none = NULL;
    EXPECT(e,
           weir_palette_create(
               e->context, weir_palette_params(.like = rgba8, .max_colors = (1 << 24) + 1), &none),
           invalid, WEIR_LOG_CODE_OUT_OF_RANGE, "max_colors is 16777217");
    test_expect(!none, "a palette after an error");
}

// A palette that follows from frame to frame is k-means of codes by frequency, without dither.
static void test_live_params(struct errors *e)
{
    const weir_image *rgba8 = harness_like(&e->harness, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    const enum weir_result invalid = WEIR_ERROR_INVALID;
    const enum weir_log_code unknown = WEIR_LOG_CODE_UNKNOWN_VALUE;
    const enum weir_palette_method k_means = WEIR_PALETTE_METHOD_K_MEANS;
    const enum weir_palette_weight frequency = WEIR_PALETTE_WEIGHT_FREQUENCY;
    CREATE(e, invalid, unknown, "WEIR_PALETTE_METHOD_K_MEANS", .like = rgba8, .live = true);
    CREATE(e, invalid, unknown, "WEIR_PALETTE_METRIC_CODES", .like = rgba8, .live = true,
           .method = k_means, .weight = frequency, .metric = WEIR_PALETTE_METRIC_OKLAB);
    CREATE(e, invalid, unknown, "WEIR_PALETTE_WEIGHT_FREQUENCY", .like = rgba8, .live = true,
           .method = k_means);
    CREATE(e, invalid, unknown, "WEIR_PALETTE_DITHER_NONE", .like = rgba8, .live = true,
           .method = k_means, .weight = frequency, .dither = WEIR_PALETTE_DITHER_ORDERED);
    CREATE(e, invalid, WEIR_LOG_CODE_OUT_OF_RANGE, "max_colors is 1; with `live`", .like = rgba8,
           .live = true, .method = k_means, .weight = frequency);
}

// Params that are left out get the defaults that the public header names.
static void test_defaults(struct errors *e)
{
    weir_palette *palette = NULL;
    EXPECT(
        e,
        weir_palette_create(
            e->context,
            weir_palette_params(.like = harness_like(&e->harness, VK_FORMAT_R8G8B8A8_UNORM, 0, 0)),
            &palette),
        WEIR_OK, 0, "");
    if (palette) {
        const struct weir_palette_params params = weir_palette_get_params(palette);
        test_expect(params.max_colors == 1 << 18, "max_colors is %u", params.max_colors);
        test_expect(!params.debug_tag && !params.like, "the defaults of other params");
    }
    weir_palette_destroy(&palette);
}

static weir_image *wrap(struct errors *e, const struct weir_gpu_image *image)
{
    const struct weir_image_params params = image->params;
    weir_image *wrapped = NULL;
    EXPECT(e, weir_image_create(e->context, &params, &wrapped), WEIR_OK, 0, "");
    return wrapped;
}

// An image that is wrapped is refused when it is to be written.
static void expect_refused(struct errors *e, weir_palette *palette, const weir_image *source,
                           const struct weir_gpu_image *image, enum weir_log_code code,
                           const char *word)
{
    VkCommandBuffer cmd = harness_begin(&e->harness);
    weir_image *result = wrap(e, image);
    EXPECT(e, weir_cmd_palette_map(palette, cmd, source, result), WEIR_ERROR_UNSUPPORTED, code,
           word);
    weir_gpu_discard(e->harness.gpu, cmd);
    weir_image_destroy(&result);
}

// New colours are not written to images of other formats, or without STORAGE or its flags.
static void test_results(struct errors *e, weir_palette *palette, const weir_image *source)
{
    static const uint8_t texels[WIDTH * HEIGHT * 8];
    static const struct {
        VkFormat format;
        VkImageUsageFlags usage;
        VkImageCreateFlags flags;
        enum weir_log_code code;
        const char *word;
    } kinds[] = {
        {VK_FORMAT_R16G16B16A16_SFLOAT, VK_IMAGE_USAGE_STORAGE_BIT, 0, WEIR_LOG_CODE_MISSING_FORMAT,
         "VkFormat 97"},
        {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_SAMPLED_BIT, 0, WEIR_LOG_CODE_MISSING_USAGE,
         "STORAGE"},
        {VK_FORMAT_R8G8B8A8_SRGB, VK_IMAGE_USAGE_SAMPLED_BIT, 0, WEIR_LOG_CODE_MISSING_USAGE,
         "MUTABLE_FORMAT"},
        {VK_FORMAT_B8G8R8A8_SRGB, VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
         WEIR_LOG_CODE_MISSING_USAGE, "EXTENDED_USAGE"},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct weir_gpu_image image;
        harness_image_init(&e->harness, kinds[i].format, WIDTH, HEIGHT, kinds[i].usage,
                           kinds[i].flags, texels,
                           kinds[i].format == VK_FORMAT_R16G16B16A16_SFLOAT ? 8 : 4,
                           VK_IMAGE_LAYOUT_GENERAL, &image);
        expect_refused(e, palette, source, &image, kinds[i].code, kinds[i].word);
        harness_image_finish(&e->harness, &image);
    }
}

static void test_radius(struct errors *e, weir_palette *palette, VkCommandBuffer cmd)
{
    const float radii[] = {-1e-30f,   -1, nextafterf(WEIR_PALETTE_MAX_RADIUS, 2), 2, INFINITY,
                           -INFINITY, NAN};
    for (int i = 0; i < 7; i++) {
        EXPECT(
            e,
            weir_cmd_palette_start(palette, cmd, &(struct weir_palette_start){.radius = radii[i]}),
            WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE, "radius");
    }
}

static void test_num_colors(struct errors *e, weir_palette *means, const weir_image *image,
                            const weir_image *target)
{
    VkCommandBuffer cmd = harness_begin(&e->harness);
    const struct weir_palette_count count = {.source = image};
    static const struct {
        struct weir_palette_start start;
        const char *word;
    } starts[] = {
        {{.num_colors = 0}, "num_colors of a palette is 0"},
        {{.num_colors = 257}, "must be 1 to 256"},
        {{.num_colors = UINT32_MAX}, "num_colors of a palette is 4294967295"},
        {{.num_colors = 16, .radius = 0.02f}, "radius"},
        {{.num_colors = 16, .limit = 1}, "limit"},
    };
    EXPECT(e, weir_cmd_palette_count(means, cmd, &count), WEIR_OK, 0, "");
    for (int i = 0; i < 5; i++) {
        const struct weir_palette_run run = {
            .source = image,
            .output = target,
            .radius = starts[i].start.radius,
            .limit = starts[i].start.limit,
            .num_colors = starts[i].start.num_colors,
        };
        EXPECT(e, weir_cmd_palette_start(means, cmd, &starts[i].start), WEIR_ERROR_INVALID,
               WEIR_LOG_CODE_OUT_OF_RANGE, starts[i].word);
        EXPECT(e, weir_cmd_palette(means, cmd, &run), WEIR_ERROR_INVALID,
               WEIR_LOG_CODE_OUT_OF_RANGE, starts[i].word);
    }
    EXPECT(e, weir_cmd_palette_start(means, cmd, &(struct weir_palette_start){.num_colors = 256}),
           WEIR_OK, 0, "");
    harness_submit(&e->harness, cmd, NULL, 0);
}

// The calls that are refused at each stage of a run, and that a refused call changes nothing.
static void test_order(struct errors *e, weir_palette *palette, const weir_image *image,
                       const weir_image *target)
{
    VkCommandBuffer cmd = harness_begin(&e->harness);
    const struct weir_palette_count count = {.source = image},
                                    clear = {.source = image, .clear = true};
    const struct weir_palette_start start = {.radius = WEIR_PALETTE_MAX_RADIUS};
    const enum weir_result invalid = WEIR_ERROR_INVALID;
    const enum weir_log_code range = WEIR_LOG_CODE_OUT_OF_RANGE;
    for (int counted = 0; counted < 2; counted++) {
        if (counted) {
            EXPECT(e, weir_cmd_palette_count(palette, cmd, &count), WEIR_OK, 0, "");
            EXPECT(e, weir_cmd_palette_count(palette, cmd, &count), WEIR_OK, 0, "");
        } else {
            EXPECT(e, weir_cmd_palette_start(palette, cmd, &start), invalid, range, "_count()");
        }
        EXPECT(e, weir_cmd_palette_iterate(palette, cmd, 1), invalid, range, "_start()");
        EXPECT(e, weir_cmd_palette_finish(palette, cmd), invalid, range, "_start()");
        EXPECT(e, weir_cmd_palette_map(palette, cmd, image, target), invalid, range, "_finish()");
    }
    test_radius(e, palette, cmd);
    EXPECT(e, weir_cmd_palette_start(palette, cmd, &(struct weir_palette_start){.keep_rare = true}),
           invalid, range, "keep_rare");
    EXPECT(e, weir_cmd_palette_start(palette, cmd, &(struct weir_palette_start){.num_colors = 16}),
           invalid, range, "WEIR_PALETTE_METHOD_K_MEANS");
    EXPECT(e, weir_cmd_palette_start(palette, cmd, &start), WEIR_OK, 0, "");
    test_radius(e, palette, cmd);
    EXPECT(e, weir_cmd_palette_count(palette, cmd, &count), invalid, range, "clear");
    EXPECT(e, weir_cmd_palette_map(palette, cmd, image, target), invalid, range, "_finish()");
    EXPECT(e, weir_cmd_palette_iterate(palette, cmd, 65537), invalid, range, "65537");
    EXPECT(e, weir_cmd_palette_iterate(palette, cmd, UINT32_MAX), invalid, range, "65536");
    EXPECT(e,
           weir_cmd_palette(palette, cmd,
                            &(struct weir_palette_run){
                                .source = image, .output = target, .num_dispatches = UINT32_MAX}),
           invalid, range, "num_dispatches");
    EXPECT(e, weir_cmd_palette_iterate(palette, cmd, 2), WEIR_OK, 0, "");
    EXPECT(e, weir_cmd_palette_finish(palette, cmd), WEIR_OK, 0, "");
    EXPECT(e, weir_cmd_palette_finish(palette, cmd), invalid, range, "_start()");
    EXPECT(e, weir_cmd_palette_iterate(palette, cmd, 1), invalid, range, "_start()");
    EXPECT(e, weir_cmd_palette_count(palette, cmd, &count), invalid, range, "clear");
    EXPECT(e, weir_cmd_palette_map(palette, cmd, image, target), WEIR_OK, 0, "");
    EXPECT(e, weir_cmd_palette_start(palette, cmd, &start), WEIR_OK, 0, "");
    EXPECT(e, weir_cmd_palette_count(palette, cmd, &clear), WEIR_OK, 0, "");
    EXPECT(e, weir_cmd_palette_iterate(palette, cmd, 1), invalid, range, "_start()");
    harness_submit(&e->harness, cmd, NULL, 0);
}

// Images that do not go together.
static void test_images(struct errors *e, weir_palette *palette, const weir_image *image,
                        const weir_image *target)
{
    VkCommandBuffer cmd = harness_begin(&e->harness);
    weir_image *decoded = wrap(e, &e->decoded), *turned = wrap(e, &e->turned);
    const struct weir_palette_run run = {.source = image, .output = target},
                                  of_another_kind = {.source = decoded, .output = target},
                                  of_another_size = {.source = turned, .output = target},
                                  too_far = {.source = image, .output = target, .radius = 2};
    const enum weir_result invalid = WEIR_ERROR_INVALID;
    EXPECT(e, weir_cmd_palette(palette, cmd, &run), WEIR_OK, 0, "");
    EXPECT(e, weir_cmd_palette_map(palette, cmd, decoded, target), invalid,
           WEIR_LOG_CODE_FORMAT_MISMATCH, "VkFormat 43");
    EXPECT(e, weir_cmd_palette_map(palette, cmd, turned, target), invalid,
           WEIR_LOG_CODE_OUT_OF_RANGE, "24x40 is not mapped to an output of 40x24");
    EXPECT(e, weir_cmd_palette_map(palette, cmd, image, image), invalid, WEIR_LOG_CODE_OUT_OF_RANGE,
           "another image than its source");
    EXPECT(e,
           weir_cmd_palette_count(palette, cmd,
                                  &(struct weir_palette_count){.source = decoded, .clear = true}),
           invalid, WEIR_LOG_CODE_FORMAT_MISMATCH, "VkFormat 43");
    EXPECT(e, weir_cmd_palette_map(palette, cmd, image, target), WEIR_OK, 0, "");
    EXPECT(e, weir_cmd_palette(palette, cmd, &of_another_kind), invalid,
           WEIR_LOG_CODE_FORMAT_MISMATCH, "VkFormat 43");
    EXPECT(e, weir_cmd_palette(palette, cmd, &of_another_size), invalid, WEIR_LOG_CODE_OUT_OF_RANGE,
           "24x40");
    EXPECT(e, weir_cmd_palette(palette, cmd, &too_far), invalid, WEIR_LOG_CODE_OUT_OF_RANGE,
           "radius");
    harness_submit(&e->harness, cmd, NULL, 0);
    weir_image_destroy(&decoded);
    weir_image_destroy(&turned);
}

// An image that kernels do not read themselves: they read a copy, which a palette's calls do not
// fill.
static void test_unsampled(struct errors *e, weir_palette *palette)
{
    static const uint8_t texels[4 * WIDTH * HEIGHT];
    struct weir_gpu_image image;
    harness_image_init(&e->harness, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT,
                       VK_IMAGE_USAGE_TRANSFER_SRC_BIT, 0, texels, 4,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, &image);
    const struct weir_image_params params = image.params;
    weir_image *wrapped = NULL;
    test_must(weir_image_create(e->context, &params, &wrapped) == WEIR_OK,
              "an image without SAMPLED");
    e->heard = (struct heard){0}; // it warns of the copy
    VkCommandBuffer cmd = harness_begin(&e->harness);
    EXPECT(e,
           weir_cmd_palette_count(palette, cmd,
                                  &(struct weir_palette_count){.source = wrapped, .clear = true}),
           WEIR_ERROR_INVALID, WEIR_LOG_CODE_MISSING_USAGE, "SAMPLED");
    weir_gpu_discard(e->harness.gpu, cmd);
    weir_image_destroy(&wrapped);
    harness_image_finish(&e->harness, &image);
}

static weir_palette *create(struct errors *e, enum weir_palette_method method)
{
    weir_palette *palette = NULL;
    EXPECT(e,
           weir_palette_create(e->context,
                               weir_palette_params(.like = harness_like(
                                                       &e->harness, VK_FORMAT_R8G8B8A8_UNORM, 0, 0),
                                                   .max_colors = 4, .method = method),
                               &palette),
           WEIR_OK, 0, "");
    test_must(palette, "a palette");
    return palette;
}

static void test_calls(struct errors *e)
{
    weir_palette *palette = create(e, WEIR_PALETTE_METHOD_MEAN_SHIFT);
    weir_palette *means = create(e, WEIR_PALETTE_METHOD_K_MEANS);
    weir_image *target = wrap(e, &e->target);
    weir_image *image = wrap(e, &e->image);
    test_must(target && image, "a target and an image");
    test_order(e, palette, image, target);
    test_num_colors(e, means, image, target);
    test_images(e, palette, image, target);
    test_results(e, palette, image);
    test_unsampled(e, palette);
    weir_image_destroy(&image);
    weir_image_destroy(&target);
    weir_palette_destroy(&means);
    weir_palette_destroy(&palette);
}

static void image_init(struct errors *e, VkFormat format, uint32_t width, uint32_t height,
                       struct weir_gpu_image *out)
{
    static const uint8_t texels[4 * WIDTH * HEIGHT];
    harness_image_init(&e->harness, format, width, height, VK_IMAGE_USAGE_SAMPLED_BIT, 0, texels, 4,
                       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, out);
}

int main(void)
{
    struct errors e = {.context = NULL};
    harness_init(&e.harness, false);
    image_init(&e, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, &e.image);
    image_init(&e, VK_FORMAT_R8G8B8A8_SRGB, WIDTH, HEIGHT, &e.decoded);
    image_init(&e, VK_FORMAT_R8G8B8A8_UNORM, HEIGHT, WIDTH, &e.turned);
    static const uint8_t texels[4 * WIDTH * HEIGHT];
    harness_image_init(&e.harness, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT,
                       VK_IMAGE_USAGE_STORAGE_BIT, 0, texels, 4, VK_IMAGE_LAYOUT_GENERAL,
                       &e.target);
    struct weir_context_params params = *e.harness.import;
    params.log = heard_log(&e.heard);
    EXPECT(&e, weir_context_create(&params, &e.context), WEIR_OK, 0, "");
    test_params(&e);
    test_live_params(&e);
    test_defaults(&e);
    test_calls(&e);
    weir_context_destroy(&e.context);
    harness_image_finish(&e.harness, &e.image);
    harness_image_finish(&e.harness, &e.decoded);
    harness_image_finish(&e.harness, &e.turned);
    harness_image_finish(&e.harness, &e.target);
    return harness_finish(&e.harness);
}
