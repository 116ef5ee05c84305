// SPDX-License-Identifier: MIT
// weir transcode: any picture, sequence or movie becomes a HAP movie, compressed on the GPU.
#include <stdio.h>

#include <weir/capture.h>

#include "capture/files/source/source.h"
#include "capture/weir/commands.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/movie/movie.h"

struct transcode_options {
    int codec, decoder, compression, tonemap; // indices into the tables below
    int effort;                               // an enum weir_effort
    struct cli_size size;
    struct cli_rate rate;
    uint64_t frames, device, chunks, max_memory;
    bool validation, quiet;
};

static const char *const decoder_names[] = {"gpu", "ffmpeg", NULL};
static const enum weir_decoder_model decoders[] = {WEIR_DECODER_GPU, WEIR_DECODER_FFMPEG};
static const char *const compression_names[] = {"none", "snappy", NULL};
static const enum weir_compression compressions[] = {WEIR_COMPRESSION_NONE,
                                                     WEIR_COMPRESSION_SNAPPY};
static const char *const tonemap_names[] = {"bt2390", "hable", "clip", "off", NULL};
static const enum weir_tonemap tonemaps[] = {WEIR_TONEMAP_BT2390, WEIR_TONEMAP_HABLE,
                                             WEIR_TONEMAP_CLIP, WEIR_TONEMAP_OFF};
// Those that the codec of movies has.
static const char *const effort_names[] = {
    [WEIR_EFFORT_DEFAULT] = "default",
    [WEIR_EFFORT_FAST] = "fast",
    [WEIR_EFFORT_HIGH] = "high",
    NULL,
};
static const struct cli_hint effort_hints[] = {
    {"exhaustive", "movies have none beyond high; weir texture has it"},
    {NULL, NULL},
};

#define FIELD(name) offsetof(struct transcode_options, name)
static const struct cli_option options[] = {
    CLI_OPTION_CODEC(struct transcode_options),
    {.name = "size",
     .kind = CLI_SIZE,
     .offset = FIELD(size),
     .argument = "WxH",
     .help = "scale every frame to this size"},
    {.name = "frames",
     .kind = CLI_NUMBER,
     .offset = FIELD(frames),
     .argument = "N",
     .help = "end after N frames",
     .min = 1,
     .max = INT64_MAX},
    {.name = "fps",
     .kind = CLI_RATE,
     .offset = FIELD(rate),
     .argument = "N",
     .help = "frames a second (pictures: 25; movies keep their length, and their own times)"},
    {.name = "tonemap",
     .kind = CLI_CHOICE,
     .offset = FIELD(tonemap),
     .argument = "NAME",
     .help = "how HDR (PQ, HLG) becomes display colours",
     .choices = tonemap_names},
    CLI_OPTION_DEVICE(struct transcode_options),
    {.name = "decoder",
     .kind = CLI_CHOICE,
     .offset = FIELD(decoder),
     .argument = "NAME",
     .help = "whose decoding to be best for",
     .choices = decoder_names},
    {.name = "effort",
     .kind = CLI_CHOICE,
     .offset = FIELD(effort),
     .argument = "NAME",
     .help = "how long it looks for better blocks",
     .choices = effort_names,
     .hints = effort_hints},
    {.name = "compression",
     .kind = CLI_CHOICE,
     .offset = FIELD(compression),
     .argument = "NAME",
     .help = "second stage",
     .choices = compression_names},
    {.name = "chunks",
     .kind = CLI_NUMBER,
     .offset = FIELD(chunks),
     .argument = "N",
     .help = "snappy in N chunks, which decode in parallel (1)",
     .min = 1,
     .max = 64},
    CLI_OPTION_MAX_MEMORY(struct transcode_options),
    CLI_OPTION_VALIDATION(struct transcode_options),
    {.name = "quiet",
     .kind = CLI_FLAG,
     .offset = FIELD(quiet),
     .argument = NULL,
     .help = "no progress and no summary"},
};

static enum cli_status run(char **arguments, const void *values)
{
    const struct transcode_options *chosen = values;
    if (!cli_movie_is(arguments[1])) {
        cli_print(stderr,
                  "weir transcode: %s: the output is a QuickTime movie, its name ends in .mov\n",
                  arguments[1]);
        return CLI_USAGE;
    }
    if (chosen->chunks != 0 && compressions[chosen->compression] != WEIR_COMPRESSION_SNAPPY) {
        fputs("weir transcode: --chunks goes with --compression snappy\n", stderr);
        return CLI_USAGE;
    }
    weir_source_silence_libav();
    cli_interrupt_catch();
    struct cli_movie movie;
    enum weir_result result = cli_movie_open(&movie,
                                             &(const struct cli_movie_params){
                                                 .input = arguments[0],
                                                 .output = arguments[1],
                                                 .size = chosen->size,
                                                 .rate = chosen->rate,
                                                 .max_frames = chosen->frames,
                                                 .device = (uint32_t)chosen->device,
                                                 .validation = chosen->validation,
                                                 .quiet = chosen->quiet,
                                                 .max_memory = chosen->max_memory,
                                                 .codec = cli_codec(chosen->codec),
                                                 .tonemap = tonemaps[chosen->tonemap],
                                                 .decoder = decoders[chosen->decoder],
                                                 .effort = (enum weir_effort)chosen->effort,
                                                 .compression = compressions[chosen->compression],
                                                 .num_chunks = (uint32_t)chosen->chunks,
                                             });
    if (result == WEIR_OK) {
        result = cli_movie_run(&movie, NULL);
    }
    const bool valid = cli_movie_close(&movie);
    cli_report_no_memory(result, 0);
    return result == WEIR_OK && valid ? CLI_DONE : CLI_FAILED;
}

const struct cli_command cli_transcode_command = {
    .name = "transcode",
    .arguments = "INPUT OUTPUT.mov",
    .num_arguments = 2,
    .summary = "turn a picture, sequence or movie into a HAP movie",
    .about =
        "INPUT is a movie, a picture (a movie of one frame), a folder of pictures, a numbered\n"
        "sequence such as frame_%04d.png, or - for standard input: whatever FFmpeg's libraries\n"
        "read, TIFF and Radiance. Sound is left out. HDR is tone-mapped.\n"
        "Time stamps are kept. Ctrl-C ends early with a movie that plays, and status 1.\n",
    .example = "  weir transcode clip.mp4 clip.mov\n"
               "  weir transcode frames/shot_%04d.png shot.mov --fps 30 --compression snappy\n",
    .options = options,
    .num_options = sizeof(options) / sizeof(options[0]),
    .run = run,
    .defaults = &(const struct transcode_options){0},
    .values_size = sizeof(struct transcode_options),
    .files = {"*", "mov"},
};
