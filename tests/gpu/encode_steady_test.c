// SPDX-License-Identifier: MIT
// Encoders that are steady give the references' bytes, frame after frame, with commands that a ring
// keeps too, and with a history behind something else; and they say what is missing. BC3, whose
// blocks are two of other codecs, has an effort that the seed draws, or with --all each.
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "tests/gpu/encode_run.h"
#include "tests/kernels/kernels.h"

enum { MAX_SIDE = 44, NUM_IMAGES = 3, NUM_FRAMES = 8, OFFSET = 32, MAX_BLOCK_SIZE = 16 };
enum { HISTORY_OFFSET = 48 };

// Some pictures of one place, with different noise.
struct pictures {
    uint32_t width, height;
    uint8_t texels[NUM_IMAGES][MAX_SIDE * MAX_SIDE * 4];
    struct weir_gpu_image images[NUM_IMAGES];
    weir_image *sources[NUM_IMAGES];
};

static uint8_t clamp8(int v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void draw(struct harness *h, struct pictures *p)
{
    const int base[3] = {(int)harness_random_below(h, 256), (int)harness_random_below(h, 256),
                         (int)harness_random_below(h, 256)};
    const int noise = 1 + (int)harness_random_below(h, 4);
    const uint32_t slope = 1 + harness_random_below(h, 9);
    for (uint32_t i = 0; i < p->width * p->height; i++) {
        const uint32_t x = i % p->width, y = i / p->width;
        const bool is_edge = harness_random_below(h, 30) == 0;
        for (int c = 0; c < 4; c++) {
            const int v = is_edge ? (int)harness_random_below(h, 256)
                                  : base[c % 3] + (int)((x * (uint32_t)c + y) / slope);
            for (int n = 0; n < NUM_IMAGES; n++) {
                // The last one has another right half.
                const int moved = n == NUM_IMAGES - 1 && 2 * x > p->width ? 255 - v : v;
                p->texels[n][4 * i + (uint32_t)c] = clamp8(
                    moved + (int)harness_random_below(h, (uint32_t)noise * 2 + 1) - noise);
            }
        }
    }
}

static void pictures_init(struct harness *h, uint32_t max_side, struct pictures *p)
{
    p->width = harness_random_side(h, max_side);
    p->height = harness_random_side(h, max_side);
    draw(h, p);
    for (int n = 0; n < NUM_IMAGES; n++) {
        harness_image_init(h, VK_FORMAT_R8G8B8A8_UNORM, p->width, p->height,
                           VK_IMAGE_USAGE_SAMPLED_BIT, 0, p->texels[n], 4, VK_IMAGE_LAYOUT_GENERAL,
                           &p->images[n]);
        p->sources[n] = harness_wrap(h, &p->images[n], WEIR_TRANSFER_DEFAULT);
    }
}

static void pictures_finish(struct harness *h, struct pictures *p)
{
    for (int n = 0; n < NUM_IMAGES; n++) {
        weir_image_destroy(&p->sources[n]);
        harness_image_finish(h, &p->images[n]);
    }
}

// Encode a frame on the processor; `blocks` are those of the frame before. Returns how many blocks
// kept something.
static int encode_ref(const struct pictures *p, int picture, const struct weir_encoder_params *kind,
                      uint8_t *blocks)
{
    static uint8_t alone[MAX_SIDE * MAX_SIDE];
    const uint32_t size = weir_codec_get_info(kind->codec)->block_size;
    const uint32_t num_blocks = (p->width + 3) / 4 * ((p->height + 3) / 4);
    kernel_encode_image(kind, p->texels[picture], 4, 4 * (size_t)p->width, p->width, p->height,
                        alone);
    kernel_encode_steady_image(kind, p->texels[picture], p->width, p->height, blocks);
    int num_kept = 0;
    for (uint32_t i = 0; i < num_blocks * size; i += size) {
        num_kept += memcmp(blocks + i, alone + i, size) != 0;
    }
    return num_kept;
}

// Encode a picture as a frame of the ring, and compare its blocks.
static bool run_frame(struct harness *h, weir_readback *readback, const weir_encoder *encoder,
                      const struct weir_encoder_params *kind, const struct pictures *p, int picture,
                      const uint8_t *want, uint64_t size)
{
    static uint8_t got[OFFSET + MAX_SIDE * MAX_SIDE];
    memset(got, 0, sizeof(got));
    const struct weir_encode encode = {.source = p->sources[picture],
                                       .offset = OFFSET,
                                       .history = weir_readback_history(readback),
                                       .history_offset = HISTORY_OFFSET};
    const bool is_recorded = encode_frame(h, readback, encoder, encode, VK_IMAGE_LAYOUT_GENERAL,
                                          true, got, OFFSET + size);
    const struct weir_codec_info *info = weir_codec_get_info(kind->codec);
    encode_compare(info->name, p->width, p->height, info->block_size, got + OFFSET, want, size);
    return is_recorded;
}

// Encode frames with one history. Returns how many blocks kept something.
static int run_frames(struct harness *h, const weir_encoder *encoder,
                      const struct weir_encoder_params *kind, uint32_t max_side)
{
    struct pictures pictures;
    pictures_init(h, max_side, &pictures);
    const uint64_t size = weir_codec_image_size(kind->codec, pictures.width, pictures.height);
    uint8_t *want = calloc(1, size);
    weir_readback *readback = NULL;
    TEST_MUST(weir_readback_create(h->context,
                                   weir_readback_params(.size = size + OFFSET, .num_slots = 2,
                                                        .history_size = HISTORY_OFFSET + size),
                                   &readback));
    int num_kept = 0, num_recorded = 0;
    for (int frame = 0; frame < NUM_FRAMES; frame++) {
        // The first one again, whose commands zeroed the history, and each often enough for its
        // commands to be used again.
        const int picture = frame < 3 ? frame % 2 : (int)harness_random_below(h, NUM_IMAGES);
        num_kept += encode_ref(&pictures, picture, kind, want);
        num_recorded += run_frame(h, readback, encoder, kind, &pictures, picture, want, size);
    }
    test_expect(num_recorded < NUM_FRAMES - 1, "the commands of the first frame were kept");
    weir_readback_destroy(&readback);
    pictures_finish(h, &pictures);
    free(want);
    return num_kept;
}

static void run_encoder(struct harness *h, const struct weir_encoder_params *kind)
{
    struct weir_encoder_params params = *kind;
    params.like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    weir_encoder *encoder = encode_create(h, &params);
    if (!encoder) {
        return;
    }
    static const uint32_t max_sides[] = {[WEIR_EFFORT_DEFAULT] = MAX_SIDE,
                                         [WEIR_EFFORT_FAST] = MAX_SIDE,
                                         [WEIR_EFFORT_HIGH] = 20,
                                         [WEIR_EFFORT_EXHAUSTIVE] = 8};
    int num_kept = 0;
    for (int i = 0; i < 2 || (num_kept == 0 && i < 10); i++) {
        num_kept += run_frames(h, encoder, kind, max_sides[kind->effort]);
    }
    test_expect(num_kept > 0, "no block of %s kept anything",
                weir_codec_get_info(kind->codec)->name);
    weir_encoder_destroy(&encoder);
}

static void run_errors(struct harness *h)
{
    const weir_image *like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0);
    encode_expect_none(h, h->context,
                       weir_encoder_params(.codec = WEIR_CODEC_BC7, .like = like, .steady = true),
                       WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE);
    encode_expect_none(h, h->context,
                       weir_encoder_params(.codec = WEIR_CODEC_BC1, .bc1_black = true, .like = like,
                                           .steady = true),
                       WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE);
    weir_encoder *encoder = encode_create(h, weir_encoder_params(.like = like, .steady = true));
    const uint64_t size = weir_encode_size(encoder, &(struct weir_encode){.source = like});
    const uint64_t behind = (size + 255) / 256 * 256;
    struct weir_gpu_buffer memory;
    harness_buffer_init(h, behind + size + MAX_BLOCK_SIZE, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                        &memory);
    weir_buffer *buffer = NULL, *small = NULL, *large = NULL;
    weir_buffer_create(h->context, weir_buffer_params(.buffer = memory.buffer, .size = size),
                       &buffer);
    weir_buffer_create(h->context,
                       weir_buffer_params(.buffer = memory.buffer, .offset = behind, .size = 4),
                       &small);
    weir_buffer_create(h->context,
                       weir_buffer_params(.buffer = memory.buffer, .offset = behind,
                                          .size = size + MAX_BLOCK_SIZE),
                       &large);
    const struct {
        weir_buffer *history;
        uint64_t offset;
        enum weir_log_code code;
    } bad[] = {
        {NULL, 0, WEIR_LOG_CODE_NULL_ARGUMENT},
        {buffer, 0, WEIR_LOG_CODE_OUT_OF_RANGE},
        {small, 0, WEIR_LOG_CODE_BUFFER_TOO_SMALL},
        {large, 2 * MAX_BLOCK_SIZE, WEIR_LOG_CODE_BUFFER_TOO_SMALL}, // by a block
        {large, MAX_BLOCK_SIZE / 2, WEIR_LOG_CODE_BUFFER_TOO_SMALL},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const struct weir_encode encode = {.source = like,
                                           .buffer = buffer,
                                           .history = bad[i].history,
                                           .history_offset = bad[i].offset};
        encode_expect_refused(h, encoder, &encode, bad[i].code);
    }
    weir_buffer_destroy(&large);
    weir_buffer_destroy(&small);
    weir_buffer_destroy(&buffer);
    harness_buffer_finish(h, &memory);
    weir_encoder_destroy(&encoder);
}

// clang-format off
#define KIND(codec_, decoder_, effort_, ...)                                                       \
    {.codec = WEIR_CODEC_##codec_, .decoder = WEIR_DECODER_##decoder_,                             \
     .effort = WEIR_EFFORT_##effort_, .steady = true, __VA_ARGS__}
// clang-format on
static const struct weir_encoder_params kinds[] = TEST_LIST(
    KIND(YCOCG_BC3, GPU, DEFAULT, .bc4_alpha = false),
    KIND(YCOCG_BC3, FFMPEG, FAST, .bc4_alpha = false),
    KIND(YCOCG_BC3, GPU, HIGH, .bc4_alpha = false), KIND(BC1, GPU, DEFAULT, .bc4_alpha = false),
    KIND(BC1, FFMPEG, FAST, .bc4_alpha = false), KIND(BC1, GPU, HIGH, .bc4_alpha = false),
    KIND(BC3, GPU, DEFAULT, .bc4_alpha = false), KIND(BC3, FFMPEG, FAST, .bc4_alpha = false),
    KIND(BC3, GPU, HIGH, .bc4_alpha = false), KIND(BC4, GPU, DEFAULT, .bc4_alpha = false),
    KIND(BC4, GPU, FAST, .bc4_alpha = true), KIND(BC4, GPU, HIGH, .bc4_alpha = false),
    KIND(BC4, GPU, EXHAUSTIVE, .bc4_alpha = true));
enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

// Those that say that they can, and no other ones.
static void run_facts(void)
{
    for (int i = 0; i < KERNEL_NUM_CODECS; i++) {
        const struct weir_codec_info *info = weir_codec_get_info(kernel_codecs[i]);
        bool is_run = false;
        for (size_t k = 0; k < NUM_KINDS; k++) {
            is_run = is_run || kinds[k].codec == info->codec;
        }
        test_expect(info->has_steady == is_run, "%s: steady is %d", info->name, info->has_steady);
    }
}

void encode_test_steady(struct harness *h, bool has_all)
{
    const enum weir_effort drawn = (enum weir_effort)harness_random_below(h, 3);
    for (size_t i = 0; i < NUM_KINDS; i++) {
        const struct weir_encoder_params *params = &kinds[i];
        if (has_all || params->codec != WEIR_CODEC_BC3 || params->effort == drawn) {
            run_encoder(h, params);
        }
    }
    run_errors(h);
    run_facts();
}
