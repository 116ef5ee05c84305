// SPDX-License-Identifier: MIT
// Proxies of pictures that take more than one dispatch, one from which a pyramid goes on, and what
// is refused.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>
#include <weir/pyramid.h>

#include "tests/gpu/encode_run.h"
#include "tests/ref/proxy.h"

static uint64_t size_of(const struct encode_image *image)
{
    return (uint64_t)4 * image->image.params.width * image->image.params.height;
}

// More blocks than a dispatch of BC1 has; the rows from FIRST on are in the last one.
enum { WIDTH = 2050, HEIGHT = 2070, FIRST = 4 * 490 };

// Encode all of a picture, and its last rows by themselves, and copy both proxies to `pixels`.
static void encode_twice(struct harness *h, const weir_encoder *encoder,
                         const struct encode_image *source, const struct encode_image *all,
                         const struct encode_image *part, VkBuffer pixels)
{
    struct harness_storage blocks;
    harness_storage_init(h, weir_codec_image_size(WEIR_CODEC_BC1, WIDTH, HEIGHT), &blocks);
    struct weir_encode encode = {
        .source = source->wrapped, .buffer = blocks.buffer, .proxy = all->wrapped};
    const struct weir_gpu_scope written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                           VK_ACCESS_SHADER_WRITE_BIT, 0};
    VkCommandBuffer cmd = harness_begin(h);
    test_expect(weir_cmd_encode(encoder, cmd, &encode) == WEIR_OK, "all");
    weir_cmd_barrier(h->gpu, cmd, NULL, written, written); // both write the same blocks
    encode.proxy = part->wrapped;
    encode.rect = (VkRect2D){{0, FIRST}, {WIDTH, HEIGHT - FIRST}};
    test_expect(weir_cmd_encode(encoder, cmd, &encode) == WEIR_OK, "a part");
    harness_record_copy(h, cmd, &all->image, pixels, 0);
    harness_record_copy(h, cmd, &part->image, pixels, size_of(all));
    harness_submit(h, cmd, NULL, 0);
    harness_storage_finish(h, &blocks);
}

// The rows of the last dispatch are those of a rectangle that has one.
static void test_dispatches(struct harness *h, uint32_t level)
{
    const uint32_t side = 1u << level;
    uint8_t *texels = malloc((size_t)WIDTH * HEIGHT * 4);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 4; i++) {
        texels[i] = (uint8_t)harness_random(h);
    }
    struct encode_image source, all, part;
    encode_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, VK_IMAGE_USAGE_SAMPLED_BIT,
                      texels, &source);
    // FIRST is a multiple of the side.
    const uint32_t width = (WIDTH + side - 1) / side, height = (HEIGHT + side - 1) / side;
    encode_image_init(h, VK_FORMAT_R8G8B8A8_SRGB, width, height, VK_IMAGE_USAGE_STORAGE_BIT, NULL,
                      &all);
    encode_image_init(h, VK_FORMAT_R8G8B8A8_SRGB, width, height - FIRST / side,
                      VK_IMAGE_USAGE_STORAGE_BIT, NULL, &part);
    const uint64_t all_size = size_of(&all), part_size = size_of(&part);
    struct weir_gpu_buffer pixels;
    harness_buffer_init(h, all_size + part_size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, &pixels);
    weir_encoder *encoder = encode_create(
        h, weir_encoder_params(.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_FAST,
                               .like = source.wrapped, .proxy_like = all.wrapped,
                               .proxy_level = level));
    encode_twice(h, encoder, &source, &all, &part, pixels.buffer);
    test_expect(
        memcmp(pixels.mapped + all_size - part_size, pixels.mapped + all_size, part_size) == 0,
        "level %u: the proxy of the last rows is not that of the rows by themselves", level);
    weir_encoder_destroy(&encoder);
    harness_buffer_finish(h, &pixels);
    encode_image_finish(h, &part);
    encode_image_finish(h, &all);
    encode_image_finish(h, &source);
    free(texels);
}

// Encode `source` with a proxy of level 1, make the level after it by a pyramid, and copy both to
// `pixels`.
static void encode_and_reduce(struct harness *h, const struct encode_image *source,
                              const struct encode_image *proxy, const struct encode_image *next,
                              VkBuffer pixels)
{
    struct harness_storage blocks;
    harness_storage_init(h, weir_codec_image_size(WEIR_CODEC_BC1, 64, 48), &blocks);
    weir_encoder *encoder = encode_create(
        h, weir_encoder_params(.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_FAST,
                               .like = source->wrapped, .proxy_like = proxy->wrapped,
                               .proxy_level = 1));
    weir_pyramid *pyramid = NULL;
    weir_pyramid_target *target = NULL;
    const weir_image *image = next->wrapped, *from = proxy->wrapped;
    test_must(
        weir_pyramid_create(h->context,
                            weir_pyramid_params(.method = WEIR_PYRAMID_PER_LEVEL,
                                                .precision = WEIR_PYRAMID_PRECISION_NEAREST,
                                                .format = VK_FORMAT_R8G8B8A8_SRGB,
                                                .source_format = VK_FORMAT_R8G8B8A8_SRGB),
                            &pyramid) == WEIR_OK &&
            weir_pyramid_target_create(
                pyramid,
                weir_pyramid_target_params(.images = &image, .num_images = 1, .sources = &from,
                                           .source_layout = VK_IMAGE_LAYOUT_GENERAL),
                &target) == WEIR_OK,
        "a pyramid");
    VkCommandBuffer cmd = harness_begin(h);
    TEST_OK(weir_cmd_encode(encoder, cmd,
                            &(struct weir_encode){.source = source->wrapped,
                                                  .buffer = blocks.buffer,
                                                  .proxy = proxy->wrapped}));
    TEST_OK(weir_cmd_pyramid(target, cmd,
                             &(struct weir_pyramid_run){
                                 .src_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                 .src_access = VK_ACCESS_SHADER_WRITE_BIT,
                                 .dst_stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 .dst_access = VK_ACCESS_TRANSFER_READ_BIT,
                             }));
    harness_record_copy(h, cmd, &proxy->image, pixels, 0);
    harness_record_copy(h, cmd, &next->image, pixels, size_of(proxy));
    harness_submit(h, cmd, NULL, 0);
    weir_pyramid_target_destroy(&target);
    weir_pyramid_destroy(&pyramid);
    weir_encoder_destroy(&encoder);
    harness_storage_finish(h, &blocks);
}

// A pyramid goes on from a proxy: its texels are means of light of the proxy's.
static void test_pyramid(struct harness *h)
{
    enum { WIDTH_1 = 32, WIDTH_2 = 16, HEIGHT_2 = 12 };
    uint8_t texels[64 * 48 * 4];
    for (size_t i = 0; i < sizeof(texels); i++) {
        texels[i] = (uint8_t)harness_random(h);
    }
    struct encode_image source, proxy, next;
    encode_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, 64, 48, VK_IMAGE_USAGE_SAMPLED_BIT, texels,
                      &source);
    encode_image_init(h, VK_FORMAT_R8G8B8A8_SRGB, WIDTH_1, 24,
                      VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, NULL, &proxy);
    encode_image_init(h, VK_FORMAT_R8G8B8A8_SRGB, WIDTH_2, HEIGHT_2,
                      VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, NULL, &next);
    struct weir_gpu_buffer pixels;
    harness_buffer_init(h, size_of(&proxy) + size_of(&next), VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                        &pixels);
    encode_and_reduce(h, &source, &proxy, &next, pixels.buffer);
    for (uint32_t i = 0; i < WIDTH_2 * HEIGHT_2 * 3; i++) {
        const uint32_t x = i / 3 % WIDTH_2, y = i / 3 / WIDTH_2, c = i % 3;
        double values[4];
        for (uint32_t t = 0; t < 4; t++) {
            const uint32_t from = (2 * y + t / 2) * WIDTH_1 + 2 * x + t % 2;
            values[t] = pixels.mapped[4 * from + c] / 255.0;
        }
        const double want = 255 * ref_proxy_decoded(4, values);
        const int code = pixels.mapped[size_of(&proxy) + 4 * (y * WIDTH_2 + x) + c];
        // A device decodes with an error of up to half a code, and its store has another.
        if (!test_expect(fabs(code - want) <= 1.1, "%u, %u, channel %u is %d, reference %.3f", x, y,
                         c, code, want)) {
            break;
        }
    }
    harness_buffer_finish(h, &pixels);
    encode_image_finish(h, &next);
    encode_image_finish(h, &proxy);
    encode_image_finish(h, &source);
}

// Encoders that are not made.
static void test_encoders(struct harness *h)
{
    const weir_image *codes = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    const weir_image *light = harness_like(h, VK_FORMAT_R16G16B16A16_SFLOAT, 0, 0);
    const weir_image *deep = harness_like(h, VK_FORMAT_A2B10G10R10_UNORM_PACK32, 0, 0);
    struct encode_image unorm;
    encode_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, 3, 3, VK_IMAGE_USAGE_STORAGE_BIT, NULL, &unorm);
    const weir_image *proxy = unorm.wrapped;
    const enum weir_result no = WEIR_ERROR_UNSUPPORTED, invalid = WEIR_ERROR_INVALID;
    const struct {
        struct weir_encoder_params params;
        enum weir_result want;
        enum weir_log_code code;
    } bad[] = TEST_LIST(
        {{.codec = WEIR_CODEC_BC4, .like = codes, .proxy_like = proxy},
         no,
         WEIR_LOG_CODE_UNKNOWN_VALUE},
        {{.steady = true, .like = codes, .proxy_like = proxy}, no, WEIR_LOG_CODE_UNKNOWN_VALUE},
        {{.like = codes, .proxy_like = codes}, no, WEIR_LOG_CODE_MISSING_USAGE},
        {{.like = codes, .proxy_like = deep}, no, WEIR_LOG_CODE_MISSING_FORMAT},
        {{.like = light, .proxy_like = proxy}, no, WEIR_LOG_CODE_FORMAT_MISMATCH},
        {{.like = codes, .proxy_like = proxy, .proxy_level = 3},
         invalid,
         WEIR_LOG_CODE_UNKNOWN_VALUE},
        {{.like = codes, .proxy_level = 1}, invalid, WEIR_LOG_CODE_UNKNOWN_VALUE});
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        encode_expect_none(h, h->context, &bad[i].params, bad[i].want, bad[i].code);
    }
    encode_image_finish(h, &unorm);
}

// Encodes whose proxy is missing or wrong.
static void test_encodes(struct harness *h)
{
    struct encode_image source, proxy, unorm, large;
    const VkImageUsageFlags both = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    encode_image_init(h, VK_FORMAT_R8G8B8A8_SRGB, 9, 8, both, NULL, &source);
    encode_image_init(h, VK_FORMAT_R8G8B8A8_SRGB, 3, 2, VK_IMAGE_USAGE_STORAGE_BIT, NULL, &proxy);
    encode_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, 3, 2, VK_IMAGE_USAGE_STORAGE_BIT, NULL, &unorm);
    encode_image_init(h, VK_FORMAT_R8G8B8A8_SRGB, 3, 3, VK_IMAGE_USAGE_STORAGE_BIT, NULL, &large);
    struct harness_storage blocks;
    harness_storage_init(h, 1024, &blocks);
    weir_encoder *encoder = encode_create(
        h, weir_encoder_params(.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_FAST,
                               .like = source.wrapped, .proxy_like = proxy.wrapped));
    const struct {
        weir_image *proxy;
        enum weir_log_code code;
        VkRect2D rect;
    } bad[] = {
        {NULL, WEIR_LOG_CODE_NULL_ARGUMENT, {{0, 0}, {0, 0}}},
        {unorm.wrapped, WEIR_LOG_CODE_FORMAT_MISMATCH, {{0, 0}, {0, 0}}},
        {source.wrapped, WEIR_LOG_CODE_OUT_OF_RANGE, {{0, 0}, {0, 0}}},
        {large.wrapped, WEIR_LOG_CODE_OUT_OF_RANGE, {{0, 0}, {0, 0}}},
        {proxy.wrapped, WEIR_LOG_CODE_OUT_OF_RANGE, {{0, 0}, {8, 8}}}, // a column of blocks less
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const struct weir_encode encode = {.source = source.wrapped,
                                           .buffer = blocks.buffer,
                                           .proxy = bad[i].proxy,
                                           .rect = bad[i].rect};
        encode_expect_refused(h, encoder, &encode, bad[i].code);
    }
    weir_encoder_destroy(&encoder);
    harness_storage_finish(h, &blocks);
    encode_image_finish(h, &large);
    encode_image_finish(h, &unorm);
    encode_image_finish(h, &proxy);
    encode_image_finish(h, &source);
}

// A context that was told of fewer features than its device has.
static void test_feature(struct harness *h)
{
    VkPhysicalDeviceVulkan12Features timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .timelineSemaphore = true};
    const VkPhysicalDeviceFeatures2 told = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                            .pNext = &timeline};
    struct weir_context_params params = *h->import;
    params.features = &told;
    weir_context *context = NULL;
    TEST_MUST(weir_context_create(&params, &context));
    struct encode_image proxy;
    encode_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, 3, 3, VK_IMAGE_USAGE_STORAGE_BIT, NULL, &proxy);
    encode_expect_none(h, context,
                       weir_encoder_params(.like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0),
                                           .proxy_like = proxy.wrapped),
                       WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE);
    encode_image_finish(h, &proxy);
    weir_context_destroy(&context);
}

void encode_test_proxy_calls(struct harness *h, bool has_all)
{
    (void)has_all;
    test_encoders(h);
    test_feature(h);
    test_encodes(h);
    test_pyramid(h);
    test_dispatches(h, 1);
    test_dispatches(h, 2);
}
