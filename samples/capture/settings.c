// SPDX-License-Identifier: MIT
// The command line of sample_capture: what is recorded, and how.
#include "settings.h"

#include <stdlib.h>
#include <string.h>

static const char help_before[] =
    "Usage: sample_capture [OPTION]... --capture FILE.mov\n"
    "Renders an animated scene and records it as a HAP movie: Weir's encoder reads\n"
    "every image of the window on the GPU, before it is presented. The lower left\n"
    "corner shows the frame's number as black and white cells (in images of 192x16\n"
    "or more).\n"
    "\n"
    "  --output FILE.mov      the same as --capture, below\n"
    "  --codec hap_q|hap|hap_alpha|hap_q_alpha|hap_alpha_only|hap_r\n"
    "                         format of HAP (default hap_q)\n"
    "  --sink mov|null|hash   write a movie, nothing, or a text file with a hash of\n"
    "                         each frame (default mov)\n"
    "  --max-rate N           record at most N frames a second, evenly spaced\n"
    "                         (default: every frame)\n"
    "  --constant-rate        exactly the frame rate: where a frame is missing, the\n"
    "                         one before is repeated (for media servers)\n"
    "  --timecode TIME        time code of the first frame, HH:MM:SS:FF (default:\n"
    "                         none)\n"
    "  --steady               still parts of the picture flicker less (not HAP R\n"
    "                         without --quality or --rate)\n"
    "  --quality N            less quality for fewer bytes, with snappy: 1 to 100; 80\n"
    "                         is hard to see, 60 saves a third or more (default 100)\n"
    "  --rate N[k|M|G]        record this many bytes a second (k = 1000), by the\n"
    "                         quality of each frame, at most --quality, with snappy\n"
    "                         (default: any)\n"
    "  --compression none|snappy\n"
    "                         second compression of each packet (default none; snappy\n"
    "                         with --quality or --rate)\n"
    "  --segment SECONDS|SIZE[M|G]\n"
    "                         record segments of that length, or with M or G of that\n"
    "                         size: FILE.001.mov, FILE.002.mov, ...; if the window\n"
    "                         changes its size, another segment begins\n"
    "  --sync SECONDS         the most that a power cut can lose of a recording; 0:\n"
    "                         the system decides (default 1)\n"
    "  --replay SECONDS       keep the last seconds of a recording in memory; F9 in\n"
    "                         the window, or SIGUSR1, writes them to\n"
    "                         FILE-replay-1.mov, -2 and so on. With --sink null only\n"
    "                         these are written\n"
    "  --sidecar              write statistics, with every dropped frame, to\n"
    "                         FILE.mov.json\n"
    "  --reference FILE.rgb   also write the rendered frames as raw RGB24, to compare\n"
    "                         a movie with them (headless, slow)\n"
    "  --reference-every N    only frames 0, N, 2 N, ... of the reference (default 1)\n";

static const char help_keys[] = "  F9                     save a replay\n";

static const char help_example[] =
    "five seconds, without a window\n"
    "  sample_capture --headless --frames 300 --capture demo.mov --picture demo.png\n";

static const char *const sinks[] = {"mov", "null", "hash", NULL};
static const char *const compressions[] = {"none", "snappy", NULL};
static const char *const codecs[] = {"hap_q",          "hap",   "hap_alpha", "hap_q_alpha",
                                     "hap_alpha_only", "hap_r", NULL};

// What the command line says, before it is made what the recording is opened with.
struct words {
    struct settings *settings;
    int sink, codec, compression; // numbers of choices; -1 = none was made
    const char *segment, *rate;   // NULL: not given
    float sync, replay;           // [s]
    uint32_t max_rate, reference_every;
};

// Read the length or the size of a segment.
static bool read_segment(const char *text, struct weir_capture_params *params)
{
    char *end;
    const double value = strtod(text, &end);
    const double unit = strcmp(end, "M") == 0 ? 1 << 20 : strcmp(end, "G") == 0 ? 1 << 30 : 0;
    const double most = unit > 0 ? 1e15 / unit : 1e6;
    if (end == text || (unit == 0 && *end) || !(value >= 0.001 && value <= most)) {
        return arguments_complain(
            "--segment %s: it takes seconds, 0.001 to 1000000, or a size such as 500M or 4G", text);
    }
    params->segments.max_bytes = (uint64_t)(value * unit);
    params->segments.length_ms = unit > 0 ? 0 : (uint32_t)(value * 1000);
    return true;
}

// Read bytes a second.
static bool read_rate(const char *text, struct weir_capture_params *params)
{
    char *end;
    const double value = strtod(text, &end);
    const double unit = strcmp(end, "k") == 0   ? 1e3
                        : strcmp(end, "M") == 0 ? 1e6
                        : strcmp(end, "G") == 0 ? 1e9
                                                : 1;
    if (end == text || (unit == 1 && *end) || !(value * unit >= 1e3 && value * unit <= 1e15)) {
        return arguments_complain("--rate %s: it takes bytes a second, such as 60M", text);
    }
    params->rate.bytes_per_second = (uint64_t)(value * unit);
    return true;
}

static void set(const struct words *words, struct weir_capture_params *params)
{
    static const enum weir_sink sink_values[] = {WEIR_SINK_MOV, WEIR_SINK_NULL, WEIR_SINK_HASH};
    const bool gives_quality = (params->rate.quality != 0 && params->rate.quality < 100) ||
                               params->rate.bytes_per_second > 0;
    const bool snappy = words->compression == 1 || (words->compression < 0 && gives_quality);
    params->rate.compression = snappy ? WEIR_COMPRESSION_SNAPPY : WEIR_COMPRESSION_NONE;
    params->sink = sink_values[words->sink];
    weir_movie_codec_by_name(codecs[words->codec], &params->codec);
    // Blocks of BC7 keep up with a renderer at the least effort only.
    params->encoding.effort = params->codec == WEIR_MOVIE_CODEC_HAP_R ? WEIR_EFFORT_FAST
                                                                      : WEIR_EFFORT_DEFAULT;
    params->timing.max_rate = (struct weir_ratio){words->max_rate, words->max_rate > 0};
    // 0 is never on the command line, and the default in the params.
    params->movie.sync_ms = words->sync == 0       ? WEIR_SYNC_NEVER
                            : words->sync < 0.001f ? 1
                                                   : (uint32_t)(words->sync * 1000);
    params->replay.length_ms = (uint32_t)(words->replay * 1000);
}

static bool complete(void *user, struct options *options)
{
    const struct words *words = user;
    const char *reference = words->settings->reference;
    struct weir_capture_params *params = &options->capture;
    if ((words->segment && !read_segment(words->segment, params)) ||
        (words->rate && !read_rate(words->rate, params))) {
        return false;
    }
    set(words, params);
    options->read_every = reference ? words->reference_every : 0;
    if (params->movie.sidecar && params->sink != WEIR_SINK_MOV) {
        return arguments_complain("--sidecar goes with --sink mov");
    }
    if (options_collide(options->output, reference) ||
        options_collide(options->picture, reference)) {
        return false;
    }
    if (reference && !options->headless) {
        return arguments_complain("--reference needs --headless");
    }
    return !options->headless || options->output || params->sink == WEIR_SINK_NULL ||
           arguments_complain("--headless needs --capture FILE.mov");
}

int settings_run(struct sample *sample, int argc, char **argv, struct settings *settings)
{
    struct weir_capture_params *params = &sample->options.capture;
    struct words words = {.settings = settings, .compression = -1, .sync = 1, .reference_every = 1};
    const struct argument own[] = {
        {"--output", .text = &sample->options.output},
        {"--codec", .choice = &words.codec, .choices = codecs},
        {"--sink", .choice = &words.sink, .choices = sinks},
        {"--max-rate", .number = &words.max_rate, .min = 1, .max = 1000},
        {"--constant-rate", .flag = &params->timing.constant_rate},
        {"--timecode", .text = &params->timing.timecode},
        {"--steady", .flag = &params->encoding.steady},
        {"--quality", .number = &params->rate.quality, .min = 1, .max = 100},
        {"--rate", .text = &words.rate},
        {"--compression", .choice = &words.compression, .choices = compressions},
        {"--segment", .text = &words.segment},
        {"--sync", .real = &words.sync, .max = 3600},
        {"--replay", .real = &words.replay, .min = 0.1, .max = 3600},
        {"--sidecar", .flag = &params->movie.sidecar},
        {"--reference", .text = &settings->reference},
        {"--reference-every", .number = &words.reference_every, .min = 1, .max = UINT32_MAX},
    };
    sample->program = "sample_capture";
    sample->arguments = own;
    sample->num_arguments = sizeof(own) / sizeof(own[0]);
    sample->help_before = help_before;
    sample->help_keys = help_keys;
    sample->help_example = help_example;
    sample->options.default_output = "capture.mov";
    sample->complete = complete;
    sample->user = &words;
    return sample_main(sample, argc, argv);
}
