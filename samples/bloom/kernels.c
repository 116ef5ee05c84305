// SPDX-License-Identifier: MIT
// The kernels beside the pyramids: which images each of them reads and writes.
#include "effects.h"
#include "shaders.h"

static const struct pass_params params[KERNEL_NUM_KINDS] = {
    [KERNEL_DOWNSAMPLE] = {.code = SHADER(bloom_downsample_comp),
                           .num_textures = 1,
                           .num_images = 1,
                           .constants_size = sizeof(float[2]),
                           .max_sets = NUM_GLOW_LEVELS},
    [KERNEL_UPSAMPLE] = {.code = SHADER(bloom_upsample_comp),
                         .num_textures = 2,
                         .num_images = 1,
                         .constants_size = sizeof(float),
                         .max_sets = NUM_GLOW_LEVELS},
    [KERNEL_SPLIT] = {.code = SHADER(focus_split_comp), .num_textures = 2, .num_images = 1},
    [KERNEL_GATHER] = {.code = SHADER(focus_gather_comp),
                       .num_textures = 2,
                       .num_images = 1,
                       .constants_size = sizeof(int32_t)},
    [KERNEL_RESOLVE] = {.code = SHADER(focus_resolve_comp), .num_textures = 2, .num_images = 1},
    [KERNEL_ADAPT] = {.code = SHADER(adapt_comp),
                      .num_textures = 1,
                      .num_images = 1,
                      .constants_size = sizeof(float[2])},
};

bool effects_make_kernels(struct effects *effects)
{
    bool ok = true;
    for (int i = 0; ok && i < KERNEL_NUM_KINDS; ++i) {
        ok = pass_init(effects->gpu, &params[i], &effects->kernels[i]);
    }
    return ok;
}

static bool bind(struct effects *effects, enum kernel kernel, uint32_t set,
                 const VkImageView *views)
{
    return pass_make_set(effects->gpu, &effects->kernels[kernel], views, NULL,
                         &effects->sets[kernel][set]);
}

// On the way down a level is made from the level before, and level 0 from the picture. On the way
// up it is made from itself and the next smaller one.
static bool bind_bloom(struct effects *effects, VkImageView hdr)
{
    const VkImageView *glow = effects->images[IMAGE_GLOW].views;
    const uint32_t num = effects->images[IMAGE_GLOW].params.levels;
    bool ok = true;
    for (uint32_t k = 0; ok && k < num; ++k) {
        ok = bind(effects, KERNEL_DOWNSAMPLE, k, (VkImageView[]){k ? glow[k - 1] : hdr, glow[k]}) &&
             (k + 1 == num ||
              bind(effects, KERNEL_UPSAMPLE, k, (VkImageView[]){glow[k], glow[k + 1], glow[k]}));
    }
    return ok;
}

bool effects_bind_kernels(struct effects *effects, VkImageView hdr)
{
    const struct gpu_image *images = effects->images, *luminance = &images[IMAGE_LUMINANCE];
    const VkImageView coc = images[IMAGE_COC].view, stops = images[IMAGE_STOPS].views[0];
    const VkImageView fields = images[IMAGE_FIELDS].view;
    const VkImageView blurred = images[IMAGE_BLURRED].views[0];
    const VkImageView mean = luminance->views[luminance->params.levels - 1];
    bool ok = true;
    for (int i = 0; ok && i < KERNEL_NUM_KINDS; ++i) {
        ok = pass_reset(effects->gpu, &effects->kernels[i]);
    }
    return ok && bind_bloom(effects, hdr) &&
           bind(effects, KERNEL_SPLIT, 0,
                (VkImageView[]){coc, hdr, images[IMAGE_FIELDS].views[0]}) &&
           bind(effects, KERNEL_GATHER, 0, (VkImageView[]){coc, fields, blurred}) &&
           bind(effects, KERNEL_RESOLVE, 0, (VkImageView[]){coc, blurred, hdr}) &&
           bind(effects, KERNEL_ADAPT, 0, (VkImageView[]){mean, stops});
}
