// SPDX-License-Identifier: MIT
// Levels, layers and rectangles of an image are encoded as if each were an image of its own, by two
// codecs from one source in one submission, and copied into compressed images.
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>
#include <weir/pyramid.h>

#include "tests/gpu/encode_run.h"
#include "tests/kernels/kernels.h"

enum { WIDTH = 37, HEIGHT = 22, LEVELS = 6, LAYERS = 3, NUM_CASES = 60, POISON = 0xa5 };
enum { ROOM = 1 << 16 }; // for blocks [bytes]

static VkExtent2D extent_of(uint32_t level)
{
    return weir_pyramid_level_extent(WIDTH, HEIGHT, level);
}

// Texels of all levels and layers, R8G8B8A8, and the image that holds them.
struct chain {
    uint8_t *texels[LEVELS][LAYERS];
    struct weir_gpu_image image;
    weir_image *wrapped;
};

static void barrier_of(const struct harness *h, VkCommandBuffer cmd,
                       const struct weir_gpu_image *image, VkImageLayout from, VkImageLayout to)
{
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkAccessFlags writes = VK_ACCESS_MEMORY_WRITE_BIT;
    weir_cmd_barrier(h->gpu, cmd, &image->params, (struct weir_gpu_scope){all, writes, from},
                     (struct weir_gpu_scope){all, VK_ACCESS_MEMORY_READ_BIT | writes, to});
}

static void make_image(struct harness *h, VkFormat format, VkImageUsageFlags usage,
                       struct weir_gpu_image *image, weir_image **wrapped)
{
    TEST_MUST(
        weir_gpu_image_init(h->gpu,
                            weir_image_params(.format = format, .width = WIDTH, .height = HEIGHT,
                                              .levels = LEVELS, .layers = LAYERS, .usage = usage),
                            0, image));
    TEST_MUST(weir_image_create(h->context, &image->params, wrapped));
}

static void fill(struct harness *h, struct chain *chain)
{
    struct weir_gpu_buffer staging;
    harness_buffer_init(h, (uint64_t)WIDTH * HEIGHT * 4 * LEVELS * LAYERS,
                        VK_BUFFER_USAGE_TRANSFER_SRC_BIT, &staging);
    VkCommandBuffer cmd = harness_begin(h);
    barrier_of(h, cmd, &chain->image, VK_IMAGE_LAYOUT_UNDEFINED,
               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    uint64_t offset = 0;
    for (uint32_t level = 0; level < LEVELS; level++) {
        for (uint32_t layer = 0; layer < LAYERS; layer++) {
            const VkExtent2D extent = extent_of(level);
            const size_t size = (size_t)extent.width * extent.height * 4;
            chain->texels[level][layer] = malloc(size);
            for (size_t i = 0; i < size; i++) {
                chain->texels[level][layer][i] = (uint8_t)harness_random(h);
            }
            memcpy(staging.mapped + offset, chain->texels[level][layer], size);
            const VkBufferImageCopy copy = {
                .bufferOffset = offset,
                .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1},
                .imageExtent = {extent.width, extent.height, 1},
            };
            vkCmdCopyBufferToImage(cmd, staging.buffer, chain->image.params.image,
                                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
            offset += size;
        }
    }
    barrier_of(h, cmd, &chain->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
               VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    harness_submit(h, cmd, NULL, 0);
    harness_buffer_finish(h, &staging);
}

static void chain_init(struct harness *h, struct chain *chain)
{
    const VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    make_image(h, VK_FORMAT_R8G8B8A8_UNORM, usage, &chain->image, &chain->wrapped);
    fill(h, chain);
}

static void chain_finish(struct harness *h, struct chain *chain)
{
    weir_image_destroy(&chain->wrapped);
    weir_gpu_image_finish(h->gpu, &chain->image);
    for (int i = 0; i < LEVELS * LAYERS; i++) {
        free(chain->texels[i / LAYERS][i % LAYERS]);
    }
}

// An encoder, the buffer for its blocks, and the blocks that are expected.
struct output {
    enum weir_codec codec;
    weir_encoder *encoder;
    struct harness_storage blocks;
    struct weir_encode encode;
    uint64_t size;
    uint8_t *want;
};

static void output_init(struct harness *h, enum weir_codec codec, struct output *out)
{
    *out = (struct output){.codec = codec};
    out->encoder = encode_create(
        h, weir_encoder_params(.codec = codec, .effort = WEIR_EFFORT_FAST,
                               .like = harness_like(h, VK_FORMAT_R8G8B8A8_UNORM, 0, 0)));
    harness_storage_init(h, ROOM, &out->blocks);
    out->want = malloc(ROOM);
}

static void output_finish(struct harness *h, struct output *out)
{
    harness_storage_finish(h, &out->blocks);
    weir_encoder_destroy(&out->encoder);
    free(out->want);
}

static void encode_by_reference(const struct chain *chain, struct output *out)
{
    const struct weir_encode *encode = &out->encode;
    memset(out->want, POISON, ROOM);
    const struct weir_encoder_params params = {.codec = out->codec, .effort = WEIR_EFFORT_FAST};
    const VkRect2D *rect = &encode->rect;
    uint8_t *next = out->want + encode->offset;
    for (uint32_t level = encode->level; level < encode->level + encode->num_levels; level++) {
        const VkExtent2D all = extent_of(level);
        const VkExtent2D part = rect->extent.width > 0 ? rect->extent : all;
        const size_t first = (size_t)rect->offset.y * all.width + (size_t)rect->offset.x;
        for (uint32_t layer = encode->layer; layer < encode->layer + encode->num_layers; layer++) {
            kernel_encode_image(&params, chain->texels[level][layer] + 4 * first, 4,
                                4 * (size_t)all.width, part.width, part.height, next);
            next += weir_codec_image_size(out->codec, part.width, part.height);
        }
    }
    out->size = (uint64_t)(next - out->want) - encode->offset;
}

static void draw_part(struct harness *h, const struct chain *chain, struct output *out)
{
    struct weir_encode *encode = &out->encode;
    *encode = (struct weir_encode){.source = chain->wrapped, .buffer = out->blocks.buffer};
    encode->offset = 8 * harness_random_below(h, 100);
    encode->level = harness_random_below(h, LEVELS);
    encode->num_levels = 1 + harness_random_below(h, LEVELS - encode->level);
    encode->layer = harness_random_below(h, LAYERS);
    encode->num_layers = 1 + harness_random_below(h, LAYERS - encode->layer);
    if (harness_random_below(h, 2) == 0) {
        const VkExtent2D extent = extent_of(encode->level);
        const uint32_t width = extent.width, height = extent.height;
        const uint32_t x = harness_random_below(h, width), y = harness_random_below(h, height);
        encode->num_levels = 1;
        encode->rect = (VkRect2D){
            {(int32_t)x, (int32_t)y},
            {1 + harness_random_below(h, width - x), 1 + harness_random_below(h, height - y)}};
    }
}

static void record(VkCommandBuffer cmd, const struct output *out)
{
    memset(out->blocks.memory.mapped, POISON, ROOM);
    const enum weir_result result = weir_cmd_encode(out->encoder, cmd, &out->encode);
    test_expect(result == WEIR_OK, "weir_cmd_encode: %s", weir_result_name(result));
}

static void compare(const struct output *out, const uint8_t *got)
{
    const struct weir_encode *encode = &out->encode;
    if (memcmp(got, out->want, ROOM) == 0) {
        return;
    }
    uint64_t first = 0;
    while (got[first] == out->want[first]) {
        first++;
    }
    test_expect(false,
                "%s, levels %u + %u, layers %u + %u, %ux%u at %d, %d, offset %u, %u bytes: byte "
                "%u is %02x, not %02x",
                weir_codec_get_info(out->codec)->name, encode->level, encode->num_levels,
                encode->layer, encode->num_layers, encode->rect.extent.width,
                encode->rect.extent.height, encode->rect.offset.x, encode->rect.offset.y,
                (unsigned)encode->offset, (unsigned)out->size, (unsigned)first, got[first],
                out->want[first]);
}

// Two codecs, a part each, in one submission.
static void test_parts(struct harness *h, const struct chain *chain, struct output outputs[2])
{
    for (int i = 0; i < NUM_CASES; i++) {
        VkCommandBuffer cmd = harness_begin(h);
        for (int k = 0; k < 2; k++) {
            draw_part(h, chain, &outputs[k]);
            encode_by_reference(chain, &outputs[k]);
            test_expect(weir_encode_size(outputs[k].encoder, &outputs[k].encode) == outputs[k].size,
                        "weir_encode_size");
            record(cmd, &outputs[k]);
        }
        harness_record_host_reads(h, cmd);
        harness_submit(h, cmd, NULL, 0);
        for (int k = 0; k < 2; k++) {
            compare(&outputs[k], outputs[k].blocks.memory.mapped);
        }
    }
}

// Copies into images and buffers that do not hold such blocks, or not so many, are refused.
static void test_copy_errors(struct harness *h, const struct chain *chain, const struct output *out,
                             const weir_image *image, VkCommandBuffer cmd)
{
    const struct {
        struct weir_block_copy copy;
        enum weir_log_code code;
    } bad[] = {
        {{.image = chain->wrapped}, WEIR_LOG_CODE_FORMAT_MISMATCH},
        {{.image = image, .level = 1}, WEIR_LOG_CODE_OUT_OF_RANGE},
        {{.image = image, .layer = 1}, WEIR_LOG_CODE_OUT_OF_RANGE},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const int before = h->log_codes[bad[i].code];
        const enum weir_result result = weir_cmd_copy_blocks(out->encoder, cmd, &out->encode,
                                                             &bad[i].copy);
        test_expect(result == WEIR_ERROR_INVALID && h->log_codes[bad[i].code] == before + 1,
                    "copy %zu that is none: %s", i, weir_result_name(result));
    }
}

// All of the chain into a compressed image, and back from there in one buffer.
static void test_copy(struct harness *h, const struct chain *chain, struct output *out)
{
    struct weir_gpu_image image;
    weir_image *wrapped = NULL;
    make_image(h, VK_FORMAT_BC1_RGB_UNORM_BLOCK,
               VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, &image, &wrapped);
    out->encode = (struct weir_encode){.source = chain->wrapped,
                                       .buffer = out->blocks.buffer,
                                       .offset = 16,
                                       .num_levels = LEVELS,
                                       .num_layers = LAYERS};
    encode_by_reference(chain, out);
    struct weir_gpu_buffer back;
    harness_buffer_init(h, ROOM, VK_BUFFER_USAGE_TRANSFER_DST_BIT, &back);
    memset(back.mapped, POISON, back.size);
    VkCommandBuffer cmd = harness_begin(h);
    barrier_of(h, cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    record(cmd, out);
    TEST_OK(weir_cmd_copy_blocks(out->encoder, cmd, &out->encode,
                                 WEIR_REF(weir_block_copy, .image = wrapped)));
    test_copy_errors(h, chain, out, wrapped, cmd);
    weir_image_destroy(&wrapped);
    barrier_of(h, cmd, &image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
               VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    uint64_t offset = out->encode.offset;
    for (uint32_t level = 0; level < LEVELS; level++) {
        const VkExtent2D extent = extent_of(level);
        weir_cmd_download(
            h->gpu, cmd,
            &(const struct weir_gpu_copy){.image = &image.params,
                                          .level = level,
                                          .buffer = back.buffer,
                                          .offset = offset,
                                          .scope = {VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                                                    VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL}});
        offset += LAYERS * weir_codec_image_size(out->codec, extent.width, extent.height);
    }
    harness_submit(h, cmd, NULL, 0);
    compare(out, back.mapped);
    harness_buffer_finish(h, &back);
    weir_gpu_image_finish(h->gpu, &image);
}

// All of the chain as one frame: the readback makes every level and layer readable.
static void test_readback(struct harness *h, const struct chain *chain, struct output *out)
{
    out->encode = (struct weir_encode){
        .source = chain->wrapped, .num_levels = LEVELS, .num_layers = LAYERS};
    encode_by_reference(chain, out);
    memset(out->blocks.memory.mapped, POISON, ROOM);
    weir_readback *readback = NULL;
    TEST_MUST(weir_readback_create(h->context, weir_readback_params(.size = out->size), &readback));
    VkCommandBuffer cmd = harness_begin(h);
    barrier_of(h, cmd, &chain->image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    harness_submit(h, cmd, NULL, 0);
    encode_frame(h, readback, out->encoder, out->encode, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                 false, out->blocks.memory.mapped, out->size);
    test_expect(memcmp(out->blocks.memory.mapped, out->want, out->size) == 0,
                "all levels through a readback");
    weir_readback_destroy(&readback);
    cmd = harness_begin(h);
    barrier_of(h, cmd, &chain->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
               VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    harness_submit(h, cmd, NULL, 0);
}

static void test_errors(struct harness *h, const struct chain *chain, const struct output *out)
{
    const struct weir_encode bad[] = {
        {.level = LEVELS},
        {.level = 1, .num_levels = LEVELS},
        {.layer = LAYERS},
        {.layer = 2, .num_layers = 2},
        {.num_levels = 2, .rect = {{0, 0}, {4, 4}}},
        {.rect = {{-1, 0}, {4, 4}}},
        {.rect = {{0, 0}, {4, 0}}},
        {.rect = {{WIDTH - 3, 0}, {4, 4}}},
        {.level = 1, .rect = {{0, 0}, {WIDTH, 1}}},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct weir_encode encode = bad[i];
        encode.source = chain->wrapped;
        encode.buffer = out->blocks.buffer;
        encode_expect_refused(h, out->encoder, &encode, WEIR_LOG_CODE_OUT_OF_RANGE);
        test_expect(weir_encode_size(out->encoder, &encode) == 0, "the size of none");
    }
    const struct weir_encode too_far = {
        .source = chain->wrapped, .buffer = out->blocks.buffer, .offset = ROOM - 8 * 10};
    encode_expect_refused(h, out->encoder, &too_far, WEIR_LOG_CODE_BUFFER_TOO_SMALL);
}

// A picture of more blocks than one dispatch takes, and whose dither must not move with where a
// dispatch or a rectangle begins. Of BC3, an invocation encodes a whole block of the picture and
// half a block of the rectangle.
static void test_tiles(struct harness *h, enum weir_codec codec)
{
    const uint32_t width = 2050, height = 2070;
    const VkFormat format = VK_FORMAT_A2B10G10R10_UNORM_PACK32;
    uint32_t *texels = malloc((size_t)width * height * 4);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        texels[i] = (uint32_t)(i / 7 % 1024) | harness_random_below(h, 1u << 20) << 10;
    }
    struct weir_gpu_image image;
    harness_image_init(h, format, width, height, VK_IMAGE_USAGE_SAMPLED_BIT, 0, texels, 4,
                       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &image);
    weir_image *source = harness_wrap(h, &image, WEIR_TRANSFER_DEFAULT);
    weir_encoder *encoder = encode_create(
        h, weir_encoder_params(.codec = codec, .effort = WEIR_EFFORT_FAST,
                               .like = harness_like(h, format, 0, 0)));
    const uint64_t size = weir_codec_image_size(codec, width, height);
    const struct weir_codec_info *info = weir_codec_get_info(codec);
    const uint32_t columns = (width + 3) / 4, rows = (height + 3) / 4;
    const uint64_t row_size = (uint64_t)info->block_size * columns;
    struct harness_storage blocks;
    harness_storage_init(h, size + row_size, &blocks);
    memset(blocks.memory.mapped, 0xa5, blocks.memory.size);
    // The last row of blocks again, by itself: any texel that a dispatch took from another place
    // shows.
    const struct weir_encode all = {.source = source, .buffer = blocks.buffer};
    const struct weir_encode last = {
        .source = source,
        .buffer = blocks.buffer,
        .offset = size,
        .rect = {{0, (int32_t)(4 * (rows - 1))}, {width, height - 4 * (rows - 1)}}};
    VkCommandBuffer cmd = harness_begin(h);
    TEST_OK(weir_cmd_encode(encoder, cmd, &all));
    TEST_OK(weir_cmd_encode(encoder, cmd, &last));
    harness_record_host_reads(h, cmd);
    harness_submit(h, cmd, NULL, 0);
    encode_compare("the last row", width, height, info->block_size,
                   blocks.memory.mapped + size - row_size, blocks.memory.mapped + size, row_size);
    harness_storage_finish(h, &blocks);
    weir_encoder_destroy(&encoder);
    weir_image_destroy(&source);
    harness_image_finish(h, &image);
    free(texels);
}

void encode_test_regions(struct harness *h, bool has_all)
{
    (void)has_all;
    struct chain chain;
    struct output outputs[2];
    chain_init(h, &chain);
    output_init(h, WEIR_CODEC_BC1, &outputs[0]);
    output_init(h, WEIR_CODEC_ETC2_RGB, &outputs[1]);
    test_parts(h, &chain, outputs);
    test_copy(h, &chain, &outputs[0]);
    test_readback(h, &chain, &outputs[0]);
    test_errors(h, &chain, &outputs[0]);
    output_finish(h, &outputs[0]);
    output_finish(h, &outputs[1]);
    chain_finish(h, &chain);
    test_tiles(h, WEIR_CODEC_BC4);
    test_tiles(h, WEIR_CODEC_BC3);
}
