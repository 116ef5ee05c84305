// SPDX-License-Identifier: MIT
// Linear light: frames of floats become upright rows of half floats.
#include "capture/files/source/convert.h"

#include <string.h>

#include "capture/base/small_float.h"
#include "capture/files/source/floats.h"
#include "capture/files/source/orientation.h"

static enum weir_result refuse(const struct weir_convert_params *params, const char *text)
{
    return weir_fail(params->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT, "%s: %s",
                     params->path, text);
}

static enum weir_result check(const struct weir_convert_params *params, const AVFrame *frame,
                              int orientation)
{
    const bool swaps = weir_orientation_swaps_sides(orientation);
    const uint32_t width = (uint32_t)(swaps ? frame->height : frame->width);
    const uint32_t height = (uint32_t)(swaps ? frame->width : frame->height);
    if (weir_meaning_light_of(frame) != WEIR_LIGHT_LINEAR || !weir_floats_are_plain(frame)) {
        return refuse(params, "it holds display codes, and this codec takes linear light, as "
                              "OpenEXR has it; choose a codec of display codes");
    }
    if (width != params->width || height != params->height) {
        return refuse(params, "frames of linear light are not scaled; leave out --size, or take "
                              "--scale to make them smaller, and give frames of one size");
    }
    return WEIR_OK;
}

enum weir_result weir_linear_run(const struct weir_convert_params *params, const AVFrame *frame,
                                 int orientation, uint8_t *pixels, size_t pitch)
{
    WEIR_TRY(check(params, frame, orientation));
    float matrix[3][3];
    weir_gamut_to_srgb(weir_meaning_gamut_of(frame), matrix);
    for (uint32_t y = 0; y < params->height; y++) {
        for (uint32_t x = 0; x < params->width; x++) {
            const struct weir_orientation_texel at = weir_orientation_stored(
                orientation, x, y, params->width, params->height);
            float rgba[4];
            uint16_t halves[4];
            weir_floats_read(frame, (int)at.x, (int)at.y, rgba);
            for (int c = 0; c < 3; c++) {
                const float *row = matrix[c];
                halves[c] = weir_half_from(row[0] * rgba[0] + row[1] * rgba[1] + row[2] * rgba[2]);
            }
            halves[3] = weir_half_from(rgba[3]);
            memcpy(pixels + y * pitch + x * sizeof(halves), halves, sizeof(halves));
        }
    }
    return WEIR_OK;
}
