// SPDX-License-Identifier: MIT
// weir palette: one palette for all frames of a movie, which are read twice before it is made: to
// count the distinct colours, which the device needs room for, and to count the pixels of each.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/palette/palette.h"
#include "capture/weir/palette/total.h"

struct pass {
    struct palette *palette;
    const struct cli_movie *movie;
    struct palette_set set;       // colours of all frames
    uint8_t *rows;                // a frame as the source gives it
    struct palette_pixels pixels; // the same, opaque and without padding
    uint64_t num_frames;          // of this pass
};

static enum weir_result check_num_frames(const struct pass *pass, uint64_t num_frames)
{
    const struct weir_source_info *info = &pass->movie->info;
    const uint64_t num_pixels = (uint64_t)info->width * info->height;
    if (num_frames <= PALETTE_MAX_PIXELS / num_pixels) {
        return WEIR_OK;
    }
    cli_report_error("--share: %s: one palette counts %" PRIu64 " frames of %ux%u at most (2^32 "
                     "pixels); leave --share out, or reduce a shorter or smaller movie",
                     weir_source_name(pass->movie->source), PALETTE_MAX_PIXELS / num_pixels,
                     info->width, info->height);
    return WEIR_ERROR_UNSUPPORTED;
}

static enum weir_result allocate(struct pass *pass)
{
    const struct weir_source_info *info = &pass->movie->info;
    pass->pixels.width = info->width;
    pass->pixels.height = info->height;
    pass->pixels.rgba = malloc(4 * (size_t)info->width * info->height);
    pass->rows = aligned_alloc(WEIR_SOURCE_ALIGNMENT,
                               cli_staging_pitch(info->width) * info->height);
    if (!pass->pixels.rgba || !pass->rows) {
        cli_report_error("no memory for a frame of %ux%u texels", info->width, info->height);
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return WEIR_OK;
}

// The alpha of a source of movies says nothing.
static void take_pixels(struct pass *pass)
{
    const size_t row = 4 * (size_t)pass->pixels.width;
    for (uint32_t y = 0; y < pass->pixels.height; y++) {
        uint8_t *pixels = pass->pixels.rgba + y * row;
        memcpy(pixels, pass->rows + y * cli_staging_pitch(pass->pixels.width), row);
        for (size_t i = 3; i < row; i += 4) {
            pixels[i] = UINT8_MAX;
        }
    }
}

static enum weir_result scan_frame(struct pass *pass)
{
    if (!palette_set_add_pixels(&pass->set, &pass->pixels)) {
        cli_report_error("no memory to count the colours of %s",
                         weir_source_name(pass->movie->source));
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    return check_num_frames(pass, pass->num_frames + 1);
}

static enum weir_result count_frame(struct pass *pass)
{
    struct palette *palette = pass->palette;
    WEIR_TRY(palette_upload(palette, weir_source_name(pass->movie->source), &pass->pixels));
    return cli_reduction_count(&palette->run, palette->picture.source.weir, pass->num_frames == 0);
}

static enum weir_result take_frames(struct pass *pass, weir_source *source,
                                    enum weir_result take(struct pass *pass))
{
    weir_source_frame *frame = NULL;
    enum weir_result result = weir_source_frame_create(source, &frame);
    int64_t time_ns;
    bool end = false;
    while (result == WEIR_OK && !cli_interrupted()) {
        result = weir_source_take(source, frame, &time_ns, &end);
        if (result == WEIR_OK && !end) {
            result = weir_source_frame_convert(frame, pass->rows,
                                               cli_staging_pitch(pass->pixels.width));
        }
        if (result != WEIR_OK || end) {
            break;
        }
        take_pixels(pass);
        result = take(pass);
        cli_progress_step(&pass->palette->progress, ++pass->num_frames,
                          pass->movie->info.num_frames, "colours of frames");
    }
    weir_source_frame_destroy(&frame);
    return result;
}

static enum weir_result run_pass(struct pass *pass, enum weir_result take(struct pass *pass))
{
    weir_source *source = NULL;
    enum weir_result result = cli_movie_open_again(pass->movie, &source);
    pass->num_frames = 0;
    if (result == WEIR_OK) {
        result = take_frames(pass, source, take);
    }
    weir_source_close(&source);
    if (cli_interrupted()) {
        cli_report_error("interrupted");
        return WEIR_ERROR_IO;
    }
    return result;
}

static enum weir_result run_passes(struct pass *pass, struct palette_result *found)
{
    struct palette *palette = pass->palette;
    WEIR_TRY(check_num_frames(pass, pass->movie->info.num_frames));
    WEIR_TRY(allocate(pass));
    WEIR_TRY(run_pass(pass, scan_frame));
    WEIR_TRY(palette_prepare(palette, pass->set.num));
    WEIR_TRY(run_pass(pass, count_frame));
    return palette_reduce(palette, found);
}

enum weir_result palette_share_movie(struct palette *palette, const struct cli_movie *movie,
                                     struct palette_result *found)
{
    struct pass pass = {.palette = palette, .movie = movie};
    cli_progress_start(&palette->progress, false);
    const enum weir_result result = run_passes(&pass, found);
    cli_progress_finish(&palette->progress);
    cli_picture_finish(&palette->picture);
    palette_pixels_free(&pass.pixels);
    palette_set_free(&pass.set);
    free(pass.rows);
    return result;
}
