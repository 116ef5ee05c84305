// SPDX-License-Identifier: MIT
// The kernels of encoders give the bytes that they give on the processor: every codec, effort,
// source and option, many sizes. All find texels by the same code, and all efforts read them by the
// same: the seed draws one or some kernels of a kind, and all are run with --all.
#include <weir/encode.h>

#include "tests/gpu/encode_draw.h"
#include "tests/gpu/encode_run.h"
#include "tests/kernels/kernels.h"

static void run(struct harness *h, const struct weir_encoder_params *params)
{
    encode_pictures(h, params, VK_IMAGE_USAGE_SAMPLED_BIT, ENCODE_NO_POWERS);
}

#define RUN_AS(h, codec_, format_, transfer_, ...)                                                 \
    run(h, weir_encoder_params(.codec = WEIR_CODEC_##codec_,                                       \
                               .like = harness_like(h, VK_FORMAT_##format_, 0, transfer_),         \
                               __VA_ARGS__))
#define RUN(h, codec, format, ...) RUN_AS(h, codec, format, WEIR_TRANSFER_DEFAULT, __VA_ARGS__)

struct source_case {
    VkFormat format;
    VkImageCreateFlags flags;
    enum weir_transfer transfer;
    bool no_dither, is_copied; // it has no VK_IMAGE_USAGE_SAMPLED_BIT
};

static const struct source_case cases[] = TEST_LIST(
    {.format = VK_FORMAT_R8G8B8A8_UNORM}, {.format = VK_FORMAT_B8G8R8A8_UNORM},
    {.format = VK_FORMAT_A8B8G8R8_UNORM_PACK32}, {.format = VK_FORMAT_R8G8B8A8_SRGB},
    {.format = VK_FORMAT_B8G8R8A8_SRGB},
    {.format = VK_FORMAT_B8G8R8A8_SRGB, .flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT},
    {.format = VK_FORMAT_A8B8G8R8_SRGB_PACK32, .transfer = WEIR_TRANSFER_LINEAR},
    {.format = VK_FORMAT_R8G8B8A8_UNORM, .transfer = WEIR_TRANSFER_LINEAR},
    {.format = VK_FORMAT_A2B10G10R10_UNORM_PACK32},
    {.format = VK_FORMAT_A2B10G10R10_UNORM_PACK32, .no_dither = true},
    {.format = VK_FORMAT_A2B10G10R10_UNORM_PACK32, .transfer = WEIR_TRANSFER_LINEAR},
    {.format = VK_FORMAT_R16G16B16A16_SFLOAT},
    {.format = VK_FORMAT_R16G16B16A16_SFLOAT, .no_dither = true},
    {.format = VK_FORMAT_R16G16B16A16_SFLOAT, .transfer = WEIR_TRANSFER_CODES},
    {.format = VK_FORMAT_B8G8R8A8_SRGB, .is_copied = true},
    {.format = VK_FORMAT_B8G8R8A8_UNORM, .is_copied = true});
enum { NUM_CASES = sizeof(cases) / sizeof(cases[0]) };

static void run_case(struct harness *h, const struct source_case *c, uint32_t decoder,
                     enum weir_effort effort)
{
    const bool has_powers = effort == WEIR_EFFORT_FAST && (c == &cases[0] || c->is_copied);
    encode_pictures(h,
                    weir_encoder_params(.decoder = (enum weir_decoder_model)decoder,
                                        .effort = effort,
                                        .like = harness_like(h, c->format, c->flags, c->transfer),
                                        .no_dither = c->no_dither),
                    c->is_copied ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : VK_IMAGE_USAGE_SAMPLED_BIT,
                    has_powers ? ENCODE_ALL_POWERS : ENCODE_NO_POWERS);
}

// Every source has effort fast, and one besides the first, which the seed draws, effort default
// too. Effort high, whose kernel takes longest to make, has one decoder model, as the seed says.
void encode_test_ycocg(struct harness *h, bool has_all)
{
    const uint32_t drawn = 1 + harness_random_below(h, NUM_CASES - 1);
    for (uint32_t i = 0; i < NUM_CASES; i++) {
        if (has_all || i == 0 || i == drawn) {
            run_case(h, &cases[i], i % 2, WEIR_EFFORT_DEFAULT);
        }
        run_case(h, &cases[i], i / 2 % 2, WEIR_EFFORT_FAST);
    }
    run_case(h, &cases[0], WEIR_DECODER_FFMPEG, WEIR_EFFORT_DEFAULT);
    const uint32_t decoder = harness_random_below(h, 2);
    for (uint32_t i = 0; i < 2; i++) {
        if (has_all || i == decoder) {
            run_case(h, &cases[0], i, WEIR_EFFORT_HIGH);
        }
    }
}

// The halves of a run's kernels: both are true with --all.
struct halves {
    bool first, second;
};

static void run_signed(struct harness *h, struct halves has)
{
    const enum weir_effort fast = WEIR_EFFORT_FAST;
    for (int effort = WEIR_EFFORT_DEFAULT; effort <= WEIR_EFFORT_EXHAUSTIVE; effort++) {
        const enum weir_effort each = (enum weir_effort)effort;
        RUN(h, BC4_SNORM, R8G8B8A8_SNORM, .effort = each);
        RUN(h, EAC_R11_SNORM, R16G16B16A16_SFLOAT, .effort = each);
    }
    if (has.first) {
        RUN(h, BC5_SNORM, R8G8B8A8_SNORM, .effort = fast);
        RUN_AS(h, BC5_SNORM, R16G16B16A16_SFLOAT, WEIR_TRANSFER_CODES, .effort = fast);
    }
    if (has.second) {
        RUN(h, BC5_SNORM, R16G16B16A16_SFLOAT, .effort = fast);
        RUN(h, EAC_RG11_SNORM, R8G8B8A8_SNORM, .effort = fast);
    }
}

static void run_unsigned(struct harness *h, struct halves has)
{
    const enum weir_effort fast = WEIR_EFFORT_FAST;
    RUN(h, BC4, R8_UNORM, .effort = WEIR_EFFORT_EXHAUSTIVE);
    RUN(h, EAC_R11, R16_UNORM, .effort = WEIR_EFFORT_EXHAUSTIVE);
    RUN(h, EAC_R11, R8G8B8A8_SRGB, .effort = fast);
    RUN(h, BC1, R16G16B16A16_UNORM, .effort = fast, .bc1_dither = true);
    RUN(h, BC1, R16G16B16A16_UNORM, .effort = fast, .no_dither = true);
    RUN_AS(h, BC1, R16G16B16A16_UNORM, WEIR_TRANSFER_LINEAR, .effort = fast);
    if (has.first) {
        RUN(h, BC5, R8_UNORM, .effort = fast); // of which G is missing
        RUN(h, BC5, R16G16_UNORM, .effort = fast);
        RUN(h, EAC_RG11, R8G8_UNORM, .effort = fast);
        RUN_AS(h, EAC_RG11, R16G16B16A16_UNORM, WEIR_TRANSFER_LINEAR, .effort = fast);
        RUN_AS(h, EAC_R11, R16G16B16A16_SFLOAT, WEIR_TRANSFER_CODES, .effort = fast);
    }
    if (has.second) {
        RUN(h, BC3, R8G8_UNORM, .effort = fast); // B and A
        RUN(h, BC3, R16G16B16A16_UNORM, .effort = fast);
        RUN(h, BC4, R16_UNORM, .effort = fast);
        RUN(h, EAC_RG11, R16G16_UNORM, .effort = fast);
        RUN_AS(h, EAC_RG11, R16G16B16A16_SFLOAT, WEIR_TRANSFER_LINEAR, .effort = fast);
    }
}

static void expect_no_source(struct harness *h, enum weir_codec codec, VkFormat format)
{
    encode_expect_none(h, h->context,
                       weir_encoder_params(.codec = codec, .like = harness_like(h, format, 0, 0)),
                       WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT);
}

// Codecs of textures with sources that are not RGBA of 8 bits: every format and every transfer,
// signed codecs of one block with every effort, and half of the codecs that read a format.
void encode_test_sources(struct harness *h, bool has_all)
{
    const bool is_first = harness_random_below(h, 2) == 0;
    const struct halves has = {has_all || is_first, has_all || !is_first};
    run_signed(h, has);
    run_unsigned(h, has);
    expect_no_source(h, WEIR_CODEC_BC4_SNORM, VK_FORMAT_R8G8B8A8_UNORM);
    expect_no_source(h, WEIR_CODEC_EAC_RG11_SNORM, VK_FORMAT_R16G16_UNORM);
    expect_no_source(h, WEIR_CODEC_BC4, VK_FORMAT_R8G8B8A8_SNORM);
    expect_no_source(h, WEIR_CODEC_YCOCG_BC3, VK_FORMAT_R8G8B8A8_SNORM);
}

// Run those encoders, or the one of them that the seed draws.
static void run_some(struct harness *h, bool has_all, const struct weir_encoder_params *params,
                     uint32_t num)
{
    const uint32_t drawn = harness_random_below(h, num);
    for (uint32_t i = 0; i < num; i++) {
        if (has_all || i == drawn) {
            run(h, &params[i]);
        }
    }
}
#define RUN_SOME(h, has_all, params)                                                               \
    run_some(h, has_all, params, (uint32_t)(sizeof(params) / sizeof((params)[0])))

// An option or an effort that a codec does not have.
static void expect_refused(struct harness *h, const struct weir_encoder_params *params)
{
    encode_expect_none(h, h->context, params, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE);
}

static void run_bc1_options(struct harness *h, bool has_all)
{
    const weir_image *like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    const struct weir_encoder_params black[] = {
        {.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_DEFAULT, .like = like, .bc1_black = true},
        {.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_FAST, .like = like, .bc1_black = true},
        {.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_HIGH, .like = like, .bc1_black = true},
    };
    const struct weir_encoder_params dither[] = {
        {.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_FAST, .like = like, .bc1_dither = true},
        {.codec = WEIR_CODEC_BC1A, .effort = WEIR_EFFORT_FAST, .like = like, .bc1_dither = true},
        {.codec = WEIR_CODEC_BC3, .effort = WEIR_EFFORT_FAST, .like = like, .bc1_dither = true},
    };
    // Every effort has a path of its own, and high of BC1A has lines of three colours.
    const enum weir_decoder_model ffmpeg = WEIR_DECODER_FFMPEG;
    const struct weir_encoder_params model[] = {
        {.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_DEFAULT, .like = like, .decoder = ffmpeg},
        {.codec = WEIR_CODEC_BC1A, .effort = WEIR_EFFORT_HIGH, .like = like, .decoder = ffmpeg},
        {.codec = WEIR_CODEC_BC3, .effort = WEIR_EFFORT_FAST, .like = like, .decoder = ffmpeg},
    };
    RUN_SOME(h, has_all, black);
    RUN_SOME(h, has_all, dither);
    RUN_SOME(h, has_all, model);
    expect_refused(h,
                   weir_encoder_params(.codec = WEIR_CODEC_BC4, .like = like, .bc1_dither = true));
    expect_refused(h,
                   weir_encoder_params(.codec = WEIR_CODEC_BC1A, .like = like, .bc1_black = true));
    expect_refused(h, weir_encoder_params(.codec = WEIR_CODEC_BC1, .like = like, .bc6h_log = true));
    expect_refused(h, weir_encoder_params(.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_EXHAUSTIVE,
                                          .like = like));
}

static void run_bc4_alpha(struct harness *h, bool has_all)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT,
                                       VK_FORMAT_A2B10G10R10_UNORM_PACK32};
    struct weir_encoder_params params[3];
    for (int i = 0; i < 3; i++) {
        params[i] = (struct weir_encoder_params){
            .codec = WEIR_CODEC_BC4,
            .effort = i > 0 ? WEIR_EFFORT_FAST : WEIR_EFFORT_DEFAULT,
            .like = harness_like(h, formats[i], 0, 0),
            .bc4_alpha = true,
        };
    }
    RUN_SOME(h, has_all, params);
    static const enum weir_codec others[] = {WEIR_CODEC_BC3, WEIR_CODEC_BC5, WEIR_CODEC_BC4_SNORM};
    for (int i = 0; i < 3; i++) {
        expect_refused(h,
                       weir_encoder_params(.codec = others[i],
                                           .like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0),
                                           .bc4_alpha = true));
    }
}

// Of codecs that have it, and of one that has not.
static void run_live(struct harness *h)
{
    const weir_image *like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    const struct weir_encoder_params params[] = {
        TEST_LIST(.codec = WEIR_CODEC_BC7, .effort = WEIR_EFFORT_LIVE, .like = like),
        TEST_LIST(.codec = WEIR_CODEC_BC7, .effort = WEIR_EFFORT_LIVE, .like = like,
                  .bc7_alpha_unread = true),
        TEST_LIST(.codec = WEIR_CODEC_BC4, .effort = WEIR_EFFORT_LIVE, .like = like),
        TEST_LIST(.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_LIVE, .like = like),
        TEST_LIST(.codec = WEIR_CODEC_BC1, .effort = WEIR_EFFORT_LIVE, .like = like,
                  .bc1_dither = true),
        TEST_LIST(.codec = WEIR_CODEC_BC5, .effort = WEIR_EFFORT_LIVE, .like = like),
        TEST_LIST(.codec = WEIR_CODEC_BC5_SNORM, .effort = WEIR_EFFORT_LIVE,
                  .like = harness_like(h, VK_FORMAT_R8G8B8A8_SNORM, 0, 0)),
    };
    for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
        run(h, &params[i]);
    }
}

static void run_bc7_alpha_unread(struct harness *h)
{
    const weir_image *like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    run(h, weir_encoder_params(.codec = WEIR_CODEC_BC7, .like = like, .bc7_alpha_unread = true));
    expect_refused(
        h, weir_encoder_params(.codec = WEIR_CODEC_BC3, .like = like, .bc7_alpha_unread = true));
}

static void run_bc3_sources(struct harness *h, bool has_all)
{
    static const VkFormat formats[] = {VK_FORMAT_R16G16B16A16_SFLOAT,
                                       VK_FORMAT_A2B10G10R10_UNORM_PACK32};
    struct weir_encoder_params params[2];
    for (int i = 0; i < 2; i++) {
        params[i] = (struct weir_encoder_params){.codec = WEIR_CODEC_BC3,
                                                 .effort = WEIR_EFFORT_FAST,
                                                 .like = harness_like(h, formats[i], 0, 0)};
    }
    RUN_SOME(h, has_all, params);
}

void encode_test_options(struct harness *h, bool has_all)
{
    run_bc1_options(h, has_all);
    run_bc4_alpha(h, has_all);
    run_bc7_alpha_unread(h);
    run_live(h);
    run_bc3_sources(h, has_all);
}

// Blocks are two of other codecs, or another codec's without the texels that are transparent.
static bool is_of_others(enum weir_codec codec)
{
    return codec == WEIR_CODEC_BC3 || codec == WEIR_CODEC_BC5 || codec == WEIR_CODEC_EAC_RG11 ||
           codec == WEIR_CODEC_ETC2_RGB8A1;
}

static enum encode_powers powers_of(enum weir_codec codec, enum weir_codec drawn,
                                    enum weir_codec one, bool has_all)
{
    const bool compiles_soon = codec == WEIR_CODEC_BC1 || codec == WEIR_CODEC_BC4;
    return codec == one || (has_all && compiles_soon)   ? ENCODE_ALL_POWERS
           : has_all || compiles_soon || codec == drawn ? ENCODE_BOTH_POWERS
                                                        : ENCODE_NO_POWERS;
}

// Every codec with every effort; those of others have an effort that the seed draws. Sides that are
// powers of two have three codecs, one of which the seed draws.
static void run_textures(struct harness *h, bool has_all, bool is_etc)
{
    const enum weir_codec drawn = kernel_codecs[harness_random_below(h, KERNEL_NUM_CODECS)];
    const enum weir_codec one = harness_random_below(h, 2) ? WEIR_CODEC_BC1 : WEIR_CODEC_BC4;
    const uint32_t drawn_effort = harness_random_below(h, 3);
    for (uint32_t i = 0; i < 3 * KERNEL_NUM_CODECS; i++) {
        const enum weir_codec codec = kernel_codecs[i / 3];
        const bool is_fast = i % 3 == WEIR_EFFORT_FAST;
        const bool is_drawn = i % 3 == (drawn_effort + i / 3) % 3;
        // ETC2_RGBA is slow, and its parts are other codecs' at every effort.
        if (codec == WEIR_CODEC_YCOCG_BC3 ||
            is_etc != (weir_codec_get_info(codec)->name[0] == 'e') ||
            (codec == WEIR_CODEC_ETC2_RGBA && !is_fast)) {
            continue;
        }
        const enum encode_powers powers = is_fast ? powers_of(codec, drawn, one, has_all)
                                                  : ENCODE_NO_POWERS;
        if (has_all || is_drawn || !is_of_others(codec) || powers) {
            encode_pictures(
                h,
                weir_encoder_params(.codec = codec, .effort = (enum weir_effort)(i % 3),
                                    .like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0)),
                VK_IMAGE_USAGE_SAMPLED_BIT, powers);
        }
    }
}

void encode_test_bc(struct harness *h, bool has_all)
{
    run_textures(h, has_all, false);
}

void encode_test_etc(struct harness *h, bool has_all)
{
    run_textures(h, has_all, true);
}

static void run_hdr(struct harness *h, bool is_signed, enum weir_effort effort, bool by_log,
                    bool has_powers)
{
    encode_pictures(
        h,
        weir_encoder_params(.codec = is_signed ? WEIR_CODEC_BC6H_SF16 : WEIR_CODEC_BC6H_UF16,
                            .effort = effort,
                            .like = harness_like(h, VK_FORMAT_R16G16B16A16_SFLOAT, 0,
                                                 is_signed ? WEIR_TRANSFER_CODES
                                                           : WEIR_TRANSFER_LINEAR),
                            .bc6h_log = by_log),
        VK_IMAGE_USAGE_SAMPLED_BIT, has_powers ? ENCODE_BOTH_POWERS : ENCODE_NO_POWERS);
}

// BC6H: of the efforts besides fast one is unsigned and one signed, and one of two is by
// logarithms. One of those with effort fast has sides that are powers of two.
void encode_test_hdr(struct harness *h, bool has_all)
{
    const bool is_drawn = harness_random_below(h, 2) != 0;
    const bool by_log = harness_random_below(h, 2) != 0;
    for (int i = 0; i < 2; i++) {
        const bool is_signed = i == 1;
        run_hdr(h, is_signed, WEIR_EFFORT_FAST, false, is_signed != is_drawn);
        run_hdr(h, is_signed, WEIR_EFFORT_LIVE, false, false);
        if (has_all || is_signed != is_drawn) {
            run_hdr(h, is_signed, WEIR_EFFORT_HIGH, false, false);
        }
        if (has_all || is_signed == is_drawn) {
            run_hdr(h, is_signed, WEIR_EFFORT_DEFAULT, false, false);
        }
        if (has_all || is_signed != by_log) {
            run_hdr(h, is_signed, is_signed ? WEIR_EFFORT_FAST : WEIR_EFFORT_DEFAULT, true, false);
        }
    }
}
