// SPDX-License-Identifier: MIT
// A picture in 8 bits, before and after a palette reduction.
#include "capture/weir/palette/pixels.h"

#include <stdlib.h>
#include <string.h>

#include "capture/files/picture/picture.h"
#include "capture/files/picture/texel.h"
#include "capture/weir/common/memory.h"
#include "capture/weir/common/report.h"

static enum weir_result fill_rows(const struct weir_picture *picture, uint8_t *rgba)
{
    const struct weir_pyramid_format_info *format = weir_pyramid_format_get_info(
        VK_FORMAT_R8G8B8A8_UNORM);
    const size_t pitch = 4 * (size_t)picture->width;
    if (weir_picture_bytes(picture, 0)) {
        for (uint32_t y = 0; y < picture->height; y++) {
            memcpy(rgba + y * pitch, weir_picture_bytes(picture, y), pitch);
        }
        return WEIR_OK;
    }
    float *row = malloc(pitch * sizeof(*row));
    if (!row) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    for (uint32_t y = 0; y < picture->height; y++) {
        weir_picture_row(picture, y, row);
        weir_texel_pack(format, row, picture->width, rgba + y * pitch);
    }
    free(row);
    return WEIR_OK;
}

static enum weir_result take_picture(struct palette_pixels *pixels, const char *path,
                                     const struct weir_picture *picture)
{
    if (picture->is_linear) {
        cli_report_error("%s holds linear light, and a palette is of codes of 0 .. 255; convert it "
                         "to a .png first",
                         path);
        return WEIR_ERROR_UNSUPPORTED;
    }
    pixels->width = picture->width;
    pixels->height = picture->height;
    pixels->is_rounded = picture->type != WEIR_PICTURE_8;
    pixels->rgba = malloc(4 * (size_t)picture->width * picture->height);
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (pixels->rgba) {
        result = fill_rows(picture, pixels->rgba);
    }
    if (result != WEIR_OK) {
        cli_report_error("no memory for the %ux%u texels of %s", picture->width, picture->height,
                         path);
    }
    return result;
}

enum weir_result palette_pixels_read(struct palette_pixels *pixels, const char *path,
                                     uint64_t max_memory)
{
    // The pixels, the staging buffer, two images on a device that shares the memory, and a copy of
    // the pixels for dither.
    const struct weir_memory_use memory = cli_memory_use(max_memory, 1, 20);
    struct weir_picture picture;
    *pixels = (struct palette_pixels){0};
    enum weir_result result = weir_picture_read(path, &memory, &cli_log, &picture);
    if (result == WEIR_OK) {
        result = take_picture(pixels, path, &picture);
    }
    weir_picture_free(&picture);
    return result;
}

void palette_pixels_free(struct palette_pixels *pixels)
{
    free(pixels->rgba);
    *pixels = (struct palette_pixels){0};
}
