// SPDX-License-Identifier: MIT
// A picture of more blocks than one dispatch takes, and whose dither must not move with where a
// dispatch or a rectangle begins.
#include <stdlib.h>
#include <string.h>

#include <weir/encode.h>

#include "tests/gpu/encode_run.h"
#include "tests/gpu/harness.h"

static void test_tiles(struct harness *h)
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
        h, weir_encoder_params(.codec = WEIR_CODEC_BC4, .effort = WEIR_EFFORT_FAST,
                               .like = harness_like(h, format, 0, 0)));
    const uint64_t size = weir_codec_image_size(WEIR_CODEC_BC4, width, height);
    const uint32_t columns = (width + 3) / 4, rows = (height + 3) / 4;
    struct harness_storage blocks;
    harness_storage_init(h, size + 8 * columns, &blocks);
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
    test_expect(weir_cmd_encode(encoder, cmd, &all) == WEIR_OK, "weir_cmd_encode");
    test_expect(weir_cmd_encode(encoder, cmd, &last) == WEIR_OK, "weir_cmd_encode");
    harness_record_host_reads(h, cmd);
    harness_submit(h, cmd, NULL, 0);
    encode_compare("the last row of bc4", width, height, 8,
                   blocks.memory.mapped + size - (size_t)8 * columns, blocks.memory.mapped + size,
                   (uint64_t)8 * columns);
    harness_storage_finish(h, &blocks);
    weir_encoder_destroy(&encoder);
    weir_image_destroy(&source);
    harness_image_finish(h, &image);
    free(texels);
}

int main(void)
{
    struct harness h;
    harness_init(&h, true);
    test_tiles(&h);
    return harness_finish(&h);
}
