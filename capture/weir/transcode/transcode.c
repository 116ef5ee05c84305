// SPDX-License-Identifier: MIT
// weir transcode: any picture, sequence or movie becomes a HAP movie, compressed on the GPU.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <weir/capture.h>

#include "capture/base/fnv.h"
#include "capture/base/path.h"
#include "capture/files/source/list.h"
#include "capture/files/source/source.h"
#include "capture/weir/commands.h"
#include "capture/weir/common/address.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/paths.h"
#include "capture/weir/common/shared_options.h"
#include "capture/weir/transcode/transcode.h"

struct transcode_options {
    struct cli_movie_params params; // those that are taken as they are
    int codec;                      // an index
    int effort;                     // of cli_movie_efforts
    int compression;                // an index; -1: as --quality and --rate need it
    int pad;                        // an index into pad_names; -1: not at all
    int pixels;                     // an index into pixel_names
    int profile;                    // of cli_profile_names
    const char *layer, *part;
    const char *output, *also, *format; // OUTPUT, and see cli_receiver
    uint64_t device, chunks, max_memory, quality, video_track;
    double sync; // [s]
    bool validation, resume, json;
};

static const struct transcode_options defaults = {.compression = -1, .pad = -1, .sync = 1};

static const char *const tonemap_names[] = {[WEIR_TONEMAP_BT2390] = "bt2390",
                                            [WEIR_TONEMAP_HABLE] = "hable",
                                            [WEIR_TONEMAP_CLIP] = "clip",
                                            [WEIR_TONEMAP_OFF] = "off",
                                            NULL};
static const char *const alpha_names[] = {[WEIR_SOURCE_ALPHA_AUTO] = "auto",
                                          [WEIR_SOURCE_ALPHA_STRAIGHT] = "straight",
                                          [WEIR_SOURCE_ALPHA_PREMULTIPLIED] = "premultiplied",
                                          NULL};
static const char *const pixel_names[] = {"square", "keep", NULL};
static const char *const pad_names[] = {"4", NULL}; // blocks are 4x4 texels

#define FIELD(name) offsetof(struct transcode_options, name)
static const struct cli_option options[] = {
    CLI_OPTION_CODEC(struct transcode_options),
    {"output", CLI_TEXT, FIELD(output), "OUTPUT", .help = "OUTPUT in another place of the line",
     .is_rare = true, .files = "mov"},
    {"also", CLI_TEXT, FIELD(also), "ADDRESS",
     .help = "send the movie there too: tcp://:9000?listen", .is_rare = true},
    {"format", CLI_TEXT, FIELD(format), "NAME",
     .help = "FFmpeg's muxer for an address: nut, matroska, avi, mov (nut)", .is_rare = true},
    {"size", CLI_SIZE, FIELD(params.size), "WxH",
     .help = "scale frames to this size, in codes as ffmpeg does"},
    {"scale", CLI_SCALE, FIELD(params.scale), "SIZE",
     .help = "make frames smaller, in linear light: 1280x720, 1280x, x720 or 50%"},
    {"pixel-aspect", CLI_CHOICE, FIELD(pixels), "NAME",
     .help = "scale pixels that are not square, or keep them", .is_rare = true,
     .choices = pixel_names},
    {"video-track", CLI_NUMBER, FIELD(video_track), "N",
     .help = "the N-th video track of INPUT, from 1 on (the best one, as ffmpeg has it)",
     .is_rare = true, .min = 1, .max = UINT32_MAX},
    {"range", CLI_RANGE, FIELD(params.range), "A-B",
     .help = "frames from A up to, not including, B, with their audio: 10-20, 1:30-, -0.5"},
    {"frames", CLI_NUMBER, FIELD(params.max_frames), "N", .help = "end after N frames",
     .is_rare = true, .min = 1, .max = INT64_MAX},
    {"part", CLI_TEXT, FIELD(part), "K/N",
     .help = "the K-th of N parts, from 1 on, which weir join makes one movie", .is_rare = true},
    {"fps", CLI_RATE, FIELD(params.rate), "N",
     .help = "N frames a second (a movie's own times; 25 for pictures)"},
    {"tonemap", CLI_CHOICE, FIELD(params.source.tonemap), "NAME",
     .help = "how HDR (PQ, HLG) becomes display colours", .is_rare = true,
     .choices = tonemap_names},
    {"sound-from", CLI_TEXT, FIELD(params.sound_from), "FILE",
     .help = "the audio of FILE in place of INPUT's; it ends with the pictures"},
    {"no-audio", CLI_FLAG, FIELD(params.no_audio), .help = "leave out the audio"},
    CLI_OPTION_LAYER(struct transcode_options),
    CLI_OPTION_PROFILE(struct transcode_options),
    CLI_OPTION_DEVICE(struct transcode_options),
    {"decoder", CLI_CHOICE, FIELD(params.capture.encoding.decoder), "NAME",
     .help = "decoder for which blocks are optimised", .is_rare = true,
     .choices = cli_decoder_names},
    {"effort", CLI_CHOICE, FIELD(effort), "NAME", .help = "how long to search for better blocks",
     .choices = cli_movie_effort_names, .hints = cli_movie_effort_hints},
    {"steady", CLI_FLAG, FIELD(params.capture.encoding.steady),
     .help = "still pictures flicker less", .is_rare = true},
    {"quality", CLI_NUMBER, FIELD(quality), "N|ffmpeg",
     .help = "fewer bytes for less quality, with snappy; 80 is hard to see (100); ffmpeg: that of "
             "FFmpeg's encoder",
     .min = 1, .max = 100, .word = "ffmpeg"},
    {"rate", CLI_STREAM, FIELD(params.capture.rate.bytes_per_second), "BYTES",
     .help = "bytes a second, such as 60M or 1.5G, by the quality of each frame, up to --quality; "
             "with snappy"},
    {"compression", CLI_CHOICE, FIELD(compression), "NAME",
     .help = "second compression (none; snappy with --quality or --rate)",
     .choices = cli_compression_names},
    {"chunks", CLI_NUMBER, FIELD(chunks), "N|auto",
     .help = "chunks of a frame for snappy, decoded in parallel; auto: by size and cores (1)",
     .is_rare = true, .min = 1, .max = 64, .word = "auto"},
    {"pad", CLI_CHOICE, FIELD(pad), "N",
     .help = "round the movie's size up to a multiple of N; edges are repeated", .is_rare = true,
     .choices = pad_names},
    {"input-alpha", CLI_CHOICE, FIELD(params.source.alpha), "NAME",
     .help = "alpha of INPUT; auto: premultiplied in OpenEXR, else straight", .is_rare = true,
     .choices = alpha_names},
    {"premultiplied", CLI_FLAG, FIELD(params.capture.movie.premultiplied),
     .help = "multiply the movie's colours by alpha; the movie says so", .is_rare = true},
    {"timecode", CLI_TEXT, FIELD(params.timecode), "TIME|keep",
     .help = "time code of the first frame: HH:MM:SS:FF, or ;FF for drop frame; keep: INPUT's",
     .is_rare = true},
    {"sync", CLI_REAL, FIELD(sync), "SECONDS",
     .help = "the most that a power cut can lose; 0: the system decides (1)", .is_rare = true,
     .real_max = 3600},
    {"resume", CLI_FLAG, FIELD(resume), .help = "keep movies that are complete in the folder"},
    {"sidecar", CLI_FLAG, FIELD(params.capture.movie.sidecar),
     .help = "write statistics as JSON to OUTPUT.json", .is_rare = true},
    {"json", CLI_FLAG, FIELD(json), .help = "print a report as JSON", .is_rare = true},
    CLI_OPTION_MAX_MEMORY(struct transcode_options),
    CLI_OPTION_VALIDATION(struct transcode_options),
    {"quiet", CLI_FLAG, FIELD(params.quiet), .help = "print warnings and errors only"},
};

enum { NUM_OPTIONS = sizeof(options) / sizeof(options[0]) };

// The same movie is made whatever these are.
static const char *const other_options[] = {"output", "also",   "format",     "device",
                                            "sync",   "resume", "max-memory", "validation",
                                            "quiet",  "json",   "part",       NULL};

// With any others, the frames of a part of a HAP movie are encoded anew.
static const char *const copied_options[] = {
    "output",       "range",      "frames",     "codec",       "size",   "scale",
    "pixel-aspect", "pad",        "tonemap",    "video-track", "layer",  "profile",
    "no-audio",     "timecode",   "device",     "sync",        "resume", "quiet",
    "json",         "max-memory", "validation", NULL};

// Get the quality that was chosen, 0: none. `ffmpeg` is the one at which photographs have the PSNR
// of FFmpeg's encoder (docs/rate.md), or 0 where FFmpeg does not encode the format.
static uint32_t quality_of(const struct transcode_options *chosen)
{
    if (chosen->quality != UINT64_MAX) {
        return (uint32_t)chosen->quality;
    }
    switch (cli_movie_codec(chosen->codec)->codec) {
    case WEIR_MOVIE_CODEC_HAP_Q:
        return 47;
    case WEIR_MOVIE_CODEC_HAP:
    case WEIR_MOVIE_CODEC_HAP_ALPHA:
        return 30;
    default:
        return 0;
    }
}

// Get the option that makes frames smaller; NULL: none.
static const char *smaller_option(const struct transcode_options *chosen)
{
    const uint32_t quality = quality_of(chosen);
    return chosen->params.capture.rate.bytes_per_second > 0 ? "--rate"
           : quality != 0 && quality < 100                  ? "--quality"
                                                            : NULL;
}

static enum weir_compression compression_of(const struct transcode_options *chosen)
{
    return chosen->compression >= 0 ? (enum weir_compression)chosen->compression
           : smaller_option(chosen) ? WEIR_COMPRESSION_SNAPPY
                                    : WEIR_COMPRESSION_NONE;
}

static struct cli_movie_params make_params(const struct transcode_options *chosen)
{
    struct cli_movie_params params = chosen->params;
    struct weir_capture_rate_params *rate = &params.capture.rate;
    params.source.keeps_pixels = chosen->pixels == 1;
    params.source.video_track = (uint32_t)chosen->video_track;
    params.source.still = cli_still_params(chosen->layer, chosen->profile, false);
    params.device = (uint32_t)chosen->device;
    params.validation = chosen->validation;
    params.max_memory = chosen->max_memory;
    params.codec = cli_movie_codec(chosen->codec);
    params.capture.encoding.effort = cli_movie_efforts[chosen->effort];
    rate->quality = quality_of(chosen);
    rate->compression = compression_of(chosen);
    rate->num_chunks = chosen->chunks == UINT64_MAX ? WEIR_CHUNKS_AUTO : (uint32_t)chosen->chunks;
    params.capture.movie.pad = chosen->pad >= 0;
    params.capture.movie.sync_ms = cli_sync_ms(chosen->sync);
    return params;
}

static enum cli_status check_movie(const struct cli_inputs *inputs, const char *output)
{
    CLI_USAGE_IF(
        !cli_output_ends_in(output, ".mov") && !cli_address_is(output), output,
        "the output is a QuickTime movie, its name ends in .mov, or a folder, which is there or "
        "has a slash at its end, and gets a movie of each input, or an address, such as -");
    for (size_t i = 0; inputs->num > 1 && i < inputs->num; i++) {
        CLI_USAGE_IF(weir_name_is_movie(inputs->paths[i]), inputs->paths[i],
                     "pictures become one movie, but movies do not; name a folder for the output, "
                     "and it gets a movie of each input");
    }
    return CLI_DONE;
}

// Read K/N. False: it is none, or has no such part.
static bool parse_part(const char *text, struct cli_part *part)
{
    char rest;
    return strspn(text, "0123456789/") == strlen(text) && strlen(text) < 12 &&
           sscanf(text, "%" SCNu32 "/%" SCNu32 "%c", &part->number, &part->num, &rest) == 2 &&
           part->number >= 1 && part->number <= part->num && part->num <= UINT16_MAX;
}

static enum weir_result make_one(struct cli_movie_params *params)
{
    const enum weir_result result = transcode_movie(params);
    if (params->report) {
        transcode_report_json(&(struct weir_json){.out = stdout}, params, result, false);
    }
    return result;
}

// Options that go together, or not.
static enum cli_status check_options(const struct transcode_options *chosen, const char *output,
                                     bool each)
{
    CLI_USAGE_IF(cli_scale_is_given(&chosen->params.scale) && chosen->params.size.width != 0,
                 "--scale", "--size chooses the size too; leave out one of them");
    CLI_USAGE_IF(chosen->chunks != 0 && compression_of(chosen) != WEIR_COMPRESSION_SNAPPY,
                 "--chunks", "it goes with --compression snappy");
    const struct weir_codec_info *blocks = weir_codec_get_info(
        cli_movie_codec(chosen->codec)->textures[0]);
    CLI_USAGE_IF(
        chosen->quality == UINT64_MAX && quality_of(chosen) == 0, "--quality ffmpeg",
        "FFmpeg does not encode this format; use a number, or --codec hap_q, hap or hap_alpha");
    const char *smaller = smaller_option(chosen);
    CLI_USAGE_IF(smaller && !blocks->has_rdo, smaller,
                 "this codec does not have it; use --codec hap_q, hap_q_alpha, hap, hap_alpha, "
                 "hap_alpha_only or hap_r");
    CLI_USAGE_IF(smaller && compression_of(chosen) != WEIR_COMPRESSION_SNAPPY, smaller,
                 "it goes with --compression snappy; without that nothing becomes smaller");
    CLI_USAGE_IF(chosen->params.capture.encoding.steady && !blocks->has_steady &&
                     !(smaller && blocks->has_rdo),
                 "--steady",
                 blocks->has_rdo ? "this codec has it with --quality or --rate only"
                                 : "this codec does not have it; use --codec hap, hap_alpha, "
                                   "hap_q, hap_q_alpha or hap_alpha_only");
    CLI_USAGE_IF(chosen->params.capture.movie.premultiplied &&
                     !cli_movie_codec(chosen->codec)->has_alpha,
                 "--premultiplied", "this codec has no alpha; choose another --codec");
    CLI_USAGE_IF(chosen->params.sound_from && strcmp(chosen->params.sound_from, "-") == 0,
                 "--sound-from", "it names a file; standard input is for INPUT alone");
    CLI_USAGE_IF(chosen->params.sound_from && (each || chosen->params.no_audio), "--sound-from",
                 each ? "it goes with one OUTPUT.mov, not with a folder"
                      : "--no-audio leaves all out; leave out one of them");
    CLI_USAGE_IF(chosen->part && !parse_part(chosen->part, &(struct cli_part){.num = 0}), "--part",
                 "it is K/N, such as 3/8: the K-th of N parts, from 1/N to N/N");
    const struct cli_range *range = &chosen->params.range;
    CLI_USAGE_IF(chosen->part && (each || range->from_ns > 0 || range->to_ns > 0 ||
                                  chosen->params.max_frames > 0),
                 "--part",
                 each ? "it goes with one OUTPUT.mov, not with a folder"
                      : "it is one of all; leave out --range and --frames");
    CLI_USAGE_IF(
        chosen->resume && !each, "--resume",
        "it goes with a folder for the output, in which it looks for movies that are complete");
    CLI_USAGE_IF(each && chosen->also, "--also", "it goes with one OUTPUT.mov, not with a folder");
    CLI_USAGE_IF(cli_address_is(output) && (chosen->part || chosen->params.capture.movie.sidecar ||
                                            chosen->params.timecode),
                 output, "an address takes no part, sidecar or time code");
    return CLI_DONE;
}

// Get the option for which frames are encoded anew. NULL: there is none.
static const char *encoding_option(const struct transcode_options *chosen)
{
    for (size_t i = 0; i < NUM_OPTIONS; i++) {
        if (cli_options_digest(&options[i], 1, chosen, copied_options) !=
            cli_options_digest(&options[i], 1, &defaults, copied_options)) {
            return options[i].name;
        }
    }
    return NULL;
}

// The first part has the audio and the time code of the whole.
static void choose_part(struct cli_movie_params *params, const char *text, uint64_t options_digest)
{
    const char *name = weir_path_name(params->inputs.paths[0]);
    const uint64_t job = weir_fnv(options_digest, name, strlen(name));
    parse_part(text, &params->part);
    params->part.job = (uint32_t)(job ^ job >> 32);
    params->no_audio = params->no_audio || params->part.number > 1;
    params->timecode = params->part.number > 1 ? NULL : params->timecode;
}

static enum cli_status run(char **arguments, const void *values)
{
    const struct transcode_options *chosen = values;
    const char *output;
    struct cli_inputs inputs = cli_inputs_get(arguments, &output);
    if (chosen->output) { // all are inputs then
        inputs.num += output != NULL;
        output = chosen->output;
    }
    CLI_USAGE_IF(!output, "OUTPUT", "name a movie, a folder or an address for it");
    const bool each = !cli_address_is(output) &&
                      (inputs.num == 1 ? cli_output_is_named_folder(output)
                                       : cli_output_is_folder(output));
    struct cli_receiver receiver;
    enum cli_status status = each ? CLI_DONE : check_movie(&inputs, output);
    status = status == CLI_DONE ? check_options(chosen, output, each) : status;
    if (status == CLI_DONE) {
        status = cli_receiver_choose(&receiver, output, chosen->also, chosen->format);
    }
    if (status != CLI_DONE) {
        return status;
    }
    cli_interrupt_catch();
    struct cli_movie_params params = make_params(chosen);
    params.inputs = inputs;
    params.output = output;
    params.receiver = receiver;
    params.tells_input = !each;
    params.copies = !receiver.address && (params.range.from_ns > 0 || params.range.to_ns > 0) &&
                    (each || inputs.num == 1);
    params.encodes_for = encoding_option(chosen);
    if (chosen->json && transcode_report_init(&params) != WEIR_OK) {
        return cli_status_of(WEIR_ERROR_OUT_OF_MEMORY);
    }
    const uint64_t digest = cli_options_digest(options, NUM_OPTIONS, chosen, other_options);
    if (chosen->part) {
        choose_part(&params, chosen->part, digest);
    }
    const enum weir_result result = each ? transcode_each(&params, digest, chosen->resume)
                                         : make_one(&params);
    transcode_report_finish(&params);
    return cli_status_of(result);
}

const struct cli_command cli_transcode_command = {
    .name = "transcode",
    .arguments = "INPUT... OUTPUT",
    .num_arguments = 1,
    .max_arguments = CLI_ANY_NUMBER,
    .summary = "turn a picture, sequence or movie into a HAP movie",
    .about =
        "INPUT is a movie, a picture, a folder of pictures, a numbered sequence such as\n"
        "frame_%04d.png or frame.####.exr, or - for standard input. OUTPUT ends in .mov,\n"
        "or is a folder, which gets a movie for each INPUT, or - or another address.\n\n"
        "INPUT is read by FFmpeg's libraries; TIFF and Radiance work too. All audio tracks\n"
        "become PCM. HDR is tone-mapped. Times and chapters are kept.\n\n"
        "With several INPUTs and an OUTPUT that ends in .mov, such as shots/*.png, the INPUTs\n"
        "are pictures and become frames in the order given. With a folder, an INPUT that\n"
        "fails or crashes FFmpeg's libraries is reported, and the others are converted.\n\n"
        "Ctrl-C ends early with a movie that plays, and status 1.\n",
    .example = "  weir transcode clip.mp4 clip.mov\n"
               "  weir transcode frames/shot_%04d.png shot.mov --fps 30 --compression snappy\n"
               "  weir transcode clips/*.mp4 movies/\n",
    .options = options,
    .num_options = NUM_OPTIONS,
    .run = run,
    .defaults = &defaults,
    .values_size = sizeof(struct transcode_options),
    .files = {"*", "*"},
};
