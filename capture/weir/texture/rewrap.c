// SPDX-License-Identifier: MIT
// weir texture: a texture in one kind of file becomes the same texture in another. Its blocks stay
// as they are; no device is needed.
#include <inttypes.h>
#include <stdio.h>

#include "capture/files/block/block.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/texture/open.h"
#include "capture/weir/texture/texture.h"

bool texture_is_rewrapped(const char *input)
{
    return weir_texture_identify(input).container;
}

// The option that asks for other blocks than those in the file; NULL: none.
static const char *find_encoding_option(const struct texture_options *options, VkFormat format)
{
    const struct weir_codec_info *codec = options->codec >= 0 ? texture_codec_at(options->codec)
                                                              : NULL;
    return codec && codec->format != format && codec->srgb_format != format ? "codec"
           : options->effort >= 0                                           ? "effort"
           : options->metric >= 0                                           ? "metric"
           : options->decoder >= 0                                          ? "decoder"
           : options->mips                                                  ? "mips"
           : options->alpha >= 0                                            ? "alpha"
           : options->bc1_black                                             ? "bc1-black"
           : options->bc1_dither                                            ? "bc1-dither"
           : options->quality != 0                                          ? "quality"
           : options->strict                                                ? "strict"
                                                                            : NULL;
}

// VkFormat numbers the sRGB format of the same blocks behind the UNORM one.
static enum weir_result mark_srgb(const char *input, struct weir_texture *texture)
{
    const struct weir_block_format *format = weir_block_get_format(texture->format);
    const struct weir_block_format *next = weir_block_get_format((VkFormat)(texture->format + 1));
    if (format->values == WEIR_BLOCK_SRGB) {
        return WEIR_OK;
    }
    if (format->values != WEIR_BLOCK_UNORM || !next || next->values != WEIR_BLOCK_SRGB) {
        cli_report_error("--srgb: %s holds %s, which has no sRGB format", input, format->name);
        return WEIR_ERROR_UNSUPPORTED;
    }
    texture->format = next->format;
    return WEIR_OK;
}

static enum weir_result check(const struct texture *texture, const char *input,
                              struct weir_texture *read)
{
    const struct weir_container *container = texture->container;
    const char *name = weir_block_get_format(read->format)->name;
    const char *option = find_encoding_option(texture->options, read->format);
    if (option) {
        cli_report_error("--%s: %s is a texture already, and its blocks (%s) stay as they are; "
                         "leave it out, or make a picture of it first with weir texture --decode "
                         "and encode that",
                         option, input, name);
        return WEIR_ERROR_INVALID;
    }
    if (!container->holds(read->format)) {
        cli_report_error("%s: %s files have no name for %s; write a .ktx2", input, container->name,
                         name);
        return WEIR_ERROR_UNSUPPORTED;
    }
    if (read->is_premultiplied && !container->says_alpha) {
        cli_report_error("%s: its colours are multiplied by alpha, which %s files cannot say; "
                         "write a .ktx2 or .dds",
                         input, container->name);
        return WEIR_ERROR_UNSUPPORTED;
    }
    if (read->is_bottom_up && !container->says_bottom_up) {
        cli_report_error("%s: its rows start at the bottom, which %s files cannot say; write a "
                         ".ktx2, or make a picture of it with weir texture --decode and encode "
                         "that",
                         input, container->name);
        return WEIR_ERROR_UNSUPPORTED;
    }
    return texture->options->srgb ? mark_srgb(input, read) : WEIR_OK;
}

enum weir_result texture_rewrap_file(const struct texture *texture, const char *input,
                                     const char *output)
{
    struct texture_file file;
    uint64_t size = 0;
    enum weir_result result = texture_file_open(&file, input, texture->options->max_memory);
    if (result == WEIR_OK) {
        result = cli_paths_check_pair(input, output);
    }
    if (result == WEIR_OK) {
        result = check(texture, input, &file.texture);
    }
    if (result == WEIR_OK) {
        result = texture_write_file(texture, output, &file.texture, &size);
    }
    if (result == WEIR_OK) {
        cli_print(stdout, "%s: %ux%u, %s, %u mip level%s, %" PRIu64 " bytes, the blocks of %s\n",
                  output, file.texture.width, file.texture.height,
                  weir_block_get_format(file.texture.format)->name, file.texture.num_levels,
                  file.texture.num_levels == 1 ? "" : "s", size, input);
        fflush(stdout);
    }
    texture_file_close(&file);
    return result;
}
