// SPDX-License-Identifier: MIT
// weir texture: a picture, encoded on the GPU, as a file of a block-compressed texture.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "capture/cli/command.h"
#include "capture/cli/common_options.h"
#include "capture/cli/interrupt.h"
#include "capture/cli/report.h"
#include "capture/cli/texture_run.h"
#include "capture/file.h"
#include "capture/source/source.h"
#include "capture/texture/dds.h"

// What a codec's blocks are called in a file.
struct texture_codec {
    enum weir_codec codec;
    bool has_alpha;
    enum weir_dxgi_format format, srgb; // srgb: NONE where it holds no colours
    const char *format_name;            // without its sRGB ending
};

// The first is the default.
static const struct texture_codec codecs[] = {
    {WEIR_CODEC_BC1, false, WEIR_DXGI_BC1_UNORM, WEIR_DXGI_BC1_UNORM_SRGB, "BC1_UNORM"},
    {WEIR_CODEC_BC3, true, WEIR_DXGI_BC3_UNORM, WEIR_DXGI_BC3_UNORM_SRGB, "BC3_UNORM"},
    {WEIR_CODEC_BC4, false, WEIR_DXGI_BC4_UNORM, WEIR_DXGI_NONE, "BC4_UNORM"},
    {WEIR_CODEC_BC5, false, WEIR_DXGI_BC5_UNORM, WEIR_DXGI_NONE, "BC5_UNORM"},
};
enum { num_codecs = sizeof codecs / sizeof codecs[0] };

static const char *codec_name(int index)
{
    return index < num_codecs ? weir_codec_get_info(codecs[index].codec)->name : NULL;
}

struct texture_options {
    int codec, level; // an index of codecs; an enum weir_level
    uint64_t device;
    bool srgb, strict, validation;
};

#define FIELD(field) offsetof(struct texture_options, field)
static const struct cli_option options[] = {
    {.name = "codec",
     .kind = CLI_CHOICE,
     .offset = FIELD(codec),
     .argument = "NAME",
     .help = "the codec",
     .choice = codec_name},
    {.name = "level",
     .kind = CLI_CHOICE,
     .offset = FIELD(level),
     .argument = "NAME",
     .help = "how long it looks for better blocks",
     .choices = cli_level_names},
    {.name = "srgb",
     .kind = CLI_FLAG,
     .offset = FIELD(srgb),
     .help = "say in the file that it holds sRGB codes"},
    {.name = "strict",
     .kind = CLI_FLAG,
     .offset = FIELD(strict),
     .help = "fail where something of the picture would be lost"},
    CLI_OPTION_DEVICE(struct texture_options),
    CLI_OPTION_VALIDATION(struct texture_options),
};

struct texture {
    const struct texture_options *options;
    const struct texture_codec *codec;
    const char *input, *output;
    struct weir_picture picture;
    struct cli_gpu gpu;
    struct texture_run run;
    uint64_t size; // of the file [bytes]
};

static bool is_dds(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".dds") == 0;
}

static bool is_same_file(const char *one, const char *two)
{
    struct stat first, second;
    return stat(one, &first) == 0 && stat(two, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static enum weir_result find_alpha(const struct weir_picture *picture, bool *found)
{
    float *values = malloc((size_t)picture->width * 4 * sizeof *values);
    uint8_t *codes = malloc((size_t)picture->width * 4);
    const enum weir_result result = values != NULL && codes != NULL ? WEIR_OK
                                                                    : WEIR_ERROR_OUT_OF_MEMORY;
    *found = false;
    for (uint32_t y = 0; result == WEIR_OK && y < picture->height && !*found; y++) {
        texture_run_row(picture, y, values, codes);
        for (uint32_t x = 0; x < picture->width && !*found; x++)
            *found = codes[4 * (size_t)x + 3] != UINT8_MAX;
    }
    if (result != WEIR_OK)
        cli_report_error("no memory for a row of %u texels", picture->width);
    free(codes);
    free(values);
    return result;
}

// Alpha that says nothing may be lost.
static enum weir_result check_alpha(const struct texture *texture)
{
    if (!texture->picture.has_alpha || texture->codec->has_alpha)
        return WEIR_OK;
    bool found;
    const enum weir_result result = find_alpha(&texture->picture, &found);
    if (result != WEIR_OK || !found)
        return result;
    const char *name = codec_name(texture->options->codec);
    if (texture->options->strict) {
        cli_report_error("%s has alpha, and %s has none; choose another --codec, or leave --strict "
                         "out",
                         texture->input, name);
        return WEIR_ERROR_UNSUPPORTED;
    }
    const struct weir_log log = cli_report_log();
    weir_log_printf(&log, WEIR_LOG_WARNING, WEIR_LOG_FALLBACK,
                    "%s: its alpha is left out: %s has none", texture->input, name);
    return WEIR_OK;
}

static enum weir_result read_picture(struct texture *texture)
{
    const struct weir_log log = cli_report_log();
    const enum weir_result result = weir_picture_read(texture->input, &log, &texture->picture);
    if (result != WEIR_OK)
        return result;
    if (is_same_file(texture->input, texture->output)) {
        cli_report_error("%s is the input itself; give the output another name", texture->output);
        return WEIR_ERROR_INVALID;
    }
    if (texture->picture.is_linear || texture->picture.kind == WEIR_PICTURE_FLOAT) {
        cli_report_error("%s holds linear light: bc6h is not here yet; convert it first",
                         texture->input);
        return WEIR_ERROR_UNSUPPORTED;
    }
    return check_alpha(texture);
}

static enum weir_result encode(struct texture *texture)
{
    enum weir_result result = cli_gpu_open(&texture->gpu, (uint32_t)texture->options->device,
                                           texture->options->validation);
    if (result == WEIR_OK)
        result = cli_gpu_check_side(&texture->gpu, texture->input, texture->picture.width,
                                    texture->picture.height);
    if (result == WEIR_OK)
        result = texture_run_init(&texture->run, &texture->gpu,
                                  &(const struct texture_run_params){
                                      .picture = &texture->picture,
                                      .codec = texture->codec->codec,
                                      .level = (enum weir_level)texture->options->level,
                                  });
    return result == WEIR_OK ? texture_run_execute(&texture->run) : result;
}

static enum weir_result write_file(struct texture *texture)
{
    const struct weir_log log = cli_report_log();
    const uint64_t num_bytes = texture->run.blocks.size;
    const struct weir_dds dds = {
        .format = texture->options->srgb ? texture->codec->srgb : texture->codec->format,
        .width = texture->picture.width,
        .height = texture->picture.height,
        .num_levels = 1,
        .level_size = (uint32_t)num_bytes,
    };
    uint8_t header[WEIR_DDS_HEADER_SIZE];
    weir_dds_header(&dds, header);
    if (cli_interrupted()) {
        cli_report_error("interrupted; nothing was written");
        return WEIR_ERROR_IO;
    }
    struct weir_file file;
    const enum weir_result opened = weir_file_open(&file, texture->output, &log);
    if (opened != WEIR_OK)
        return opened;
    weir_file_write(&file, header, sizeof header);
    weir_file_write(&file, texture->run.staging.mapped, (size_t)num_bytes);
    weir_file_commit(&file);
    texture->size = sizeof header + num_bytes;
    return weir_file_close(&file);
}

static void report(const struct texture *texture)
{
    printf("%s: %ux%u, %s at level %s, %s%s, %" PRIu64 " bytes, on %s\n", texture->output,
           texture->picture.width, texture->picture.height, codec_name(texture->options->codec),
           cli_level_names[texture->options->level], texture->codec->format_name,
           texture->options->srgb ? "_SRGB" : "", texture->size,
           texture->gpu.properties.deviceName);
}

static enum cli_status run(char **arguments, const void *values)
{
    struct texture texture = {.options = values, .input = arguments[0], .output = arguments[1]};
    texture.codec = &codecs[texture.options->codec];
    if (!is_dds(texture.output)) {
        fprintf(stderr, "weir texture: %s: the output is a DDS file, its name ends in .dds\n",
                texture.output);
        return CLI_USAGE;
    }
    if (texture.options->srgb && texture.codec->srgb == WEIR_DXGI_NONE) {
        fprintf(stderr, "weir texture: --srgb: %s holds no colours, and has no sRGB format\n",
                codec_name(texture.options->codec));
        return CLI_USAGE;
    }
    weir_source_silence_libav();
    cli_interrupt_catch();
    enum weir_result result = read_picture(&texture);
    if (result == WEIR_OK)
        result = encode(&texture);
    if (result == WEIR_OK)
        result = write_file(&texture);
    if (result == WEIR_OK)
        report(&texture);
    texture_run_finish(&texture.run);
    weir_picture_free(&texture.picture);
    const bool valid = cli_gpu_close(&texture.gpu);
    return result == WEIR_OK && valid ? CLI_DONE : CLI_FAILED;
}

const struct cli_command cli_texture_command = {
    .name = "texture",
    .arguments = "INPUT OUTPUT.dds",
    .num_arguments = 2,
    .summary = "encode a picture as a block-compressed texture",
    .about =
        "INPUT is a picture of up to 16 bits a value, or a movie, of which the first frame is\n"
        "taken. Values are rounded to 8 bits and encoded as they are. bc1 holds RGB without\n"
        "alpha, bc3 RGBA, bc4 the red, bc5 the red and the green. OUTPUT.dds holds one level,\n"
        "with the header of DirectX 10. It is replaced when all of it is written, and not "
        "before.\n",
    .example = "  weir texture photo.png photo.dds --srgb\n"
               "  weir texture normals.png normals.dds --codec bc5 --level high\n",
    .options = options,
    .num_options = sizeof options / sizeof options[0],
    .run = run,
    .defaults = &(const struct texture_options){0},
    .values_size = sizeof(struct texture_options),
};
