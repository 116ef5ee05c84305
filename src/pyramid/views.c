// SPDX-License-Identifier: MIT
// Views of a target's levels, and the descriptor sets that hold them.
#include "pyramid/pyramid.h"

#include "base/size.h"

enum { MAX_LEVELS = WEIR_PYRAMID_MAX_LEVELS };

static enum weir_result create_view(weir_pyramid_target *target, VkImage image, VkFormat format,
                                    VkImageUsageFlags usage, uint32_t level, VkImageView *out)
{
    WEIR_TRY(weir_vk_view_init(target->pyramid->context,
                               &(struct weir_vk_view_params){.image = image,
                                                             .type = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                                             .format = format,
                                                             .usage = usage,
                                                             .first_level = level,
                                                             .num_levels = 1,
                                                             .num_layers = target->num_layers},
                               out));
    target->views[target->num_views++] = *out;
    return WEIR_OK;
}

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
    if (k == 0 && target->has_words) {
        uint32_t words;
        return weir_pyramid_words_of(format, &words);
    }
    return weir_pyramid_decodes(&pyramid->params, format)
               ? weir_pyramid_format_get_info(format)->store
               : format;
}

static enum weir_result create_views(weir_pyramid_target *target, VkImage image, VkImage source,
                                     struct weir_pyramid_level_views *out)
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

static void write_set(const weir_pyramid_target *target, uint32_t num_views, uint32_t base,
                      VkDescriptorSet set)
{
    VkDescriptorImageInfo *infos = target->infos;
    const uint32_t num_images = target->pyramid->bindings.num_images;
    const VkImageLayout layout = base == 0 && target->pyramid->params.source_format
                                     ? target->params.source_layout
                                     : VK_IMAGE_LAYOUT_GENERAL;
    VkDescriptorImageInfo *storage = infos + num_images;
    for (uint32_t n = 0; n < num_images; n++) {
        const struct weir_pyramid_level_views *view = &target->levels[weir_min(n, num_views - 1)];
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

enum weir_result weir_pyramid_views_alloc(weir_context *context, uint32_t num_images,
                                          uint32_t per_set, uint32_t max_steps,
                                          weir_pyramid_target *target)
{
    const uint32_t num_groups = (uint32_t)weir_divide_up(num_images, per_set);
    const uint32_t num_sets = num_groups * max_steps;
    const struct weir_log *log = &context->log;
    const char *what = "the views of a pyramid";
    target->views = weir_alloc(log, (size_t)num_images * 2 * (MAX_LEVELS + 1), sizeof(VkImageView),
                               what);
    target->sets = weir_alloc(log, (size_t)num_groups * MAX_LEVELS, sizeof(VkDescriptorSet), what);
    target->levels = weir_alloc(log, per_set, sizeof(*target->levels), what);
    target->infos = weir_alloc(log, (size_t)per_set * (1 + MAX_LEVELS), sizeof(*target->infos),
                               what);
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, num_sets * per_set},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, num_sets * per_set * MAX_LEVELS},
        {VK_DESCRIPTOR_TYPE_SAMPLER, 2 * num_sets},
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
    };
    return target->views && target->sets && target->levels && target->infos
               ? weir_vk_descriptor_pool_init(context, sizes, 4, num_sets + 1, &target->pool)
               : WEIR_ERROR_OUT_OF_MEMORY;
}

static enum weir_result create_group(weir_pyramid_target *target,
                                     const struct weir_pyramid_target_params *params,
                                     uint32_t group)
{
    struct weir_pyramid_level_views *views = target->levels;
    const uint32_t num_images = weir_pyramid_group_size(target, group);
    for (uint32_t n = 0; n < num_images; n++) {
        const uint32_t image = group * target->pyramid->bindings.num_images + n;
        views[n] = (struct weir_pyramid_level_views){0};
        WEIR_TRY(create_views(
            target, params->images[image]->params.image,
            params->sources ? params->sources[image]->params.image : VK_NULL_HANDLE, &views[n]));
    }
    for (uint32_t base = 0; base < MAX_LEVELS; base++) {
        if (is_read(&target->plan, base)) {
            VkDescriptorSet *set = &target->sets[group * MAX_LEVELS + base];
            WEIR_TRY(weir_vk_descriptor_set_allocate(target->pyramid->context, target->pool,
                                                     target->pyramid->bindings.images, set));
            write_set(target, num_images, base, *set);
        }
    }
    return WEIR_OK;
}

enum weir_result weir_pyramid_views_init(weir_pyramid_target *target,
                                         const struct weir_pyramid_target_params *params)
{
    weir_context *context = target->pyramid->context;
    const uint32_t per_set = target->pyramid->bindings.num_images;
    target->num_groups = (uint32_t)weir_divide_up(target->params.num_images, per_set);
    if (!target->pool) {
        WEIR_TRY(weir_pyramid_views_alloc(context, target->params.num_images, per_set,
                                          target->plan.num_steps, target));
    }
    for (uint32_t group = 0; group < target->num_groups; group++) {
        WEIR_TRY(create_group(target, params, group));
    }
    if (target->texels.buffer) {
        WEIR_TRY(weir_vk_descriptor_set_allocate(
            context, target->pool, target->pyramid->bindings.scratch, &target->scratch_set));
        write_scratch_set(target);
    }
    return WEIR_OK;
}

static void destroy_views(weir_context *context, weir_pyramid_target *target)
{
    while (target->num_views > 0) {
        context->vk.DestroyImageView(context->device, target->views[--target->num_views], NULL);
    }
}

void weir_pyramid_views_clear(weir_context *context, weir_pyramid_target *target)
{
    destroy_views(context, target);
    context->vk.ResetDescriptorPool(context->device, target->pool, 0);
}

void weir_pyramid_views_finish(weir_context *context, weir_pyramid_target *target)
{
    destroy_views(context, target);
    context->vk.DestroyDescriptorPool(context->device, target->pool, NULL);
    free(target->views);
    free(target->sets);
    free(target->levels);
    free(target->infos);
}
