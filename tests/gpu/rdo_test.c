// SPDX-License-Identifier: MIT
// Rate-distortion optimisation gives the bytes and sums of the kernels on the processor for every
// codec, of blocks that an encoder made and of random ones, and leaves alone what is beside them.
#include <stdlib.h>
#include <string.h>

#include <weir/rdo.h>

#include "tests/gpu/encode_run.h"
#include "tests/gpu/harness.h"
#include "tests/kernels/kernels.h"
#include "tests/kernels/rdo.h"
#include "tests/ref/source.h"

enum { POISON = 0xa5, MAX_ROOM = 1 << 19 };

// How a picture is optimised.
struct kind {
    enum weir_codec codec;
    bool other_alpha; // of BC4 blocks of alpha, of BC7 alpha that is unread
    uint32_t quality;
    bool encoded, steady, texture;
    bool control; // in place of `quality` the control has `lambda`
    uint32_t lambda;
};

// A picture as the kernel reads it, and its codes.
struct picture {
    uint32_t width, height;
    VkFormat format;
    uint8_t *texels; // 4 or 8 bytes each
    uint8_t *rgba;
};

static uint32_t block_size_of(const struct kind *kind)
{
    return weir_codec_get_info(kind->codec)->block_size;
}

static size_t size_of(const struct picture *p, const struct kind *kind)
{
    return (size_t)weir_codec_image_size(kind->codec, p->width, p->height);
}

static uint8_t clamp8(int v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

// Draw slopes with noise, between hard edges, so that some blocks are smooth, some busy, and many
// alike. Alpha has one value in many places.
static void draw_codes(struct harness *h, struct picture *p)
{
    const uint32_t side = 3 + harness_random_below(h, 60), noise = harness_random_below(h, 40);
    const uint32_t slope = 1 + harness_random_below(h, 12);
    const bool is_steep = harness_random_below(h, 8) == 0;
    int base[8][4], level[8];
    for (int i = 0; i < 8; i++) {
        level[i] = (int)harness_random_below(h, 3) * (int)noise;
        for (int c = 0; c < 4; c++) {
            base[i][c] = (int)harness_random_below(h, c < 3 ? 256 : 1024);
        }
    }
    for (uint32_t i = 0; i < p->width * p->height; i++) {
        const uint32_t x = i % p->width, y = i / p->width;
        const uint32_t cell = (x / side + 3 * (y / side)) % 8;
        for (uint32_t c = 0; c < 4; c++) {
            const int grain = (int)harness_random_below(h, (uint32_t)level[cell] + 1);
            const int v = base[cell][c] + (int)((x + c * y) / slope) + grain;
            p->rgba[4 * i + c] = is_steep ? (grain & 1 ? 255 : 0) : clamp8(v);
        }
    }
}

static void write_texels(const struct picture *p)
{
    for (uint32_t i = 0; i < p->width * p->height; i++) {
        const uint8_t *rgba = p->rgba + 4 * i;
        const bool is_bgr = p->format == VK_FORMAT_B8G8R8A8_UNORM;
        memcpy(p->texels + 4 * i,
               (uint8_t[4]){rgba[is_bgr ? 2 : 0], rgba[1], rgba[is_bgr ? 0 : 2], rgba[3]}, 4);
    }
}

// Values of 16 bits, which the kernel dithers or rounds to the codes that the one on the processor
// reads.
static void write_deep_texels(struct harness *h, const struct picture *p, enum weir_codec codec)
{
    const bool rounds = codec == WEIR_CODEC_BC4 || codec == WEIR_CODEC_BC5;
    for (uint32_t i = 0; i < p->width * p->height; i++) {
        uint16_t texel[4];
        for (uint32_t c = 0; c < 4; c++) {
            texel[c] = (uint16_t)(p->rgba[4 * i + c] << 8 | harness_random_below(h, 256));
            const uint32_t dither = ref_source_dither(i % p->width, i / p->width);
            p->rgba[4 * i + c] = ref_source_round(ref_source_codes16(texel[c]),
                                                  rounds || c == 3 ? 512 : dither);
        }
        p->rgba[4 * i + 3] = (uint8_t)((texel[3] + 128u) / 257u);
        memcpy(p->texels + 8 * i, texel, 8);
    }
}

static void picture_init(struct harness *h, VkFormat format, uint32_t width, uint32_t height,
                         enum weir_codec codec, struct picture *p)
{
    *p = (struct picture){.width = width, .height = height, .format = format};
    p->texels = malloc((size_t)width * height * 8);
    p->rgba = malloc((size_t)width * height * 4);
    draw_codes(h, p);
    if (format == VK_FORMAT_R16G16B16A16_UNORM) {
        write_deep_texels(h, p, codec);
    } else {
        write_texels(p);
    }
}

static void picture_finish(struct picture *p)
{
    free(p->texels);
    free(p->rgba);
}

static void encode(const struct picture *p, const struct kind *kind, uint8_t *blocks)
{
    const struct weir_encoder_params params = {
        .codec = kind->codec,
        .effort = WEIR_EFFORT_FAST,
        .bc4_alpha = kind->other_alpha && kind->codec == WEIR_CODEC_BC4,
        .bc7_alpha_unread = kind->other_alpha && kind->codec == WEIR_CODEC_BC7,
    };
    kernel_encode_image(&params, p->rgba, 4, 4 * (size_t)p->width, p->width, p->height, blocks);
}

// Get blocks of the encoder, or any: some random, some equal to one before.
static void make_blocks(struct harness *h, const struct picture *p, const struct kind *kind,
                        uint8_t *blocks)
{
    if (kind->encoded) {
        encode(p, kind, blocks);
        return;
    }
    const size_t size = size_of(p, kind);
    for (size_t i = 0; i < size; i += 8) {
        const size_t from = 8 * harness_random_below(h, (uint32_t)(i / 8) + 1);
        const bool is_new = i == from || harness_random_below(h, 2) == 0;
        for (size_t b = 0; b < 8; b++) {
            blocks[i + b] = is_new ? (uint8_t)harness_random(h) : blocks[from + b];
        }
    }
    // Blocks of BC7 of any mode, and of none.
    for (size_t i = 0; i < size && kind->codec == WEIR_CODEC_BC7; i += block_size_of(kind)) {
        if (harness_random_below(h, 2) == 0) {
            blocks[i] = (uint8_t)((blocks[i] | 1) << harness_random_below(h, 9));
        }
    }
}

static struct weir_rdo_params params_of(const struct kind *kind)
{
    return (struct weir_rdo_params){
        .codec = kind->codec,
        .bc4_alpha = kind->other_alpha && kind->codec == WEIR_CODEC_BC4,
        .bc7_alpha_unread = kind->other_alpha && kind->codec == WEIR_CODEC_BC7,
        .quality = kind->quality,
        .steady = kind->steady,
        .texture = kind->texture,
        .control = kind->control,
    };
}

static struct weir_rdo_result optimise(const struct picture *p, const struct kind *kind,
                                       uint32_t lambda, uint8_t *history, uint8_t *blocks)
{
    const struct kernel_picture picture = {p->rgba, 4 * (size_t)p->width, 4, p->width, p->height};
    const struct weir_rdo_params params = params_of(kind);
    return kernel_rdo(&params, &picture, lambda, history, blocks);
}

// Draw what the frame before has become: what this one becomes without a history, and in places
// these blocks, any or none.
static void draw_history(struct harness *h, const struct picture *p, const struct kind *kind,
                         const uint8_t *blocks, uint8_t *history)
{
    const size_t size = size_of(p, kind), block_size = block_size_of(kind);
    memcpy(history, blocks, size);
    if (!kind->steady) {
        return;
    }
    optimise(p, kind, weir_rdo_lambda(kind->quality), NULL, history);
    for (size_t i = 0; i < size; i += block_size) {
        const uint32_t chosen = harness_random_below(h, 10);
        if (chosen == 0) {
            memset(history + i, 0, block_size);
        } else if (chosen == 1) {
            history[i + harness_random_below(h, (uint32_t)block_size)] = (uint8_t)harness_random(h);
        } else if (chosen < 4) {
            memcpy(history + i, blocks + i, block_size);
        }
    }
}

// The place of a codec among all.
enum { NUM_CODECS = 6 };
static uint32_t index_of(enum weir_codec codec)
{
    static const enum weir_codec codecs[NUM_CODECS] = {WEIR_CODEC_YCOCG_BC3, WEIR_CODEC_BC1,
                                                       WEIR_CODEC_BC3,       WEIR_CODEC_BC4,
                                                       WEIR_CODEC_BC5,       WEIR_CODEC_BC7};
    uint32_t i = 0;
    while (codecs[i] != codec) {
        i++;
    }
    return i;
}

// Draw a kind; half of the pictures are for the codecs whose kernels are their own.
static void draw_kind(struct harness *h, int index, struct kind *kind)
{
    static const enum weir_codec codecs[] = {WEIR_CODEC_BC1, WEIR_CODEC_BC3, WEIR_CODEC_BC4,
                                             WEIR_CODEC_BC5};
    kind->codec = index % 2 == 1   ? codecs[index / 2 % 4]
                  : index % 6 == 4 ? WEIR_CODEC_BC7
                                   : WEIR_CODEC_YCOCG_BC3;
    const bool has_other = kind->codec == WEIR_CODEC_BC4 || kind->codec == WEIR_CODEC_BC7;
    kind->other_alpha = has_other && harness_random_below(h, 2) == 0;
    kind->steady = kind->codec == WEIR_CODEC_YCOCG_BC3
                       ? index % 4 == 2
                       : kind->codec != WEIR_CODEC_BC7 && harness_random_below(h, 2) == 0;
    kind->texture = harness_random_below(h, 2) == 0;
    kind->quality = 1 + harness_random_below(h, 99);
    // Some above the most that there is.
    kind->lambda = harness_random_below(h, 8) == 0 ? 0 : harness_random_below(h, 4200);
}

// Tell the kernel lambda, in a control that ends at the end of its buffer. Returns where it begins.
static uint64_t write_control(const struct picture *p, const struct kind *kind,
                              const struct weir_gpu_buffer *memory)
{
    const uint64_t offset = MAX_ROOM - weir_rdo_control_size(p->width, p->height);
    const struct weir_rdo_control control = {.lambda = kind->lambda};
    memset(memory->mapped, POISON, MAX_ROOM);
    memcpy((uint8_t *)memory->mapped + offset, &control, sizeof(control));
    return offset;
}

// Hold what the kernel says of a picture against the reference, and that it wrote nothing else.
static void check_control(const struct picture *p, const struct kind *kind,
                          const struct weir_gpu_buffer *memory, uint64_t offset,
                          struct weir_rdo_result want)
{
    const uint8_t *mapped = memory->mapped;
    uint64_t num_poison = 0;
    while (num_poison < offset && mapped[num_poison] == POISON) {
        num_poison++;
    }
    const struct weir_rdo_result result = weir_rdo_get_result(mapped + offset, p->width, p->height);
    test_expect(!kind->control || num_poison == offset, "byte %llu before the control",
                (unsigned long long)num_poison);
    test_expect(!kind->control || (result.squared_error == want.squared_error &&
                                   result.num_bytes == want.num_bytes),
                "%ux%u, lambda %u: an error of %llu in place of %llu, %llu bytes of %llu", p->width,
                p->height, kind->lambda, (unsigned long long)result.squared_error,
                (unsigned long long)want.squared_error, (unsigned long long)result.num_bytes,
                (unsigned long long)want.num_bytes);
}

// Optimise the blocks of a picture. Returns how many have changed.
static uint32_t run(struct harness *h, const struct picture *p, const struct kind *kind)
{
    const uint32_t texel_size = p->format == VK_FORMAT_R16G16B16A16_UNORM ? 8 : 4;
    const size_t size = size_of(p, kind);
    const uint32_t block_size = block_size_of(kind);
    const uint64_t offset = block_size * harness_random_below(h, 5);
    struct weir_gpu_image image;
    harness_image_init(h, p->format, p->width, p->height, VK_IMAGE_USAGE_SAMPLED_BIT, 0, p->texels,
                       texel_size, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &image);
    weir_image *source = harness_wrap(h, &image, WEIR_TRANSFER_DEFAULT);
    struct harness_storage blocks, history, control;
    harness_storage_init(h, MAX_ROOM, &blocks);
    harness_storage_init(h, MAX_ROOM, &history);
    harness_storage_init(h, MAX_ROOM, &control);
    uint8_t *want = malloc(MAX_ROOM), *before = malloc(size);
    const uint64_t history_offset = block_size * harness_random_below(h, 5);
    uint8_t *want_history = malloc(MAX_ROOM);
    memset(want, POISON, MAX_ROOM);
    const uint64_t control_offset = write_control(p, kind, &control.memory);
    make_blocks(h, p, kind, before);
    memcpy(want + offset, before, size);
    memcpy(blocks.memory.mapped, want, MAX_ROOM);
    memset(want_history, POISON, MAX_ROOM);
    draw_history(h, p, kind, before, want_history + history_offset);
    memcpy(history.memory.mapped, want_history, MAX_ROOM);
    const struct weir_rdo_result sums = optimise(
        p, kind, kind->control ? kind->lambda : weir_rdo_lambda(kind->quality),
        kind->steady ? want_history + history_offset : NULL, want + offset);

    weir_rdo *rdo = NULL;
    struct weir_rdo_params params = params_of(kind);
    params.like = source;
    enum weir_result result = weir_rdo_create(h->context, &params, &rdo);
    test_must(result == WEIR_OK, "weir_rdo_create");
    VkCommandBuffer cmd = harness_begin(h);
    result = weir_cmd_rdo(rdo, cmd,
                          &(struct weir_rdo_run){.source = source,
                                                 .buffer = blocks.buffer,
                                                 .offset = offset,
                                                 .history = kind->steady ? history.buffer : NULL,
                                                 .history_offset = history_offset,
                                                 .control = kind->control ? control.buffer : NULL,
                                                 .control_offset = control_offset});
    test_expect(result == WEIR_OK, "weir_cmd_rdo: %s", weir_result_name(result));
    harness_record_host_reads(h, cmd);
    harness_submit(h, cmd, NULL, 0);
    encode_compare(weir_codec_get_info(kind->codec)->name, p->width, p->height, block_size,
                   blocks.memory.mapped, want, MAX_ROOM);
    encode_compare("the history", p->width, p->height, block_size, history.memory.mapped,
                   want_history, MAX_ROOM);
    check_control(p, kind, &control.memory, control_offset, sums);
    uint32_t num_changed = 0;
    for (size_t i = 0; i < size; i += block_size) {
        num_changed += memcmp(before + i, want + offset + i, block_size) != 0;
    }
    weir_rdo_destroy(&rdo);
    harness_storage_finish(h, &blocks);
    harness_storage_finish(h, &history);
    harness_storage_finish(h, &control);
    weir_image_destroy(&source);
    harness_image_finish(h, &image);
    free(want);
    free(before);
    free(want_history);
    return num_changed;
}

static uint32_t run_picture(struct harness *h, VkFormat format, uint32_t width, uint32_t height,
                            const struct kind *kind)
{
    struct picture picture;
    picture_init(h, format, width, height, kind->codec, &picture);
    const uint32_t num_changed = run(h, &picture, kind);
    picture_finish(&picture);
    return num_changed;
}

// A software device compiles a kernel for each format: two codecs, which the seed draws, have
// another one than the rest.
static VkFormat format_of(uint32_t drawn, enum weir_codec codec)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM,
                                       VK_FORMAT_R16G16B16A16_UNORM};
    const uint32_t turn = (drawn + index_of(codec)) % NUM_CODECS;
    return formats[turn < 3 ? turn : 0];
}

static void run_pictures(struct harness *h, uint32_t drawn, int first, int num)
{
    uint32_t num_changed = 0;
    for (int i = first; i < first + num; i++) {
        const uint32_t width = harness_random_side(h, 300), height = harness_random_side(h, 180);
        struct kind kind = {.encoded = harness_random_below(h, 4) > 0,
                            .control = harness_random_below(h, 3) == 0};
        draw_kind(h, i, &kind);
        num_changed += run_picture(h, format_of(drawn, kind.codec), width, height, &kind);
    }
    test_expect(num_changed > 0, "no block was changed");
}

// In rows of 4096 blocks the one above, or of eight bytes the one above that, is too far away for a
// copy, and the one beside that is not.
static void run_wide(struct harness *h, uint32_t drawn)
{
    struct kind kind = {.quality = 40, .encoded = true, .control = true, .lambda = 1440};
    kind.codec = WEIR_CODEC_YCOCG_BC3;
    run_picture(h, format_of(drawn, kind.codec), 4 * 4096 - 1, 7, &kind);
    kind.codec = WEIR_CODEC_BC1;
    run_picture(h, format_of(drawn, kind.codec), 4 * 4096 - 1, 11, &kind);
}

// Random blocks of black and white texels have errors that take more than 32 bits.
static void run_large_errors(struct harness *h)
{
    const struct kind kind = {.codec = WEIR_CODEC_BC3, .quality = 1, .control = true, .lambda = 8};
    struct picture picture;
    picture_init(h, VK_FORMAT_R8G8B8A8_UNORM, 519, 515, kind.codec, &picture);
    for (uint32_t i = 0; i < picture.width * picture.height; i++) {
        memset(picture.rgba + 4 * i, i % 5 < 2 ? 0 : 255, 4);
    }
    write_texels(&picture);
    run(h, &picture, &kind);
    picture_finish(&picture);
}

// Blocks of one colour are equal, though of scaled YCoCg in BC3 none of them looks for a copy; some
// others stand between.
static void run_equal_blocks(struct harness *h)
{
    struct picture picture;
    picture_init(h, VK_FORMAT_R8G8B8A8_UNORM, 519, 131, WEIR_CODEC_BC1, &picture);
    for (uint32_t i = 0; i < picture.width * picture.height; i++) {
        const uint32_t x = i % picture.width, y = i / picture.width;
        memset(picture.rgba + 4 * i, x / 4 % 23 == 7 ? (int)(x + y) & 255 : 90, 4);
    }
    write_texels(&picture);
    struct kind kind = {.quality = 1, .encoded = true, .control = true, .lambda = 90};
    kind.codec = WEIR_CODEC_YCOCG_BC3;
    run(h, &picture, &kind);
    kind.codec = WEIR_CODEC_BC5;
    run(h, &picture, &kind);
    kind.codec = WEIR_CODEC_BC7;
    run(h, &picture, &kind);
    kind.lambda = 0;
    run(h, &picture, &kind);
    kind.codec = WEIR_CODEC_YCOCG_BC3;
    kind.steady = true;
    run(h, &picture, &kind);
    picture_finish(&picture);
}

int main(int argc, char **argv)
{
    struct harness h;
    harness_init(&h, true);
    const bool is_narrow = argc > 1 && strcmp(argv[1], "--few") == 0;
    const uint32_t drawn = harness_random_below(&h, NUM_CODECS);
    if (is_narrow) { // half of the codecs
        run_pictures(&h, drawn, 4 * (int)harness_random_below(&h, 2), 4);
    } else {
        run_pictures(&h, drawn, 0, 12);
        run_wide(&h, drawn);
        run_large_errors(&h);
        run_equal_blocks(&h);
    }
    return harness_finish(&h);
}
