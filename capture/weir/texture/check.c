// SPDX-License-Identifier: MIT
// weir texture: what options ask for and codecs, outputs and other options do not allow.
#include "capture/weir/texture/texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/files/block/block.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"

// Levels of vectors, by another filter, or with a coverage.
static enum cli_status check_levels(const struct texture *texture)
{
    const struct texture_options *chosen = texture->options;
    const struct cli_level_options *level = &chosen->level;
    static const char *const of_levels[] = {"filter", "edge", "alpha-coverage", NULL};
    if (cli_options_find_given(of_levels, true) &&
        (texture->levels == TEXTURE_LEVELS_OWN || texture->levels == 1)) {
        return cli_usage("--filter, --edge, --alpha-coverage", "they are for levels; add --mips");
    }
    if ((level->changes.normals || level->changes.flip_green) && texture->codec->num_channels < 2) {
        return cli_usage("--normals, --flip-green", "%s has no green; choose another --codec",
                         texture->codec->name);
    }
    if (level->changes.normals && chosen->srgb) {
        return cli_usage("--normals", "vectors are no sRGB codes; leave out --srgb");
    }
    if (level->changes.normals && texture->alpha == TEXTURE_ALPHA_MULTIPLY) {
        return cli_usage("--normals", "vectors cannot be multiplied by alpha; choose another "
                                      "--alpha");
    }
    if (level->coverage > 0 &&
        (!texture_codec_has_alpha(texture->codec) ||
         (texture->alpha != TEXTURE_ALPHA_STRAIGHT && texture->alpha != TEXTURE_ALPHA_DATA))) {
        return cli_usage("--alpha-coverage", "it needs a --codec with alpha, and --alpha straight "
                                             "or data");
    }
    return cli_level_options_check(level);
}

// Colours that are multiplied by an alpha need it beside them, and a file that says so. Only BC7
// has a use for the bits of an alpha that is not read.
static enum cli_status check_alpha(const struct texture *texture)
{
    if (texture->alpha == TEXTURE_ALPHA_UNREAD && texture->codec->codec != WEIR_CODEC_BC7) {
        return cli_usage("--alpha unread",
                         "it is for bc7, and does nothing for %s; choose --alpha ignore",
                         texture->codec->name);
    }
    const bool multiplies = texture->alpha == TEXTURE_ALPHA_MULTIPLY;
    if ((multiplies || texture->alpha == TEXTURE_ALPHA_DATA) &&
        !texture_codec_has_alpha(texture->codec)) {
        return cli_usage(multiplies ? "--alpha multiply" : "--alpha data",
                         "%s has no alpha; choose another --codec", texture->codec->name);
    }
    if (multiplies && !texture->container->says_alpha) {
        return cli_usage("--alpha multiply",
                         "%s files cannot say that colours are multiplied; write a .ktx2 or .dds",
                         texture->container->name);
    }
    return CLI_DONE;
}

enum cli_status texture_check_output(struct texture *texture, const char *output, bool several)
{
    const struct texture_options *chosen = texture->options;
    const struct weir_container *named = weir_container_at(chosen->container);
    texture->container = several ? named : weir_container_of_path(output);
    if (chosen->mip != 0 || chosen->slice != 0) {
        return cli_usage(chosen->mip != 0 ? "--mip" : "--slice",
                         "it is for --decode; --mips makes all levels");
    }
    if (several && !cli_output_check_folder(output, "several pictures become files of a folder")) {
        return CLI_USAGE;
    }
    if (!texture->container) {
        return cli_usage(
            output, "the output is a texture, its name ends in .ktx2, .dds or .ktx%s",
            texture_can_decode_to(output) ? "; to make a picture of a texture add --decode" : "");
    }
    if (cli_option_is_given("container") && texture->container != named) {
        return cli_usage(output, "its ending is not that of --container, which is for folders");
    }
    if (chosen->dx10 && strcmp(texture->container->name, "dds") != 0) {
        return cli_usage("--dx10", "it is for .dds files; leave it out");
    }
    if (chosen->zstd && !texture->container->has_zstd) {
        return cli_usage("--zstd", "it is for .ktx2 files; leave it out");
    }
    return CLI_DONE;
}

static bool is_optimised(const struct texture_options *chosen)
{
    return chosen->quality < CLI_QUALITY_UNCHANGED;
}

// Options of BC1, and of the codecs whose colours are as in it.
static enum cli_status check_bc1(const struct texture *texture)
{
    const struct texture_options *chosen = texture->options;
    const enum weir_codec codec = texture->codec->codec;
    const bool has_bc1 = codec == WEIR_CODEC_BC1 || codec == WEIR_CODEC_BC1A ||
                         codec == WEIR_CODEC_BC3;
    if (chosen->bc1_black && codec != WEIR_CODEC_BC1) {
        return cli_usage("--bc1-black", "it is for bc1; leave it out, or choose --codec bc1");
    }
    if (cli_option_is_given("decoder") && !has_bc1) {
        return cli_usage("--decoder", "it is for bc1, bc1a and bc3; leave it out");
    }
    if (chosen->bc1_dither && !has_bc1) {
        return cli_usage("--bc1-dither", "it is for bc1, bc1a and bc3; leave it out");
    }
    if (chosen->bc1_dither && is_optimised(chosen)) {
        return cli_usage("--bc1-dither", "--quality takes dither for an error, and removes some of "
                                         "it; leave out one of them");
    }
    if (chosen->bc1_black && strcmp(texture->container->name, "dds") == 0) {
        cli_report_warning(
            "--bc1-black: DDS files have no BC1 without alpha, and readers take black "
            "texels as transparent; use it where alpha is not read");
    }
    return CLI_DONE;
}

// Blocks of less quality are as many.
void texture_tell_of_size(const struct texture *texture)
{
    if (is_optimised(texture->options) && texture->container->has_zstd && !texture->options->zstd) {
        fputs("weir texture: --quality: files get no smaller until they are compressed; --zstd "
              "does that\n",
              stderr);
    }
}

enum cli_status texture_check_codec(const struct texture *texture)
{
    const struct texture_options *chosen = texture->options;
    const VkFormat format = chosen->srgb ? texture->codec->srgb_format : texture->codec->format;
    if (format == VK_FORMAT_UNDEFINED) {
        return cli_usage("--srgb", "%s holds no sRGB codes, and has no sRGB format",
                         texture->codec->name);
    }
    if (cli_option_is_given("effort") && texture_codec_is_texels(texture->codec)) {
        return cli_usage("--effort", "%s stores texels as they are, nothing is searched",
                         texture->codec->name);
    }
    if (chosen->effort > (int)texture->codec->max_effort && chosen->effort != WEIR_EFFORT_LIVE) {
        return cli_usage("--effort exhaustive", "%s takes default, fast, high, live",
                         texture->codec->name);
    }
    if (is_optimised(chosen) && !texture->codec->has_rdo) {
        return cli_usage("--quality",
                         "%s does not have it; use --codec bc1, bc3, bc4, bc5, bc7, "
                         "or leave it out",
                         texture->codec->name);
    }
    if (cli_option_is_given("metric") && !texture_codec_is_float(texture->codec)) {
        return cli_usage("--metric", "it is for bc6h and bc6h_signed, not for %s; leave it out",
                         texture->codec->name);
    }
    if (!texture->container->holds(format, "")) {
        return cli_usage("--codec", "%s files have no name for %s; write a .ktx2",
                         texture->container->name, weir_block_get_format(format)->name);
    }
    CLI_TRY(check_bc1(texture));
    CLI_TRY(check_levels(texture));
    return check_alpha(texture);
}

enum cli_status texture_choose_levels(struct texture *texture)
{
    const struct texture_options *chosen = texture->options;
    const char *text = chosen->levels ? chosen->levels : chosen->mips ? "full" : "own";
    const bool own = strcmp(text, "own") == 0, full = strcmp(text, "full") == 0;
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    texture->levels = own    ? TEXTURE_LEVELS_OWN
                      : full ? TEXTURE_LEVELS_FULL
                             : (uint32_t)weir_min(number, UINT32_MAX);
    if (chosen->levels && chosen->mips) {
        return cli_usage("--levels", "--mips makes all levels; leave out one of them");
    }
    if (!own && !full && (*end != 0 || number < 1 || number > WEIR_TEXTURE_MAX_LEVELS)) {
        return cli_usage("--levels", "\"%s\" is not 1 .. %d, own or full", text,
                         WEIR_TEXTURE_MAX_LEVELS);
    }
    if ((chosen->cube || chosen->array) && !texture->container->has_images) {
        return cli_usage(chosen->cube ? "--cube" : "--array",
                         "it is not written to %s files; write a .ktx2 or .dds",
                         texture->container->name);
    }
    return CLI_DONE;
}
