// SPDX-License-Identifier: MIT
// The decoders of blocks give what the device samples: every format that it has, every mode of a
// block.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "tests/gl/block_content.h"
#include "tests/gpu/harness.h"
#include "tests/seeded.h"

static const uint32_t code[] =
#include "block_texels.inc"
    ;

// So many blocks give each of the 9 kinds of BC7 some 900 blocks on purpose, and each of the 32
// values of BC6H's mode 256.
enum { BLOCKS_PER_ROW = 128, NUM_BLOCKS = BLOCKS_PER_ROW * BLOCKS_PER_ROW };
enum { SIDE = 4 * BLOCKS_PER_ROW, NUM_TEXELS = SIDE * SIDE };

// A kernel that reads all texels of an image into a buffer.
struct reader {
    struct weir_gpu_layout layout;
    VkPipeline pipeline;
    struct weir_gpu_buffer texels;
};

static void reader_init(struct harness *h, struct reader *reader)
{
    const struct weir_gpu_binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
                                                {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    const struct weir_gpu_layout_params params = {.bindings = bindings, .num_bindings = 2};
    const struct weir_gpu_kernel kernel = {.code = code, .code_size = sizeof(code)};
    test_must(weir_gpu_layout_init(h->gpu, &params, &reader->layout) == WEIR_OK &&
                  weir_gpu_pipeline_init(h->gpu, &reader->layout, &kernel, &reader->pipeline) ==
                      WEIR_OK,
              "a pipeline");
    harness_buffer_init(h, NUM_TEXELS * sizeof(float[4]), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                        &reader->texels);
}

static void reader_finish(struct harness *h, struct reader *reader)
{
    harness_buffer_finish(h, &reader->texels);
    vkDestroyPipeline(h->vk, reader->pipeline, NULL);
    weir_gpu_layout_finish(h->gpu, &reader->layout);
}

static void dispatch(struct harness *h, const struct reader *reader,
                     const struct weir_image_params *image, VkDescriptorSet set)
{
    VkCommandBuffer cmd = harness_begin(h);
    const struct weir_gpu_scope filled = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                          VK_ACCESS_TRANSFER_WRITE_BIT,
                                          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    const struct weir_gpu_scope sampled = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                           VK_ACCESS_SHADER_READ_BIT,
                                           VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    weir_cmd_barrier(h->gpu, cmd, image, filled, sampled);
    weir_cmd_bind(h->gpu, cmd, &reader->layout, reader->pipeline, set, NULL);
    vkCmdDispatch(cmd, SIDE, SIDE, 1);
    harness_record_host_reads(h, cmd);
    harness_submit(h, cmd, NULL, 0);
}

// `blocks` has room for 16 bytes a block, which are a byte a texel, even where blocks are of 8
// bytes.
static const float (*read_texels(struct harness *h, const struct reader *reader, VkFormat format,
                                 const uint8_t *blocks))[4]
{
    struct weir_gpu_image image;
    harness_image_init(h, format, SIDE, SIDE, VK_IMAGE_USAGE_SAMPLED_BIT, 0, blocks, 1,
                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &image);
    VkImageView view = VK_NULL_HANDLE;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VkDescriptorSet set = VK_NULL_HANDLE;
    test_must(weir_gpu_view_init(h->gpu, &image.params, 0, 1, &view) == WEIR_OK &&
                  weir_gpu_pool_init(h->gpu, &reader->layout, 1, &pool) == WEIR_OK,
              "a view and a pool");
    const struct weir_gpu_descriptor descriptors[] = {{.view = view},
                                                      {.buffer = reader->texels.buffer}};
    TEST_MUST(weir_gpu_set_init(h->gpu, pool, &reader->layout, descriptors, &set));
    dispatch(h, reader, &image.params, set);
    vkDestroyDescriptorPool(h->vk, pool, NULL);
    vkDestroyImageView(h->vk, view, NULL);
    harness_image_finish(h, &image);
    return (const float(*)[4])(const void *)reader->texels.mapped;
}

// Get the largest difference from exact fractions that a device may have.
//
// Mesa, BC1 .. BC3: its decoder for shaders repeats the bits of endpoints, which is 0.71 codes off
//   at most, and truncates the interpolated code: below 2 codes together. sRGB is linearised by a
//   polynomial, which is 0.34 codes off at most: below 2.5 together.
// Mesa, BC4 and BC5: it interpolates by weights of few bits and truncates. Over all endpoints that
//   is 1.6 / 255 off at most, and 1.8 / 127 where signed.
// Other devices, BC1 .. BC5: weights of 5 bits, so a 32nd of the whole range; sRGB within half a
//   code. An NVIDIA H200 is 6.7 / 255 off at most, 7.1 / 127 where signed, and 0.43 / 255 for BC7
//   in sRGB. The specification ("S3TC", "RGTC") gives no precision.
// BC6H, BC7: bit-exact by the specification, apart from a float's rounding when 8 bits are divided
//   by 255 or linearised.
// ETC2: 8 bits, exact. EAC: 11 bits, of which a device may keep 8 or more.
static double tolerance(const struct harness *h, const struct weir_block_format *format)
{
    const VkFormat f = format->format;
    VkPhysicalDeviceProperties device;
    vkGetPhysicalDeviceProperties(h->import->physical_device, &device);
    const bool is_mesa = device.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const bool is_srgb = format->values == WEIR_BLOCK_SRGB;
    if (!is_mesa && f <= VK_FORMAT_BC5_SNORM_BLOCK) {
        return (format->values == WEIR_BLOCK_SNORM ? 2.0 : 1.0) / 32;
    }
    const double rounding = is_srgb && !is_mesa ? 0.5 / 255 : 1e-6;
    if (f <= VK_FORMAT_BC3_SRGB_BLOCK) {
        return (is_srgb ? 2.5 : 2.0) / 255;
    }
    if (f <= VK_FORMAT_BC5_SNORM_BLOCK) {
        return format->values == WEIR_BLOCK_SNORM ? 2.0 / 127 : 2.0 / 255;
    }
    if (format->values == WEIR_BLOCK_FLOAT) {
        return 0;
    }
    return f >= VK_FORMAT_EAC_R11_UNORM_BLOCK ? 1.0 / 255 : rounding;
}

static void run_format(struct harness *h, const struct reader *reader,
                       const struct weir_block_format *format, uint8_t *blocks)
{
    for (size_t i = 0; i < NUM_BLOCKS; i++) {
        uint8_t *block = blocks + i * format->block_size;
        if (i % 2 == 0 && format->values != WEIR_BLOCK_SNORM) {
            block_content_draw_any(format->block_size, block);
        } else {
            block_content_draw(format->format, format->block_size, block);
        }
    }
    const float(*texels)[4] = read_texels(h, reader, format->format, blocks);
    const double limit = tolerance(h, format);
    double largest = 0;
    for (size_t i = 0; i < NUM_BLOCKS && largest <= limit; i++) {
        const size_t x = i % BLOCKS_PER_ROW * 4, y = i / BLOCKS_PER_ROW * 4;
        largest = fmax(largest, block_content_compare(format, blocks + i * format->block_size,
                                                      texels + y * SIDE + x, SIDE, limit));
    }
    printf("%s: largest deviation %.9f (%.3f / 255)\n", format->name, largest, largest * 255);
}

static bool is_sampled(const struct harness *h, VkFormat format)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(h->import->physical_device, format, &properties);
    return properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
}

int main(void)
{
    VkPhysicalDeviceFeatures has;
    harness_device_features(&has);
    const VkPhysicalDeviceFeatures wanted = {.textureCompressionBC = has.textureCompressionBC,
                                             .textureCompressionETC2 = has.textureCompressionETC2};
    struct harness h;
    harness_init_features(&h, false, &wanted);
    seeded_start();
    struct reader reader;
    reader_init(&h, &reader);
    uint8_t *blocks = calloc(NUM_BLOCKS, 16);
    test_must(blocks, "memory");
    size_t num_formats, num_sampled = 0;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    for (size_t i = 0; i < num_formats; i++) {
        if (formats[i].side == 1) {
            continue; // nothing interpolates it
        }
        if (is_sampled(&h, formats[i].format)) {
            run_format(&h, &reader, &formats[i], blocks);
            num_sampled++;
        } else {
            printf("%s: not sampled by this device\n", formats[i].name);
        }
    }
    free(blocks);
    reader_finish(&h, &reader);
    const int status = harness_finish(&h);
    if (num_sampled == 0) {
        printf("SKIPPED: the device samples no format of compressed texels\n");
        return status ? status : 77;
    }
    return status;
}
