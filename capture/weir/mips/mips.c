// SPDX-License-Identifier: MIT
// weir mips: the mip levels of a picture, made on the GPU, as picture files and a contact sheet.
#include "capture/weir/mips/mips.h"

#include <stdlib.h>
#include <string.h>

#include "capture/base/path.h"
#include "capture/weir/commands.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"

static const char *method_name(int index)
{
    const struct weir_pyramid_method_info *info = weir_pyramid_method_get_info(
        (enum weir_pyramid_method)index);
    return info ? info->name : NULL;
}

// Get the name of a reduction. CUSTOM is left out, as a command line cannot give a kernel.
static const char *reduction_name(int index)
{
    return index < WEIR_PYRAMID_CUSTOM
               ? weir_pyramid_reduction_get_info((enum weir_pyramid_reduction)index)->name
               : NULL;
}

static const char *format_name(int index)
{
    size_t num_formats;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num_formats);
    return (size_t)index < num_formats ? formats[index].name : NULL;
}

static const char *const alpha_names[] = { // of --alpha
    "straight", "data", NULL};

#define FIELD(field) offsetof(struct mips_options, field)
static const struct cli_option options[] = {
    {"method", CLI_CHOICE, FIELD(method), "NAME", .help = "how the levels are computed",
     .is_rare = true, .choice = method_name},
    {"reduction", CLI_CHOICE, FIELD(reduction), "NAME",
     .help = "how the texels under one are combined", .choice = reduction_name},
    {"format", CLI_CHOICE, FIELD(format), "NAME", .help = "format of the levels",
     .choice = format_name},
    {"values", CLI_CHOICE, FIELD(values), "NAME", .help = "what the values are",
     .choices = mips_values_names},
    {"exact-srgb", CLI_FLAG, FIELD(exact_srgb),
     .help = "SRGB formats: exact codes, not what the device decodes", .is_rare = true},
    {"levels", CLI_NUMBER, FIELD(levels), "N", .help = "number of levels, with the picture (all)",
     .min = 1, .max = MIPS_MAX_LEVELS},
    {"alpha", CLI_CHOICE, FIELD(alpha), "NAME",
     .help = "straight weighs colours, as alpha_mean does; data does not (data)",
     .choices = alpha_names},
    CLI_OPTIONS_LEVEL(struct mips_options),
    CLI_OPTION_LAYER(struct mips_options),
    CLI_OPTION_PROFILE(struct mips_options),
    CLI_OPTION_DEVICE(struct mips_options),
    {"json", CLI_TEXT, FIELD(json), "FILE",
     .help = "write the report as JSON; - is standard output", .files = "json"},
    CLI_OPTION_MAX_MEMORY(struct mips_options),
    CLI_OPTION_VALIDATION(struct mips_options),
};

static bool name_outputs(struct mips *mips)
{
    const char *name = weir_path_name(mips->input);
    mips->name = strndup(name, (size_t)(weir_path_ending(name) - name));
    return mips->name;
}

static enum weir_pyramid_reduction reduction_of(const struct mips_options *chosen)
{
    return chosen->alpha == MIPS_ALPHA_STRAIGHT ? WEIR_PYRAMID_ALPHA_MEAN
           : chosen->reduction >= 0             ? (enum weir_pyramid_reduction)chosen->reduction
                                                : WEIR_PYRAMID_MEAN;
}

static VkFormat default_format(const struct mips *mips)
{
    static const VkFormat formats[][2] = {
        [WEIR_PICTURE_8] = {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8_UNORM},
        [WEIR_PICTURE_16] = {VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_R16G16_UNORM},
        [WEIR_PICTURE_FLOAT] = {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R32G32_SFLOAT},
    };
    const bool data = mips->options->values == WEIR_VALUES_DATA ||
                      mips->options->level.changes.normals;
    const bool pair = reduction_of(mips->options) == WEIR_PYRAMID_MIN_MAX;
    if (mips->picture.type == WEIR_PICTURE_8 && data && !pair) {
        return VK_FORMAT_R8G8B8A8_UNORM;
    }
    return formats[mips->picture.type][pair];
}

// Return true for formats of at most 10 bits that are not sRGB. Linear light needs more bits, so a
// picture of codes is taken as data.
static bool is_narrow(const struct weir_pyramid_format_info *format)
{
    return !format->is_srgb && !format->is_float &&
           (format->texel_size == format->num_channels ||
            format->format == VK_FORMAT_A2B10G10R10_UNORM_PACK32);
}

static enum weir_result choose(struct mips *mips)
{
    size_t num_formats;
    const struct weir_pyramid_format_info *formats = weir_pyramid_format_list(&num_formats);
    mips->format = mips->options->format >= 0 ? &formats[mips->options->format]
                                              : weir_pyramid_format_get_info(default_format(mips));
    mips->values = mips->picture.is_linear   ? WEIR_VALUES_LINEAR
                   : is_narrow(mips->format) ? WEIR_VALUES_DATA
                                             : WEIR_VALUES_SRGB;
    if (mips->options->values >= 0) {
        mips->values = (enum weir_values)mips->options->values;
    }
    if (mips->options->level.changes.normals) {
        mips->values = WEIR_VALUES_DATA;
    }
    CLI_FAIL_IF(mips->format->is_srgb && mips->values == WEIR_VALUES_DATA, WEIR_ERROR_INVALID,
                "--values data: %s decodes what it holds as colours; choose a format without srgb, "
                "such as rgba8_unorm",
                mips->format->name);
    CLI_FAIL_IF(mips->options->level.coverage > 0 && mips->format->num_channels < 4,
                WEIR_ERROR_INVALID, "--alpha-coverage: %s has no alpha", mips->format->name);
    CLI_FAIL_IF((mips->options->level.changes.normals || mips->options->level.changes.flip_green) &&
                    mips->format->num_channels < 2,
                WEIR_ERROR_INVALID, "--normals, --flip-green: %s has no green", mips->format->name);
    CLI_FAIL_IF(
        !mips->format->is_srgb && mips->options->exact_srgb, WEIR_ERROR_INVALID,
        "--exact-srgb: %s holds no sRGB codes; choose a format with srgb, such as rgba8_srgb",
        mips->format->name);
    const uint32_t all = weir_pyramid_full_chain(mips->picture.width, mips->picture.height);
    mips->num_levels = mips->options->levels != 0 ? (uint32_t)mips->options->levels : all;
    return cli_levels_check_num(mips->num_levels, mips->input, mips->picture.width,
                                mips->picture.height);
}

static enum weir_result open_gpu(struct mips *mips)
{
    WEIR_TRY(cli_gpu_open(
        &mips->gpu, weir_device_params(.index = (uint32_t)mips->options->device,
                                       .validation = mips->options->validation,
                                       .no_async = mips->options->method == WEIR_PYRAMID_BLIT)));
    return cli_gpu_check_side(&mips->gpu, mips->input, mips->picture.width, mips->picture.height);
}

// The user of fill_row().
struct upload {
    const struct mips *mips;
    float *row;
};

static void fill_row(void *user, uint32_t y, uint8_t *texels)
{
    const struct upload *upload = user;
    const struct mips *mips = upload->mips;
    weir_picture_row(&mips->picture, y, upload->row);
    weir_values_convert(upload->row, mips->picture.width, mips->values, mips->stored);
    weir_texel_pack(mips->format, upload->row, mips->picture.width, texels);
}

static enum weir_result make_levels(struct mips *mips)
{
    const struct cli_pyramid_params params = {
        .method = mips->options->method >= 0 ? (enum weir_pyramid_method)mips->options->method
                                             : WEIR_PYRAMID_AUTO,
        .reduction = reduction_of(mips->options),
        .format = mips->format,
        .width = mips->picture.width,
        .height = mips->picture.height,
        .levels = mips->num_levels,
        .exact_srgb = mips->options->exact_srgb,
        .by_host = cli_levels_by_host(&mips->options->level),
    };
    WEIR_TRY(cli_pyramid_init(&mips->run, &mips->gpu, &params));
    struct upload upload = {mips, malloc((size_t)mips->picture.width * 4 * sizeof(float))};
    if (!upload.row) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const enum weir_result result = cli_pyramid_upload(&mips->run, 0, fill_row, &upload);
    free(upload.row);
    return result == WEIR_OK ? cli_levels_make(&mips->run, &mips->options->level, false) : result;
}

static enum weir_result write_files(struct mips *mips)
{
    WEIR_TRY(mips_files_open(&mips->files, mips->folder));
    WEIR_TRY(
        mips_sheet_init(&mips->sheet, mips->picture.width, mips->picture.height, mips->num_levels));
    for (uint32_t level = 0; level < mips->num_levels; level++) {
        WEIR_TRY(mips_write_level(mips, level));
        CLI_FAIL_IF(cli_interrupted(), WEIR_ERROR_IO, "interrupted; nothing was written");
    }
    WEIR_TRY(mips_write_sheet(mips));
    return mips_files_check(&mips->files, mips->input, mips->options->json);
}

// True if the values of a picture of codes are no colours.
static bool is_data(const struct mips_options *chosen)
{
    const bool is_unorm = chosen->values < 0 && chosen->format >= 0 &&
                          is_narrow(&weir_pyramid_format_list(NULL)[chosen->format]);
    return is_unorm || chosen->values == WEIR_VALUES_DATA || chosen->level.changes.normals;
}

static enum weir_result run_all(struct mips *mips)
{
    const struct cli_level_options *level = &mips->options->level;
    // The picture, the staging buffer, a level and, on a device that shares the memory, the images.
    const struct weir_memory_use memory = cli_memory_use(mips->options->max_memory, 4,
                                                         cli_levels_texel_size(level));
    WEIR_TRY(cli_picture_read(&mips->pictures, mips->input, &memory, &mips->picture));
    WEIR_TRY(cli_level_options_apply(level, mips->input, &mips->picture));
    WEIR_TRY(choose(mips));
    mips->stored = mips->format->is_srgb              ? WEIR_VALUES_SRGB
                   : mips->values == WEIR_VALUES_DATA ? WEIR_VALUES_DATA
                                                      : WEIR_VALUES_LINEAR;
    mips->has_alpha = mips->picture.has_alpha && mips->format->num_channels == 4;
    WEIR_TRY(open_gpu(mips));
    WEIR_TRY(make_levels(mips));
    return write_files(mips);
}

static enum weir_result report(struct mips *mips)
{
    const char *json = mips->options->json;
    WEIR_TRY(json ? mips_report_write_json(mips, json) : WEIR_OK);
    WEIR_TRY(mips_files_commit(&mips->files));
    mips_report_print(mips, json && strcmp(json, "-") == 0 ? stderr : stdout);
    return WEIR_OK;
}

static void free_all(struct mips *mips)
{
    cli_pictures_finish(&mips->pictures);
    mips_sheet_finish(&mips->sheet);
    mips_files_close(&mips->files);
    cli_pyramid_finish(&mips->run);
    weir_picture_free(&mips->picture);
    free(mips->name);
}

static enum weir_result make(struct mips *mips)
{
    enum weir_result result = name_outputs(mips) ? run_all(mips) : WEIR_ERROR_OUT_OF_MEMORY;
    if (result == WEIR_OK) {
        result = report(mips);
    }
    free_all(mips);
    return cli_gpu_close_behind(&mips->gpu, result);
}

// Levels that the processor makes are means. Alpha is said once.
static enum cli_status check_levels(const struct mips_options *chosen)
{
    const struct cli_level_options *level = &chosen->level;
    const enum weir_pyramid_reduction reduction = reduction_of(chosen);
    const bool is_mean = reduction == WEIR_PYRAMID_MEAN || reduction == WEIR_PYRAMID_ALPHA_MEAN;
    CLI_USAGE_IF(chosen->alpha >= 0 && chosen->reduction >= 0, "--alpha",
                 "it chooses the reduction; leave out --reduction");
    CLI_USAGE_IF(
        cli_levels_by_host(level) && (!is_mean || chosen->method >= 0),
        "--normals, --filter, --alpha-coverage",
        "the processor makes means; leave out --method, and --reduction but mean and alpha_mean");
    CLI_USAGE_IF(chosen->levels == 1 && (cli_option_is_given("filter") || level->coverage > 0),
                 "--filter, --alpha-coverage", "they are for levels; raise --levels");
    CLI_USAGE_IF(
        level->changes.normals && (reduction != WEIR_PYRAMID_MEAN ||
                                   (chosen->values >= 0 && chosen->values != WEIR_VALUES_DATA)),
        "--normals",
        "vectors are data; leave out --values, and weigh them by no --alpha or --reduction");
    return cli_level_options_check(level);
}

static enum cli_status run(char **arguments, const void *values)
{
    struct mips mips = {.options = values};
    struct cli_inputs inputs = cli_inputs_get(arguments, &mips.folder);
    if (!cli_output_check_folder(mips.folder, "the levels become files of a folder")) {
        return CLI_USAGE;
    }
    const enum cli_status status = check_levels(mips.options);
    if (status != CLI_DONE) {
        return status;
    }
    const enum weir_result taken = cli_standard_input_take(&inputs, mips.options->max_memory);
    if (taken != WEIR_OK) {
        return cli_status_of(taken);
    }
    mips.input = inputs.paths[0];
    mips.pictures = (struct cli_pictures){.path = mips.input,
                                          .max_memory = mips.options->max_memory,
                                          .still = cli_still_params(mips.options->layer,
                                                                    mips.options->profile,
                                                                    is_data(mips.options))};
    cli_interrupt_catch();
    return cli_status_of(make(&mips));
}

const struct cli_command cli_mips_command = {
    .name = "mips",
    .arguments = "INPUT OUTDIR",
    .num_arguments = 2,
    .summary = "make the mip levels of a picture, as files and a contact sheet",
    .about =
        "INPUT is a picture, a movie (of which the first frame is read), or - for standard\n"
        "input. The folder OUTDIR gets NAME_level00.png, which is the picture itself,\n"
        "NAME_level01.png and so on, and NAME_levels.png, which shows all of them. Files of\n"
        "these names are replaced.\n\n"
        "Formats of more than 8 bits give PNG files of 16 bits, float formats give PFM files.\n\n"
        "Default of --format: rgba8_srgb for pictures of 8 bits, rgba16_unorm for 16 bits,\n"
        "rgba32_sfloat for floats. --values: srgb (codes, averaged in linear light), linear\n"
        "(linear light) or data (such as normals and heights, averaged as they are). Its\n"
        "default is linear for floats, data for UNORM formats of 8 or 10 bits, else srgb.\n",
    .example = "  weir mips photo.png levels\n"
               "  weir mips normals.png levels --normals\n"
               "  weir mips sky.exr levels --format rgba16_sfloat --json levels.json\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults =
        &(const struct mips_options){
            .method = -1, .reduction = -1, .format = -1, .values = -1, .alpha = -1},
    .values_size = sizeof(struct mips_options),
    .files = {"*", "/"},
};
