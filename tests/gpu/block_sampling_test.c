// SPDX-License-Identifier: MIT
// The decoders of blocks give what the device samples: every format that it has, every mode of a
// block.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "capture/files/block/block.h"
#include "tests/gpu/harness.h"

static const uint32_t code[] =
#include "block_texels.inc"
    ;

// So many blocks give each of the 9 kinds of BC7 1,820 blocks, 28 a partition, and each of the 32
// values of BC6H's mode 512 blocks, 16 a partition.
enum { BLOCKS_PER_ROW = 128, NUM_BLOCKS = BLOCKS_PER_ROW * BLOCKS_PER_ROW };
enum { SIDE = 4 * BLOCKS_PER_ROW, NUM_TEXELS = SIDE * SIDE };

// A kernel that reads all texels of an image into a buffer.
struct reader {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    struct weir_gpu_buffer texels;
};

static void make_pipeline(struct harness *h, struct reader *reader)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
    };
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings,
    };
    test_must(vkCreateDescriptorSetLayout(h->vk, &set_info, NULL, &reader->set_layout) ==
                  VK_SUCCESS,
              "descriptor set layout");
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &reader->set_layout,
    };
    test_must(vkCreatePipelineLayout(h->vk, &layout_info, NULL, &reader->layout) == VK_SUCCESS,
              "pipeline layout");
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof(code),
        .pCode = code,
    };
    VkShaderModule module;
    test_must(vkCreateShaderModule(h->vk, &module_info, NULL, &module) == VK_SUCCESS, "module");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = reader->layout,
    };
    test_must(vkCreateComputePipelines(h->vk, VK_NULL_HANDLE, 1, &info, NULL, &reader->pipeline) ==
                  VK_SUCCESS,
              "pipeline");
    vkDestroyShaderModule(h->vk, module, NULL);
}

static void reader_init(struct harness *h, struct reader *reader)
{
    make_pipeline(h, reader);
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 2,
        .pPoolSizes = sizes,
    };
    test_must(vkCreateDescriptorPool(h->vk, &pool_info, NULL, &reader->pool) == VK_SUCCESS,
              "descriptor pool");
    const VkDescriptorSetAllocateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = reader->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &reader->set_layout,
    };
    test_must(vkAllocateDescriptorSets(h->vk, &set_info, &reader->set) == VK_SUCCESS, "set");
    harness_buffer_init(h, NUM_TEXELS * sizeof(float[4]), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                        &reader->texels);
}

static void reader_finish(struct harness *h, struct reader *reader)
{
    harness_buffer_finish(h, &reader->texels);
    vkDestroyDescriptorPool(h->vk, reader->pool, NULL);
    vkDestroyPipeline(h->vk, reader->pipeline, NULL);
    vkDestroyPipelineLayout(h->vk, reader->layout, NULL);
    vkDestroyDescriptorSetLayout(h->vk, reader->set_layout, NULL);
}

static void bind(struct harness *h, const struct reader *reader, VkImageView view)
{
    const VkDescriptorImageInfo image_info = {
        .imageView = view, .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkDescriptorBufferInfo buffer_info = {reader->texels.buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet writes[] = {
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = reader->set,
         .dstBinding = 0,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
         .pImageInfo = &image_info},
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = reader->set,
         .dstBinding = 1,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .pBufferInfo = &buffer_info},
    };
    vkUpdateDescriptorSets(h->vk, 2, writes, 0, NULL);
}

static void dispatch(struct harness *h, const struct reader *reader,
                     const struct weir_image_params *image)
{
    VkCommandBuffer cmd = harness_begin(h);
    const VkPipelineStageFlags compute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const struct weir_gpu_scope filled = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                          VK_ACCESS_TRANSFER_WRITE_BIT,
                                          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    const struct weir_gpu_scope sampled = {compute, VK_ACCESS_SHADER_READ_BIT,
                                           VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    weir_cmd_barrier(h->gpu, cmd, image, filled, sampled);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, reader->pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, reader->layout, 0, 1, &reader->set,
                            0, NULL);
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
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image.params.image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VkImageView view;
    test_must(vkCreateImageView(h->vk, &info, NULL, &view) == VK_SUCCESS, "view");
    bind(h, reader, view);
    dispatch(h, reader, &image.params);
    vkDestroyImageView(h->vk, view, NULL);
    harness_image_finish(h, &image);
    return (const float(*)[4])(const void *)reader->texels.mapped;
}

static void swap_bytes(uint8_t *a, uint8_t *b, size_t size)
{
    uint8_t kept[2];
    memcpy(kept, a, size);
    memcpy(a, b, size);
    memcpy(b, kept, size);
}

enum order { ANY, FALLING, EQUAL, RISING, NUM_ORDERS };

static int endpoint(const uint8_t *bytes, size_t size, bool is_signed)
{
    if (size == 2) {
        return bytes[0] | bytes[1] << 8;
    }
    return is_signed && bytes[0] > 127 ? bytes[0] - 256 : bytes[0];
}

// The order of two endpoints, of one or two bytes each, chooses a palette.
static void set_order(uint8_t *block, size_t size, bool is_signed, enum order order)
{
    const int first = endpoint(block, size, is_signed);
    const int second = endpoint(block + size, size, is_signed);
    if (order == EQUAL) {
        memcpy(block + size, block, size);
    } else if ((order == FALLING && first < second) || (order == RISING && first > second)) {
        swap_bytes(block, block + size, size);
    }
}

static void shape_channel(uint8_t *block, bool is_signed, uint32_t index)
{
    set_order(block, 1, is_signed, (enum order)(index % NUM_ORDERS));
    if (!is_signed) {
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (index / NUM_ORDERS % 8 & (1u << i)) {
            block[i] = 0x80; // -128
        }
    }
    // The result for the endpoints -127 and -128 is left open: Khronos Data Format Specification
    // 1.3, "BC4 signed".
    if (block[0] == 0x81 && block[1] == 0x80) {
        block[0] = 0x80;
    }
}

// Give a block the property number `index`. All other properties are random.
static void shape(const struct weir_block_format *format, uint32_t index, uint8_t *block)
{
    const VkFormat f = format->format;
    const bool is_signed = format->values == WEIR_BLOCK_SNORM;
    if (f <= VK_FORMAT_BC1_RGBA_SRGB_BLOCK) {
        set_order(block, 2, false, (enum order)(index % NUM_ORDERS));
    } else if (f <= VK_FORMAT_BC3_SRGB_BLOCK) {
        shape_channel(block, false, index); // BC2 may have any bytes here
        set_order(block + 8, 2, false, (enum order)(index / NUM_ORDERS % NUM_ORDERS));
    } else if (f <= VK_FORMAT_BC5_SNORM_BLOCK) {
        shape_channel(block, is_signed, index);
        if (format->num_channels == 2) {
            shape_channel(block + 8, is_signed, index / NUM_ORDERS);
        }
    } else if (f <= VK_FORMAT_BC6H_SFLOAT_BLOCK) {
        block[0] = (uint8_t)((block[0] & ~31u) | index % 32); // all modes, four reserved
    } else if (f <= VK_FORMAT_BC7_SRGB_BLOCK) {
        const uint32_t mode = index % 9; // 8: reserved
        block[0] = (uint8_t)(mode == 8 ? 0 : (block[0] & ~((2u << mode) - 1)) | 1u << mode);
    }
}

static void draw_block(struct harness *h, const struct weir_block_format *format, uint32_t index,
                       uint8_t *block)
{
    static const uint8_t extremes[] = {0x00, 0xff, 0x80, 0x7f, 0x81, 0x01, 0xfe};
    const uint32_t kind = harness_random_below(h, 4);
    const uint8_t most = harness_random_below(h, 2) ? 0xff : 0x00;
    for (uint32_t i = 0; i < format->block_size; i++) {
        if (kind == 0) { // endpoints at the ends of their range
            block[i] = extremes[harness_random_below(h, sizeof(extremes))];
        } else if (kind == 1 && harness_random_below(h, 6)) {
            block[i] = most;
        } else {
            block[i] = (uint8_t)harness_random(h);
        }
    }
    shape(format, index, block);
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

// The code of a light, IEC 61966-2-1.
static double srgb_code(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

// Get the difference of a device's value `got` from the decoder's value `want`. It is INFINITY if
// the latter is out of the format's range, as the tolerance would hide -128 / 127.
static double deviation(const struct weir_block_format *format, int channel, float got, float want)
{
    const float least = format->values == WEIR_BLOCK_SNORM ? -1.0f : 0.0f;
    if (format->values != WEIR_BLOCK_FLOAT && !(want >= least && want <= 1)) {
        return INFINITY;
    }
    if (got == want) {
        return 0; // infinities too
    }
    const bool is_light = format->values == WEIR_BLOCK_SRGB && channel < 3;
    const double difference = fabs((is_light ? srgb_code(got) : (double)got) - (double)want);
    return difference >= 0 ? difference : INFINITY; // INFINITY if it is NaN
}

static bool fail(const struct weir_block_format *format, const uint8_t *block, int texel,
                 const float got[4], const float want[4])
{
    char bytes[33] = "";
    for (uint32_t i = 0; i < format->block_size; i++) {
        snprintf(bytes + 2 * i, 3, "%02x", block[i]);
    }
    return test_expect(false,
                       "%s: block %s, texel %d is %.9g %.9g %.9g %.9g%s, decoder %.9g "
                       "%.9g %.9g %.9g",
                       format->name, bytes, texel, (double)got[0], (double)got[1], (double)got[2],
                       (double)got[3], format->values == WEIR_BLOCK_SRGB ? " (light)" : "",
                       (double)want[0], (double)want[1], (double)want[2], (double)want[3]);
}

// Returns false after the first texel that differs.
static bool compare_block(const struct weir_block_format *format, const uint8_t *block,
                          const float (*got)[4], double limit, double *largest)
{
    float want[16][4];
    weir_block_decode(format, block, want);
    for (int t = 0; t < 16; t++) {
        const float *texel = got[t / 4 * SIDE + t % 4];
        for (int c = 0; c < 4; c++) {
            const double difference = deviation(format, c, texel[c], want[t][c]);
            *largest = fmax(*largest, difference);
            if (difference > limit) {
                return fail(format, block, t, texel, want[t]);
            }
        }
    }
    return true;
}

static void run_format(struct harness *h, const struct reader *reader,
                       const struct weir_block_format *format, uint8_t *blocks)
{
    for (uint32_t i = 0; i < NUM_BLOCKS; i++) {
        draw_block(h, format, i, blocks + (size_t)i * format->block_size);
    }
    const float(*texels)[4] = read_texels(h, reader, format->format, blocks);
    const double limit = tolerance(h, format);
    double largest = 0;
    bool is_same = true;
    for (uint32_t i = 0; i < NUM_BLOCKS && is_same; i++) {
        const uint32_t x = i % BLOCKS_PER_ROW * 4, y = i / BLOCKS_PER_ROW * 4;
        is_same = compare_block(format, blocks + (size_t)i * format->block_size,
                                texels + (size_t)y * SIDE + x, limit, &largest);
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
    struct reader reader;
    reader_init(&h, &reader);
    uint8_t *blocks = calloc(NUM_BLOCKS, 16);
    test_must(blocks, "memory");
    size_t num_formats, num_sampled = 0;
    const struct weir_block_format *formats = weir_block_formats(&num_formats);
    for (size_t i = 0; i < num_formats; i++) {
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
