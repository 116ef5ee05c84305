// SPDX-License-Identifier: MIT
// How much memory a picture takes, and how much it may take.
#include "capture/files/source/still_decoder.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

enum {
    UNKNOWN_BITS = 32, // of a texel, where the format is not known
    MIB = 1 << 20,
};

uint32_t weir_memory_value_size(enum AVPixelFormat pixel_format)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(pixel_format);
    int depth = 8;
    for (int i = 0; format && i < format->nb_components; i++) {
        depth = format->comp[i].depth > depth ? format->comp[i].depth : depth;
    }
    return format && (format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0 ? 4 : depth > 8 ? 2 : 1;
}

uint64_t weir_memory_need(const struct weir_memory_use *use, uint64_t width, uint64_t height,
                          enum AVPixelFormat format)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    const int bits = description ? av_get_padded_bits_per_pixel(description) : UNKNOWN_BITS;
    const uint32_t value_size = weir_memory_value_size(format);
    const uint64_t work_size = (uint64_t)use->texel_size +
                               (value_size > 1 ? use->deep_texel_size : 0) +
                               4 * (uint64_t)use->num_copies * value_size;
    const uint64_t texel_bits = (uint64_t)bits + 8 * work_size;
    const bool fits = height == 0 || width <= UINT64_MAX / texel_bits / height;
    return fits ? width * height * texel_bits / 8 : UINT64_MAX;
}

enum weir_result weir_memory_check(const struct weir_memory_use *use, uint64_t width,
                                   uint64_t height, enum AVPixelFormat format,
                                   char reason[WEIR_REASON_SIZE])
{
    const uint64_t need = weir_memory_need(use, width, height, format);
    if (width == 0 || height == 0) {
        snprintf(reason, WEIR_REASON_SIZE, "it is damaged: it states no size that can be");
        return WEIR_ERROR_DATA;
    }
    if (width > INT_MAX || height > INT_MAX ||
        av_image_check_size((unsigned)width, (unsigned)height, 0, NULL) < 0) {
        snprintf(reason, WEIR_REASON_SIZE,
                 "it has %" PRIu64 "x%" PRIu64 " texels, and FFmpeg's libraries take no more than "
                 "%d million; cut it into parts with another program",
                 width, height, INT_MAX / 8 / 1000000);
        return WEIR_ERROR_UNSUPPORTED;
    }
    if (use->limit != 0 && need > use->limit) {
        snprintf(reason, WEIR_REASON_SIZE,
                 "its %" PRIu64 "x%" PRIu64 " texels would take %" PRIu64
                 " MiB of memory, and %" PRIu64 " MiB are allowed; make it smaller with another "
                 "program, or allow more by --max-memory",
                 width, height, need / MIB, use->limit / MIB);
        return WEIR_ERROR_UNSUPPORTED;
    }
    return WEIR_OK;
}

int weir_memory_max_texels(const struct weir_memory_use *use)
{
    // A decoded texel takes a bit at least.
    const uint64_t texel_bits = 1 + 8 * (uint64_t)use->texel_size + 32 * (uint64_t)use->num_copies;
    const uint64_t max = use->limit / texel_bits * 8;
    return use->limit == 0 || max > INT_MAX ? INT_MAX : (int)max;
}
