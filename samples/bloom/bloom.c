// SPDX-License-Identifier: MIT
// Bloom: the picture's bright parts in a pyramid, blurred level by level on the way up.
#include "bloom.h"

#include "effect_passes.h"
#include "report.h"

static const uint32_t pyramid_kernel[] =
#include "bloom_pyramid.comp.inc"
    ;
static const uint32_t upsample_kernel[] =
#include "bloom_upsample.comp.inc"
    ;

// Each level doubles the glow's reach: six of a 720p picture's reach over a tenth of it.
#define NUM_LEVELS 6

// Below `threshold - knee` nothing glows, above `threshold + knee` all that is above the threshold.
static const float threshold = 1.2f, knee = 0.8f;
// Share of a level that comes from the smaller levels, 0 .. 1. It sets the width of the glow.
static const float spread = 0.75f;

// Choose the format of the levels: B10G11R11 if the device can store it, as it needs half the bytes
// of sixteen-bit floats.
static VkFormat choose_format(const struct gpu *gpu)
{
    const VkFormatFeatureFlags needs = VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT |
                                       VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
                                       VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(gpu->physical_device, VK_FORMAT_B10G11R11_UFLOAT_PACK32,
                                        &properties);
    return (properties.optimalTilingFeatures & needs) == needs ? VK_FORMAT_B10G11R11_UFLOAT_PACK32
                                                               : VK_FORMAT_R16G16B16A16_SFLOAT;
}

bool bloom_init(const struct gpu *gpu, struct bloom *bloom)
{
    *bloom = (struct bloom){.gpu = gpu, .format = choose_format(gpu)};
    const struct compute_params upsample = {
        .code = upsample_kernel,
        .code_size = sizeof(upsample_kernel),
        .num_textures = 2,
        .num_images = 1,
        .constants_size = sizeof(spread),
        .max_sets = NUM_LEVELS,
    };
    return weir_ok(
               weir_pyramid_create(
                   gpu->weir,
                   weir_pyramid_params(.reduction = WEIR_PYRAMID_CUSTOM, .format = bloom->format,
                                       .source_format = VK_FORMAT_R16G16B16A16_SFLOAT,
                                       .kernel = pyramid_kernel,
                                       .kernel_size = sizeof(pyramid_kernel)),
                   &bloom->pyramid),
               "weir_pyramid_create") &&
           compute_init(gpu, &upsample, &bloom->upsample);
}

static void drop_levels(struct bloom *bloom)
{
    weir_pyramid_target_destroy(&bloom->target);
    levels_finish(bloom->gpu, &bloom->down);
    levels_finish(bloom->gpu, &bloom->up);
}

void bloom_finish(struct bloom *bloom)
{
    if (!bloom->gpu) {
        return;
    }
    drop_levels(bloom);
    compute_finish(bloom->gpu, &bloom->upsample);
    weir_pyramid_destroy(&bloom->pyramid);
    *bloom = (struct bloom){0};
}

VkImageUsageFlags bloom_hdr_usage(const struct bloom *bloom)
{
    return weir_pyramid_get_scope(bloom->pyramid).source_usage;
}

// Bind the images of each step. Level k of `up` is made from level k of `down` and from level k + 1
// of `up`, or of `down` for the last level. The smallest pictures have one level, which is blurred
// with itself.
static bool bind_upsample(struct bloom *bloom)
{
    const struct levels *down = &bloom->down, *up = &bloom->up;
    const uint32_t num = up->params.num_levels, smallest = down->params.num_levels - 1;
    bool ok = compute_reset(bloom->gpu, &bloom->upsample);
    for (uint32_t k = 0; ok && k < num; ++k) {
        const VkImageView smaller = k + 1 < num ? up->views[k + 1] : down->views[smallest];
        const VkImageView views[3] = {down->views[k], smaller, up->views[k]};
        ok = compute_bind(bloom->gpu, &bloom->upsample, views, NULL, &bloom->sets[k]);
    }
    return ok;
}

bool bloom_resize(struct bloom *bloom, const weir_image *hdr)
{
    const struct weir_image_params picture = weir_image_get_params(hdr);
    const VkExtent2D half = weir_pyramid_level_extent(picture.width, picture.height, 1);
    const uint32_t full = weir_pyramid_full_chain(half.width, half.height);
    const uint32_t num_levels = full < NUM_LEVELS ? full : NUM_LEVELS;
    struct levels_params levels = {
        .format = bloom->format,
        .width = half.width,
        .height = half.height,
        .num_levels = num_levels,
        .num_layers = 1,
        .usage = weir_pyramid_get_scope(bloom->pyramid).usage | VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    drop_levels(bloom);
    if (!levels_init(bloom->gpu, &levels, &bloom->down)) {
        return false;
    }
    levels.num_levels = num_levels > 1 ? num_levels - 1 : 1;
    levels.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    const weir_image *images[] = {bloom->down.weir}, *sources[] = {hdr};
    const struct weir_pyramid_target_params *target =
        weir_pyramid_target_params(.images = images, .sources = sources,
                                   .source_layout = VK_IMAGE_LAYOUT_GENERAL);
    return levels_init(bloom->gpu, &levels, &bloom->up) &&
           weir_ok(weir_pyramid_target_create(bloom->pyramid, target, &bloom->target),
                   "weir_pyramid_target_create") &&
           bind_upsample(bloom);
}

void bloom_discard(const struct bloom *bloom, VkCommandBuffer cmd)
{
    levels_discard(&bloom->down, cmd);
    levels_discard(&bloom->up, cmd);
}

bool bloom_record(const struct bloom *bloom, VkCommandBuffer cmd, struct timing *timing,
                  uint32_t slot)
{
    const struct weir_pyramid_run run = {
        .dst_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .dst_access = VK_ACCESS_SHADER_READ_BIT,
        .user = {threshold, knee},
    };
    if (!weir_ok(weir_cmd_pyramid(bloom->target, cmd, &run), "weir_cmd_pyramid")) {
        return false;
    }
    timing_mark(timing, slot, cmd, PASS_BLOOM_PYRAMID);
    for (uint32_t k = bloom->up.params.num_levels; k-- > 0;) {
        const struct levels_params *up = &bloom->up.params;
        const VkExtent2D extent = weir_pyramid_level_extent(up->width, up->height, k);
        const uint32_t size[3] = {extent.width, extent.height, up->num_layers};
        compute_run(&bloom->upsample, cmd, bloom->sets[k], &spread, size);
        compute_barrier(cmd, k > 0 ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
                                   : VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
    }
    timing_mark(timing, slot, cmd, PASS_UPSAMPLE);
    return true;
}
