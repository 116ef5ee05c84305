// SPDX-License-Identifier: MIT
// The size of a movie's frames where they become smaller, and the filter of its stream for that.
#include "capture/base/size.h"
#include "capture/weir/gpu/scaler.h"
#include "capture/weir/movie/movie.h"

bool cli_scale_is_given(const struct cli_scale *scale)
{
    return scale->width > 0 || scale->height > 0 || scale->share > 0;
}

// Pixels become wider as frames lose more of their width than of their height.
static void reshape_pixels(const struct weir_source_info *info, struct cli_shape *shape)
{
    const uint64_t num = (uint64_t)info->width * shape->height;
    const uint64_t den = (uint64_t)info->height * shape->width, divisor = weir_divisor(num, den);
    weir_source_nearest_rate(num / divisor * info->pixel_aspect_num,
                             den / divisor * info->pixel_aspect_den, INT32_MAX,
                             &shape->pixel_aspect_num, &shape->pixel_aspect_den);
}

enum weir_result cli_movie_choose_shape(struct cli_movie *movie)
{
    const struct weir_source_info *info = &movie->info;
    const struct cli_scale *scale = &movie->params.scale;
    movie->shape = (struct cli_shape){info->width, info->height, info->pixel_aspect_num,
                                      info->pixel_aspect_den};
    if (!cli_scale_is_given(scale)) {
        return WEIR_OK;
    }
    const struct cli_size size = cli_scale_apply(scale,
                                                 (struct cli_size){info->width, info->height});
    CLI_FAIL_IF(size.width > info->width || size.height > info->height, WEIR_ERROR_INVALID,
                "--scale makes frames smaller, and %ux%u is larger than the %ux%u of %s; --size "
                "enlarges frames, and so does ffmpeg's filter scale before weir transcode",
                size.width, size.height, info->width, info->height, cli_source_name(movie->source));
    movie->shape.width = size.width;
    movie->shape.height = size.height;
    if (movie->params.source.keeps_pixels) {
        reshape_pixels(info, &movie->shape);
    }
    return WEIR_OK;
}

// Makes the frames of a stream smaller, by their slots.
struct scaling {
    struct cli_scaler scaler;
    struct cli_scaled frames[CLI_STREAM_MAX_SLOTS];
};

static enum weir_result prepare(void *user, uint32_t slot, const weir_image *source,
                                const weir_image **result)
{
    struct scaling *scaling = user;
    struct cli_scaled *scaled = &scaling->frames[slot];
    const enum weir_result made = cli_scaled_init(scaled, &scaling->scaler, source);
    *result = scaled->result.weir;
    return made;
}

static enum weir_result run(void *user, uint32_t slot, struct weir_point *ready)
{
    struct scaling *scaling = user;
    return cli_scaled_run(&scaling->frames[slot], &scaling->scaler, ready);
}

enum weir_result cli_movie_stream_scaled(struct cli_movie *movie, bool multiplies, bool *stopped)
{
    struct scaling scaling = {0};
    const struct cli_scaler_params params = {
        .format = movie->format,
        .from = {movie->info.width, movie->info.height},
        .to = {movie->shape.width, movie->shape.height},
        .has_alpha = movie->params.codec->has_alpha,
        .multiplies = multiplies,
    };
    const struct cli_stream_filter filter = {.prepare = prepare, .run = run, .user = &scaling};
    enum weir_result result = cli_scaler_init(&scaling.scaler, &movie->gpu, &params);
    if (result == WEIR_OK) {
        result = cli_movie_stream(movie, &filter, stopped);
    }
    for (int i = 0; i < CLI_STREAM_MAX_SLOTS; i++) {
        cli_scaled_finish(&scaling.frames[i], &scaling.scaler);
    }
    cli_scaler_finish(&scaling.scaler);
    return result;
}
