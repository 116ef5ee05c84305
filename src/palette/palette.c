// SPDX-License-Identifier: MIT
// Makes a palette reduction: its checks, its pipelines, its memory.
#include "palette/palette.h"

#include <stdlib.h>
#include <string.h>

#include "kernels.h"

enum { DEFAULT_COLORS = 1 << 18 };

struct kernel {
    const struct weir_vk_kernel *kernel;
    uint32_t num_sets;
    enum { EVERY, MEAN_SHIFT, K_MEANS, LIVE } method;
};

static const uint32_t patterns[] = {
    [WEIR_PALETTE_DITHER_NONE] = WEIR_PALETTE_UNDITHERED,
    [WEIR_PALETTE_DITHER_ORDERED] = WEIR_PALETTE_ORDERED,
    [WEIR_PALETTE_DITHER_BLUE_NOISE] = WEIR_PALETTE_BLUE_NOISE,
};

static const struct kernel kernels[] = {
#define KERNEL(name, file, num_sets, method)                                                       \
    [WEIR_PALETTE_##name] = {&weir_kernel_palette_##file, num_sets, method},
    WEIR_PALETTE_KERNELS(KERNEL)
#undef KERNEL
};

static enum weir_result check_device(const weir_context *context)
{
    const char *missing = !context->features.int64 ? "shaderInt64"
                          : !context->features.write_without_format
                              ? "shaderStorageImageWriteWithoutFormat"
                              : NULL;
    WEIR_FAIL_IF(
        missing, &context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
        "palette reduction needs the feature %s, which the device does not have or has not enabled",
        missing);
    const VkSubgroupFeatureFlags operations = VK_SUBGROUP_FEATURE_BASIC_BIT |
                                              VK_SUBGROUP_FEATURE_VOTE_BIT |
                                              VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
                                              VK_SUBGROUP_FEATURE_BALLOT_BIT;
    WEIR_FAIL_IF((context->subgroup.supportedOperations & operations) != operations ||
                     !(context->subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT),
                 &context->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
                 "palette reduction needs subgroups with vote, ballot and arithmetic in compute "
                 "shaders, which this device lacks");
    return WEIR_OK;
}

static enum weir_result check_values(const struct weir_palette_params *params,
                                     const struct weir_log *log)
{
    const struct {
        const char *what;
        int value, last;
    } values[] = {
        {"method", (int)params->method, WEIR_PALETTE_METHOD_K_MEANS},
        {"metric", (int)params->metric, WEIR_PALETTE_METRIC_OKLAB},
        {"weight", (int)params->weight, WEIR_PALETTE_WEIGHT_FREQUENCY},
        {"light", (int)params->light, WEIR_PALETTE_LIGHT_SRGB},
        {"dither", (int)params->dither, WEIR_PALETTE_DITHER_BLUE_NOISE},
    };
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        WEIR_FAIL_IF(values[i].value < 0 || values[i].value > values[i].last, log,
                     WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                     "%s %d is not a weir_palette_%s", values[i].what, values[i].value,
                     values[i].what);
    }
    WEIR_FAIL_IF(params->dither != WEIR_PALETTE_DITHER_NONE &&
                     params->method != WEIR_PALETTE_METHOD_K_MEANS,
                 log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "weir_palette_params.dither is for WEIR_PALETTE_METHOD_K_MEANS: mean shift keeps "
                 "areas flat");
    return WEIR_OK;
}

// What moves with each frame is the least error of its pixels, by the table, and nothing else.
static enum weir_result check_live(const struct weir_palette_params *params,
                                   const struct weir_log *log)
{
    const char *wrong = params->method != WEIR_PALETTE_METHOD_K_MEANS
                            ? "method must be WEIR_PALETTE_METHOD_K_MEANS"
                        : params->metric != WEIR_PALETTE_METRIC_CODES
                            ? "metric must be WEIR_PALETTE_METRIC_CODES"
                        : params->weight != WEIR_PALETTE_WEIGHT_FREQUENCY
                            ? "weight must be WEIR_PALETTE_WEIGHT_FREQUENCY"
                        : params->dither != WEIR_PALETTE_DITHER_NONE
                            ? "dither must be WEIR_PALETTE_DITHER_NONE"
                            : NULL;
    WEIR_FAIL_IF(wrong, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                 "with `live`: weir_palette_params.%s", wrong);
    WEIR_FAIL_IF(params->max_colors > 0 && params->max_colors < WEIR_PALETTE_LIVE_BINS, log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_palette_params.max_colors is %u; with `live` it must be 0 or at least %u, "
                 "as many as a frame may have",
                 params->max_colors, WEIR_PALETTE_LIVE_BINS);
    return WEIR_OK;
}

static enum weir_result check_params(weir_palette *palette)
{
    struct weir_palette_params *params = &palette->params;
    const struct weir_log *log = &palette->context->log;
    WEIR_TRY(check_values(params, log));
    if (params->live) {
        WEIR_TRY(check_live(params, log));
    }
    WEIR_FAIL_IF(params->max_colors > WEIR_PALETTE_NUM_COLORS, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "weir_palette_params.max_colors is %u; it must be 0 to %u", params->max_colors,
                 WEIR_PALETTE_NUM_COLORS);
    WEIR_TRY(weir_image_check_like(params->like, log, "weir_palette_params", &palette->source));
    WEIR_FAIL_IF(palette->source.encoding == WEIR_SOURCE_SNORM8, log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_FORMAT,
                 "palette reduction does not read signed VkFormat %d: its values are not colours",
                 (int)palette->source.format);
    params->max_colors = params->max_colors ? params->max_colors : DEFAULT_COLORS;
    params->table = params->table || params->live;
    // Nothing merges in k-means.
    params->no_merge = params->no_merge || params->method == WEIR_PALETTE_METHOD_K_MEANS;
    if (!params->no_merge && !palette->context->features.int64_atomics) {
        params->no_merge = true;
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "without the feature shaderBufferInt64Atomics colours that meet are not "
                        "merged, which gives the same picture, but takes longer");
    }
    return WEIR_OK;
}

static bool needs_kernel(const struct weir_palette_params *params, int kernel)
{
    if (kernel == WEIR_PALETTE_ITERATE_MERGING && params->no_merge) {
        return false;
    }
    if (kernel == WEIR_PALETTE_MAP || kernel == WEIR_PALETTE_MAP_DITHER) {
        return (kernel == WEIR_PALETTE_MAP_DITHER) == (params->dither != WEIR_PALETTE_DITHER_NONE);
    }
    if (kernels[kernel].method == LIVE) {
        return params->live;
    }
    const bool is_k_means = params->method == WEIR_PALETTE_METHOD_K_MEANS;
    return kernels[kernel].method == EVERY || (kernels[kernel].method == K_MEANS) == is_k_means;
}

// Lanes of these exchange values by their numbers.
static bool needs_full_subgroups(int kernel)
{
    return kernel == WEIR_PALETTE_ITERATE_MERGING || kernel == WEIR_PALETTE_ITERATE;
}

static enum weir_result create_pipelines(weir_palette *palette)
{
    weir_context *context = palette->context;
    const uint32_t constants[WEIR_PALETTE_NUM_CONSTANTS] = {
        [WEIR_PALETTE_CONSTANT_SOURCE_KIND] = palette->source.encoding,
        [WEIR_PALETTE_CONSTANT_TABLE] = palette->params.table,
        [WEIR_PALETTE_CONSTANT_FREQUENCY] = palette->params.weight == WEIR_PALETTE_WEIGHT_FREQUENCY,
        [WEIR_PALETTE_CONSTANT_IN_STEP] = context->is_software,
        [WEIR_PALETTE_CONSTANT_OKLAB] = palette->params.metric == WEIR_PALETTE_METRIC_OKLAB,
        [WEIR_PALETTE_CONSTANT_PATTERN] = patterns[palette->params.dither],
        [WEIR_PALETTE_CONSTANT_NUM_GROUPS] = weir_palette_num_groups(palette),
    };
    const VkDescriptorSetLayout layouts[WEIR_PALETTE_NUM_SETS] = {
        [WEIR_PALETTE_SET_MEMORY] = palette->memory.set_layout,
        [WEIR_PALETTE_SET_SOURCE] = context->image_set_layout,
        [WEIR_PALETTE_SET_OUTPUT] = context->storage_set_layout,
        [WEIR_PALETTE_SET_NEAREST] = context->buffer_set_layout,
    };
    struct weir_vk_pipeline_params pipelines[WEIR_PALETTE_NUM_KERNELS];
    for (int i = 0; i < WEIR_PALETTE_NUM_KERNELS; i++) {
        pipelines[i] = (struct weir_vk_pipeline_params){
            .kernel = needs_kernel(&palette->params, i) ? kernels[i].kernel : NULL,
            .constants = constants,
            .num_constants = WEIR_PALETTE_NUM_CONSTANTS,
            .push_constants_size = sizeof(struct weir_palette_push),
            .set_layouts = layouts,
            .num_set_layouts = kernels[i].num_sets,
            .subgroup_size = needs_full_subgroups(i) && context->features.subgroup_size_control
                                 ? context->subgroup.subgroupSize
                                 : 0,
            .tag = palette->params.debug_tag,
        };
    }
    return weir_vk_pipelines_init(context, pipelines, WEIR_PALETTE_NUM_KERNELS, palette->pipelines);
}

static enum weir_result palette_init(weir_palette *palette)
{
    weir_context *context = palette->context;
    const struct weir_palette_params *params = &palette->params;
    WEIR_TRY(weir_context_check_lost(context));
    WEIR_TRY(check_device(context));
    WEIR_TRY(check_params(palette));
    WEIR_TRY(weir_palette_memory_init(context, params, &palette->memory));
    if (params->live) {
        WEIR_TRY(weir_palette_live_init(context, params->debug_tag, &palette->live));
    }
    return create_pipelines(palette);
}

enum weir_result weir_palette_create(weir_context *context,
                                     const struct weir_palette_params *params, weir_palette **out)
{
    WEIR_TRY(WEIR_CHECK_OUT(weir_context_log(context), out, context, params));
    weir_palette *palette = weir_object_alloc(context, WEIR_OBJECT_PALETTE, sizeof(*palette));
    if (!palette) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    *palette = (weir_palette){.context = context, .params = *params};
    const enum weir_result result = palette_init(palette);
    palette->params.like = NULL;
    palette->params.debug_tag = NULL;
    if (result != WEIR_OK) {
        weir_palette_destroy(&palette);
    }
    *out = palette;
    return result;
}

void weir_palette_destroy(weir_palette **palette)
{
    if (!palette || !*palette) {
        return;
    }
    weir_context *context = (*palette)->context;
    for (int i = 0; i < WEIR_PALETTE_NUM_KERNELS; i++) {
        weir_vk_pipeline_finish(context, &(*palette)->pipelines[i]);
    }
    weir_palette_live_finish(context, &(*palette)->live);
    weir_palette_memory_finish(context, &(*palette)->memory);
    weir_object_free(context, WEIR_OBJECT_PALETTE, *palette);
    *palette = NULL;
}

struct weir_palette_params weir_palette_get_params(const weir_palette *palette)
{
    return palette ? palette->params : (struct weir_palette_params){0};
}

static uint64_t join_words(const uint32_t words[2])
{
    return (uint64_t)words[1] << 32 | words[0];
}

struct weir_palette_stats weir_palette_get_stats(const weir_palette *palette)
{
    if (!palette) {
        return (struct weir_palette_stats){0};
    }
    weir_vk_buffer_invalidate(palette->context, &palette->memory.report);
    struct weir_palette_report report;
    memcpy(&report, palette->memory.report.mapped, sizeof(report));
    return (struct weir_palette_stats){
        .num_colors = report.num_colors,
        .num_new_colors = report.num_new_colors,
        .num_unfinished = report.num_unfinished,
        .max_steps = report.max_steps,
        .num_evaluations = join_words(report.num_evaluations),
        .num_tests = join_words(report.num_tests),
        .overflow = report.overflow != 0,
    };
}

static int compare_colors(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Sort colours, and leave out those that are there twice. Returns how many are left.
static uint32_t sort_colors(uint32_t num, uint32_t *colors)
{
    uint32_t num_distinct = 0;
    qsort(colors, num, sizeof(*colors), compare_colors);
    for (uint32_t i = 0; i < num; i++) {
        if (i == 0 || colors[i] != colors[i - 1]) {
            colors[num_distinct++] = colors[i];
        }
    }
    return num_distinct;
}

uint32_t weir_palette_get_colors(const weir_palette *palette,
                                 uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS])
{
    if (!palette || !colors || !weir_palette_is_k_means(palette)) {
        return 0;
    }
    weir_vk_buffer_invalidate(palette->context, &palette->memory.report);
    struct weir_palette_reports reports;
    memcpy(&reports, palette->memory.report.mapped, sizeof(reports));
    for (uint32_t i = 0; i < reports.means.num; i++) {
        colors[i] = reports.means.points[i][3];
    }
    // Colours that move are in no order, and some may be there twice.
    return palette->params.live ? sort_colors(reports.means.num, colors) : reports.means.num;
}
