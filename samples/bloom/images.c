// SPDX-License-Identifier: MIT
// The images of the effects: their sizes, levels and formats.
#include <math.h>

#include "effects.h"

VkFormat effects_glow_format(const struct gpu *gpu)
{
    const VkFormat small = VK_FORMAT_B10G11R11_UFLOAT_PACK32; // half the bytes, if it can be stored
    return gpu_has_format(gpu, small, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) ? small : HDR_FORMAT;
}

float effects_max_radius(uint32_t height)
{
    return 0.03f * (float)height;
}

// Get the level of IMAGE_COC whose texels are the tiles of focus_gather.comp: light reaches at most
// 1.25 times its circle's radius, which is at most two of them.
static uint32_t tile_level(uint32_t height)
{
    return (uint32_t)ceilf(log2f(fmaxf(1.0f, 1.25f * effects_max_radius(height) / 2.0f)));
}

static bool make(struct effects *effects, enum image image, VkFormat format, VkExtent2D size,
                 uint32_t num_levels, uint32_t num_layers)
{
    const uint32_t full = weir_pyramid_full_chain(size.width, size.height);
    const struct weir_image_params params = {
        .format = format,
        .width = size.width,
        .height = size.height,
        .levels = num_levels < full ? num_levels : full,
        .layers = num_layers,
        // What weir_pyramid_get_scope() says of a pyramid, and what kernels need.
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
    };
    return gpu_image_init(effects->gpu, &params, 0, &effects->images[image]);
}

bool effects_make_images(struct effects *effects, uint32_t width, uint32_t height)
{
    const VkExtent2D size = {width, height}, half = weir_pyramid_level_extent(width, height, 1);
    const VkFormat light = HDR_FORMAT;
    return make(effects, IMAGE_GLOW, effects->glow_format, half, NUM_GLOW_LEVELS, 1) &&
           make(effects, IMAGE_COC, VK_FORMAT_R16G16_SFLOAT, size, tile_level(height) + 1, 1) &&
           make(effects, IMAGE_FIELDS, light, half, NUM_FIELD_LEVELS, 2) &&
           make(effects, IMAGE_BLURRED, light, half, 1, 2) &&
           make(effects, IMAGE_LUMINANCE, VK_FORMAT_R32_SFLOAT, half, GPU_MAX_LEVELS, 1) &&
           make(effects, IMAGE_STOPS, VK_FORMAT_R32_SFLOAT, (VkExtent2D){1, 1}, 1, 1);
}

void effects_discard(struct effects *effects, VkCommandBuffer cmd)
{
    const int num = effects->adapted_at < 0.0 ? IMAGE_NUM_KINDS : IMAGE_STOPS;
    for (int i = 0; i < num; ++i) {
        gpu_image_discard(effects->gpu, &effects->images[i], cmd);
    }
}
