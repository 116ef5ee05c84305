// SPDX-License-Identifier: MIT
// Encoders that are steady give the references' bytes, frame after frame, with commands that a ring
// keeps too, and with a history behind something else; and they say what is missing. BC3, whose
// blocks are two of other codecs, has an effort that the seed draws, or with --all each.
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>
#include <weir/readback.h>

#include "tests/gpu/encode_run.h"
#include "tests/gpu/harness.h"
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

// How an encoder encodes.
struct kind {
    struct weir_encoder_params params;
    uint32_t block_size;
};

static struct kind make_kind(enum weir_codec codec, bool alpha, enum weir_decoder_model decoder,
                             enum weir_effort effort)
{
    return (struct kind){
        .params = {.codec = codec,
                   .decoder = decoder,
                   .effort = effort,
                   .bc4_alpha = alpha,
                   .steady = true},
        .block_size = weir_codec_get_info(codec)->block_size,
    };
}

// Encode a frame on the processor; `blocks` are those of the frame before. Returns how many blocks
// kept something.
static int encode_ref(const struct pictures *p, int picture, const struct kind *kind,
                      uint8_t *blocks)
{
    int num_kept = 0;
    for (uint32_t y = 0; y < p->height; y += 4) {
        for (uint32_t x = 0; x < p->width; x += 4) {
            uint8_t texels[16][4], alone[MAX_BLOCK_SIZE];
            for (uint32_t t = 0; t < 16; t++) {
                const uint32_t tx = x + t % 4 < p->width ? x + t % 4 : p->width - 1;
                const uint32_t ty = y + t / 4 < p->height ? y + t / 4 : p->height - 1;
                memcpy(texels[t], p->texels[picture] + 4 * (ty * p->width + tx), 4);
            }
            kernel_encode(&kind->params, (const uint8_t(*)[4])texels, alone);
            kernel_encode_steady(&kind->params, (const uint8_t(*)[4])texels, blocks);
            num_kept += memcmp(blocks, alone, kind->block_size) != 0;
            blocks += kind->block_size;
        }
    }
    return num_kept;
}

// Encode a picture as a frame of the ring, and compare its blocks.
static bool run_frame(struct harness *h, weir_readback *readback, const weir_encoder *encoder,
                      const struct kind *kind, const struct pictures *p, int picture,
                      const uint8_t *want, uint64_t size)
{
    const struct weir_frame frame = {.image = p->sources[picture],
                                     .layout = VK_IMAGE_LAYOUT_GENERAL,
                                     .queue_family = h->host.family};
    harness_release(h, &frame);
    struct weir_slot slot;
    struct weir_point released;
    struct weir_readback_data data = {0};
    test_expect(weir_readback_begin(readback, &frame, &slot) == WEIR_OK, "begin");
    const struct weir_encode encode = {.source = frame.image,
                                       .buffer = weir_slot_buffer(readback, &slot),
                                       .offset = OFFSET,
                                       .history = weir_readback_history(readback),
                                       .history_offset = HISTORY_OFFSET};
    if (!slot.is_recorded) {
        const enum weir_result result = weir_cmd_encode(encoder, slot.cmd, &encode);
        test_expect(result == WEIR_OK, "weir_cmd_encode: %s", weir_result_name(result));
    }
    slot.keep = true;
    test_expect(weir_readback_submit(readback, &slot, &released) == WEIR_OK, "submit");
    harness_acquire(h, &frame, &released);
    const enum weir_result waited = weir_readback_wait(readback, slot.index, UINT64_MAX, &data);
    if (test_expect(waited == WEIR_OK, "wait: %s", weir_result_name(waited))) {
        encode_compare(weir_codec_get_info(kind->params.codec)->name, p->width, p->height,
                       kind->block_size, data.data + OFFSET, want, size);
    }
    weir_readback_release(readback, slot.index);
    return slot.is_recorded;
}

// Encode frames with one history. Returns how many blocks kept something.
static int run_frames(struct harness *h, const weir_encoder *encoder, const struct kind *kind,
                      uint32_t max_side)
{
    struct pictures pictures;
    pictures_init(h, max_side, &pictures);
    const uint64_t size = weir_codec_image_size(kind->params.codec, pictures.width,
                                                pictures.height);
    uint8_t *want = calloc(1, size);
    weir_readback *readback = NULL;
    test_must(weir_readback_create(h->context,
                                   weir_readback_params(.size = size + OFFSET, .num_slots = 2,
                                                        .history_size = HISTORY_OFFSET + size),
                                   &readback) == WEIR_OK,
              "weir_readback_create");
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

static void run_encoder(struct harness *h, const struct kind *kind)
{
    struct weir_encoder_params params = kind->params;
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
        num_kept += run_frames(h, encoder, kind, max_sides[kind->params.effort]);
    }
    test_expect(num_kept > 0, "no block of %s kept anything",
                weir_codec_get_info(kind->params.codec)->name);
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
    struct weir_encode encode = {.source = like, .buffer = buffer};
    encode_expect_refused(h, encoder, &encode, WEIR_LOG_CODE_NULL_ARGUMENT);
    encode.history = buffer;
    encode_expect_refused(h, encoder, &encode, WEIR_LOG_CODE_OUT_OF_RANGE);
    encode.history = small;
    encode_expect_refused(h, encoder, &encode, WEIR_LOG_CODE_BUFFER_TOO_SMALL);
    encode.history = large;
    encode.history_offset = MAX_BLOCK_SIZE + MAX_BLOCK_SIZE;
    encode_expect_refused(h, encoder, &encode, WEIR_LOG_CODE_BUFFER_TOO_SMALL); // by a block
    encode.history_offset = MAX_BLOCK_SIZE / 2;
    encode_expect_refused(h, encoder, &encode, WEIR_LOG_CODE_BUFFER_TOO_SMALL);
    weir_buffer_destroy(&large);
    weir_buffer_destroy(&small);
    weir_buffer_destroy(&buffer);
    harness_buffer_finish(h, &memory);
    weir_encoder_destroy(&encoder);
}

// Those that say that they can, and no other ones.
static void run_facts(const struct kind *kinds, size_t num_kinds)
{
    for (int i = 0; i < KERNEL_NUM_CODECS; i++) {
        const struct weir_codec_info *info = weir_codec_get_info(kernel_codecs[i]);
        bool is_run = false;
        for (size_t k = 0; k < num_kinds; k++) {
            is_run = is_run || kinds[k].params.codec == info->codec;
        }
        test_expect(info->has_steady == is_run, "%s: steady is %d", info->name, info->has_steady);
    }
}

// usage: encode_steady_test [--all]
int main(int argc, char **argv)
{
    struct harness h;
    harness_init(&h, false);
    const bool has_all = argc == 2 && strcmp(argv[1], "--all") == 0;
    const enum weir_effort drawn = (enum weir_effort)harness_random_below(&h, 3);
    const struct kind kinds[] = {
        make_kind(WEIR_CODEC_YCOCG_BC3, false, WEIR_DECODER_GPU, WEIR_EFFORT_DEFAULT),
        make_kind(WEIR_CODEC_YCOCG_BC3, false, WEIR_DECODER_FFMPEG, WEIR_EFFORT_FAST),
        make_kind(WEIR_CODEC_YCOCG_BC3, false, WEIR_DECODER_GPU, WEIR_EFFORT_HIGH),
        make_kind(WEIR_CODEC_BC1, false, WEIR_DECODER_GPU, WEIR_EFFORT_DEFAULT),
        make_kind(WEIR_CODEC_BC1, false, WEIR_DECODER_FFMPEG, WEIR_EFFORT_FAST),
        make_kind(WEIR_CODEC_BC1, false, WEIR_DECODER_GPU, WEIR_EFFORT_HIGH),
        make_kind(WEIR_CODEC_BC3, false, WEIR_DECODER_GPU, WEIR_EFFORT_DEFAULT),
        make_kind(WEIR_CODEC_BC3, false, WEIR_DECODER_FFMPEG, WEIR_EFFORT_FAST),
        make_kind(WEIR_CODEC_BC3, false, WEIR_DECODER_GPU, WEIR_EFFORT_HIGH),
        make_kind(WEIR_CODEC_BC4, false, WEIR_DECODER_GPU, WEIR_EFFORT_DEFAULT),
        make_kind(WEIR_CODEC_BC4, true, WEIR_DECODER_GPU, WEIR_EFFORT_FAST),
        make_kind(WEIR_CODEC_BC4, false, WEIR_DECODER_GPU, WEIR_EFFORT_HIGH),
        make_kind(WEIR_CODEC_BC4, true, WEIR_DECODER_GPU, WEIR_EFFORT_EXHAUSTIVE),
    };
    const size_t num_kinds = sizeof(kinds) / sizeof(kinds[0]);
    for (size_t i = 0; i < num_kinds; i++) {
        const struct weir_encoder_params *params = &kinds[i].params;
        if (has_all || params->codec != WEIR_CODEC_BC3 || params->effort == drawn) {
            run_encoder(&h, &kinds[i]);
        }
    }
    run_errors(&h);
    run_facts(kinds, num_kinds);
    return harness_finish(&h);
}
