// SPDX-License-Identifier: MIT
// weir texture: one picture becomes one file, the pictures of a folder become files of a folder.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/files/block/block.h"
#include "capture/files/picture/picture.h"
#include "capture/weir/common/child.h"
#include "capture/weir/common/confine.h"
#include "capture/weir/common/folder.h"
#include "capture/weir/common/memory.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/texture/texture.h"

// True if an alpha is not 1 everywhere. `row` has room for a row of the picture.
static bool find_alpha(const struct weir_picture *picture, float *row)
{
    bool found = false;
    for (uint32_t y = 0; y < picture->height && !found; y++) {
        weir_picture_row(picture, y, row);
        for (uint32_t x = 0; x < picture->width && !found; x++) {
            found = !(row[4 * (size_t)x + 3] * UINT8_MAX >= UINT8_MAX - 0.5f);
        }
    }
    return found;
}

// True if the colours seem to be directions, as those of a normal map: nearly all have the length
// 1, and their mean points upwards. Looks at no more than 64 rows.
static bool seems_normal_map(const struct weir_picture *picture, float *row)
{
    double sum[3] = {0}, num_unit = 0, num = 0;
    for (uint32_t y = 0; y < picture->height; y += picture->height / 64 + 1) {
        weir_picture_row(picture, y, row);
        for (uint32_t x = 0; x < picture->width; x++, num++) {
            double square = 0;
            for (int i = 0; i < 3; i++) {
                const double side = 2 * row[4 * (size_t)x + i] - 1;
                sum[i] += side;
                square += side * side;
            }
            num_unit += fabs(square - 1) < 0.15;
        }
    }
    return num_unit > 0.95 * num && fabs(sum[0]) < 0.15 * num && fabs(sum[1]) < 0.15 * num &&
           sum[2] > 0.7 * num;
}

// Treat an alpha that is 1 everywhere as none. If the codec has no alpha, warn that any other is
// left out, or refuse the picture if the options are strict.
static enum weir_result check_alpha(const struct texture *texture, const char *input,
                                    struct weir_picture *picture, float *row)
{
    if (!picture->has_alpha || texture->alpha == TEXTURE_ALPHA_IGNORE ||
        texture->alpha == TEXTURE_ALPHA_UNREAD) {
        return WEIR_OK;
    }
    picture->has_alpha = find_alpha(picture, row);
    if (!picture->has_alpha || texture_codec_has_alpha(texture->codec)) {
        return WEIR_OK;
    }
    if (texture->options->strict) {
        return cli_fail(WEIR_ERROR_UNSUPPORTED,
                        "%s has alpha, and %s has none; choose another --codec, or leave it out by "
                        "--alpha ignore",
                        input, texture->codec->name);
    }
    cli_report_warning("%s: its alpha is left out: %s has none", input, texture->codec->name);
    return WEIR_OK;
}

static enum weir_result check_texels(const struct texture *texture, const char *input,
                                     struct weir_picture *picture)
{
    float *row = malloc((size_t)picture->width * 4 * sizeof(*row));
    if (!row) {
        return cli_fail(WEIR_ERROR_OUT_OF_MEMORY, "no memory for a row of %u texels",
                        picture->width);
    }
    if (texture->options->srgb && seems_normal_map(picture, row)) {
        cli_report_warning("%s seems to be a normal map, and --srgb is for colours", input);
    }
    const enum weir_result result = check_alpha(texture, input, picture, row);
    free(row);
    return result;
}

static enum weir_result read_picture(const struct texture *texture, const char *input,
                                     const char *output, struct weir_picture *picture)
{
    const struct cli_level_options *level = &texture->options->level;
    // The blocks; with levels the staging buffer and the images too, on a device that shares the
    // memory.
    const struct weir_memory_use memory = cli_memory_use(
        texture->options->max_memory, texture->options->mips ? 2 : 1,
        (texture->options->mips ? 8 : 5) + cli_levels_texel_size(level));
    WEIR_TRY(cli_picture_read(input, &memory, picture));
    WEIR_TRY(cli_level_options_apply(level, input, picture));
    WEIR_TRY(cli_paths_check_pair(input, output));
    if (picture->is_linear && !texture_codec_is_float(texture->codec)) {
        return cli_fail(WEIR_ERROR_UNSUPPORTED,
                        "%s holds linear light, and %s holds codes of 0 .. 1; convert it first, "
                        "or choose a codec of floats (bc6h)",
                        input, texture->codec->name);
    }
    return check_texels(texture, input, picture);
}

static void report(const struct texture *texture, const char *output,
                   const struct texture_blocks *blocks, uint64_t size)
{
    const struct weir_texture *levels = &blocks->texture;
    char quality[64] = "";
    if (blocks->psnr > 0) {
        snprintf(quality, sizeof(quality), ", %.1f dB at quality %" PRIu64, blocks->psnr,
                 texture->options->quality);
    }
    cli_print(stdout,
              "%s: %ux%u, %s at effort %s, %s, %u mip level%s, %" PRIu64 " bytes%s, on %s%s\n",
              output, levels->width, levels->height, texture->codec->name,
              cli_effort_names[texture->effort], weir_block_get_format(levels->format)->name,
              levels->num_levels, levels->num_levels == 1 ? "" : "s", size, quality,
              texture->gpu.properties.deviceName,
              texture->alpha == TEXTURE_ALPHA_DATA ? "; alpha is data" : "");
    fflush(stdout);
}

static enum weir_result encode_picture(struct texture *texture, const char *input,
                                       const char *output)
{
    struct weir_picture picture = {0};
    struct texture_blocks blocks = {0};
    uint64_t size = 0;
    enum weir_result result = read_picture(texture, input, output, &picture);
    if (result == WEIR_OK) {
        result = texture_encode(texture, input, &picture, &blocks);
    }
    if (result == WEIR_OK) {
        result = texture_write_file(texture, output, &blocks.texture, &size);
    }
    if (result == WEIR_OK) {
        report(texture, output, &blocks, size);
    }
    texture_blocks_free(&blocks);
    weir_picture_free(&picture);
    return result;
}

static enum weir_result make_of_folder(void *user, const char *input, const char *output)
{
    return texture_is_rewrapped(input) ? texture_rewrap_file(user, input, output)
                                       : encode_picture(user, input, output);
}

// The work of a child process: one picture, or what is left of those of a folder.
struct work {
    struct texture *texture;
    const char *input, *output;
    struct cli_folder *folder; // NULL: one picture
};

static void confine(const struct work *work)
{
    struct cli_confinement confinement;
    cli_confine_begin(&confinement, work->texture->options->max_memory);
    if (work->folder) {
        cli_folder_confine(work->folder, &confinement);
    } else {
        cli_confine_input(&confinement, work->input);
        cli_confine_output(&confinement, work->output);
    }
    cli_confine_enter(&confinement);
}

static enum weir_result encode(void *user)
{
    struct work *work = user;
    struct texture *texture = work->texture;
    confine(work);
    enum weir_result result = texture_open(texture);
    if (result == WEIR_OK) {
        result = work->folder ? cli_folder_run(work->folder, make_of_folder, texture)
                              : encode_picture(texture, work->input, work->output);
    }
    return texture_close(texture, result);
}

enum weir_result texture_encode_file(struct texture *texture, const char *input, const char *output)
{
    struct work work = {.texture = texture, .input = input, .output = output};
    return cli_child_make(encode, &work, input, output);
}

enum weir_result texture_encode_folder(struct texture *texture, const struct cli_inputs *inputs,
                                       const char *output)
{
    struct cli_folder folder;
    struct work work = {.texture = texture, .folder = &folder};
    enum weir_result result = cli_folder_open(&folder, inputs, output, texture->container->name,
                                              "textures");
    if (result == WEIR_OK) {
        result = cli_folder_check(&folder, NULL);
    }
    if (result == WEIR_OK) {
        result = cli_folder_run_in_subprocess(&folder, encode, &work);
        cli_print(stdout, "%s: %zu of %zu pictures\n", output, cli_folder_num_done(&folder),
                  folder.list.num_files);
    }
    cli_folder_close(&folder);
    return result;
}
