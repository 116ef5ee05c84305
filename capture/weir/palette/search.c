// SPDX-License-Identifier: MIT
// weir palette: a reduction by k-means, or by mean shift with a radius that is given or looked for.
#include <math.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/palette/palette.h"

// Below the least radius hardly two colours of 8 bits are neighbours. Ten halvings of the logarithm
// between it and the largest end within 1 % of the radius that is looked for.
static const double least_radius = 0.0005;
enum { NUM_HALVINGS = 10 };

static enum weir_result reduce_by(struct palette *palette, const struct weir_palette_start *start,
                                  struct palette_result *result)
{
    result->num_reductions++;
    const enum weir_result done = cli_reduction_reduce(&palette->run, start, &result->stats);
    if (done != WEIR_OK && cli_interrupted()) {
        cli_report_error("interrupted");
    }
    return done;
}

static enum weir_result reduce(struct palette *palette, double radius,
                               struct palette_result *result)
{
    result->radius = (float)radius;
    return reduce_by(palette,
                     &(struct weir_palette_start){.radius = result->radius,
                                                  .limit = (uint32_t)palette->options->limit},
                     result);
}

// The fewer colours the larger the radius, in practice; what is answered was tried in any case. The
// largest radius leaves one colour.
static enum weir_result search(struct palette *palette, struct palette_result *result)
{
    const uint64_t wanted = palette->options->colors;
    double low = least_radius, high = WEIR_PALETTE_MAX_RADIUS;
    enum weir_result done = reduce(palette, 0, result);
    if (done != WEIR_OK || result->stats.num_new_colors <= wanted) {
        return done;
    }
    for (int i = 0; i < NUM_HALVINGS && result->stats.num_new_colors != wanted; i++) {
        const double middle = sqrt(low * high);
        done = reduce(palette, middle, result);
        if (done != WEIR_OK) {
            return done;
        }
        if (result->stats.num_new_colors <= wanted) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return result->radius == (float)high ? WEIR_OK : reduce(palette, high, result);
}

struct weir_palette_start palette_choose_start(const struct palette_options *options)
{
    if (palette_method(options) == WEIR_PALETTE_METHOD_K_MEANS) {
        return (struct weir_palette_start){
            .num_colors = options->colors != 0 ? (uint32_t)options->colors
                                               : WEIR_PALETTE_MAX_NUM_COLORS,
            .keep_rare = options->share,
        };
    }
    return (struct weir_palette_start){
        .radius = (float)(options->radius >= 0 ? options->radius : PALETTE_DEFAULT_RADIUS),
        .limit = (uint32_t)options->limit,
    };
}

enum weir_result palette_reduce(struct palette *palette, struct palette_result *result)
{
    const struct palette_options *chosen = palette->options;
    *result = (struct palette_result){0};
    if (chosen->colors != 0 && palette_method(chosen) == WEIR_PALETTE_METHOD_MEAN_SHIFT) {
        return search(palette, result);
    }
    const struct weir_palette_start start = palette_choose_start(chosen);
    result->radius = start.radius;
    return reduce_by(palette, &start, result);
}
