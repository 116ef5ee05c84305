// SPDX-License-Identifier: MIT
// weir palette: pictures and movies in fewer colours, by k-means or mean shift on the GPU.
#include "capture/weir/palette/palette.h"

#include <stdio.h>
#include <string.h>

#include "capture/weir/commands.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/shared_options.h"

static const char *const method_names[] = { // of enum weir_palette_method
    "mean_shift", "k_means", NULL};
static const char *const metric_names[] = { // of enum weir_palette_metric
    "codes", "oklab", NULL};
static const char *const dither_names[] = { // of enum weir_palette_dither, and one more
    "none", "ordered", "blue_noise", "diffusion", NULL};
static const char *const weight_names[] = { // of enum weir_palette_weight
    "equal", "frequency", NULL};
static const char *const light_names[] = { // of enum weir_palette_light
    "raw", "srgb", NULL};

#define FIELD(field) offsetof(struct palette_options, field)
static const struct cli_option options[] = {
    {"radius", CLI_REAL, FIELD(radius), "R",
     .help = "distance in Oklab within which colours are neighbours, 0 to 1.7320508 (0.02)",
     .real_max = 1.7320508},
    {"colors", CLI_NUMBER, FIELD(colors), "N",
     .help = "the best N colours (above 256: by the smallest possible radius)", .min = 1,
     .max = 1 << 24},
    {"method", CLI_CHOICE, FIELD(method), "NAME", .help = "by a radius, or the best N colours",
     .is_rare = true, .choices = method_names},
    {"metric", CLI_CHOICE, FIELD(metric), "NAME", .help = "error that k_means minimises",
     .is_rare = true, .choices = metric_names},
    {"dither", CLI_CHOICE, FIELD(dither), "NAME",
     .help = "hide the steps between colours of k_means", .choices = dither_names},
    {"strength", CLI_REAL, FIELD(strength), "S",
     .help = "of --dither diffusion, 0 to 1 (1): less is more even, and further from the picture",
     .is_rare = true, .real_max = 1},
    {"weight", CLI_CHOICE, FIELD(weight), "NAME",
     .help = "equal for clean art, frequency for photographs and movies", .choices = weight_names},
    {"light", CLI_CHOICE, FIELD(light), "NAME",
     .help = "raw treats codes as linear light, srgb decodes them", .is_rare = true,
     .choices = light_names},
    {"limit", CLI_NUMBER, FIELD(limit), "T",
     .help = "at most T steps of a colour: softer, more colours", .is_rare = true, .min = 1,
     .max = UINT32_MAX},
    {"table", CLI_FLAG, FIELD(table), .help = "64 steps a channel instead of 256: faster"},
    {"export", CLI_TEXT, FIELD(export_file), "FILE",
     .help = "write the new colours: .gpl, .hex or .png", .files = "gpl hex png"},
    {"share", CLI_FLAG, FIELD(share),
     .help = "one palette for all pictures, or all frames of a movie"},
    CLI_OPTION_LAYER(struct palette_options),
    CLI_OPTION_PROFILE(struct palette_options),
    CLI_OPTION_DEVICE(struct palette_options),
    CLI_OPTION_MAX_MEMORY(struct palette_options),
    CLI_OPTION_VALIDATION(struct palette_options),
};

static enum cli_status check_movie(const struct palette_options *chosen,
                                   const struct cli_inputs *inputs)
{
    CLI_USAGE_IF(chosen->weight == WEIR_PALETTE_WEIGHT_EQUAL && !chosen->share, "--weight equal",
                 "a movie would flicker, as the rare colours of noise would weigh as much as any; "
                 "leave it out, or choose frequency");
    CLI_USAGE_IF(
        chosen->share && strcmp(inputs->paths[0], "-") == 0, "--share",
        "all frames are read twice, and standard input can be read only once; name a file");
    CLI_USAGE_IF(chosen->colors != 0 && chosen->method == WEIR_PALETTE_METHOD_MEAN_SHIFT &&
                     !chosen->share,
                 "--colors",
                 "each frame would need a search for its radius; add --share, give a --radius, or "
                 "use k_means with at most 256");
    CLI_USAGE_IF(chosen->dither == PALETTE_DITHER_DIFFUSION, "--dither diffusion",
                 "it is for pictures and flickers in movies; choose ordered or blue_noise");
    CLI_USAGE_IF(chosen->export_file, "--export",
                 "it is for pictures; leave it out, or reduce the frames as pictures into a folder "
                 "with --share");
    return CLI_DONE;
}

static enum cli_status check_pictures(const struct palette_options *chosen, const char *output,
                                      bool several)
{
    CLI_USAGE_IF(cli_output_ends_in(output, ".gif") && !cli_output_is_folder(output), output,
                 "no GIF files are written; reduce the pictures into a folder with --share "
                 "--colors 256, and let ffmpeg make a .gif of them");
    if (several &&
        !cli_output_check_folder(
            output, "several pictures become files of a folder, or a movie that ends in .mov")) {
        return CLI_USAGE;
    }
    CLI_USAGE_IF(!several && !cli_output_ends_in(output, ".png"), output,
                 "the output is a picture or a movie, its name ends in .png or .mov");
    CLI_USAGE_IF(!several && chosen->share, "--share",
                 "it is for several pictures, or a folder of them");
    CLI_USAGE_IF(several && !chosen->share && chosen->export_file, "--export",
                 "each picture has its own palette; add --share for one");
    return CLI_DONE;
}

static bool is_movie(const char *output)
{
    return cli_output_ends_in(output, ".mov") && !cli_output_is_folder(output);
}

static enum cli_status check_k_means(const struct palette_options *chosen)
{
    CLI_USAGE_IF(cli_option_is_given("strength") && chosen->dither != PALETTE_DITHER_DIFFUSION,
                 "--strength", "it is that of --dither diffusion; add that");
    CLI_USAGE_IF(chosen->colors > WEIR_PALETTE_MAX_NUM_COLORS, "--colors",
                 "--method k_means finds 256 at most; leave --method out");
    CLI_USAGE_IF(cli_option_is_given("radius"), "--radius",
                 "--method k_means finds a number of colours; leave one out");
    CLI_USAGE_IF(chosen->limit != 0, "--limit", "it is for --method mean_shift");
    CLI_USAGE_IF(cli_option_is_given("light") && chosen->metric != WEIR_PALETTE_METRIC_OKLAB,
                 "--light", "codes become light for Oklab alone; add --metric oklab");
    return CLI_DONE;
}

static enum cli_status check_method(const struct palette_options *chosen)
{
    CLI_USAGE_IF(cli_option_is_given("radius") && chosen->colors != 0, "--colors",
                 "it finds its own radius, and --radius gives one; leave one out");
    if (chosen->method == WEIR_PALETTE_METHOD_K_MEANS) {
        return check_k_means(chosen);
    }
    CLI_USAGE_IF(cli_option_is_given("metric"), "--metric",
                 "it is for the best colours; add --method k_means");
    const bool has_strength = cli_option_is_given("strength");
    CLI_USAGE_IF(chosen->dither != WEIR_PALETTE_DITHER_NONE || has_strength,
                 has_strength ? "--strength" : "--dither",
                 "mean shift keeps areas flat; add --method k_means");
    return CLI_DONE;
}

static enum cli_status check(const struct palette_options *chosen, const struct cli_inputs *inputs,
                             const char *output, bool several)
{
    CLI_TRY(check_method(chosen));
    CLI_USAGE_IF(chosen->export_file && !palette_can_export(chosen->export_file),
                 chosen->export_file, "a palette is a file that ends in .gpl, .hex or .png");
    return is_movie(output) ? check_movie(chosen, inputs) : check_pictures(chosen, output, several);
}

// One picture, or the pictures of a folder.
struct work {
    struct palette palette;
    struct cli_gpu gpu;
    const char *input, *output; // `input` names the palette too
    struct cli_folder *folder;  // NULL: one picture
};

static enum weir_result reduce(struct work *work)
{
    struct palette *palette = &work->palette;
    const struct palette_options *chosen = palette->options;
    palette->gpu = &work->gpu;
    palette->pictures = (struct cli_pictures){
        .list = work->folder ? &work->folder->list : NULL,
        .path = work->input,
        .max_memory = chosen->max_memory,
        .still = cli_still_params(chosen->layer, chosen->profile, false)};
    enum weir_result result = cli_gpu_open(
        &work->gpu,
        weir_device_params(.index = (uint32_t)chosen->device, .validation = chosen->validation));
    if (result == WEIR_OK) {
        result = work->folder ? palette_reduce_folder(palette, work->folder)
                              : palette_reduce_file(palette, work->input, work->output);
    }
    const bool is_written = result == WEIR_OK || (palette->shown.num > 0 && !cli_interrupted());
    if (chosen->export_file && is_written) {
        const enum weir_result exported = palette_export(chosen->export_file, work->input,
                                                         &palette->shown);
        result = result == WEIR_OK ? exported : result;
    }
    cli_pictures_finish(&palette->pictures);
    cli_picture_finish(&palette->picture);
    cli_reduction_finish(&palette->run);
    palette_colors_free(&palette->shown);
    return cli_gpu_close_behind(&work->gpu, result);
}

static enum weir_result reduce_one(struct work *work)
{
    struct cli_paths paths = {0};
    cli_paths_add_input(&paths, work->input);
    cli_paths_add_output(&paths, work->output);
    cli_paths_add_output(&paths, work->palette.options->export_file);
    WEIR_TRY(cli_paths_check(&paths));
    return reduce(work);
}

static enum weir_result reduce_several(struct work *work, const struct cli_inputs *inputs)
{
    const struct palette_options *chosen = work->palette.options;
    struct cli_folder folder = {.output = work->output,
                                .ending = "png",
                                .wanted = "pictures",
                                .other = chosen->export_file};
    enum weir_result result = cli_folder_open(&folder, inputs);
    if (result == WEIR_OK) {
        work->folder = &folder;
        result = reduce(work);
        if (!chosen->share) {
            cli_print(stdout, "%s: %zu of %zu pictures\n", work->output, folder.num_done,
                      folder.list.num_files);
        }
    }
    cli_folder_close(&folder);
    return result;
}

static enum weir_result reduce_pictures(const struct palette_options *chosen,
                                        struct cli_inputs *inputs, const char *output, bool several)
{
    const enum weir_result taken = cli_standard_input_take(inputs, chosen->max_memory);
    struct work work = {
        .palette = {.options = chosen},
        .input = inputs->num == 1 ? inputs->paths[0] : output,
        .output = output,
    };
    return taken != WEIR_OK ? taken : several ? reduce_several(&work, inputs) : reduce_one(&work);
}

static enum cli_status run(char **arguments, const void *values)
{
    struct palette_options chosen = *(const struct palette_options *)values;
    const char *output;
    struct cli_inputs inputs = cli_inputs_get(arguments, &output);
    const bool several = cli_inputs_are_several(&inputs, output), makes_movie = is_movie(output);
    if (chosen.method < 0) {
        chosen.method = chosen.colors >= 1 && chosen.colors <= WEIR_PALETTE_MAX_NUM_COLORS
                            ? WEIR_PALETTE_METHOD_K_MEANS
                            : WEIR_PALETTE_METHOD_MEAN_SHIFT;
    }
    CLI_TRY(check(&chosen, &inputs, output, several));
    if (chosen.weight < 0) {
        chosen.weight = chosen.method == WEIR_PALETTE_METHOD_K_MEANS || makes_movie
                            ? WEIR_PALETTE_WEIGHT_FREQUENCY
                            : WEIR_PALETTE_WEIGHT_EQUAL;
    }
    cli_interrupt_catch();
    return cli_status_of(makes_movie ? palette_reduce_movie(&chosen, &inputs, output)
                                     : reduce_pictures(&chosen, &inputs, output, several));
}

const struct cli_command cli_palette_command = {
    .name = "palette",
    .arguments = "INPUT... OUTPUT",
    .num_arguments = 2,
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "reduce the colours of pictures and movies",
    .about =
        "INPUT is a picture, a movie (of which the first frame is read), or - for standard\n"
        "input; OUTPUT ends in .png. With several INPUTs, a folder or a sequence such as\n"
        "frame_%04d.png, OUTPUT is a folder, which gets a file for each. If OUTPUT ends in\n"
        ".mov, each frame of a movie is reduced with its own palette, or with --share all\n"
        "frames with one.\n\n"
        "--colors N finds the best N colours, up to 256 (k-means), and --dither hides the\n"
        "steps between them. Without it, mean shift moves every colour to the mean of the\n"
        "colours within the radius, again and again, until it stays. Values are rounded to 8\n"
        "bits. Alpha is kept. Pixels with alpha 0 are one of the N colours; mean shift leaves\n"
        "them alone. A picture of at most 256 colours becomes an indexed PNG file.\n\n"
        "--weight equal is for clean art, frequency for photographs. Default: equal for\n"
        "pictures by mean shift, else frequency; movies without --share use only frequency. "
        "--light raw\n"
        "(default) treats codes as linear light; srgb decodes them first, which keeps more\n"
        "colours apart, but fewer dark ones.\n\n"
        "A file is replaced only when the new one is complete.\n",
    .example = "  weir palette photo.png few.png --weight frequency\n"
               "  weir palette art.png 16.png --colors 16 --export 16.gpl\n"
               "  weir palette photo.png 256.png --colors 256 --dither diffusion\n"
               "  weir palette sprites few --share --colors 64 --export sprites.hex\n"
               "  weir palette clip.mp4 clip.mov --radius 0.03 --table\n"
               "  weir palette clip.mp4 clip.mov --share --colors 64 --dither ordered\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(
        const struct palette_options){.method = -1, .weight = -1, .radius = 0.02, .strength = 1},
    .values_size = sizeof(struct palette_options),
    .files = {"*", "*"},
};
