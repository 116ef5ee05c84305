// SPDX-License-Identifier: MIT
// weir texture --decode: a level of a texture becomes a picture, decoded on the CPU.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir/pyramid.h>

#include "capture/files/block/block.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/texture/texture.h"

bool texture_can_decode_to(const char *output)
{
    return cli_output_ends_in(output, ".png") || cli_output_ends_in(output, ".pfm");
}

// A picture in the making.
struct decoded {
    const struct weir_block_format *format;
    struct cli_still still;
    bool leaves_alpha, lost_alpha;
};

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

static void put_row(void *user, uint32_t y, float *row)
{
    struct decoded *decoded = user;
    convert(decoded, row);
    cli_still_put_row(&decoded->still, y, row);
    for (uint32_t x = 0; decoded->leaves_alpha && x < decoded->still.width; x++) {
        decoded->lost_alpha |= row[4 * (size_t)x + 3] < 1;
    }
}

// The number of channels that differ behind a swizzle.
static uint32_t count_channels(const struct weir_texture *texture)
{
    const char *swizzle = texture->swizzle;
    const bool is_grey = swizzle[0] == swizzle[1] && swizzle[1] == swizzle[2];
    return swizzle[0] == 0                   ? weir_block_get_format(texture->format)->num_channels
           : weir_texture_has_alpha(texture) ? 4
           : is_grey                         ? 1
                                             : 3;
}

// One and two channels of blocks are finer than 8 bits: they lie between the ends of a block.
static void choose(struct decoded *decoded, const struct weir_texture *texture, const char *output)
{
    const struct weir_block_format *format = decoded->format;
    const uint32_t num_channels = count_channels(texture);
    const bool is_pfm = cli_output_ends_in(output, ".pfm");
    const bool is_deep = format->side == 1 ? format->bits[0] > 8 || format->bits[1] > 8
                                           : format->num_channels < 3;
    decoded->still.value_size = is_pfm ? 4 : is_deep && format->values != WEIR_BLOCK_FLOAT ? 2 : 1;
    decoded->still.num_channels = num_channels == 2 || (is_pfm && num_channels == 4) ? 3
                                                                                     : num_channels;
    decoded->still.is_data = format->num_channels < 3 && format->values != WEIR_BLOCK_SRGB;
    decoded->leaves_alpha = decoded->still.num_channels < num_channels;
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
                                     const struct texture_options *options, const char *output,
                                     struct decoded *decoded)
{
    const uint32_t level = (uint32_t)options->mip, image = (uint32_t)options->slice;
    const uint32_t num_images = weir_texture_num_images(texture);
    const struct cli_still *still = &decoded->still;
    char slice[48] = "";
    CLI_FAIL_IF(!cli_still_allocate(&decoded->still) ||
                    weir_texture_decode(texture, level, image, put_row, decoded) != WEIR_OK,
                WEIR_ERROR_OUT_OF_MEMORY, "no memory for %ux%u texels", still->width,
                still->height);
    if (decoded->lost_alpha) {
        cli_report_warning("%s: a PFM file has no alpha; it is left out", output);
    }
    WEIR_TRY(cli_still_write(still, output));
    if (num_images > 1) {
        snprintf(slice, sizeof(slice), "slice %u of 0 .. %u, ", image, num_images - 1);
    }
    cli_print(stdout, "%s: %ux%u, %smip level %u of 0 .. %u, %s%s\n", output, still->width,
              still->height, slice, level, texture->num_levels - 1, decoded->format->name,
              texture->is_premultiplied ? ", colours multiplied by alpha" : "");
    return WEIR_OK;
}

static enum weir_result decode(const struct weir_texture *texture,
                               const struct texture_options *options, const char *input,
                               const char *output)
{
    const uint32_t num_images = weir_texture_num_images(texture);
    const VkExtent2D extent = weir_pyramid_level_extent(texture->width, texture->height,
                                                        (uint32_t)options->mip);
    struct decoded decoded = {
        .format = weir_block_get_format(texture->format),
        .still = {.width = extent.width, .height = extent.height},
    };
    CLI_FAIL_IF(options->mip >= texture->num_levels, WEIR_ERROR_INVALID,
                "--mip %u: the levels of %s are 0 .. %u", (unsigned)options->mip, input,
                texture->num_levels - 1);
    CLI_FAIL_IF(options->slice >= num_images, WEIR_ERROR_INVALID,
                "--slice %u: %s has %u image%s, from 0 on", (unsigned)options->slice, input,
                num_images, num_images == 1 ? "" : "s");
    WEIR_TRY(cli_paths_check_pair(input, output));
    choose(&decoded, texture, output);
    WEIR_TRY(check_memory(options, input, &decoded));
    const enum weir_result result = decode_level(texture, options, output, &decoded);
    free(decoded.still.pixels);
    return result;
}

enum weir_result texture_decode_file(const struct texture_options *options, const char *input,
                                     const char *output)
{
    struct cli_texture_file file;
    enum weir_result result = cli_texture_open(&file, "weir texture", input, options->max_memory);
    if (result == WEIR_OK) {
        result = decode(&file.texture, options, input, output);
    }
    cli_texture_close(&file);
    return result;
}
