// SPDX-License-Identifier: MIT
// Views of a target's levels, and the descriptor sets that hold them.
#include "pyramid/pyramid.h"

#include "base/size.h"

enum { MAX_LEVELS = WEIR_PYRAMID_MAX_LEVELS };

static VkImageAspectFlags aspect_of(VkFormat format)
{
    return weir_pyramid_is_depth(format) ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

static enum weir_result create_view(weir_pyramid_target *target, VkImage image, VkFormat format,
                                    VkImageUsageFlags usage, uint32_t level, VkImageView *out)
{
    WEIR_TRY(weir_vk_view_init(
        target->pyramid->context,
        &(struct weir_vk_view_params){.image = image,
                                      .type = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                      .format = format,
                                      .usage = usage,
                                      .range = {.aspectMask = aspect_of(format),
                                                .baseMipLevel = level,
                                                .levelCount = 1,
                                                .layerCount = target->num_layers}},
        out));
    target->views[target->num_views++] = *out;
    return WEIR_OK;
}

// Views of one image, by level of the plan.
struct views {
    VkImageView sampled[MAX_LEVELS]; // null where no step reads the level
    VkImageView storage[MAX_LEVELS]; // null where the level is not written
};

static bool is_read(const struct weir_pyramid_plan *plan, uint32_t level)
{
    for (uint32_t i = 0; i < plan->num_steps; i++) {
        if (plan->steps[i].base == level) {
            return true;
        }
    }
    return false;
}

// The format of the view by which kernels read level k of the plan: words, or, where they decode,
// one that gives them the codes.
static VkFormat read_format(const weir_pyramid_target *target, uint32_t k, VkFormat format)
{
    const weir_pyramid *pyramid = target->pyramid;
    if (k == 0 && weir_pyramid_reads_words(pyramid, &target->geometry, &target->plan)) {
        uint32_t words;
        return weir_pyramid_words_of(format, &words);
    }
    return weir_pyramid_decodes(&pyramid->params, format)
               ? weir_pyramid_format_get_info(format)->store
               : format;
}

static enum weir_result create_views(weir_pyramid_target *target, VkImage image, VkImage source,
                                     struct views *out)
{
    const weir_pyramid *pyramid = target->pyramid;
    for (uint32_t k = 0; k <= target->geometry.num_levels; k++) {
        const uint32_t level = (uint32_t)((int32_t)k + target->first_of_plan);
        if (is_read(&target->plan, k)) {
            const bool is_source = k == 0 && source;
            const VkFormat format = is_source ? pyramid->params.source_format
                                              : pyramid->params.format;
            WEIR_TRY(create_view(target, is_source ? source : image, read_format(target, k, format),
                                 VK_IMAGE_USAGE_SAMPLED_BIT, is_source ? 0 : level,
                                 &out->sampled[k]));
        }
        if (k > 0 || target->geometry.copies) {
            WEIR_TRY(create_view(target, image, pyramid->format->store, VK_IMAGE_USAGE_STORAGE_BIT,
                                 level, &out->storage[k]));
        }
    }
    return WEIR_OK;
}

uint32_t weir_pyramid_group_size(const weir_pyramid_target *target, uint32_t group)
{
    const uint32_t per_set = target->pyramid->bindings.num_images;
    const uint32_t rest = target->params.num_images - group * per_set;
    return weir_min(rest, per_set);
}

// Get the level whose view is levels[i] in the set for `base`. Bindings that no kernel writes
// repeat the nearest level that has a view.
static uint32_t bound_level(const weir_pyramid_target *target, uint32_t base, uint32_t i)
{
    const uint32_t last = target->geometry.num_levels;
    const uint32_t level = weir_min(base + i, last);
    return level == 0 && !target->geometry.copies ? 1 : level;
}

static void write_set(const weir_pyramid_target *target, const struct views *views,
                      uint32_t num_views, uint32_t base, VkDescriptorSet set,
                      VkDescriptorImageInfo *infos)
{
    const uint32_t num_images = target->pyramid->bindings.num_images;
    const VkImageLayout layout = base == 0 && target->pyramid->params.source_format
                                     ? target->params.source_layout
                                     : VK_IMAGE_LAYOUT_GENERAL;
    VkDescriptorImageInfo *storage = infos + num_images;
    for (uint32_t n = 0; n < num_images; n++) {
        const struct views *view = &views[weir_min(n, num_views - 1)];
        infos[n] = (VkDescriptorImageInfo){.imageView = view->sampled[base], .imageLayout = layout};
        for (uint32_t i = 0; i < MAX_LEVELS; i++) {
            storage[n * MAX_LEVELS + i] = (VkDescriptorImageInfo){
                .imageView = view->storage[bound_level(target, base, i)],
                .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
            };
        }
    }
    const weir_context *context = target->pyramid->context;
    weir_vk_descriptor_set_write(context, set, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                 WEIR_PYRAMID_BINDING_BASES, num_images, infos, NULL);
    weir_vk_descriptor_set_write(context, set, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                 WEIR_PYRAMID_BINDING_LEVELS, num_images * MAX_LEVELS, storage,
                                 NULL);
}

static void write_scratch_set(const weir_pyramid_target *target)
{
    const VkDescriptorBufferInfo infos[] = {
        [WEIR_PYRAMID_BINDING_TEXELS] = {.buffer = target->texels.buffer, .range = VK_WHOLE_SIZE},
        [WEIR_PYRAMID_BINDING_COUNTERS] = {.buffer = target->counters.buffer,
                                           .range = VK_WHOLE_SIZE},
    };
    weir_vk_descriptor_set_write(target->pyramid->context, target->scratch_set,
                                 VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 2, NULL, infos);
}

static enum weir_result create_pool(weir_pyramid_target *target)
{
    const uint32_t num_sets = target->num_groups * target->plan.num_steps;
    const uint32_t num_images = target->pyramid->bindings.num_images;
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, num_sets * num_images},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, num_sets * num_images * MAX_LEVELS},
        {VK_DESCRIPTOR_TYPE_SAMPLER, 2 * num_sets},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
    };
    return weir_vk_descriptor_pool_init(target->pyramid->context, sizes, 4, num_sets + 1,
                                        &target->pool);
}

static enum weir_result create_group(weir_pyramid_target *target,
                                     const struct weir_pyramid_target_params *params,
                                     uint32_t group, struct views *views,
                                     VkDescriptorImageInfo *infos)
{
    const uint32_t num_images = weir_pyramid_group_size(target, group);
    for (uint32_t n = 0; n < num_images; n++) {
        const uint32_t image = group * target->pyramid->bindings.num_images + n;
        views[n] = (struct views){0};
        WEIR_TRY(create_views(
            target, params->images[image]->params.image,
            params->sources ? params->sources[image]->params.image : VK_NULL_HANDLE, &views[n]));
    }
    for (uint32_t base = 0; base < MAX_LEVELS; base++) {
        if (is_read(&target->plan, base)) {
            VkDescriptorSet *set = &target->sets[group * MAX_LEVELS + base];
            WEIR_TRY(weir_vk_descriptor_set_allocate(target->pyramid->context, target->pool,
                                                     target->pyramid->bindings.images, set));
            write_set(target, views, num_images, base, *set, infos);
        }
    }
    return WEIR_OK;
}

enum weir_result weir_pyramid_views_init(weir_pyramid_target *target,
                                         const struct weir_pyramid_target_params *params)
{
    const uint32_t per_set = target->pyramid->bindings.num_images;
    target->num_groups = weir_divide_up(target->params.num_images, per_set);
    const struct weir_log *log = &target->pyramid->context->log;
    const char *what = "the views of a pyramid";
    target->views = weir_alloc(log, (size_t)target->params.num_images * 2 * (MAX_LEVELS + 1),
                               sizeof(VkImageView), what);
    target->sets = weir_alloc(log, (size_t)target->num_groups * MAX_LEVELS, sizeof(VkDescriptorSet),
                              what);
    struct views *views = weir_alloc(log, per_set, sizeof(*views), what);
    VkDescriptorImageInfo *infos = weir_alloc(log, (size_t)per_set * (1 + MAX_LEVELS),
                                              sizeof(*infos), what);
    enum weir_result result = target->views && target->sets && views && infos
                                  ? create_pool(target)
                                  : WEIR_ERROR_OUT_OF_MEMORY;
    for (uint32_t group = 0; group < target->num_groups && result == WEIR_OK; group++) {
        result = create_group(target, params, group, views, infos);
    }
    free(views);
    free(infos);
    if (result == WEIR_OK && target->texels.buffer) {
        result = weir_vk_descriptor_set_allocate(target->pyramid->context, target->pool,
                                                 target->pyramid->bindings.scratch,
                                                 &target->scratch_set);
        if (result == WEIR_OK) {
            write_scratch_set(target);
        }
    }
    return result;
}

void weir_pyramid_views_finish(weir_pyramid_target *target)
{
    weir_context *context = target->pyramid->context;
    context->vk.DestroyDescriptorPool(context->device, target->pool, NULL);
    for (uint32_t i = 0; i < target->num_views; i++) {
        context->vk.DestroyImageView(context->device, target->views[i], NULL);
    }
    free(target->views);
    free(target->sets);
}
