// SPDX-License-Identifier: MIT
// Palette reductions refuse wrong input: with the right result, the right code in the log, and a
// text that names the thing.
#include <math.h>

#include <vulkan/vulkan.h>

#include "tests/gpu/heard.h"
#include "tests/gpu/palette_test.h"

enum { WIDTH = 40, HEIGHT = 24 };

struct errors {
    struct harness *h;
    struct heard heard;
    weir_context *context;
    struct weir_gpu_image image, decoded, turned; // RGBA8; in sRGB; of 24x40
    struct weir_gpu_image target;
};

#define ALLOW(e, call) heard_expect(&(e)->heard, #call, call, WEIR_OK, 0, "")
#define REFUSE(e, call, code, word)                                                                \
    heard_expect(&(e)->heard, #call, call, WEIR_ERROR_INVALID, WEIR_LOG_CODE_##code, word)
#define EXPECT(e, call, result, code, word)                                                        \
    heard_expect(&(e)->heard, #call, call, result, code, word)

static void test_params(struct errors *e)
{
#define UNKNOWN WEIR_LOG_CODE_UNKNOWN_VALUE
    static const struct {
        enum weir_log_code code;
        const char *word;
        struct weir_palette_params params;
        VkFormat format; // of `like`, 0 = RGBA8
    } cases[] = {
        {UNKNOWN, "weight 2", {.weight = (enum weir_palette_weight)2}, 0},
        {UNKNOWN, "weight -1", {.weight = (enum weir_palette_weight) - 1}, 0},
        {UNKNOWN, "light 2", {.light = (enum weir_palette_light)2}, 0},
        {UNKNOWN, "light -1", {.light = (enum weir_palette_light) - 1}, 0},
        {UNKNOWN, "method 2", {.method = (enum weir_palette_method)2}, 0},
        {UNKNOWN, "metric -1", {.metric = (enum weir_palette_metric) - 1}, 0},
        {UNKNOWN,
         "dither 3",
         {.method = WEIR_PALETTE_METHOD_K_MEANS, .dither = (enum weir_palette_dither)3},
         0},
        {UNKNOWN, "is for WEIR_PALETTE_METHOD_K_MEANS", {.dither = WEIR_PALETTE_DITHER_ORDERED}, 0},
        {WEIR_LOG_CODE_MISSING_FORMAT, "VkFormat 41", {0}, VK_FORMAT_R8G8B8A8_UINT},
        {WEIR_LOG_CODE_MISSING_FORMAT, "VkFormat 38", {0}, VK_FORMAT_R8G8B8A8_SNORM},
        {WEIR_LOG_CODE_OUT_OF_RANGE, "max_colors is 16777217", {.max_colors = (1 << 24) + 1}, 0},
        // `live` is for k-means of codes by frequency, without dither.
        {UNKNOWN, "WEIR_PALETTE_METHOD_K_MEANS", {.live = true}, 0},
#define LIVE .live = true, .method = WEIR_PALETTE_METHOD_K_MEANS
#define FREQUENT LIVE, .weight = WEIR_PALETTE_WEIGHT_FREQUENCY
        {UNKNOWN, "WEIR_PALETTE_METRIC_CODES", {FREQUENT, .metric = WEIR_PALETTE_METRIC_OKLAB}, 0},
        {UNKNOWN, "WEIR_PALETTE_WEIGHT_FREQUENCY", {LIVE}, 0},
        {UNKNOWN, "WEIR_PALETTE_DITHER_NONE", {FREQUENT, .dither = WEIR_PALETTE_DITHER_ORDERED}, 0},
        {WEIR_LOG_CODE_OUT_OF_RANGE, "max_colors is 1; with `live`", {FREQUENT}, 0},
    };
    weir_palette *none = NULL;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const VkFormat format = cases[i].format;
        struct weir_palette_params params = cases[i].params;
        params.like = harness_like(e->h, format ? format : VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
        params.max_colors = params.max_colors ? params.max_colors : 1;
        EXPECT(e, weir_palette_create(e->context, &params, &none),
               format ? WEIR_ERROR_UNSUPPORTED : WEIR_ERROR_INVALID, cases[i].code, cases[i].word);
        test_expect(!none, "a palette after an error");
    }
    REFUSE(e, weir_palette_create(e->context, weir_palette_params(.max_colors = 1), &none),
           NULL_ARGUMENT, "like");
    test_expect(!none, "a palette after an error");
}

// Params that are left out get the defaults that the public header names.
static void test_defaults(struct errors *e)
{
    weir_palette *palette = NULL;
    ALLOW(e, weir_palette_create(
                 e->context,
                 weir_palette_params(.like = harness_like(e->h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0)),
                 &palette));
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
    ALLOW(e, weir_image_create(e->context, &params, &wrapped));
    return wrapped;
}

// An image that is wrapped is refused when it is to be written.
static void expect_refused(struct errors *e, weir_palette *palette, const weir_image *source,
                           const struct weir_gpu_image *image, enum weir_log_code code,
                           const char *word)
{
    VkCommandBuffer cmd = harness_begin(e->h);
    weir_image *result = wrap(e, image);
    EXPECT(e, weir_cmd_palette_map(palette, cmd, source, result), WEIR_ERROR_UNSUPPORTED, code,
           word);
    weir_gpu_discard(e->h->gpu, cmd);
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
        harness_image_init(e->h, kinds[i].format, WIDTH, HEIGHT, kinds[i].usage, kinds[i].flags,
                           texels, kinds[i].format == VK_FORMAT_R16G16B16A16_SFLOAT ? 8 : 4,
                           VK_IMAGE_LAYOUT_GENERAL, &image);
        expect_refused(e, palette, source, &image, kinds[i].code, kinds[i].word);
        harness_image_finish(e->h, &image);
    }
}

static void test_radius(struct errors *e, weir_palette *palette, VkCommandBuffer cmd)
{
    const float radii[] = {-1e-30f,   -1, nextafterf(WEIR_PALETTE_MAX_RADIUS, 2), 2, INFINITY,
                           -INFINITY, NAN};
    for (int i = 0; i < 7; i++) {
        REFUSE(
            e,
            weir_cmd_palette_start(palette, cmd, &(struct weir_palette_start){.radius = radii[i]}),
            OUT_OF_RANGE, "radius");
    }
}

static void test_num_colors(struct errors *e, weir_palette *means, const weir_image *image,
                            const weir_image *target)
{
    VkCommandBuffer cmd = harness_begin(e->h);
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
    ALLOW(e, weir_cmd_palette_count(means, cmd, &count));
    for (int i = 0; i < 5; i++) {
        const struct weir_palette_run run = TEST_LIST(.source = image, .output = target,
                                                      .radius = starts[i].start.radius,
                                                      .limit = starts[i].start.limit,
                                                      .num_colors = starts[i].start.num_colors);
        REFUSE(e, weir_cmd_palette_start(means, cmd, &starts[i].start), OUT_OF_RANGE,
               starts[i].word);
        REFUSE(e, weir_cmd_palette(means, cmd, &run), OUT_OF_RANGE, starts[i].word);
    }
    ALLOW(e, weir_cmd_palette_start(means, cmd, &(struct weir_palette_start){.num_colors = 256}));
    harness_submit(e->h, cmd, NULL, 0);
}

// The calls that are refused at each stage of a run, and that a refused call changes nothing.
static void test_order(struct errors *e, weir_palette *palette, const weir_image *image,
                       const weir_image *target)
{
    VkCommandBuffer cmd = harness_begin(e->h);
    const struct weir_palette_count count = {.source = image},
                                    clear = {.source = image, .clear = true};
    const struct weir_palette_start start = {.radius = WEIR_PALETTE_MAX_RADIUS};
    for (int counted = 0; counted < 2; counted++) {
        if (counted) {
            ALLOW(e, weir_cmd_palette_count(palette, cmd, &count));
            ALLOW(e, weir_cmd_palette_count(palette, cmd, &count));
        } else {
            REFUSE(e, weir_cmd_palette_start(palette, cmd, &start), OUT_OF_RANGE, "_count()");
        }
        REFUSE(e, weir_cmd_palette_iterate(palette, cmd, 1), OUT_OF_RANGE, "_start()");
        REFUSE(e, weir_cmd_palette_finish(palette, cmd), OUT_OF_RANGE, "_start()");
        REFUSE(e, weir_cmd_palette_map(palette, cmd, image, target), OUT_OF_RANGE, "_finish()");
    }
    test_radius(e, palette, cmd);
    REFUSE(e, weir_cmd_palette_start(palette, cmd, &(struct weir_palette_start){.keep_rare = true}),
           OUT_OF_RANGE, "keep_rare");
    REFUSE(e, weir_cmd_palette_start(palette, cmd, &(struct weir_palette_start){.num_colors = 16}),
           OUT_OF_RANGE, "WEIR_PALETTE_METHOD_K_MEANS");
    ALLOW(e, weir_cmd_palette_start(palette, cmd, &start));
    test_radius(e, palette, cmd);
    REFUSE(e, weir_cmd_palette_count(palette, cmd, &count), OUT_OF_RANGE, "clear");
    REFUSE(e, weir_cmd_palette_map(palette, cmd, image, target), OUT_OF_RANGE, "_finish()");
    REFUSE(e, weir_cmd_palette_iterate(palette, cmd, 65537), OUT_OF_RANGE, "65537");
    REFUSE(e, weir_cmd_palette_iterate(palette, cmd, UINT32_MAX), OUT_OF_RANGE, "65536");
    REFUSE(e,
           weir_cmd_palette(palette, cmd,
                            &(struct weir_palette_run){
                                .source = image, .output = target, .num_dispatches = UINT32_MAX}),
           OUT_OF_RANGE, "num_dispatches");
    ALLOW(e, weir_cmd_palette_iterate(palette, cmd, 2));
    ALLOW(e, weir_cmd_palette_finish(palette, cmd));
    REFUSE(e, weir_cmd_palette_finish(palette, cmd), OUT_OF_RANGE, "_start()");
    REFUSE(e, weir_cmd_palette_iterate(palette, cmd, 1), OUT_OF_RANGE, "_start()");
    REFUSE(e, weir_cmd_palette_count(palette, cmd, &count), OUT_OF_RANGE, "clear");
    ALLOW(e, weir_cmd_palette_map(palette, cmd, image, target));
    ALLOW(e, weir_cmd_palette_start(palette, cmd, &start));
    ALLOW(e, weir_cmd_palette_count(palette, cmd, &clear));
    REFUSE(e, weir_cmd_palette_iterate(palette, cmd, 1), OUT_OF_RANGE, "_start()");
    harness_submit(e->h, cmd, NULL, 0);
}

// Images that do not go together.
static void test_images(struct errors *e, weir_palette *palette, const weir_image *image,
                        const weir_image *target)
{
    VkCommandBuffer cmd = harness_begin(e->h);
    weir_image *decoded = wrap(e, &e->decoded), *turned = wrap(e, &e->turned);
    const struct weir_palette_run run = {.source = image, .output = target},
                                  of_another_kind = {.source = decoded, .output = target},
                                  of_another_size = {.source = turned, .output = target},
                                  too_far = {.source = image, .output = target, .radius = 2};
    ALLOW(e, weir_cmd_palette(palette, cmd, &run));
    REFUSE(e, weir_cmd_palette_map(palette, cmd, decoded, target), FORMAT_MISMATCH, "VkFormat 43");
    REFUSE(e, weir_cmd_palette_map(palette, cmd, turned, target), OUT_OF_RANGE,
           "is 24x40 and its output 40x24");
    REFUSE(e, weir_cmd_palette_map(palette, cmd, image, image), OUT_OF_RANGE,
           "another image than its source");
    REFUSE(e,
           weir_cmd_palette_count(palette, cmd,
                                  &(struct weir_palette_count){.source = decoded, .clear = true}),
           FORMAT_MISMATCH, "VkFormat 43");
    ALLOW(e, weir_cmd_palette_map(palette, cmd, image, target));
    REFUSE(e, weir_cmd_palette(palette, cmd, &of_another_kind), FORMAT_MISMATCH, "VkFormat 43");
    REFUSE(e, weir_cmd_palette(palette, cmd, &of_another_size), OUT_OF_RANGE, "24x40");
    REFUSE(e, weir_cmd_palette(palette, cmd, &too_far), OUT_OF_RANGE, "radius");
    harness_submit(e->h, cmd, NULL, 0);
    weir_image_destroy(&decoded);
    weir_image_destroy(&turned);
}

// An image that kernels do not read themselves: they read a copy, which a palette's calls do not
// fill.
static void test_unsampled(struct errors *e, weir_palette *palette)
{
    static const uint8_t texels[4 * WIDTH * HEIGHT];
    struct weir_gpu_image image;
    harness_image_init(e->h, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT,
                       VK_IMAGE_USAGE_TRANSFER_SRC_BIT, 0, texels, 4,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, &image);
    const struct weir_image_params params = image.params;
    weir_image *wrapped = NULL;
    TEST_MUST(weir_image_create(e->context, &params, &wrapped));
    e->heard = (struct heard){0}; // it warns of the copy
    VkCommandBuffer cmd = harness_begin(e->h);
    REFUSE(e,
           weir_cmd_palette_count(palette, cmd,
                                  &(struct weir_palette_count){.source = wrapped, .clear = true}),
           MISSING_USAGE, "SAMPLED");
    weir_gpu_discard(e->h->gpu, cmd);
    weir_image_destroy(&wrapped);
    harness_image_finish(e->h, &image);
}

static weir_palette *create(struct errors *e, enum weir_palette_method method)
{
    weir_palette *palette = NULL;
    ALLOW(e, weir_palette_create(
                 e->context,
                 weir_palette_params(.like = harness_like(e->h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0),
                                     .max_colors = 4, .method = method),
                 &palette));
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
    harness_image_init(e->h, format, width, height, VK_IMAGE_USAGE_SAMPLED_BIT, 0, texels, 4,
                       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, out);
}

void palette_test_errors(struct palette_test *t)
{
    struct errors e = {.h = &t->h};
    image_init(&e, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, &e.image);
    image_init(&e, VK_FORMAT_R8G8B8A8_SRGB, WIDTH, HEIGHT, &e.decoded);
    image_init(&e, VK_FORMAT_R8G8B8A8_UNORM, HEIGHT, WIDTH, &e.turned);
    static const uint8_t texels[4 * WIDTH * HEIGHT];
    harness_image_init(e.h, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, VK_IMAGE_USAGE_STORAGE_BIT, 0,
                       texels, 4, VK_IMAGE_LAYOUT_GENERAL, &e.target);
    struct weir_context_params params = *e.h->import;
    params.log = heard_log(&e.heard);
    ALLOW(&e, weir_context_create(&params, &e.context));
    test_params(&e);
    test_defaults(&e);
    test_calls(&e);
    weir_context_destroy(&e.context);
    struct weir_gpu_image *images[] = {&e.image, &e.decoded, &e.turned, &e.target};
    for (int i = 0; i < 4; i++) {
        harness_image_finish(e.h, images[i]);
    }
}
