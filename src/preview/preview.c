// SPDX-License-Identifier: MIT
// Levels of frames, and small pictures of them: what a preview shows.
//
// The pyramid reads the frame itself and writes levels of 8 bits, or of half floats where the frame
// has them. Images in an SRGB format are averaged in linear light; of those in a UNORM format the
// codes are, as nothing says what they mean.
#include <weir/preview.h>

#include <weir/encode.h>
#include <weir/pyramid.h>
#include <weir/readback.h>

#include "base/size.h"
#include "frame/image.h"
#include "vk/barrier.h"

struct weir_preview {
    weir_context *context;
    uint32_t level; // of the picture
    struct weir_preview_info info;
    weir_encoder *encoder; // of pictures. NULL: there are none
    struct weir_vk_image memory;
    weir_image *levels;    // NULL: there are none
    weir_pyramid *pyramid; // that makes them
    weir_pyramid_target *targets[WEIR_SLOT_MAX_COMMANDS];
};

// Get the format of the levels.
static VkFormat levels_format(VkFormat source)
{
    switch (source) {
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_B8G8R8A8_SRGB:
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
        return VK_FORMAT_R8G8B8A8_SRGB;
    case VK_FORMAT_R16G16B16A16_SFLOAT:
    case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
        return source;
    default:
        return VK_FORMAT_R8G8B8A8_UNORM;
    }
}

static enum weir_result make_target(weir_preview *preview, const weir_image *source,
                                    uint32_t commands)
{
    const weir_image *const levels = preview->levels;
    weir_pyramid_target_destroy(&preview->targets[commands]);
    return weir_pyramid_target_create(
        preview->pyramid, weir_pyramid_target_params(.images = &levels, .sources = &source),
        &preview->targets[commands]);
}

// Make an image of so many levels, its pyramid, and a target, which compiles what all others need.
static enum weir_result make_levels(weir_preview *preview, const struct weir_preview_params *given,
                                    uint32_t num_levels)
{
    const struct weir_image_params *source = &given->like->params;
    const VkExtent2D size = weir_pyramid_level_extent(source->width, source->height, 1);
    const struct weir_pyramid_params params = {
        .debug_tag = given->debug_tag,
        // Software devices make few levels soonest one by one.
        .method = given->num_levels > 0 ? WEIR_PYRAMID_AUTO : WEIR_PYRAMID_PER_LEVEL,
        .precision = WEIR_PYRAMID_PRECISION_NEAREST,
        .format = levels_format(source->format),
        .source_format = source->format,
    };
    struct weir_image_params image = {
        .debug_tag = given->debug_tag,
        .format = params.format,
        .width = size.width,
        .height = size.height,
        .levels = num_levels,
        .flags = weir_pyramid_format_get_info(params.format)->flags,
        .transfer = source->transfer,
    };
    WEIR_TRY(weir_pyramid_create(preview->context, &params, &preview->pyramid));
    image.usage = weir_pyramid_get_scope(preview->pyramid).usage | VK_IMAGE_USAGE_SAMPLED_BIT;
    WEIR_TRY(weir_vk_image_init(preview->context, &image, 0, "preview", &preview->memory));
    image.image = preview->memory.image;
    WEIR_TRY(weir_image_create(preview->context, &image, &preview->levels));
    preview->info.levels = preview->levels;
    return make_target(preview, given->like, 0);
}

static enum weir_result make_encoder(weir_preview *preview, const struct weir_preview_params *given,
                                     uint32_t level)
{
    const struct weir_image_params *source = &given->like->params;
    const VkExtent2D size = weir_pyramid_level_extent(source->width, source->height, level);
    preview->level = level;
    preview->info.width = size.width;
    preview->info.height = size.height;
    preview->info.size = weir_codec_image_size(WEIR_CODEC_BC1, size.width, size.height);
    return weir_encoder_create(
        preview->context,
        &(struct weir_encoder_params){.debug_tag = given->debug_tag,
                                      .codec = WEIR_CODEC_BC1,
                                      .effort = WEIR_EFFORT_FAST,
                                      .like = level > 0 ? preview->levels : given->like},
        &preview->encoder);
}

static enum weir_result init(weir_preview *preview, const struct weir_preview_params *params)
{
    const weir_image *like = params->like;
    WEIR_TRY(weir_image_check(like, preview->context, "weir_preview_params.like"));
    WEIR_TRY(weir_image_check_read(like, &preview->context->log));
    uint32_t level = 0;
    while (params->max_side > 0 &&
           (weir_level_side(like->params.width, level) > params->max_side ||
            weir_level_side(like->params.height, level) > params->max_side)) {
        level++;
    }
    const uint32_t num_levels = level > params->num_levels ? level : params->num_levels;
    if (num_levels > 0) {
        WEIR_TRY(make_levels(preview, params, num_levels));
    }
    return params->max_side > 0 ? make_encoder(preview, params, level) : WEIR_OK;
}

enum weir_result weir_preview_create(weir_context *context,
                                     const struct weir_preview_params *params, weir_preview **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_context_log(context), out, context, params));
    WEIR_TRY(weir_context_check_lost(context));
    weir_preview *preview = weir_object_alloc(context, WEIR_OBJECT_PREVIEW, sizeof(*preview));
    if (!preview) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    preview->context = context;
    const enum weir_result result = init(preview, params);
    if (result != WEIR_OK) {
        weir_preview_destroy(&preview);
    }
    *out = preview;
    return result;
}

void weir_preview_destroy(weir_preview **out)
{
    if (!out || !*out) {
        return;
    }
    weir_preview *preview = *out;
    for (uint32_t i = 0; i < WEIR_SLOT_MAX_COMMANDS; i++) {
        weir_pyramid_target_destroy(&preview->targets[i]);
    }
    weir_pyramid_destroy(&preview->pyramid);
    weir_encoder_destroy(&preview->encoder);
    weir_image_destroy(&preview->levels);
    weir_vk_image_finish(preview->context, &preview->memory);
    weir_object_free(preview->context, WEIR_OBJECT_PREVIEW, preview);
    *out = NULL;
}

struct weir_preview_info weir_preview_get_info(const weir_preview *preview)
{
    return preview ? preview->info : (struct weir_preview_info){0};
}

static struct weir_image_use use(const struct weir_pyramid_scope *scope, VkAccessFlags2 access,
                                 VkImageLayout layout)
{
    return (struct weir_image_use){weir_vk_stages(scope->stages), weir_vk_accesses(access), layout};
}

static enum weir_result record_levels(weir_preview *preview, VkCommandBuffer cmd,
                                      const struct weir_preview_run *run)
{
    const weir_context *context = preview->context;
    const VkImage image = preview->memory.image;
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(preview->pyramid);
    WEIR_TRY(make_target(preview, run->source, run->commands));
    // The encoders of the frame before have read the levels, and nobody needs them any more.
    struct weir_image_use unused = use(&scope, 0, VK_IMAGE_LAYOUT_UNDEFINED);
    unused.stages |= weir_use_none.stages;
    weir_cmd_image_use(context, cmd, image, unused,
                       use(&scope, scope.reads | scope.writes, VK_IMAGE_LAYOUT_GENERAL));
    const enum weir_result result = weir_cmd_pyramid(preview->targets[run->commands], cmd, NULL);
    weir_cmd_image_use(context, cmd, image, use(&scope, scope.writes, VK_IMAGE_LAYOUT_GENERAL),
                       weir_use_read);
    return result;
}

enum weir_result weir_cmd_preview(weir_preview *preview, VkCommandBuffer cmd,
                                  const struct weir_preview_run *run)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(preview ? &preview->context->log : NULL, preview, cmd, run));
    WEIR_TRY(weir_image_check(run->source, preview->context, "weir_preview_run.source"));
    WEIR_FAIL_IF(
        run->commands >= WEIR_SLOT_MAX_COMMANDS || (run->buffer && !preview->encoder),
        &preview->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
        "weir_preview_run.commands is %u, of at most %d, and `buffer` is for previews with "
        "weir_preview_params.max_side",
        run->commands, WEIR_SLOT_MAX_COMMANDS - 1);
    if (preview->levels) {
        WEIR_TRY(record_levels(preview, cmd, run));
    }
    const struct weir_encode encode = {
        .source = preview->level > 0 ? preview->levels : run->source,
        .level = preview->level > 0 ? preview->level - 1 : 0,
        .buffer = run->buffer,
        .offset = run->offset,
    };
    return run->buffer ? weir_cmd_encode(preview->encoder, cmd, &encode) : WEIR_OK;
}
