// SPDX-License-Identifier: MIT
// weir palette: several pictures become files of a folder, each by itself or all by one palette.
#include <inttypes.h>
#include <stdio.h>

#include "capture/weir/common/folder.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/palette/palette.h"

enum weir_result palette_check_pixels(uint64_t num_pictures, uint64_t num_pixels,
                                      const char *output)
{
    if (num_pixels <= PALETTE_MAX_PIXELS) {
        return WEIR_OK;
    }
    return cli_fail(WEIR_ERROR_UNSUPPORTED,
                    "--share: the %" PRIu64 " pictures of %s have %" PRIu64
                    " pixels together, and one palette counts %" PRIu64
                    " at most; leave --share out, or share a palette among fewer or smaller ones",
                    num_pictures, output, num_pixels, (uint64_t)PALETTE_MAX_PIXELS);
}

static enum weir_result reduce_file(void *user, const char *input, const char *output)
{
    return palette_reduce_file(user, input, output);
}

// Pictures with one palette are read three times, once in each pass: together they may be larger
// than the memory.
struct shared {
    struct palette *palette;
    struct cli_folder *folder;
    struct palette_set set;            // colours of all pictures
    uint64_t num_pictures, num_pixels; // of which they are
    struct palette_pixels pixels;      // of the picture that a pass is at
    size_t num_read;                   // pictures of the pass
    bool is_counted;                   // the device holds colours of this run
};

static enum weir_result read_picture(struct shared *shared, const char *input)
{
    palette_pixels_free(&shared->pixels);
    cli_progress_step(&shared->palette->progress, ++shared->num_read,
                      shared->folder->list.num_files, input);
    return palette_pixels_read(&shared->pixels, input, &shared->palette->pictures);
}

static enum weir_result scan(void *user, const char *input, const char *output)
{
    (void)output;
    struct shared *shared = user;
    WEIR_TRY(read_picture(shared, input));
    WEIR_TRY(cli_gpu_check_side(shared->palette->gpu, input, shared->pixels.width,
                                shared->pixels.height));
    WEIR_TRY(palette_scan(&shared->set, input, &shared->pixels));
    shared->num_pictures++;
    shared->num_pixels += (uint64_t)shared->pixels.width * shared->pixels.height;
    return WEIR_OK;
}

static enum weir_result count(void *user, const char *input, const char *output)
{
    (void)output;
    struct shared *shared = user;
    WEIR_TRY(read_picture(shared, input));
    WEIR_TRY(palette_count(shared->palette, input, &shared->pixels, !shared->is_counted));
    shared->is_counted = true;
    return WEIR_OK;
}

static enum weir_result map(void *user, const char *input, const char *output)
{
    struct shared *shared = user;
    uint64_t num_colors;
    WEIR_TRY(read_picture(shared, input));
    WEIR_TRY(palette_upload(shared->palette, input, &shared->pixels));
    WEIR_TRY(palette_write_picture(shared->palette, output, &shared->pixels, &num_colors));
    fputs(cli_progress_erase(), stderr);
    cli_print(stdout, "%s: %s%" PRIu64 " colour%s\n", output,
              shared->pixels.is_rounded ? "rounded to 8 bits, " : "", num_colors,
              num_colors == 1 ? "" : "s");
    fflush(stdout);
    return WEIR_OK;
}

// A pass over the pictures that are left; true where it makes sense to go on. Ctrl-C behind the
// last picture of a pass is named by the next.
static bool pass(struct shared *shared, cli_folder_file *file, enum weir_result *result)
{
    shared->num_read = 0;
    const enum weir_result done = cli_folder_run(shared->folder, file, shared);
    *result = done != WEIR_OK ? done : *result;
    return shared->folder->num_done > 0 && (*result == WEIR_OK || !cli_interrupted());
}

// `*num_counted`: of how many pictures the palette is; 0: there is none.
static enum weir_result run_passes(struct shared *shared, struct palette_result *found,
                                   size_t *num_counted)
{
    struct palette *palette = shared->palette;
    enum weir_result result = WEIR_OK;
    *num_counted = 0;
    if (!pass(shared, scan, &result)) {
        return result;
    }
    WEIR_TRY(
        palette_check_pixels(shared->num_pictures, shared->num_pixels, shared->folder->output));
    WEIR_TRY(palette_prepare(palette, shared->set.num));
    if (!pass(shared, count, &result)) {
        return result;
    }
    WEIR_TRY(palette_reduce(palette, &shared->set, found));
    *num_counted = shared->folder->num_done;
    pass(shared, map, &result);
    return result;
}

static void forget_colors(struct shared *shared)
{
    palette_set_free(&shared->set);
    palette_colors_free(&shared->palette->shown);
    shared->num_pictures = shared->num_pixels = 0;
    shared->is_counted = false;
}

// Where a picture that has been counted cannot be read again, its colours are not to be in the
// palette of the others.
static enum weir_result reduce_all(struct shared *shared)
{
    struct palette_result found;
    size_t num_counted, num_done;
    enum weir_result result = WEIR_OK;
    do {
        forget_colors(shared);
        const enum weir_result done = run_passes(shared, &found, &num_counted);
        result = done != WEIR_OK ? done : result;
        num_done = shared->folder->num_done;
    } while (num_done > 0 && num_done < num_counted && !cli_interrupted());
    if (num_counted > 0) {
        fputs(cli_progress_erase(), stderr);
        cli_print(stdout, "%s: %zu of %zu pictures, ", shared->folder->output, num_done,
                  shared->folder->list.num_files);
        palette_print_result(shared->palette, &found);
    }
    return result;
}

enum weir_result palette_reduce_folder(struct palette *palette, struct cli_folder *folder)
{
    if (!palette->options->share) {
        return cli_folder_run(folder, reduce_file, palette);
    }
    struct shared shared = {.palette = palette, .folder = folder};
    cli_progress_start(&palette->progress, false);
    const enum weir_result result = reduce_all(&shared);
    cli_progress_finish(&palette->progress);
    palette_pixels_free(&shared.pixels);
    palette_set_free(&shared.set);
    return result;
}
