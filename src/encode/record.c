// SPDX-License-Identifier: MIT
// Records what an encoder does: regions of an image into a buffer, and from there into a compressed
// image.
#include "base/size.h"

#include "encode/encoder.h"
#include "frame/buffer.h"
#include "vk/barrier.h"

// A rectangle of one layer of one mip level, and the place of its blocks.
struct region {
    uint32_t level, layer;
    uint32_t x, y, width, height; // [texels]
    uint64_t first_block;         // index; blocks of earlier regions are below it
};

static uint64_t num_blocks(const struct weir_codec_info *codec, uint32_t width, uint32_t height)
{
    return weir_codec_image_size(codec->codec, width, height) / codec->block_size;
}

static bool has_rect(const struct weir_encode *encode)
{
    return encode->rect.extent.width > 0 || encode->rect.extent.height > 0;
}

// Get the next region of an encode, by mip level and within a level by layer, which is the order of
// their blocks. Zero `region` to get the first. False after the last one.
static bool next_region(const struct weir_encoder *encoder, const struct weir_encode *encode,
                        struct region *region)
{
    const struct weir_image_params *image = &encode->source->params;
    if (region->width == 0) { // before the first
        *region = (struct region){.level = encode->level, .layer = encode->layer};
    } else {
        region->first_block += num_blocks(encoder->codec, region->width, region->height);
        region->layer++;
        if (region->layer == encode->layer + weir_at_least_1(encode->num_layers)) {
            region->layer = encode->layer;
            region->level++;
        }
        if (region->level == encode->level + weir_at_least_1(encode->num_levels)) {
            return false;
        }
    }
    region->width = weir_level_side(image->width, region->level);
    region->height = weir_level_side(image->height, region->level);
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
    return first < limit && weir_at_least_1(num) <= limit - first;
}

static bool is_rect_inside(const struct weir_encode *encode)
{
    const struct weir_image_params *image = &encode->source->params;
    const VkRect2D *rect = &encode->rect;
    const uint32_t width = weir_level_side(image->width, encode->level);
    const uint32_t height = weir_level_side(image->height, encode->level);
    return rect->offset.x >= 0 && rect->offset.y >= 0 && rect->extent.width > 0 &&
           rect->extent.height > 0 &&
           is_inside((uint32_t)rect->offset.x, rect->extent.width, width) &&
           is_inside((uint32_t)rect->offset.y, rect->extent.height, height);
}

static enum weir_result check_source(const weir_encoder *encoder, const struct weir_encode *encode)
{
    const struct weir_log *log = &encoder->context->log;
    WEIR_TRY(weir_image_check_source(encode->source, encoder->context, "weir_encode.source",
                                     &encoder->source));
    const struct weir_image_params *image = &encode->source->params;
    WEIR_FAIL_IF(!is_inside(encode->level, encode->num_levels, image->levels) ||
                     !is_inside(encode->layer, encode->num_layers, image->layers),
                 log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_encode has %u levels from %u on and %u layers from %u on, but the source "
                 "has %u levels and %u layers",
                 weir_at_least_1(encode->num_levels), encode->level,
                 weir_at_least_1(encode->num_layers), encode->layer, image->levels, image->layers);
    WEIR_FAIL_IF(
        has_rect(encode) && (weir_at_least_1(encode->num_levels) > 1 || !is_rect_inside(encode)),
        log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
        "weir_encode.rect, %ux%u texels at %d, %d, must lie in one level: level %u is %ux%u",
        encode->rect.extent.width, encode->rect.extent.height, encode->rect.offset.x,
        encode->rect.offset.y, encode->level, weir_level_side(image->width, encode->level),
        weir_level_side(image->height, encode->level));
    return WEIR_OK;
}

// Check that an encode of `size` bytes has the history that its encoder needs.
static enum weir_result check_history(const weir_encoder *encoder, const struct weir_encode *encode,
                                      uint64_t size)
{
    if (!encoder->params.steady) {
        return WEIR_OK;
    }
    WEIR_FAIL_IF(encode->history == encode->buffer, &encoder->context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_encode.history is weir_encode.buffer: it must be a buffer of its own");
    return weir_buffer_check_room(encode->history, encoder->context,
                                  "weir_encode.history of a steady encoder", encode->history_offset,
                                  size, encoder->codec->block_size);
}

static enum weir_result check_encode(const weir_encoder *encoder, const struct weir_encode *encode)
{
    WEIR_TRY(check_source(encoder, encode));
    const uint64_t size = size_of(encoder, encode);
    WEIR_TRY(weir_buffer_check_room(encode->buffer, encoder->context, "weir_encode.buffer",
                                    encode->offset, size, encoder->codec->block_size));
    WEIR_TRY(check_history(encoder, encode, size));
    return weir_encode_check_proxy(encoder, encode);
}

uint64_t weir_encode_size(const weir_encoder *encoder, const struct weir_encode *encode)
{
    if (!encoder || !encode || !encode->source || check_source(encoder, encode) != WEIR_OK) {
        return 0;
    }
    return size_of(encoder, encode);
}

// The most blocks of a dispatch. Efforts that take longer for a block have fewer.
static uint32_t max_blocks(const weir_encoder *encoder)
{
    const enum weir_effort effort = encoder->params.effort;
    const uint32_t shift = effort == WEIR_EFFORT_EXHAUSTIVE ? 8
                           : effort == WEIR_EFFORT_HIGH     ? 2
                                                            : 0;
    return encoder->kernel->max_blocks >> shift;
}

// BC3 at fast encodes both parts of a block in one invocation where that keeps a GPU busy.
static uint32_t num_parts(const weir_encoder *encoder, uint32_t num_blocks)
{
    const enum weir_effort effort = encoder->params.effort;
    const bool is_fast = effort == WEIR_EFFORT_FAST || effort == WEIR_EFFORT_LIVE;
    return encoder->codec->codec == WEIR_CODEC_BC3 && is_fast && num_blocks >= 1u << 14
               ? 1
               : encoder->kernel->num_parts;
}

// True if a side of a region ends with the image or with a whole block: what is read beyond it is
// the edge of the image, or nothing.
static bool ends_well(uint32_t first, uint32_t side, uint32_t image_side)
{
    return first + side == image_side || side % 4 == 0;
}

// True if kernels may gather the texels of a region: a gather reads level 0, and kernels gather
// from layer 0, where nearly all frames are.
static bool can_gather(const struct weir_encode *encode, const struct region *region)
{
    const struct weir_image_params *image = &encode->source->params;
    return region->level == 0 && region->layer == 0 &&
           ends_well(region->x, region->width, image->width) &&
           ends_well(region->y, region->height, image->height);
}

// Record the encoding of a region. A dispatch has as many rows of workgroups as the kernel allows.
// The dispatches do not wait for each other.
static void record_region(const weir_encoder *encoder, VkCommandBuffer cmd,
                          const struct weir_encode *encode, const struct region *region)
{
    const struct weir_vk_functions *vk = &encoder->context->vk;
    const uint32_t columns = weir_divide_up(region->width, encoder->codec->block_width);
    const uint32_t rows = weir_divide_up(region->height, encoder->codec->block_height);
    const uint32_t groups = weir_divide_up(columns, WEIR_ENCODE_GROUP_WIDTH);
    const uint32_t row_of_groups = groups * WEIR_ENCODE_GROUP_WIDTH * WEIR_ENCODE_GROUP_HEIGHT;
    const uint32_t rows_at_once = WEIR_ENCODE_GROUP_HEIGHT *
                                  weir_at_least_1(max_blocks(encoder) / row_of_groups);
    for (uint32_t row = 0; row < rows; row += rows_at_once) {
        const uint32_t num_rows = weir_min(rows - row, rows_at_once);
        const uint32_t y = row * encoder->codec->block_height;
        const uint32_t height = num_rows * encoder->codec->block_height;
        const struct weir_encode_push push = {
            .size = {region->width, weir_min(region->height - y, height)},
            .blocks_per_row = columns,
            .first_block = (uint32_t)(encode->offset / encoder->codec->block_size +
                                      region->first_block + (uint64_t)row * columns),
            .origin = {region->x, region->y + y},
            .layer = region->layer,
            .level = region->level,
            .gathers = can_gather(encode, region),
            .proxy_row = row,
            .first_in_history = (uint32_t)(encode->history_offset / encoder->codec->block_size +
                                           region->first_block + (uint64_t)row * columns),
        };
        vk->CmdPushConstants(cmd, encoder->pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             sizeof(push), &push);
        vk->CmdDispatch(cmd, groups, weir_divide_up(num_rows, WEIR_ENCODE_GROUP_HEIGHT),
                        num_parts(encoder, columns * rows));
    }
}

enum weir_result weir_cmd_encode(const weir_encoder *encoder, VkCommandBuffer cmd,
                                 const struct weir_encode *encode)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(encoder ? &encoder->context->log : NULL, encoder, cmd, encode));
    WEIR_TRY(check_encode(encoder, encode));
    const struct weir_vk_functions *vk = &encoder->context->vk;
    const struct weir_vk_pipeline *pipeline = &encoder->pipeline;
    VkDescriptorSet sets[WEIR_ENCODE_NUM_SETS] = {
        [WEIR_ENCODE_SET_SOURCE] = encode->source->set.set,
        [WEIR_ENCODE_SET_BUFFER] = encode->buffer->set.set,
        [WEIR_ENCODE_SET_HISTORY] = encoder->params.steady ? encode->history->set.set
                                                           : VK_NULL_HANDLE,
    };
    if (encoder->proxy != WEIR_ENCODE_PROXY_NONE) {
        sets[WEIR_ENCODE_SET_PROXY] = encode->proxy->storage_set.set;
    }
    weir_vk_label_begin(encoder->context, cmd, encoder->codec->name);
    if (encoder->params.steady) { // an earlier encode or a transfer wrote the history
        weir_vk_barrier(encoder->context, cmd, weir_vk_all_writes, weir_vk_kernel_accesses);
    }
    vk->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->pipeline);
    vk->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->layout, 0,
                              weir_encoder_num_sets(encoder), sets, 0, NULL);
    struct region region = {0};
    while (next_region(encoder, encode, &region)) {
        record_region(encoder, cmd, encode, &region);
    }
    weir_vk_label_end(encoder->context, cmd);
    return WEIR_OK;
}

static bool holds_blocks(const struct weir_codec_info *codec, VkFormat format)
{
    return format == codec->format || (format == codec->srgb_format && format);
}

// True if a side of a copy lies in a side of the compressed image, and ends with a whole block or
// at the edge (VUID-vkCmdCopyBufferToImage-imageOffset-07738 and -07274).
static bool is_side_inside(int32_t offset, uint32_t side, uint32_t image_side, uint32_t block_side)
{
    return offset >= 0 && is_inside((uint32_t)offset, side, image_side) &&
           (side % block_side == 0 || side == image_side - (uint32_t)offset);
}

// Check that each region lies in its level of the compressed image.
static enum weir_result check_regions(const weir_encoder *encoder, const struct weir_encode *encode,
                                      const struct weir_block_copy *copy)
{
    const struct weir_codec_info *codec = encoder->codec;
    struct region region = {0};
    while (next_region(encoder, encode, &region)) {
        const uint32_t level = copy->level + region.level - encode->level;
        const uint32_t width = weir_level_side(copy->image->params.width, level);
        const uint32_t height = weir_level_side(copy->image->params.height, level);
        WEIR_FAIL_IF(
            !is_side_inside(copy->offset.x, region.width, width, codec->block_width) ||
                !is_side_inside(copy->offset.y, region.height, height, codec->block_height),
            &encoder->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
            "%ux%u texels at %d, %d do not fit level %u of weir_block_copy.image, which is %ux%u: "
            "they must lie inside and end with a whole block or at the edge",
            region.width, region.height, copy->offset.x, copy->offset.y, level, width, height);
    }
    return WEIR_OK;
}

static enum weir_result check_copy(const weir_encoder *encoder, const struct weir_encode *encode,
                                   const struct weir_block_copy *copy)
{
    const struct weir_log *log = &encoder->context->log;
    const struct weir_codec_info *codec = encoder->codec;
    WEIR_TRY(weir_image_check(copy->image, encoder->context, "weir_block_copy.image"));
    const struct weir_image_params *image = &copy->image->params;
    WEIR_FAIL_IF(!holds_blocks(codec, image->format), log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_FORMAT_MISMATCH,
                 "an image of VkFormat %d does not hold blocks of %s: use %d", (int)image->format,
                 codec->name, (int)codec->format);
    WEIR_FAIL_IF(!(image->usage & VK_IMAGE_USAGE_TRANSFER_DST_BIT), log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_MISSING_USAGE,
                 "weir_block_copy.image needs VK_IMAGE_USAGE_TRANSFER_DST_BIT");
    WEIR_FAIL_IF(!is_inside(copy->level, encode->num_levels, image->levels) ||
                     !is_inside(copy->layer, encode->num_layers, image->layers),
                 log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "the copy has %u levels from %u on and %u layers from %u on, but "
                 "weir_block_copy.image has %u levels and %u layers",
                 weir_at_least_1(encode->num_levels), copy->level,
                 weir_at_least_1(encode->num_layers), copy->layer, image->levels, image->layers);
    WEIR_FAIL_IF(copy->offset.x % (int32_t)codec->block_width != 0 ||
                     copy->offset.y % (int32_t)codec->block_height != 0,
                 log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_block_copy.offset %d, %d is not a multiple of %ux%u texels", copy->offset.x,
                 copy->offset.y, codec->block_width, codec->block_height);
    return check_regions(encoder, encode, copy);
}

static void record_copy(const weir_encoder *encoder, VkCommandBuffer cmd,
                        const struct weir_encode *encode, const struct weir_block_copy *copy,
                        const struct region *region)
{
    const VkBufferImageCopy region_copy = {
        .bufferOffset = encode->buffer->params.offset + encode->offset +
                        region->first_block * encoder->codec->block_size,
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                             .mipLevel = copy->level + region->level - encode->level,
                             .baseArrayLayer = copy->layer + region->layer - encode->layer,
                             .layerCount = 1},
        .imageOffset = {copy->offset.x, copy->offset.y, 0},
        .imageExtent = {region->width, region->height, 1},
    };
    encoder->context->vk.CmdCopyBufferToImage(
        cmd, encode->buffer->params.buffer, copy->image->params.image,
        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region_copy);
}

enum weir_result weir_cmd_copy_blocks(const weir_encoder *encoder, VkCommandBuffer cmd,
                                      const struct weir_encode *encode,
                                      const struct weir_block_copy *copy)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(encoder ? &encoder->context->log : NULL, encoder, cmd, encode, copy));
    WEIR_TRY(check_encode(encoder, encode));
    WEIR_TRY(check_copy(encoder, encode, copy));
    weir_vk_barrier(encoder->context, cmd, weir_vk_kernel_writes, weir_vk_transfer_reads);
    struct region region = {0};
    while (next_region(encoder, encode, &region)) {
        record_copy(encoder, cmd, encode, copy, &region);
    }
    return WEIR_OK;
}
