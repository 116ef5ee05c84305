// SPDX-License-Identifier: MIT
// The size of a movie's frames where they become smaller, and the filter of its stream for that.
#include "capture/weir/movie/scale.h"

#include "capture/base/size.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/value.h"

bool cli_scale_is_given(const struct cli_scale *scale)
{
    return scale->width > 0 || scale->height > 0 || scale->share > 0;
}

// Pixels become wider as frames lose more of their width than of their height.
static void reshape_pixels(const struct weir_source_info *info, struct cli_shape *shape)
{
    uint64_t num = (uint64_t)info->width * shape->height;
    uint64_t den = (uint64_t)info->height * shape->width;
    uint64_t divisor = weir_divisor(num, den);
    num = num / divisor * info->pixel_aspect_num;
    den = den / divisor * info->pixel_aspect_den;
    divisor = weir_divisor(num, den);
    num /= divisor;
    den /= divisor;
    while (num > INT32_MAX || den > INT32_MAX) {
        num = (num + 1) / 2;
        den = (den + 1) / 2;
    }
    shape->pixel_aspect_num = (uint32_t)num;
    shape->pixel_aspect_den = (uint32_t)den;
}

enum weir_result cli_scale_choose(const struct cli_scale *scale, const weir_source *source,
                                  bool keeps_pixels, struct cli_shape *shape)
{
    const struct weir_source_info info = weir_source_get_info(source);
    *shape = (struct cli_shape){info.width, info.height, info.pixel_aspect_num,
                                info.pixel_aspect_den};
    if (!cli_scale_is_given(scale)) {
        return WEIR_OK;
    }
    const struct cli_size size = cli_scale_apply(scale, (struct cli_size){info.width, info.height});
    if (size.width > info.width || size.height > info.height) {
        cli_report_error("--scale makes frames smaller, and %ux%u is larger than the %ux%u of %s; "
                         "--size enlarges frames, and so does ffmpeg's filter scale before weir "
                         "transcode",
                         size.width, size.height, info.width, info.height,
                         weir_source_name(source));
        return WEIR_ERROR_INVALID;
    }
    shape->width = size.width;
    shape->height = size.height;
    if (keeps_pixels) {
        reshape_pixels(&info, shape);
    }
    return WEIR_OK;
}

enum weir_result cli_scale_filter_init(struct cli_scale_filter *filter, struct cli_gpu *gpu,
                                       const struct cli_scaler_params *params)
{
    *filter = (struct cli_scale_filter){0};
    return cli_scaler_init(&filter->scaler, gpu, params);
}

void cli_scale_filter_finish(struct cli_scale_filter *filter)
{
    for (int i = 0; i < CLI_STREAM_MAX_SLOTS; i++) {
        cli_scaled_finish(&filter->frames[i], &filter->scaler);
    }
    cli_scaler_finish(&filter->scaler);
}

static enum weir_result prepare(void *user, uint32_t slot, const weir_image *source,
                                const weir_image **result)
{
    struct cli_scale_filter *filter = user;
    struct cli_scaled *scaled = &filter->frames[slot];
    const enum weir_result made = cli_scaled_init(scaled, &filter->scaler, source);
    *result = scaled->result.weir;
    return made;
}

static enum weir_result run(void *user, uint32_t slot, struct weir_point *ready)
{
    struct cli_scale_filter *filter = user;
    return cli_scaled_run(&filter->frames[slot], &filter->scaler, ready);
}

struct cli_stream_filter cli_scale_filter_of_stream(struct cli_scale_filter *filter)
{
    return (struct cli_stream_filter){.prepare = prepare, .run = run, .user = filter};
}
