// SPDX-License-Identifier: MIT
// weir texture --decode: a level of a texture becomes a picture, decoded on the CPU.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/pyramid.h>

#include "capture/base/size.h"
#include "capture/files/block/block.h"
#include "capture/files/picture/picture.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/memory.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/texture/texture.h"

enum { BLOCK_SIDE = 4, BLOCK_TEXELS = 16 };

bool texture_can_decode_to(const char *output)
{
    return cli_output_ends_in(output, ".png") || cli_output_ends_in(output, ".pfm");
}

// A picture in the making.
struct decoded {
    const struct weir_block_format *format;
    struct cli_still still;
    float *rows; // of one row of blocks, RGBA
    bool is_bottom_up, lost_alpha;
};

static size_t row_pitch(const struct decoded *decoded)
{
    return weir_round_up(decoded->still.width, BLOCK_SIDE) * 4;
}

static bool allocate(struct decoded *decoded)
{
    decoded->rows = malloc(row_pitch(decoded) * BLOCK_SIDE * sizeof(*decoded->rows));
    return cli_still_allocate(&decoded->still) && decoded->rows;
}

// Convert a row to the values of the file. A PFM file holds the values that a sampler gets; a PNG
// file holds display codes, or values of 0 .. 1.
static void convert(const struct decoded *decoded, float *row)
{
    const enum weir_block_values values = decoded->format->values;
    if (decoded->still.value_size == 4) {
        if (values == WEIR_BLOCK_SRGB) {
            weir_values_convert(row, decoded->still.width, WEIR_VALUES_SRGB, WEIR_VALUES_LINEAR);
        }
    } else if (values == WEIR_BLOCK_FLOAT) {
        weir_values_convert(row, decoded->still.width, WEIR_VALUES_LINEAR, WEIR_VALUES_SRGB);
    } else if (values == WEIR_BLOCK_SNORM) {
        for (size_t i = 0; i < 4 * (size_t)decoded->still.width; i++) {
            row[i] = (row[i] + 1) / 2;
        }
    }
}

static void put_row(struct decoded *decoded, uint32_t y, const float *row)
{
    const bool leaves_alpha = decoded->still.num_channels < decoded->format->num_channels;
    cli_still_put_row(&decoded->still, y, row);
    for (uint32_t x = 0; leaves_alpha && x < decoded->still.width; x++) {
        decoded->lost_alpha |= row[4 * (size_t)x + 3] < 1;
    }
}

static void decode(struct decoded *decoded, const uint8_t *blocks)
{
    const size_t pitch = row_pitch(decoded);
    for (uint32_t top = 0; top < decoded->still.height; top += BLOCK_SIDE) {
        for (uint32_t left = 0; left < decoded->still.width; left += BLOCK_SIDE) {
            float texels[BLOCK_TEXELS][4];
            weir_block_decode(decoded->format, blocks, texels);
            blocks += decoded->format->block_size;
            for (size_t i = 0; i < BLOCK_SIDE; i++) {
                memcpy(decoded->rows + i * pitch + (size_t)left * 4, texels[i * BLOCK_SIDE],
                       sizeof(texels[0]) * BLOCK_SIDE);
            }
        }
        for (uint32_t i = 0; i < BLOCK_SIDE && top + i < decoded->still.height; i++) {
            float *row = decoded->rows + i * pitch;
            convert(decoded, row);
            put_row(decoded, decoded->is_bottom_up ? decoded->still.height - 1 - top - i : top + i,
                    row);
        }
    }
}

// One and two channels are finer than 8 bits: they lie between the ends of a block.
static void choose(struct decoded *decoded, const char *output)
{
    const uint32_t num_channels = decoded->format->num_channels;
    const bool is_pfm = cli_output_ends_in(output, ".pfm");
    decoded->still.value_size = is_pfm ? 4 : num_channels < 3 ? 2 : 1;
    decoded->still.num_channels = num_channels == 2 || (is_pfm && num_channels == 4) ? 3
                                                                                     : num_channels;
    decoded->still.is_data = num_channels < 3;
}

// The picture, beside the file that is in memory already.
static enum weir_result check_memory(const struct texture_options *options, const char *input,
                                     const struct decoded *decoded)
{
    const uint64_t limit = cli_memory_use(options->max_memory, 0, 0).limit;
    const uint64_t need = (uint64_t)decoded->still.width * decoded->still.height *
                          decoded->still.num_channels * decoded->still.value_size;
    if (need <= limit) {
        return WEIR_OK;
    }
    return cli_fail(WEIR_ERROR_UNSUPPORTED,
                    "%s: its %ux%u texels would take %" PRIu64 " MiB of memory, and %" PRIu64
                    " MiB are allowed; decode a smaller --mip, or allow more by --max-memory",
                    input, decoded->still.width, decoded->still.height, need >> 20, limit >> 20);
}

static enum weir_result decode_level(const struct weir_texture *texture,
                                     const struct texture_options *options, const char *input,
                                     const char *output)
{
    const uint32_t level = (uint32_t)options->mip;
    const VkExtent2D extent = weir_pyramid_level_extent(texture->width, texture->height, level);
    struct decoded decoded = {
        .format = weir_block_get_format(texture->format),
        .still = {.width = extent.width, .height = extent.height},
        .is_bottom_up = texture->is_bottom_up,
    };
    choose(&decoded, output);
    enum weir_result result = check_memory(options, input, &decoded);
    if (result != WEIR_OK) {
        return result;
    }
    result = WEIR_ERROR_OUT_OF_MEMORY;
    if (allocate(&decoded)) {
        decode(&decoded, texture->levels[level].blocks);
        if (decoded.lost_alpha) {
            cli_report_warning("%s: a PFM file has no alpha; it is left out", output);
        }
        result = cli_still_write(&decoded.still, output);
    } else {
        cli_report_error("no memory for %ux%u texels", decoded.still.width, decoded.still.height);
    }
    if (result == WEIR_OK) {
        cli_print(stdout, "%s: %ux%u, mip level %u of 0 .. %u, %s%s\n", output, decoded.still.width,
                  decoded.still.height, level, texture->num_levels - 1, decoded.format->name,
                  texture->is_premultiplied ? ", colours multiplied by alpha" : "");
    }
    free(decoded.still.pixels);
    free(decoded.rows);
    return result;
}

enum weir_result texture_decode_file(const struct texture_options *options, const char *input,
                                     const char *output)
{
    const uint32_t level = (uint32_t)options->mip;
    struct texture_file file;
    enum weir_result result = texture_file_open(&file, input, options->max_memory);
    if (result == WEIR_OK && level >= file.texture.num_levels) {
        cli_report_error("--mip %u: the levels of %s are 0 .. %u", level, input,
                         file.texture.num_levels - 1);
        result = WEIR_ERROR_INVALID;
    }
    if (result == WEIR_OK) {
        result = cli_paths_check_pair(input, output);
    }
    if (result == WEIR_OK) {
        result = decode_level(&file.texture, options, input, output);
    }
    texture_file_close(&file);
    return result;
}
