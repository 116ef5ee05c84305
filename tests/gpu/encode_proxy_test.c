// SPDX-License-Identifier: MIT
// Proxies: the blocks are those of an encoder without one, and each texel is the mean that the
// reference makes of its 2x2 or 4x4 texels, of whole images and of rectangles. Each codec has a
// kind of source and a level that the seed draws and effort fast, but one, which is drawn too and
// has any effort. With --all each has all.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "tests/gpu/encode_draw.h"
#include "tests/gpu/encode_run.h"
#include "tests/ref/proxy.h"
#include "tests/ref/texel.h"

enum { MAX_SIDE = 61, MAX_TEXEL_SIZE = 8 };
// A store may be off by so many codes, the nearest one among them: GPUs have been seen to take one
// that is 0.54 away (docs/pyramid.md). Devices decode sRGB with an error of up to 0.43 codes.
#define STORE_ERROR 0.6
#define DECODE_ERROR 0.5

// A kind of source, its proxy, and the reference of that.
struct kind {
    VkFormat format;
    enum weir_transfer transfer;
    VkFormat proxy;
    double (*mean)(uint32_t num, const double *values);
    double error; // [codes]
};

static const struct kind kinds[] = {
    {VK_FORMAT_R8G8B8A8_UNORM, 0, VK_FORMAT_R8G8B8A8_SRGB, ref_proxy_curved, STORE_ERROR},
    {VK_FORMAT_B8G8R8A8_UNORM, 0, VK_FORMAT_B8G8R8A8_UNORM, ref_proxy_mean, STORE_ERROR},
    {VK_FORMAT_R8G8B8A8_SRGB, 0, VK_FORMAT_B8G8R8A8_SRGB, ref_proxy_of_light,
     STORE_ERROR + DECODE_ERROR},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 0, VK_FORMAT_R8G8B8A8_SRGB, ref_proxy_of_light, STORE_ERROR},
    {VK_FORMAT_R16G16B16A16_SFLOAT, WEIR_TRANSFER_CODES, VK_FORMAT_R8G8B8A8_SRGB, ref_proxy_curved,
     STORE_ERROR},
    {VK_FORMAT_R16G16B16A16_UNORM, 0, VK_FORMAT_R8G8B8A8_UNORM, ref_proxy_mean, STORE_ERROR},
};
enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static bool is_bgra(VkFormat format)
{
    return format == VK_FORMAT_B8G8R8A8_UNORM || format == VK_FORMAT_B8G8R8A8_SRGB;
}

// A picture, as it is stored, and as numbers that are averaged.
struct picture {
    uint32_t width, height;
    uint8_t stored[MAX_SIDE * MAX_SIDE * MAX_TEXEL_SIZE];
    double values[MAX_SIDE * MAX_SIDE][4];
};

static double clipped(double x)
{
    return x > 0 ? x < 1 ? x : 1 : 0; // NaN is 0
}

static const weir_image *like_of(struct harness *h, const struct kind *kind)
{
    return harness_like(h, kind->format, 0, kind->transfer);
}

static void draw(struct harness *h, const struct kind *kind, int content, struct picture *picture)
{
    static float values[MAX_SIDE * MAX_SIDE][4];
    picture->width = harness_random_side(h, MAX_SIDE);
    picture->height = harness_random_side(h, MAX_SIDE);
    encode_draw(h, weir_encoder_params(.like = like_of(h, kind)), content, picture->width,
                picture->height, picture->stored, values);
    const bool decodes = kind->format == VK_FORMAT_R8G8B8A8_SRGB;
    for (uint32_t i = 0; i < picture->width * picture->height; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            const double value = clipped((double)values[i][c]);
            picture->values[i][c] = decodes && c < 3 ? ref_srgb_decode(value) : value;
        }
    }
}

// A texel of the proxy of a rectangle, the mean of side x side, by the reference, as codes.
static void texel_of(const struct kind *kind, const struct picture *picture, const VkRect2D *rect,
                     uint32_t side, uint32_t x, uint32_t y, double out[4])
{
    const uint32_t num = side * side;
    for (int c = 0; c < 4; c++) {
        double values[REF_PROXY_MAX_TEXELS];
        for (uint32_t t = 0; t < num; t++) {
            const uint32_t i = side * x + t % side, j = side * y + t / side;
            const uint32_t right = rect->extent.width - 1, bottom = rect->extent.height - 1;
            const uint32_t column = (uint32_t)rect->offset.x + (i < right ? i : right);
            const uint32_t row = (uint32_t)rect->offset.y + (j < bottom ? j : bottom);
            values[t] = picture->values[row * picture->width + column][c];
        }
        out[c] = 255 * (c < 3 ? kind->mean(num, values) : ref_proxy_mean(num, values));
    }
}

static bool holds_alpha(enum weir_codec codec)
{
    return codec == WEIR_CODEC_BC3 || codec == WEIR_CODEC_BC1A;
}

// The sides of a proxy of a rectangle, each texel of which is of side x side.
static VkExtent2D size_of(VkExtent2D extent, uint32_t side)
{
    return (VkExtent2D){(extent.width + side - 1) / side, (extent.height + side - 1) / side};
}

static void compare(const struct kind *kind, const struct weir_encoder_params *params,
                    const struct picture *picture, const VkRect2D *rect, const uint8_t *got)
{
    const uint32_t side = 1u << params->proxy_level;
    const uint32_t width = size_of(rect->extent, side).width;
    const uint32_t height = size_of(rect->extent, side).height;
    for (uint32_t i = 0; i < width * height; i++) {
        double want[4];
        texel_of(kind, picture, rect, side, i % width, i / width, want);
        want[3] = holds_alpha(params->codec) ? want[3] : 255;
        for (int c = 0; c < 4; c++) {
            const int code = got[4 * i + (uint32_t)(is_bgra(kind->proxy) && c < 3 ? 2 - c : c)];
            const double error = c < 3 ? kind->error : STORE_ERROR;
            if (!test_expect(fabs(code - want[c]) <= error,
                             "%s, VkFormat %d to %d, level %u, %ux%u at %d, %d: texel %u, %u, "
                             "channel %d is %d, reference %.4f",
                             weir_codec_get_info(params->codec)->name, (int)kind->format,
                             (int)kind->proxy, params->proxy_level, rect->extent.width,
                             rect->extent.height, rect->offset.x, rect->offset.y, i % width,
                             i / width, c, code, want[c])) {
                return;
            }
        }
    }
}

// Two encoders of one kind, of which one writes a proxy.
struct pair {
    weir_encoder *plain, *proxied;
};

// Encode a rectangle by both, each into its half of a buffer.
static void encode_rect(struct harness *h, const struct pair *pair, const struct kind *kind,
                        const struct picture *picture, const weir_image *source, VkRect2D rect)
{
    const struct weir_encoder_params params = weir_encoder_get_params(pair->proxied);
    const struct weir_codec_info *info = weir_codec_get_info(params.codec);
    const uint64_t size = weir_codec_image_size(params.codec, rect.extent.width,
                                                rect.extent.height);
    const VkExtent2D proxy = size_of(rect.extent, 1u << params.proxy_level);
    struct encode_image target;
    encode_image_init(h, kind->proxy, proxy.width, proxy.height, VK_IMAGE_USAGE_STORAGE_BIT, NULL,
                      &target);
    struct weir_gpu_buffer pixels;
    harness_buffer_init(h, (uint64_t)4 * proxy.width * proxy.height,
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT, &pixels);
    struct harness_storage blocks;
    harness_storage_init(h, 2 * size, &blocks);
    const bool is_whole = rect.extent.width == picture->width &&
                          rect.extent.height == picture->height;
    struct weir_encode encode = {
        .source = source, .buffer = blocks.buffer, .proxy = target.wrapped};
    encode.rect = is_whole ? encode.rect : rect;
    VkCommandBuffer cmd = harness_begin(h);
    enum weir_result result = weir_cmd_encode(pair->proxied, cmd, &encode);
    test_expect(result == WEIR_OK, "with a proxy: %s", weir_result_name(result));
    encode.offset = size;
    result = weir_cmd_encode(pair->plain, cmd, &encode);
    test_expect(result == WEIR_OK, "without: %s", weir_result_name(result));
    harness_record_copy(h, cmd, &target.image, pixels.buffer, 0);
    harness_submit(h, cmd, NULL, 0);
    encode_compare(info->name, rect.extent.width, rect.extent.height, info->block_size,
                   blocks.memory.mapped, blocks.memory.mapped + size, size);
    compare(kind, &params, picture, &rect, pixels.mapped);
    harness_storage_finish(h, &blocks);
    harness_buffer_finish(h, &pixels);
    encode_image_finish(h, &target);
}

static void run_picture(struct harness *h, const struct pair *pair, const struct kind *kind,
                        int content)
{
    static struct picture picture;
    draw(h, kind, content, &picture);
    struct weir_gpu_image image;
    harness_image_init(h, kind->format, picture.width, picture.height, VK_IMAGE_USAGE_SAMPLED_BIT,
                       0, picture.stored, encode_texel_size(kind->format),
                       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &image);
    weir_image *source = harness_wrap(h, &image, kind->transfer);
    const VkRect2D all = {{0, 0}, {picture.width, picture.height}};
    encode_rect(h, pair, kind, &picture, source, all);
    const uint32_t x = harness_random_below(h, picture.width);
    const uint32_t y = harness_random_below(h, picture.height);
    const VkRect2D part = {{(int32_t)x, (int32_t)y},
                           {1 + harness_random_below(h, picture.width - x),
                            1 + harness_random_below(h, picture.height - y)}};
    encode_rect(h, pair, kind, &picture, source, part);
    weir_image_destroy(&source);
    harness_image_finish(h, &image);
}

static void run_encoder(struct harness *h, enum weir_codec codec, enum weir_effort effort,
                        const struct kind *kind, uint32_t level)
{
    struct encode_image like;
    encode_image_init(h, kind->proxy, 1, 1, VK_IMAGE_USAGE_STORAGE_BIT, NULL, &like);
    struct weir_encoder_params params = {
        .codec = codec,
        .effort = effort,
        .like = like_of(h, kind),
    };
    struct pair pair = {.plain = encode_create(h, &params)};
    params.proxy_like = like.wrapped;
    params.proxy_level = level == 2 ? harness_random_below(h, 2) * 2 : level; // 0 is 2
    pair.proxied = encode_create(h, &params);
    if (pair.plain && pair.proxied) {
        test_expect(!weir_encoder_get_params(pair.proxied).proxy_like, "a pointer is kept");
        test_expect(weir_encoder_get_params(pair.proxied).proxy_level == level, "the level");
        for (int content = 0; content < ENCODE_NUM_PICTURES; content++) {
            run_picture(h, &pair, kind, content);
        }
    }
    weir_encoder_destroy(&pair.proxied);
    weir_encoder_destroy(&pair.plain);
    encode_image_finish(h, &like);
}

// What kernels compute is near the mean of light.
static void run_reference(struct harness *h)
{
    double worst = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        const double ends[2] = {harness_random_below(h, 256) / 255.0,
                                harness_random_below(h, 256) / 255.0};
        const uint32_t num_texels = i % 2 == 0 ? 4 : 16;
        const uint32_t num = harness_random_below(h, num_texels + 1);
        double values[REF_PROXY_MAX_TEXELS];
        for (uint32_t t = 0; t < num_texels; t++) {
            values[t] = i % 4 == 0 ? harness_random_below(h, 256) / 255.0 : ends[t < num];
        }
        worst = fmax(worst, 255 * fabs(ref_proxy_curved(num_texels, values) -
                                       ref_proxy_decoded(num_texels, values)));
    }
    test_expect(worst <= REF_PROXY_MAX_ERROR, "%.3f codes from the mean of light", worst);
    test_expect(worst > 1, "only %.3f codes: the limit is too wide", worst);
}

void encode_test_proxy(struct harness *h, bool has_all)
{
    static const enum weir_codec codecs[] = {WEIR_CODEC_YCOCG_BC3, WEIR_CODEC_BC1, WEIR_CODEC_BC1A,
                                             WEIR_CODEC_BC3};
    enum { NUM_CODECS = sizeof(codecs) / sizeof(codecs[0]) };
    run_reference(h);
    const uint32_t one = harness_random_below(h, NUM_CODECS);
    for (uint32_t i = 0; i < NUM_CODECS; i++) {
        const enum weir_effort drawn = (enum weir_effort)harness_random_below(h, 3);
        const enum weir_effort effort = i == one ? drawn : WEIR_EFFORT_FAST;
        const size_t kind = harness_random_below(h, NUM_KINDS);
        const uint32_t level = 1 + harness_random_below(h, 2);
        for (int e = 0; e < 3 && has_all; e++) {
            for (size_t k = 0; k < NUM_KINDS; k++) {
                run_encoder(h, codecs[i], (enum weir_effort)e, &kinds[k], 1);
                run_encoder(h, codecs[i], (enum weir_effort)e, &kinds[k], 2);
            }
        }
        if (!has_all) {
            run_encoder(h, codecs[i], effort, &kinds[kind], level);
        }
    }
}
