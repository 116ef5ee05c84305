// SPDX-License-Identifier: MIT
// Pictures, and the images of a texture, as frames. Blocks of BC go to the device as they are.
// Other textures are decoded by the processor, and pictures by their own process.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <weir/pyramid.h>

#include "capture/base/size.h"
#include "capture/files/block/block.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/play/show.h"

// The period of pictures without --fps [ns].
enum { DEFAULT_PERIOD = 40000000 };
#define SECOND 1000000000u

bool show_stills_are(char *const *paths)
{
    struct stat status;
    struct weir_pattern pattern;
    VkFormat format;
    return paths[1] || weir_texture_identify(paths[0], &format) || weir_name_is_picture(paths[0]) ||
           (stat(paths[0], &status) == 0 ? S_ISDIR(status.st_mode)
                                         : weir_pattern_parse(paths[0], &pattern));
}

// The device knows no signed codes, no swizzle and no other order of rows.
static bool has_blocks(const struct weir_texture *texture)
{
    const struct weir_block_format *format = weir_block_get_format(texture->format);
    return format->model >= WEIR_BLOCK_MODEL_BC1A && format->model <= WEIR_BLOCK_MODEL_BC7 &&
           format->values != WEIR_BLOCK_SNORM && texture->swizzle[0] == 0 && !texture->is_bottom_up;
}

// What the processor decodes has straight alpha and sRGB codes. One channel is grey.
static enum weir_result open_texture(struct show *show, const char *path)
{
    struct weir_texture *texture = &show->stills.file.texture;
    WEIR_TRY(cli_texture_open(&show->stills.file, "weir play", path, 0));
    const struct weir_block_format *format = weir_block_get_format(texture->format);
    const bool is_grey = format->num_channels == 1 && texture->swizzle[0] == 0;
    show->stills.has_blocks = has_blocks(texture);
    show->stills.num_levels = texture->num_levels;
    show->info.num_frames = weir_texture_num_images(texture);
    if (show->stills.has_blocks) {
        show->info.is_premultiplied = texture->is_premultiplied;
        show->info.color = format->values == WEIR_BLOCK_FLOAT ? WEIR_PLAY_COLOR_LINEAR
                           : is_grey                          ? WEIR_PLAY_COLOR_ALPHA
                           : format->num_channels == 4        ? WEIR_PLAY_COLOR_RGBA
                                                              : WEIR_PLAY_COLOR_RGB;
    } else if (is_grey) {
        weir_texture_set_swizzle(texture, "rrr1");
    }
    return WEIR_OK;
}

enum weir_result show_stills_open(struct show *show, char *const *paths,
                                  const struct play_options *options)
{
    struct show_stills *stills = &show->stills;
    const struct weir_ratio rate = options->rate;
    VkFormat format;
    size_t num = 0;
    while (paths[num]) {
        num++;
    }
    show->info.color = WEIR_PLAY_COLOR_RGBA;
    stills->period_ns = rate.num > 0 ? (int64_t)weir_scale(SECOND, rate.den, rate.num)
                                     : DEFAULT_PERIOD;
    if (num == 1 && weir_texture_identify(paths[0], &format)) {
        WEIR_TRY(open_texture(show, paths[0]));
    } else {
        WEIR_TRY(weir_source_list_find_all(&stills->list, paths, num, &cli_log));
        show->info.num_frames = stills->list.num_files;
    }
    show->info.duration_ns = (int64_t)show->info.num_frames * stills->period_ns;
    return WEIR_OK;
}

static void finish_still(struct show *show, struct show_still *still)
{
    vkDestroyImageView(show->device->import.device, still->view, NULL);
    weir_gpu_image_finish(show->device->gpu, &still->image);
}

void show_stills_finish(struct show *show)
{
    struct show_stills *stills = &show->stills;
    finish_still(show, &stills->shown);
    cli_pictures_finish(&stills->pictures);
    cli_texture_close(&stills->file);
    weir_source_list_finish(&stills->list);
}

static enum weir_result upload(struct show *show, VkFormat format, VkExtent2D extent,
                               VkBuffer texels, struct show_still *still)
{
    weir_gpu *gpu = show->device->gpu;
    const struct weir_image_params params = {.format = format,
                                             .width = extent.width,
                                             .height = extent.height,
                                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                                      VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkCommandBuffer cmd;
    WEIR_TRY(weir_gpu_image_init(gpu, &params, 0, &still->image));
    WEIR_TRY(weir_gpu_view_init(gpu, &still->image.params, 0, 1, &still->view));
    WEIR_TRY(weir_gpu_begin(gpu, &cmd));
    const struct weir_gpu_copy copy = {.image = &still->image.params,
                                       .buffer = texels,
                                       .scope = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                                 VK_ACCESS_SHADER_READ_BIT,
                                                 VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL}};
    weir_cmd_upload(gpu, cmd, &copy);
    return weir_gpu_run(gpu, cmd); // behind all that reads the image before
}

// Convert texels to sRGB codes with straight alpha.
static enum weir_result put_picture(const struct weir_picture *picture, uint8_t *texels)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        VK_FORMAT_R8G8B8A8_UNORM);
    const size_t num = 4 * (size_t)picture->width;
    const bool are_codes = !picture->is_linear && !picture->is_premultiplied;
    float *row = malloc(num * sizeof(*row));
    for (uint32_t y = 0; row && y < picture->height; y++, texels += num) {
        const uint8_t *bytes = are_codes ? weir_picture_bytes(picture, y) : NULL;
        if (bytes) {
            memcpy(texels, bytes, num);
            continue;
        }
        weir_picture_row(picture, y, row);
        for (size_t i = 0; picture->is_premultiplied && i < num; i++) {
            const float alpha = row[i / 4 * 4 + 3];
            row[i] = i % 4 < 3 && alpha > 0 ? row[i] / alpha : row[i];
        }
        weir_values_convert(row, picture->width,
                            picture->is_linear ? WEIR_VALUES_LINEAR : WEIR_VALUES_SRGB,
                            WEIR_VALUES_SRGB);
        weir_texel_pack(format, row, picture->width, texels);
    }
    free(row);
    return row ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

// Show blocks, or a picture where they are NULL.
static enum weir_result replace(struct show *show, VkFormat format, VkExtent2D extent,
                                uint64_t size, const uint8_t *blocks,
                                const struct weir_picture *picture)
{
    weir_gpu *gpu = show->device->gpu;
    struct show_still next = {.view = VK_NULL_HANDLE};
    struct weir_gpu_buffer buffer;
    enum weir_result result = WEIR_OK;
    WEIR_TRY(weir_gpu_buffer_init(gpu,
                                  weir_gpu_buffer_params(.size = size,
                                                         .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                                         .memory = WEIR_GPU_MEMORY_HOST),
                                  &buffer));
    if (blocks) {
        memcpy(buffer.mapped, blocks, (size_t)size);
    } else {
        result = put_picture(picture, buffer.mapped);
    }
    if (result == WEIR_OK) {
        result = upload(show, format, extent, buffer.buffer, &next);
    }
    weir_gpu_buffer_finish(gpu, &buffer);
    finish_still(show, result == WEIR_OK ? &show->stills.shown : &next);
    if (result == WEIR_OK) {
        show->stills.shown = next;
        show->image.views[0] = next.view;
        show->image.num_textures = 1;
        show->info.width = extent.width;
        show->info.height = extent.height;
    }
    return result;
}

static enum weir_result show_blocks(struct show *show, uint32_t image)
{
    const struct weir_texture *texture = &show->stills.file.texture;
    const uint32_t level = show->stills.level;
    const VkExtent2D extent = weir_pyramid_level_extent(texture->width, texture->height, level);
    const bool is_srgb = weir_block_get_format(texture->format)->values == WEIR_BLOCK_SRGB;
    const VkFormat format = (VkFormat)(texture->format - is_srgb); // UNORM comes before SRGB
    return replace(show, format, extent, texture->levels[level].size,
                   weir_texture_image(texture, level, image), NULL);
}

static enum weir_result read_picture(struct show_stills *stills, const char *path, uint64_t frame,
                                     struct weir_picture *picture)
{
    // The buffer, and two images on a device that shares the memory.
    const struct weir_memory_use memory = cli_memory_use(0, 1, 12);
    stills->pictures.list = &stills->list;
    return stills->list.num_files > 0
               ? cli_picture_read(&stills->pictures, path, &memory, picture)
               : weir_picture_of_texture(&stills->file.texture, stills->level, (uint32_t)frame,
                                         path, &memory, &cli_log, picture);
}

enum weir_result show_picture(struct show *show, const struct weir_picture *picture)
{
    const VkExtent2D extent = {picture->width, picture->height};
    return replace(show, VK_FORMAT_R8G8B8A8_UNORM, extent, 4ull * extent.width * extent.height,
                   NULL, picture);
}

enum weir_result show_stills_frame(struct show *show, uint64_t frame)
{
    struct show_stills *stills = &show->stills;
    struct weir_picture picture;
    show->image.frame = frame; // what fails is reported once
    if (stills->list.num_files > 0) {
        show->name = stills->list.files[frame].path;
    }
    if (stills->has_blocks) {
        return show_blocks(show, (uint32_t)frame);
    }
    enum weir_result result = read_picture(stills, show->name, frame, &picture);
    if (result == WEIR_OK) {
        result = show_picture(show, &picture);
    }
    weir_picture_free(&picture);
    return result;
}

enum weir_result show_stills_change_level(struct show *show, int step)
{
    const uint32_t level = show->stills.level + (uint32_t)step;
    if (level >= show->stills.num_levels) {
        return WEIR_OK; // there is no such level
    }
    show->stills.level = level;
    return show_stills_frame(show, show->image.frame);
}
