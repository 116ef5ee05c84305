// SPDX-License-Identifier: MIT
// Checks the images and numbers of a palette reduction before anything is recorded.
#include "palette/palette.h"

enum { MAX_DISPATCHES = 1 << 16 };

enum weir_result weir_palette_out_of_order(const weir_palette *palette, const char *call,
                                           const char *before)
{
    return weir_fail(&palette->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                     "%s must be recorded after %s", call, before);
}

enum weir_result weir_palette_check_source(const weir_palette *palette, const weir_image *source,
                                           const char *name)
{
    WEIR_TRY(weir_image_check_source(source, palette->context, name, &palette->source));
    WEIR_FAIL_IF(!(source->params.usage & VK_IMAGE_USAGE_SAMPLED_BIT), &palette->context->log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_MISSING_USAGE,
                 "the source of a palette needs VK_IMAGE_USAGE_SAMPLED_BIT");
    return WEIR_OK;
}

static enum weir_result check_k_means(const weir_palette *palette,
                                      const struct weir_palette_start *start)
{
    const struct weir_log *log = &palette->context->log;
    WEIR_FAIL_IF(start->radius != 0 || start->limit != 0, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "the palette was made for k-means, which has no radius and no limit: "
                 "leave weir_palette_start.%s 0",
                 start->limit != 0 ? "limit" : "radius");
    WEIR_FAIL_IF(palette->params.live && start->keep_rare, log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "keep_rare of a palette does not work with `live`: leave it false");
    WEIR_FAIL_IF(start->num_colors < 1 || start->num_colors > WEIR_PALETTE_MAX_NUM_COLORS, log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "num_colors of a palette is %u; with k-means it must be 1 to %d",
                 start->num_colors, WEIR_PALETTE_MAX_NUM_COLORS);
    return WEIR_OK;
}

enum weir_result weir_palette_check_start(const weir_palette *palette,
                                          const struct weir_palette_start *start)
{
    const struct weir_log *log = &palette->context->log;
    if (weir_palette_is_k_means(palette)) {
        return check_k_means(palette, start);
    }
    WEIR_FAIL_IF(!(start->radius >= 0 && start->radius <= WEIR_PALETTE_MAX_RADIUS), log,
                 WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "the radius of a palette is %g; it must be 0 to %g", (double)start->radius,
                 (double)WEIR_PALETTE_MAX_RADIUS);
    WEIR_FAIL_IF(start->keep_rare, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "keep_rare of a palette is for k-means: leave it false, as mean shift "
                 "keeps rare colours anyway");
    WEIR_FAIL_IF(start->num_colors != 0, log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                 "num_colors of a palette is %u, but with mean shift the radius decides: "
                 "leave it 0, or choose WEIR_PALETTE_METHOD_K_MEANS",
                 start->num_colors);
    return WEIR_OK;
}

enum weir_result weir_palette_check_dispatches(const weir_palette *palette, uint32_t num_dispatches)
{
    return num_dispatches <= MAX_DISPATCHES
               ? WEIR_OK
               : weir_fail(&palette->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                           "num_dispatches of a palette is %u; it must be 0 to %d", num_dispatches,
                           MAX_DISPATCHES);
}

enum weir_result weir_palette_check_mapping(const weir_palette *palette, const weir_image *source,
                                            const weir_image *output)
{
    WEIR_TRY(weir_palette_check_source(palette, source, "the source of a palette"));
    WEIR_TRY(weir_image_check(output, palette->context, "the output of a palette"));
    WEIR_FAIL_IF(source == output, &palette->context->log, WEIR_ERROR_INVALID,
                 WEIR_LOG_CODE_OUT_OF_RANGE,
                 "the output of a palette must be another image than its source");
    WEIR_FAIL_IF(
        source->params.width != output->params.width ||
            source->params.height != output->params.height,
        &palette->context->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
        "the source of a palette is %ux%u and its output %ux%u: they must have the same size",
        source->params.width, source->params.height, output->params.width, output->params.height);
    return weir_image_check_written(output, &palette->context->log);
}
