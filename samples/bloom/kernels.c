// SPDX-License-Identifier: MIT
// The kernels beside the pyramids: which images each of them reads and writes.
#include "effects.h"

static const uint32_t upsample_kernel[] =
#include "bloom_upsample.comp.inc"
    ;
static const uint32_t split_kernel[] =
#include "focus_split.comp.inc"
    ;
static const uint32_t gather_kernel[] =
#include "focus_gather.comp.inc"
    ;
static const uint32_t resolve_kernel[] =
#include "focus_resolve.comp.inc"
    ;
static const uint32_t adapt_kernel[] =
#include "adapt.comp.inc"
    ;

// The code; the numbers of textures, images and buffers; the size of the constants; the most sets.
static const struct compute_params params[KERNEL_NUM_KINDS] = {
    [KERNEL_UPSAMPLE] = {upsample_kernel, sizeof(upsample_kernel), 2, 1, 0, sizeof(float),
                         NUM_GLOW_LEVELS},
    [KERNEL_SPLIT] = {split_kernel, sizeof(split_kernel), 2, 1, 0, 0, 1},
    [KERNEL_GATHER] = {gather_kernel, sizeof(gather_kernel), 2, 1, 0, sizeof(int32_t), 1},
    [KERNEL_RESOLVE] = {resolve_kernel, sizeof(resolve_kernel), 2, 1, 0, 0, 1},
    [KERNEL_ADAPT] = {adapt_kernel, sizeof(adapt_kernel), 1, 1, 0, sizeof(float[2]), 1},
};

bool effects_make_kernels(struct effects *effects)
{
    bool ok = true;
    for (int i = 0; ok && i < KERNEL_NUM_KINDS; ++i) {
        ok = compute_init(effects->gpu, &params[i], &effects->kernels[i]);
    }
    return ok;
}

// Level k of the glow is made from level k on the way down and from level k + 1 of the glow, or of
// the way down for the last level. The smallest pictures have one level, which is blurred with
// itself.
static bool bind_upsample(struct effects *effects)
{
    const struct levels *down = &effects->images[IMAGE_DOWN], *up = &effects->images[IMAGE_UP];
    const uint32_t num = up->params.num_levels, smallest = down->params.num_levels - 1;
    bool ok = true;
    for (uint32_t k = 0; ok && k < num; ++k) {
        const VkImageView smaller = k + 1 < num ? up->views[k + 1] : down->views[smallest];
        ok = compute_bind(effects->gpu, &effects->kernels[KERNEL_UPSAMPLE],
                          (VkImageView[]){down->views[k], smaller, up->views[k]}, NULL,
                          &effects->upsample_sets[k]);
    }
    return ok;
}

static bool bind(struct effects *effects, enum kernel kernel, const VkImageView *views)
{
    return compute_bind(effects->gpu, &effects->kernels[kernel], views, NULL,
                        &effects->sets[kernel]);
}

bool effects_bind_kernels(struct effects *effects, VkImageView hdr)
{
    const struct levels *images = effects->images, *luminance = &images[IMAGE_LUMINANCE];
    const VkImageView coc = images[IMAGE_COC].image.view, stops = images[IMAGE_STOPS].views[0];
    const VkImageView fields = images[IMAGE_FIELDS].image.view;
    const VkImageView blurred = images[IMAGE_BLURRED].views[0];
    const VkImageView mean = luminance->views[luminance->params.num_levels - 1];
    bool ok = true;
    for (int i = 0; ok && i < KERNEL_NUM_KINDS; ++i) {
        ok = compute_reset(effects->gpu, &effects->kernels[i]);
    }
    return ok && bind_upsample(effects) &&
           bind(effects, KERNEL_SPLIT, (VkImageView[]){coc, hdr, images[IMAGE_FIELDS].views[0]}) &&
           bind(effects, KERNEL_GATHER, (VkImageView[]){coc, fields, blurred}) &&
           bind(effects, KERNEL_RESOLVE, (VkImageView[]){coc, blurred, hdr}) &&
           bind(effects, KERNEL_ADAPT, (VkImageView[]){mean, stops});
}
