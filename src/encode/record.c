// SPDX-License-Identifier: MIT
// Records what an encoder does: regions of an image into a buffer, and from there into a compressed
// image.
#include "encode/encoder.h"
#include "frame/buffer.h"
#include "frame/image.h"
#include "vk/debug.h"

// Blocks that a workgroup covers: the kernels' local size, one block an invocation.
enum { GROUP_WIDTH = 4, GROUP_HEIGHT = 8 };

// A rectangle of one layer of one level, and where its blocks go.
struct region {
    uint32_t level, layer;
    uint32_t x, y, width, height; // [texels]
    uint64_t first_block;         // after those of the regions before
};

static uint32_t at_least_1(uint32_t n)
{
    return n > 0 ? n : 1;
}

static uint32_t level_side(uint32_t side, uint32_t level)
{
    return at_least_1(side >> level);
}

static uint64_t num_blocks(const struct weir_codec_info *codec, uint32_t width, uint32_t height)
{
    return weir_codec_image_size(codec->codec, width, height) / codec->block_size;
}

static bool has_rect(const struct weir_encode *encode)
{
    return encode->rect.extent.width > 0 || encode->rect.extent.height > 0;
}

// The regions of an encode in the order of their blocks: level after level, of a level layer after
// layer. False where there is no next one.
static bool next_region(const struct weir_encoder *encoder, const struct weir_encode *encode,
                        struct region *region)
{
    const struct weir_image_params *image = &encode->source->params;
    if (region->width == 0) { // before the first
        *region = (struct region){.level = encode->level, .layer = encode->layer};
    } else {
        region->first_block += num_blocks(encoder->codec, region->width, region->height);
        region->layer++;
        if (region->layer == encode->layer + at_least_1(encode->num_layers)) {
            region->layer = encode->layer;
            region->level++;
        }
        if (region->level == encode->level + at_least_1(encode->num_levels)) {
            return false;
        }
    }
    region->width = level_side(image->width, region->level);
    region->height = level_side(image->height, region->level);
    if (has_rect(encode)) {
        region->x = (uint32_t)encode->rect.offset.x;
        region->y = (uint32_t)encode->rect.offset.y;
        region->width = encode->rect.extent.width;
        region->height = encode->rect.extent.height;
    }
    return true;
}

static uint64_t size_of(const weir_encoder *encoder, const struct weir_encode *encode)
{
    struct region region = {0};
    uint64_t blocks = 0;
    while (next_region(encoder, encode, &region)) {
        blocks += num_blocks(encoder->codec, region.width, region.height);
    }
    return blocks * encoder->codec->block_size;
}

static bool is_inside(uint32_t first, uint32_t num, uint32_t limit)
{
    return first < limit && at_least_1(num) <= limit - first;
}

static bool is_rect_inside(const struct weir_encode *encode)
{
    const struct weir_image_params *image = &encode->source->params;
    const VkRect2D *rect = &encode->rect;
    const uint32_t width = level_side(image->width, encode->level);
    const uint32_t height = level_side(image->height, encode->level);
    return rect->offset.x >= 0 && rect->offset.y >= 0 && rect->extent.width > 0 &&
           rect->extent.height > 0 &&
           is_inside((uint32_t)rect->offset.x, rect->extent.width, width) &&
           is_inside((uint32_t)rect->offset.y, rect->extent.height, height);
}

static enum weir_result check_source(const weir_encoder *encoder, const struct weir_encode *encode)
{
    const struct weir_log *log = &encoder->context->log;
    const struct weir_image_params *image = &encode->source->params;
    if (encode->source->source.kind != encoder->source.kind) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_FORMAT_MISMATCH,
                          "the source has VkFormat %d and the encoder was made for %d: make both "
                          "with the same format, flags and transfer",
                          (int)image->format, (int)encoder->params.format);
    }
    if (!is_inside(encode->level, encode->num_levels, image->levels) ||
        !is_inside(encode->layer, encode->num_layers, image->layers)) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "%u levels from %u on, %u layers from %u on: the source was wrapped with "
                          "%u levels and %u layers",
                          at_least_1(encode->num_levels), encode->level,
                          at_least_1(encode->num_layers), encode->layer, image->levels,
                          image->layers);
    }
    if (has_rect(encode) && (at_least_1(encode->num_levels) > 1 || !is_rect_inside(encode))) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "weir_encode.rect, %ux%u texels at %d, %d, must lie in one level: level "
                          "%u is %ux%u",
                          encode->rect.extent.width, encode->rect.extent.height,
                          encode->rect.offset.x, encode->rect.offset.y, encode->level,
                          level_side(image->width, encode->level),
                          level_side(image->height, encode->level));
    }
    return WEIR_OK;
}

static enum weir_result check_encode(const weir_encoder *encoder, const struct weir_encode *encode)
{
    const struct weir_log *log = &encoder->context->log;
    if (!encode->source || !encode->target) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT,
                          "weir_encode.%s is required", encode->source ? "target" : "source");
    }
    const enum weir_result result = check_source(encoder, encode);
    if (result != WEIR_OK) {
        return result;
    }
    const uint64_t size = size_of(encoder, encode);
    if (encode->offset % encoder->codec->block_size != 0 || encode->offset > encode->target->size ||
        size > encode->target->size - encode->offset) {
        return weir_error(
            log, WEIR_ERROR_INVALID, WEIR_LOG_BUFFER_TOO_SMALL,
            "%llu bytes at offset %llu do not fit into a target of %llu bytes, or the "
            "offset is not a multiple of %u",
            (unsigned long long)size, (unsigned long long)encode->offset,
            (unsigned long long)encode->target->size, encoder->codec->block_size);
    }
    return WEIR_OK;
}

uint64_t weir_encode_size(const weir_encoder *encoder, const struct weir_encode *encode)
{
    if (!encoder || !encode || !encode->source || check_source(encoder, encode) != WEIR_OK) {
        return 0;
    }
    return size_of(encoder, encode);
}

// What takes longer is cut smaller.
static uint32_t max_blocks(const weir_encoder *encoder)
{
    const enum weir_level level = encoder->params.level;
    const uint32_t shift = level == WEIR_LEVEL_EXHAUSTIVE ? 8 : level == WEIR_LEVEL_HIGH ? 2 : 0;
    return encoder->kernel->max_blocks >> shift;
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

// The blocks of a region, in dispatches of so many rows of workgroups as the kernel allows. They do
// not wait for each other.
static void record_region(const weir_encoder *encoder, VkCommandBuffer cmd,
                          const struct weir_encode *encode, const struct region *region)
{
    const struct weir_vk_functions *vk = &encoder->context->vk;
    const uint32_t columns = divide_up(region->width, encoder->codec->block_width);
    const uint32_t rows = divide_up(region->height, encoder->codec->block_height);
    const uint32_t groups = divide_up(columns, GROUP_WIDTH);
    const uint32_t rows_at_once = GROUP_HEIGHT * at_least_1(max_blocks(encoder) /
                                                            (groups * GROUP_WIDTH * GROUP_HEIGHT));
    for (uint32_t row = 0; row < rows; row += rows_at_once) {
        const uint32_t num_rows = rows - row < rows_at_once ? rows - row : rows_at_once;
        const uint32_t y = row * encoder->codec->block_height;
        const uint32_t height = num_rows * encoder->codec->block_height;
        const struct weir_encode_push push = {
            .width = region->width,
            .height = region->height - y < height ? region->height - y : height,
            .blocks_per_row = columns,
            .first_block = (uint32_t)(encode->offset / encoder->codec->block_size +
                                      region->first_block + (uint64_t)row * columns),
            .x = region->x,
            .y = region->y + y,
            .layer = region->layer,
            .level = region->level,
        };
        vk->CmdPushConstants(cmd, encoder->pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             sizeof(push), &push);
        vk->CmdDispatch(cmd, groups, divide_up(num_rows, GROUP_HEIGHT), encoder->kernel->num_parts);
    }
}

enum weir_result weir_cmd_encode(const weir_encoder *encoder, VkCommandBuffer cmd,
                                 const struct weir_encode *encode)
{
    if (!encoder || !cmd || !encode) {
        return WEIR_ERROR_INVALID;
    }
    const enum weir_result result = check_encode(encoder, encode);
    if (result != WEIR_OK) {
        return result;
    }
    const struct weir_vk_functions *vk = &encoder->context->vk;
    const struct weir_vk_pipeline *pipeline = &encoder->pipeline;
    const VkDescriptorSet sets[] = {encode->source->set.set, encode->target->set.set};
    weir_vk_label_begin(encoder->context, cmd, encoder->codec->name);
    vk->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->pipeline);
    vk->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout, 0, 2, sets, 0,
                              NULL);
    struct region region = {0};
    while (next_region(encoder, encode, &region)) {
        record_region(encoder, cmd, encode, &region);
    }
    weir_vk_label_end(encoder->context, cmd);
    return WEIR_OK;
}

static void record_copy(const weir_encoder *encoder, VkCommandBuffer cmd,
                        const struct weir_encode *encode,
                        const struct weir_compressed_image *target, const struct region *region)
{
    const VkBufferImageCopy copy = {
        .bufferOffset = encode->target->offset + encode->offset +
                        region->first_block * encoder->codec->block_size,
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                             .mipLevel = target->level + region->level - encode->level,
                             .baseArrayLayer = target->layer + region->layer - encode->layer,
                             .layerCount = 1},
        .imageOffset = {target->offset.x, target->offset.y, 0},
        .imageExtent = {region->width, region->height, 1},
    };
    encoder->context->vk.CmdCopyBufferToImage(cmd, encode->target->buffer, target->image,
                                              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
}

enum weir_result weir_cmd_copy_blocks(const weir_encoder *encoder, VkCommandBuffer cmd,
                                      const struct weir_encode *encode,
                                      const struct weir_compressed_image *target)
{
    if (!encoder || !cmd || !encode || !target) {
        return WEIR_ERROR_INVALID;
    }
    const struct weir_log *log = &encoder->context->log;
    if (!target->image) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_NULL_ARGUMENT,
                          "weir_compressed_image.image is required");
    }
    if (target->offset.x % (int32_t)encoder->codec->block_width != 0 ||
        target->offset.y % (int32_t)encoder->codec->block_height != 0) {
        return weir_error(log, WEIR_ERROR_INVALID, WEIR_LOG_OUT_OF_RANGE,
                          "weir_compressed_image.offset %d, %d is not a multiple of %ux%u texels",
                          target->offset.x, target->offset.y, encoder->codec->block_width,
                          encoder->codec->block_height);
    }
    const enum weir_result result = check_encode(encoder, encode);
    if (result != WEIR_OK) {
        return result;
    }
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    encoder->context->vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                            VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL,
                                            0, NULL);
    struct region region = {0};
    while (next_region(encoder, encode, &region)) {
        record_copy(encoder, cmd, encode, target, &region);
    }
    return WEIR_OK;
}
