// SPDX-License-Identifier: MIT
// weir texture: files of textures are written, and written as another kind of file.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <weir/version.h>

#include "capture/base/file.h"
#include "capture/files/block/block.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/texture/texture.h"

static enum weir_result write_bytes(void *user, const uint8_t *data, size_t size)
{
    return weir_file_write(user, data, size);
}

enum weir_result texture_write_file(const struct texture *texture, const char *output,
                                    const struct weir_texture *levels, uint64_t *size)
{
    char writer[64];
    snprintf(writer, sizeof(writer), "weir %s", weir_version());
    CLI_FAIL_IF(cli_interrupted(), WEIR_ERROR_IO, "interrupted; %s was not written", output);
    struct weir_file file;
    enum weir_result result = weir_file_open(&file, output, &cli_log);
    if (result != WEIR_OK) {
        return result;
    }
    const struct weir_texture_sink sink = {write_bytes, &file};
    const struct weir_texture_write_params params = {
        .writer = writer, .dx10 = texture->options->dx10, .zstd = texture->options->zstd};
    result = texture->container->write(levels, &params, &sink);
    if (result == WEIR_ERROR_UNSUPPORTED) {
        cli_report_error("%s: a level of 4 GiB or more is too large for a .%s file; write a .ktx2",
                         output, texture->container->name);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        cli_report_error("%s: no memory to compress it by Zstandard", output);
    }
    if (result == WEIR_OK) {
        result = weir_file_commit(&file);
    }
    *size = file.size;
    const enum weir_result closed = weir_file_close(&file);
    return result == WEIR_OK ? closed : result;
}

bool texture_is_rewrapped(const char *input)
{
    VkFormat format;
    const bool is_texture = weir_texture_identify(input, &format);
    const struct weir_block_format *block = is_texture ? weir_block_get_format(format) : NULL;
    return is_texture && (!block || block->side > 1); // to read one without a format says why
}

// The option that asks for other blocks than those in the file; NULL: none.
static const char *find_encoding_option(const struct texture_options *options, VkFormat format)
{
    const struct weir_codec_info *codec = texture_codec_at(options->codec);
    static const char *const meant[] = {"codec", "levels",     "srgb",   "container",  "dx10",
                                        "zstd",  "max-memory", "device", "validation", NULL};
    return cli_option_is_given("codec") && codec->format != format && codec->srgb_format != format
               ? "codec"
           : options->levels && strcmp(options->levels, "own") != 0
               ? "levels"
               : cli_options_find_given(meant, false);
}

// VkFormat numbers the sRGB format of the same blocks behind the UNORM one.
static enum weir_result mark_srgb(const char *input, struct weir_texture *texture)
{
    const struct weir_block_format *format = weir_block_get_format(texture->format);
    const struct weir_block_format *next = weir_block_get_format((VkFormat)(texture->format + 1));
    if (format->values == WEIR_BLOCK_SRGB) {
        return WEIR_OK;
    }
    CLI_FAIL_IF(format->values != WEIR_BLOCK_UNORM || !next || next->values != WEIR_BLOCK_SRGB,
                WEIR_ERROR_UNSUPPORTED, "--srgb: %s holds %s, which has no sRGB format", input,
                format->name);
    texture->format = next->format;
    return WEIR_OK;
}

static enum weir_result check(const struct texture *texture, const char *input,
                              struct weir_texture *read)
{
    const struct weir_container *container = texture->container;
    const char *name = weir_block_get_format(read->format)->name;
    const char *option = find_encoding_option(texture->options, read->format);
    CLI_FAIL_IF(option, WEIR_ERROR_INVALID,
                "--%s: %s is a texture already, and its blocks (%s) stay as they are; leave it "
                "out, or make a picture of it first with weir texture --decode and encode that",
                option, input, name);
    CLI_FAIL_IF(weir_texture_num_images(read) > 1 && !container->has_images, WEIR_ERROR_UNSUPPORTED,
                "%s: it is %s, which is not written to %s files; write a .ktx2 or .dds", input,
                read->num_layers > 0 ? "an array" : "a cube map", container->name);
    CLI_FAIL_IF(!container->holds(read->format, ""), WEIR_ERROR_UNSUPPORTED,
                "%s: %s files have no name for %s; write a .ktx2", input, container->name, name);
    CLI_FAIL_IF(!container->holds(read->format, read->swizzle), WEIR_ERROR_UNSUPPORTED,
                "%s: its channels are to be read as %s (KTXswizzle), which %s files cannot say; "
                "write a .ktx2",
                input, read->swizzle, container->name);
    CLI_FAIL_IF(
        read->is_premultiplied && !container->says_alpha, WEIR_ERROR_UNSUPPORTED,
        "%s: its colours are multiplied by alpha, which %s files cannot say; write a .ktx2 or .dds",
        input, container->name);
    CLI_FAIL_IF(read->is_bottom_up && !container->says_bottom_up, WEIR_ERROR_UNSUPPORTED,
                "%s: its rows start at the bottom, which %s files cannot say; write a .ktx2, or "
                "make a picture of it with weir texture --decode and encode that",
                input, container->name);
    return texture->options->srgb ? mark_srgb(input, read) : WEIR_OK;
}

static enum weir_result rewrap(const struct texture *texture, const char *input, const char *output,
                               struct weir_texture *read)
{
    uint64_t size = 0;
    char images[64];
    WEIR_TRY(cli_paths_check_pair(input, output));
    WEIR_TRY(check(texture, input, read));
    WEIR_TRY(texture_write_file(texture, output, read, &size));
    cli_print(stdout, "%s: %ux%u, %s%s, %u mip level%s, %" PRIu64 " bytes, the blocks of %s\n",
              output, read->width, read->height, cli_texture_describe_images(read, images),
              weir_block_get_format(read->format)->name, read->num_levels,
              read->num_levels == 1 ? "" : "s", size, input);
    fflush(stdout);
    return WEIR_OK;
}

enum weir_result texture_rewrap_file(const struct texture *texture, const char *input,
                                     const char *output)
{
    struct cli_texture_file file;
    enum weir_result result = cli_texture_open(&file, "weir texture", input,
                                               texture->options->max_memory);
    if (result == WEIR_OK) {
        result = rewrap(texture, input, output, &file.texture);
    }
    cli_texture_close(&file);
    return result;
}
