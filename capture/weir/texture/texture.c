// SPDX-License-Identifier: MIT
// weir texture: pictures, encoded on the GPU, as files of block-compressed textures; and back.
#include "capture/weir/texture/texture.h"

#include "capture/files/block/block.h"
#include "capture/files/source/source.h"
#include "capture/weir/commands.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/shared_options.h"

// Texels that are not compressed, as codecs whose blocks are texels.
static const struct weir_codec_info texel_codecs[] = {
    {.name = "rgba8",
     .block_width = 1,
     .num_channels = 4,
     .format = VK_FORMAT_R8G8B8A8_UNORM,
     .srgb_format = VK_FORMAT_R8G8B8A8_SRGB},
    {.name = "rgba16f",
     .block_width = 1,
     .num_channels = 4,
     .format = VK_FORMAT_R16G16B16A16_SFLOAT},
};
enum { NUM_TEXEL_CODECS = sizeof(texel_codecs) / sizeof(texel_codecs[0]) };

bool texture_codec_is_texels(const struct weir_codec_info *codec)
{
    return codec->block_width == 1;
}

const struct weir_codec_info *texture_codec_at(int index)
{
    size_t num_codecs;
    const struct weir_codec_info *codecs = weir_codec_list(&num_codecs);
    for (size_t i = 0; i < num_codecs; i++) {
        // YCoCg needs a shader to become colours again.
        if (codecs[i].codec != WEIR_CODEC_YCOCG_BC3 && index-- == 0) {
            return &codecs[i];
        }
    }
    return index < NUM_TEXEL_CODECS ? &texel_codecs[index] : NULL;
}

// The names of codecs, as a list of choices.
static const char *codec_choice(int index)
{
    const struct weir_codec_info *codec = texture_codec_at(index);
    return codec ? codec->name : NULL;
}

bool texture_codec_has_alpha(const struct weir_codec_info *codec)
{
    return weir_block_get_format(codec->format)->num_channels == 4;
}

bool texture_codec_is_float(const struct weir_codec_info *codec)
{
    return weir_block_get_format(codec->format)->values == WEIR_BLOCK_FLOAT;
}

static const char *container_name(int index)
{
    const struct weir_container *container = weir_container_at(index);
    return container ? container->name : NULL;
}

static const char *const alpha_names[] = { // of enum texture_alpha
    "straight", "multiply", "ignore", "unread", "data", NULL};

static const char *const metric_names[] = {"octaves", "log", NULL};

#define FIELD(field) offsetof(struct texture_options, field)
static const struct cli_option options[] = {
    {"codec", CLI_CHOICE, FIELD(codec), "NAME", .help = "format of the blocks (bc1)",
     .choice = codec_choice},
    {"effort", CLI_CHOICE, FIELD(effort), "NAME",
     .help = "how long to search for better blocks (exhaustive: bc4, bc5, eac only)",
     .choices = cli_effort_names},
    {"metric", CLI_CHOICE, FIELD(metric), "NAME",
     .help = "bc6h: minimise the error of ratios, or of log(1 + value)", .is_rare = true,
     .choices = metric_names},
    {"decoder", CLI_CHOICE, FIELD(decoder), "NAME",
     .help = "bc1, bc1a, bc3: decoder for which blocks are optimised", .is_rare = true,
     .choices = cli_decoder_names},
    {"srgb", CLI_FLAG, FIELD(srgb), .help = "colours are sRGB codes, and the file says so"},
    {"mips", CLI_FLAG, FIELD(mips),
     .help = "make every mip level; with --srgb averaged in linear light"},
    {"levels", CLI_TEXT, FIELD(levels), "N",
     .help = "number of mip levels; own: those of the file; full: all"},
    {"cube", CLI_FLAG, FIELD(cube), .help = "the six INPUTs are the faces of a cube map"},
    {"array", CLI_FLAG, FIELD(array), .help = "the INPUTs are the layers of an array"},
    {"bc1-black", CLI_FLAG, FIELD(bc1_black),
     .help = "bc1: allow black with alpha 0, so alpha must not be read", .is_rare = true},
    {"bc1-dither", CLI_FLAG, FIELD(bc1_dither), .help = "bc1, bc1a, bc3: dither, to hide bands",
     .is_rare = true},
    {"alpha", CLI_CHOICE, FIELD(alpha), "NAME", .help = "how to store alpha",
     .choices = alpha_names},
    CLI_OPTIONS_LEVEL(struct texture_options),
    {"container", CLI_CHOICE, FIELD(container), "NAME", .help = "format of the files in a folder",
     .is_rare = true, .choice = container_name},
    {"dx10", CLI_FLAG, FIELD(dx10),
     .help = "always write the DDS header of DirectX 10, which older readers refuse",
     .is_rare = true},
    {"zstd", CLI_FLAG, FIELD(zstd), .help = "compress the levels of a KTX2 file by Zstandard"},
    CLI_OPTION_QUALITY(struct texture_options, "bc1, bc3, bc4, bc5, bc7: fewer bytes for less "
                                               "quality, with --zstd; 80 is hard to see (100)"),
    {"strict", CLI_FLAG, FIELD(strict), .help = "fail if alpha would be lost", .is_rare = true},
    {"decode", CLI_FLAG, FIELD(decode), .help = "INPUT is a texture, and OUTPUT a .png or .pfm"},
    {"mip", CLI_NUMBER, FIELD(mip), "N", .help = "with --decode: the mip level (0)",
     .is_rare = true, .max = WEIR_TEXTURE_MAX_LEVELS - 1},
    {"slice", CLI_NUMBER, FIELD(slice), "N",
     .help = "with --decode: the image of an array or a cube map (0)", .is_rare = true,
     .max = (uint64_t)WEIR_TEXTURE_MAX_LAYERS * WEIR_TEXTURE_FACES - 1},
    CLI_OPTION_LAYER(struct texture_options),
    CLI_OPTION_PROFILE(struct texture_options),
    CLI_OPTION_DEVICE(struct texture_options),
    CLI_OPTION_MAX_MEMORY(struct texture_options),
    CLI_OPTION_VALIDATION(struct texture_options),
};

static enum cli_status run_decode(const struct texture_options *chosen, struct cli_inputs *inputs,
                                  const char *output)
{
    static const char *const meant[] = {"decode", "mip", "slice", "max-memory", NULL};
    CLI_USAGE_IF(
        cli_options_find_given(meant, false), "--decode",
        "it takes --mip, --slice and --max-memory, no other option: the file says what it is");
    CLI_USAGE_IF(inputs->num > 1, "--decode", "it takes one texture");
    CLI_USAGE_IF(!texture_can_decode_to(output), output,
                 "--decode writes a picture, its name ends in .png or .pfm");
    const enum weir_result result = cli_standard_input_take(inputs, chosen->max_memory);
    return cli_status_of(result == WEIR_OK ? texture_decode_file(chosen, inputs->paths[0], output)
                                           : result);
}

static enum cli_status run(char **arguments, const void *values)
{
    const struct texture_options *chosen = values;
    struct texture texture = {
        .options = chosen,
        .effort = (enum weir_effort)chosen->effort,
        .srgb = chosen->srgb,
        .alpha = (enum texture_alpha)chosen->alpha,
    };
    const char *output;
    struct cli_inputs inputs = cli_inputs_get(arguments, &output);
    if (chosen->decode) {
        return run_decode(chosen, &inputs, output);
    }
    const bool joins = chosen->cube || chosen->array;
    const bool several = !joins && cli_inputs_are_several(&inputs, output);
    CLI_TRY(texture_check_output(&texture, output, several));
    CLI_TRY(texture_choose_levels(&texture));
    const enum weir_result taken = cli_standard_input_take(&inputs, chosen->max_memory);
    if (taken != WEIR_OK) {
        return cli_status_of(taken);
    }
    cli_interrupt_catch();
    if (!several && !joins && texture_is_rewrapped(inputs.paths[0])) {
        return cli_status_of(texture_rewrap_file(&texture, inputs.paths[0], output));
    }
    texture.codec = texture_codec_at(chosen->codec);
    CLI_TRY(texture_check_codec(&texture));
    texture_tell_of_size(&texture);
    return cli_status_of(several ? texture_encode_folder(&texture, &inputs, output)
                         : joins ? texture_encode_images(&texture, &inputs, output)
                                 : texture_encode_file(&texture, inputs.paths[0], output));
}

const struct cli_command cli_texture_command = {
    .name = "texture",
    .arguments = "INPUT... OUTPUT",
    .num_arguments = 2,
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "encode, convert and decode block-compressed textures",
    .about =
        "INPUT is a picture, a movie (of which the first frame is read), a texture, or - for\n"
        "standard input. OUTPUT ends in .ktx2, .dds or .ktx. With several INPUTs, a folder or\n"
        "a sequence such as frame_%04d.png, OUTPUT is a folder, which gets a file for each.\n"
        "With --cube or --array they become one .ktx2 or .dds: faces (+X, -X, +Y, -Y, +Z, -Z,\n"
        "or by their names), or layers.\n\n"
        "Values are rounded to 8 bits (EAC: 11 bits) and encoded without conversion. bc1 and\n"
        "etc1 hold RGB without alpha, bc3 and bc7 RGBA, bc4 and eac_r11 red, bc5 and eac_rg11\n"
        "red and green. bc6h holds linear light, to which pictures of codes are converted.\n"
        "Codecs that end in _snorm hold -1 .. 1, from 0 .. 1 in the picture, as normal maps\n"
        "have. rgba8 and rgba16f store texels as they are. DDS files cannot hold ETC and EAC;\n"
        "KTX2 files hold all codecs.\n\n"
        "DDS files of bc1, bc3, bc4 or bc5 have the header that all readers know. With\n"
        "--srgb, --alpha multiply, bc6h or bc7, and always with --dx10, they have the header\n"
        "of DirectX 10. --zstd makes KTX2 files smaller on the disk; readers must support\n"
        "Zstandard. --quality makes them still smaller, with less quality.\n\n"
        "--alpha straight (default) keeps colours as they are, and weighs them by alpha in\n"
        "mip levels. multiply multiplies colours by alpha (with --srgb in linear light),\n"
        "which KTX2 and DDS files state. ignore sets alpha to 1. unread is for bc7 whose\n"
        "alpha nobody reads: it becomes 254 or 255 [of 255], and RGB gets the bits. data is\n"
        "gloss, height or a mask, which weighs no colours.\n\n"
        "If INPUT is a texture (.ktx2, .dds or .ktx of any origin), OUTPUT gets the same\n"
        "blocks, with all images and levels; only --srgb, --dx10 and --zstd are possible then.\n"
        "If its texels are not compressed they are encoded; levels of its own are kept.\n\n"
        "With --decode INPUT is such a texture and OUTPUT a picture: .png has 0 .. 1 (signed\n"
        "values as (v + 1) / 2, floats as sRGB codes), .pfm has the values that a sampler\n"
        "returns.\n\n"
        "A file is replaced only when the new one is complete.\n",
    .example = "  weir texture photo.png photo.ktx2 --srgb --mips\n"
               "  weir texture photo.png small.ktx2 --quality 70 --zstd\n"
               "  weir texture normals.png normals.dds --codec bc5 --mips --normals\n"
               "  weir texture pictures textures --codec bc1 --srgb --mips --container dds\n"
               "  weir texture sprites/*.png textures/\n"
               "  curl -s https://example.org/photo.png | weir texture - photo.ktx2\n"
               "  weir texture photo.ktx2 photo.dds\n"
               "  weir texture sky/*.png sky.ktx2 --cube --codec bc7 --mips\n"
               "  weir texture --decode photo.ktx2 small.png --mip 3\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct texture_options){.quality = CLI_QUALITY_UNCHANGED},
    .values_size = sizeof(struct texture_options),
    .files = {"*", "*"},
};
