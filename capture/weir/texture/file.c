// SPDX-License-Identifier: MIT
// weir texture: one picture becomes one file, the pictures of a folder become files of a folder.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "capture/base/path.h"
#include "capture/files/block/block.h"
#include "capture/weir/common/folder.h"
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
    CLI_FAIL_IF(
        texture->options->strict, WEIR_ERROR_UNSUPPORTED,
        "%s has alpha, and %s has none; choose another --codec, or leave it out by --alpha ignore",
        input, texture->codec->name);
    cli_report_warning("%s: its alpha is left out: %s has none", input, texture->codec->name);
    return WEIR_OK;
}

static enum weir_result check_texels(const struct texture *texture, const char *input,
                                     struct weir_picture *picture)
{
    float *row = malloc((size_t)picture->width * 4 * sizeof(*row));
    CLI_FAIL_IF(!row, WEIR_ERROR_OUT_OF_MEMORY, "no memory for a row of %u texels", picture->width);
    if (texture->srgb && seems_normal_map(picture, row)) {
        cli_report_warning("%s seems to be a normal map, and --srgb is for colours", input);
    }
    const enum weir_result result = check_alpha(texture, input, picture, row);
    free(row);
    return result;
}

enum weir_result texture_source_read(const struct texture *texture,
                                     const struct texture_source *source, uint32_t image,
                                     uint32_t level, struct weir_picture *picture)
{
    // The blocks; with levels the staging buffer and the images too, on a device that shares the
    // memory.
    const bool makes_levels = texture->levels != TEXTURE_LEVELS_OWN;
    const struct weir_memory_use memory = cli_memory_use(
        texture->options->max_memory, makes_levels ? 2 : 1,
        (makes_levels ? 8 : 5) + cli_levels_texel_size(&texture->options->level));
    const char *input = source->list ? source->list->files[image].path : source->input;
    if (source->texels) {
        WEIR_TRY(weir_picture_of_texture(source->texels, level, image, input, &memory, &cli_log,
                                         picture));
    } else {
        WEIR_TRY(cli_picture_read(texture->pictures, input, &memory, picture));
    }
    WEIR_TRY(cli_level_options_apply(&texture->options->level, input, picture));
    WEIR_TRY(cli_paths_check_pair(input, source->output));
    CLI_FAIL_IF(picture->is_linear && !texture_codec_is_float(texture->codec),
                WEIR_ERROR_UNSUPPORTED,
                "%s holds linear light, and %s holds codes of 0 .. 1; convert it first, or choose "
                "a codec of floats (bc6h)",
                input, texture->codec->name);
    return check_texels(texture, input, picture);
}

static void report(const struct texture *texture, const char *output,
                   const struct texture_blocks *blocks, uint64_t size)
{
    const struct weir_texture *levels = &blocks->texture;
    char effort[32] = "", quality[64] = "", images[64];
    if (!texture_codec_is_texels(texture->codec)) {
        snprintf(effort, sizeof(effort), " at effort %s", cli_effort_names[texture->effort]);
    }
    if (blocks->psnr > 0) {
        snprintf(quality, sizeof(quality), ", %.1f dB at quality %" PRIu64, blocks->psnr,
                 texture->options->quality);
    }
    cli_print(stdout, "%s: %ux%u, %s%s%s, %s, %u mip level%s, %" PRIu64 " bytes%s, on %s%s\n",
              output, levels->width, levels->height, cli_texture_describe_images(levels, images),
              texture->codec->name, effort, weir_block_get_format(levels->format)->name,
              levels->num_levels, levels->num_levels == 1 ? "" : "s", size, quality,
              texture->gpu.properties.deviceName,
              texture->alpha == TEXTURE_ALPHA_DATA ? "; alpha is data" : "");
    fflush(stdout);
}

static enum weir_result encode_source(struct texture *texture, const struct texture_source *source)
{
    struct texture_blocks blocks;
    uint64_t size = 0;
    enum weir_result result = texture_encode(texture, source, &blocks);
    if (result == WEIR_OK) {
        result = texture_write_file(texture, source->output, &blocks.texture, &size);
    }
    if (result == WEIR_OK) {
        report(texture, source->output, &blocks, size);
    }
    texture_blocks_free(&blocks);
    return result;
}

// Encode the texels of a texture that is not compressed, as its file says what they are.
static enum weir_result encode_texels(struct texture *texture, const char *input,
                                      const char *output)
{
    struct cli_texture_file file;
    enum weir_result result = cli_texture_open(&file, "weir texture", input,
                                               texture->options->max_memory);
    const struct weir_texture *texels = &file.texture;
    static const char *const of_pictures[] = {"layer", "profile", NULL};
    const char *option = cli_options_find_given(of_pictures, true);
    if (result == WEIR_OK && option) {
        result = cli_fail(WEIR_ERROR_INVALID, "--%s: %s is a texture, which has none; leave it out",
                          option, input);
    }
    if (result == WEIR_OK && weir_texture_num_images(texels) > 1 &&
        !texture->container->has_images) {
        result = cli_fail(
            WEIR_ERROR_UNSUPPORTED,
            "%s holds %u images, and %s files are written with one; write a .ktx2 or .dds", input,
            weir_texture_num_images(texels), texture->container->name);
    }
    if (result == WEIR_OK) {
        const bool asked = texture->srgb;
        const bool is_srgb = weir_block_get_format(texels->format)->values == WEIR_BLOCK_SRGB;
        texture->srgb = asked || (is_srgb && texture->codec->srgb_format != VK_FORMAT_UNDEFINED);
        result = encode_source(
            texture, &(struct texture_source){.input = input,
                                              .output = output,
                                              .texels = texels,
                                              .num_images = weir_texture_num_images(texels),
                                              .num_layers = texels->num_layers,
                                              .is_cube = texels->is_cube});
        texture->srgb = asked;
    }
    cli_texture_close(&file);
    return result;
}

static enum weir_result encode_picture(struct texture *texture, const char *input,
                                       const char *output)
{
    VkFormat format;
    if (weir_texture_identify(input, &format)) {
        return encode_texels(texture, input, output);
    }
    return encode_source(
        texture, &(struct texture_source){.input = input, .output = output, .num_images = 1});
}

static enum weir_result make_of_folder(void *user, const char *input, const char *output)
{
    return texture_is_rewrapped(input) ? texture_rewrap_file(user, input, output)
                                       : encode_picture(user, input, output);
}

// One picture, those of a folder, or the images of one texture.
struct work {
    struct texture *texture;
    const char *input, *output;
    struct cli_folder *folder;           // NULL: one picture
    const struct texture_source *images; // NULL: no images of one texture
};

static enum weir_result encode(const struct work *work)
{
    struct texture *texture = work->texture;
    const struct texture_options *chosen = texture->options;
    struct cli_pictures pictures = {
        .list = work->folder   ? &work->folder->list
                : work->images ? work->images->list
                               : NULL,
        .path = work->input,
        .max_memory = chosen->max_memory,
        .still = cli_still_params(chosen->layer, chosen->profile,
                                  !texture->srgb || chosen->level.changes.normals)};
    texture->pictures = &pictures;
    enum weir_result result = texture_open(texture);
    if (result == WEIR_OK) {
        result = work->folder   ? cli_folder_run(work->folder, make_of_folder, texture)
                 : work->images ? encode_source(texture, work->images)
                                : encode_picture(texture, work->input, work->output);
    }
    cli_pictures_finish(&pictures);
    return texture_close(texture, result);
}

enum weir_result texture_encode_file(struct texture *texture, const char *input, const char *output)
{
    return encode(&(const struct work){.texture = texture, .input = input, .output = output});
}

// Get the face that the end of a name stands for; WEIR_TEXTURE_FACES: none.
static uint32_t find_face(const char *path)
{
    static const char *const names[WEIR_TEXTURE_FACES][3] = {
        {"px", "posx", "right"},  {"nx", "negx", "left"},  {"py", "posy", "top"},
        {"ny", "negy", "bottom"}, {"pz", "posz", "front"}, {"nz", "negz", "back"},
    };
    const char *name = weir_path_name(path);
    const size_t length = (size_t)(weir_path_ending(path) - name);
    for (uint32_t i = 0; i < 3 * WEIR_TEXTURE_FACES; i++) {
        const char *ending = names[i / 3][i % 3];
        const size_t size = strlen(ending);
        if (length >= size && strncasecmp(name + length - size, ending, size) == 0) {
            return i / 3;
        }
    }
    return WEIR_TEXTURE_FACES;
}

// Bring six files whose names say what faces they are into the order of faces.
static void sort_faces(struct weir_source_file files[WEIR_TEXTURE_FACES])
{
    struct weir_source_file sorted[WEIR_TEXTURE_FACES];
    uint32_t found = 0;
    for (size_t i = 0; i < WEIR_TEXTURE_FACES; i++) {
        const uint32_t face = find_face(files[i].path);
        found |= 1u << face;
        sorted[face % WEIR_TEXTURE_FACES] = files[i];
    }
    if (found == (1u << WEIR_TEXTURE_FACES) - 1) {
        memcpy(files, sorted, sizeof(sorted));
    }
}

enum weir_result texture_encode_images(struct texture *texture, const struct cli_inputs *inputs,
                                       const char *output)
{
    struct weir_source_list list;
    const bool is_cube = texture->options->cube, is_array = texture->options->array;
    enum weir_result result = weir_source_list_find_all(&list, inputs->paths, inputs->num,
                                                        &cli_log);
    const uint32_t num = result == WEIR_OK ? (uint32_t)list.num_files : 0;
    const uint32_t num_faces = is_cube ? WEIR_TEXTURE_FACES : 1;
    if (result == WEIR_OK && (num % num_faces != 0 || num / num_faces > WEIR_TEXTURE_MAX_LAYERS ||
                              (!is_array && num != num_faces))) {
        result = cli_fail(
            WEIR_ERROR_INVALID,
            "--cube: %u picture%s given, and a cube map has six; name +X, -X, +Y, -Y, +Z, -Z%s",
            num, num == 1 ? " is" : "s are",
            is_array ? " of each" : ", or add --array for several cube maps");
    }
    if (result == WEIR_OK) {
        for (size_t i = 0; is_cube && i < num; i += WEIR_TEXTURE_FACES) {
            sort_faces(list.files + i);
        }
        const struct texture_source source = {.input = list.files[0].path,
                                              .output = output,
                                              .list = &list,
                                              .num_images = num,
                                              .num_layers = is_array ? num / num_faces : 0,
                                              .is_cube = is_cube};
        result = encode(&(const struct work){.texture = texture, .images = &source});
    }
    weir_source_list_finish(&list);
    return result;
}

enum weir_result texture_encode_folder(struct texture *texture, const struct cli_inputs *inputs,
                                       const char *output)
{
    struct cli_folder folder = {
        .output = output, .ending = texture->container->name, .wanted = "textures"};
    enum weir_result result = cli_folder_open(&folder, inputs);
    if (result == WEIR_OK) {
        result = encode(&(const struct work){.texture = texture, .folder = &folder});
        cli_print(stdout, "%s: %zu of %zu pictures\n", output, folder.num_done,
                  folder.list.num_files);
    }
    cli_folder_close(&folder);
    return result;
}
