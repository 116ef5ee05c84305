// SPDX-License-Identifier: MIT
// weir texture: what options ask for and codecs, outputs and other options do not allow.
#include "capture/weir/texture/texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/base/size.h"
#include "capture/files/block/block.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"

// Levels of vectors, by another filter, or with a coverage.
static enum cli_status check_levels(const struct texture *texture)
{
    const struct texture_options *chosen = texture->options;
    const struct cli_level_options *level = &chosen->level;
    static const char *const of_levels[] = {"filter", "edge", "alpha-coverage", NULL};
    CLI_USAGE_IF(cli_options_find_given(of_levels, true) &&
                     (texture->levels == TEXTURE_LEVELS_OWN || texture->levels == 1),
                 "--filter, --edge, --alpha-coverage", "they are for levels; add --mips");
    CLI_USAGE_IF(
        (level->changes.normals || level->changes.flip_green) && texture->codec->num_channels < 2,
        "--normals, --flip-green", "%s has no green; choose another --codec", texture->codec->name);
    CLI_USAGE_IF(level->changes.normals && chosen->srgb, "--normals",
                 "vectors are no sRGB codes; leave out --srgb");
    CLI_USAGE_IF(level->changes.normals && texture->alpha == TEXTURE_ALPHA_MULTIPLY, "--normals",
                 "vectors cannot be multiplied by alpha; choose another --alpha");
    CLI_USAGE_IF(level->coverage > 0 && (!texture_codec_has_alpha(texture->codec) ||
                                         (texture->alpha != TEXTURE_ALPHA_STRAIGHT &&
                                          texture->alpha != TEXTURE_ALPHA_DATA)),
                 "--alpha-coverage", "it needs a --codec with alpha, and --alpha straight or data");
    return cli_level_options_check(level);
}

// Colours that are multiplied by an alpha need it beside them, and a file that says so. Only BC7
// has a use for the bits of an alpha that is not read.
static enum cli_status check_alpha(const struct texture *texture)
{
    CLI_USAGE_IF(texture->alpha == TEXTURE_ALPHA_UNREAD && texture->codec->codec != WEIR_CODEC_BC7,
                 "--alpha unread", "it is for bc7, and does nothing for %s; choose --alpha ignore",
                 texture->codec->name);
    const bool multiplies = texture->alpha == TEXTURE_ALPHA_MULTIPLY;
    CLI_USAGE_IF((multiplies || texture->alpha == TEXTURE_ALPHA_DATA) &&
                     !texture_codec_has_alpha(texture->codec),
                 multiplies ? "--alpha multiply" : "--alpha data",
                 "%s has no alpha; choose another --codec", texture->codec->name);
    CLI_USAGE_IF(multiplies && !texture->container->says_alpha, "--alpha multiply",
                 "%s files cannot say that colours are multiplied; write a .ktx2 or .dds",
                 texture->container->name);
    return CLI_DONE;
}

enum cli_status texture_check_output(struct texture *texture, const char *output, bool several)
{
    const struct texture_options *chosen = texture->options;
    const struct weir_container *named = weir_container_at(chosen->container);
    texture->container = several ? named : weir_container_of_path(output);
    CLI_USAGE_IF(chosen->mip != 0 || chosen->slice != 0, chosen->mip != 0 ? "--mip" : "--slice",
                 "it is for --decode; --mips makes all levels");
    if (several && !cli_output_check_folder(output, "several pictures become files of a folder")) {
        return CLI_USAGE;
    }
    CLI_USAGE_IF(!texture->container, output,
                 "the output is a texture, its name ends in .ktx2, .dds or .ktx%s",
                 texture_can_decode_to(output) ? "; to make a picture of a texture add --decode"
                                               : "");
    CLI_USAGE_IF(cli_option_is_given("container") && texture->container != named, output,
                 "its ending is not that of --container, which is for folders");
    CLI_USAGE_IF(chosen->dx10 && strcmp(texture->container->name, "dds") != 0, "--dx10",
                 "it is for .dds files; leave it out");
    CLI_USAGE_IF(chosen->zstd && !texture->container->has_zstd, "--zstd",
                 "it is for .ktx2 files; leave it out");
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
    CLI_USAGE_IF(chosen->bc1_black && codec != WEIR_CODEC_BC1, "--bc1-black",
                 "it is for bc1; leave it out, or choose --codec bc1");
    CLI_USAGE_IF(cli_option_is_given("decoder") && !has_bc1, "--decoder",
                 "it is for bc1, bc1a and bc3; leave it out");
    CLI_USAGE_IF(chosen->bc1_dither && !has_bc1, "--bc1-dither",
                 "it is for bc1, bc1a and bc3; leave it out");
    CLI_USAGE_IF(
        chosen->bc1_dither && is_optimised(chosen), "--bc1-dither",
        "--quality takes dither for an error, and removes some of it; leave out one of them");
    if (chosen->bc1_black && strcmp(texture->container->name, "dds") == 0) {
        cli_report_warning("--bc1-black: DDS files have no BC1 without alpha, and readers take "
                           "black texels as transparent; use it where alpha is not read");
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
    CLI_USAGE_IF(format == VK_FORMAT_UNDEFINED, "--srgb",
                 "%s holds no sRGB codes, and has no sRGB format", texture->codec->name);
    CLI_USAGE_IF(cli_option_is_given("effort") && texture_codec_is_texels(texture->codec),
                 "--effort", "%s stores texels as they are, nothing is searched",
                 texture->codec->name);
    CLI_USAGE_IF(chosen->effort > (int)texture->codec->max_effort &&
                     chosen->effort != WEIR_EFFORT_LIVE,
                 "--effort exhaustive", "%s takes default, fast, high, live", texture->codec->name);
    CLI_USAGE_IF(is_optimised(chosen) && !texture->codec->has_rdo, "--quality",
                 "%s does not have it; use --codec bc1, bc3, bc4, bc5, bc7, or leave it out",
                 texture->codec->name);
    CLI_USAGE_IF(cli_option_is_given("metric") && !texture_codec_is_float(texture->codec),
                 "--metric", "it is for bc6h and bc6h_signed, not for %s; leave it out",
                 texture->codec->name);
    CLI_USAGE_IF(!texture->container->holds(format, ""), "--codec",
                 "%s files have no name for %s; write a .ktx2", texture->container->name,
                 weir_block_get_format(format)->name);
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
    CLI_USAGE_IF(chosen->levels && chosen->mips, "--levels",
                 "--mips makes all levels; leave out one of them");
    CLI_USAGE_IF(!own && !full && (*end != 0 || number < 1 || number > WEIR_TEXTURE_MAX_LEVELS),
                 "--levels", "\"%s\" is not 1 .. %d, own or full", text, WEIR_TEXTURE_MAX_LEVELS);
    CLI_USAGE_IF((chosen->cube || chosen->array) && !texture->container->has_images,
                 chosen->cube ? "--cube" : "--array",
                 "it is not written to %s files; write a .ktx2 or .dds", texture->container->name);
    return CLI_DONE;
}
