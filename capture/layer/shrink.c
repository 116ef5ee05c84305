// SPDX-License-Identifier: MIT
// Makes frames smaller before they are encoded.
//
// The pyramid reads the swapchain's image itself and writes levels of 8 bits, or of half floats
// where the window has them. Images in an SRGB format are averaged in linear light; of those in a
// UNORM format the codes are, as nothing says what they mean.
#include "capture/layer/stream.h"

#include <stdlib.h>

// Get the format of the levels.
static VkFormat levels_format(VkFormat source)
{
    switch (source) {
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_B8G8R8A8_SRGB:
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
        return VK_FORMAT_R8G8B8A8_SRGB;
    case VK_FORMAT_R16G16B16A16_SFLOAT:
        return VK_FORMAT_R16G16B16A16_SFLOAT;
    case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
        return VK_FORMAT_A2B10G10R10_UNORM_PACK32;
    default:
        return VK_FORMAT_R8G8B8A8_UNORM;
    }
}

static bool create_image(struct layer_shrink *shrink, weir_context *context,
                         const struct weir_image_params *source)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        levels_format(source->format));
    const VkExtent2D size = weir_pyramid_level_extent(source->width, source->height, 1);
    const struct weir_image_params params = {
        .format = format->format,
        .width = size.width,
        .height = size.height,
        .levels = shrink->num_levels,
        .usage = weir_pyramid_get_scope(shrink->pyramid).usage | VK_IMAGE_USAGE_SAMPLED_BIT,
        .flags = format->flags,
    };
    return weir_gpu_image_init(shrink->gpu, &params, 0, &shrink->levels) == WEIR_OK &&
           weir_image_create(context, &shrink->levels.params, &shrink->image) == WEIR_OK;
}

bool layer_shrink_init(struct layer_shrink *shrink, const struct layer_host *host,
                       const weir_image *image, uint32_t num_images, uint32_t num_levels,
                       enum weir_pyramid_method method)
{
    const struct weir_image_params source = weir_image_get_params(image);
    *shrink = (struct layer_shrink){.gpu = host->gpu,
                                    .num_levels = num_levels,
                                    .targets = calloc(num_images, sizeof(shrink->targets[0])),
                                    .num_targets = num_images};
    const bool is_done = shrink->targets &&
                         weir_pyramid_create(
                             host->context,
                             weir_pyramid_params(.method = method,
                                                 .precision = WEIR_PYRAMID_PRECISION_NEAREST,
                                                 .format = levels_format(source.format),
                                                 .source_format = source.format),
                             &shrink->pyramid) == WEIR_OK &&
                         create_image(shrink, host->context, &source);
    if (!is_done) {
        layer_shrink_finish(shrink);
    }
    return is_done;
}

bool layer_shrink_add(struct layer_shrink *shrink, uint32_t index, const weir_image *source)
{
    const weir_image *const levels = shrink->image;
    return shrink->targets[index] ||
           weir_pyramid_target_create(
               shrink->pyramid, weir_pyramid_target_params(.images = &levels, .sources = &source),
               &shrink->targets[index]) == WEIR_OK;
}

void layer_shrink_finish(struct layer_shrink *shrink)
{
    for (uint32_t i = 0; shrink->targets && i < shrink->num_targets; i++) {
        weir_pyramid_target_destroy(&shrink->targets[i]);
    }
    free(shrink->targets);
    weir_pyramid_destroy(&shrink->pyramid);
    weir_image_destroy(&shrink->image);
    weir_gpu_image_finish(shrink->gpu, &shrink->levels);
    *shrink = (struct layer_shrink){.num_levels = 0};
}

enum weir_result layer_cmd_shrink(const struct layer_shrink *shrink, VkCommandBuffer cmd,
                                  uint32_t image)
{
    const struct weir_pyramid_scope scope = weir_pyramid_get_scope(shrink->pyramid);
    const VkPipelineStageFlags stages = scope.stages | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    // The encoder of the frame before has read the levels, and nobody needs them any more.
    const struct weir_gpu_scope unused = {stages, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    const struct weir_gpu_scope made = {stages, scope.reads | scope.writes,
                                        VK_IMAGE_LAYOUT_GENERAL};
    const struct weir_gpu_scope written = {stages, scope.writes, VK_IMAGE_LAYOUT_GENERAL};
    const struct weir_gpu_scope read = {stages, VK_ACCESS_SHADER_READ_BIT,
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    weir_cmd_barrier(shrink->gpu, cmd, &shrink->levels.params, unused, made);
    const enum weir_result result = weir_cmd_pyramid(shrink->targets[image], cmd, NULL);
    weir_cmd_barrier(shrink->gpu, cmd, &shrink->levels.params, written, read);
    return result;
}
