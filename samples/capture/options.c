// SPDX-License-Identifier: MIT
// The command line of sample_capture.
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] =
    "Usage: sample_capture [OPTION]... --output FILE.mov\n"
    "Renders an animated scene and records it as a HAP Q movie while it runs: every image of the\n"
    "window is read by Weir's encoder where it is, on the GPU, before it is presented.\n"
    "\n"
    "  --output FILE.mov      the movie; later segments are FILE-2.mov, FILE-3.mov, ...\n"
    "                         In a window recording starts at once. Without it, R records to\n"
    "                         capture.mov\n"
    "  --headless             no window: render to offscreen images, as fast as it goes\n"
    "  --size WxH             size in texels (default 1280x720)\n"
    "  --frames N             stop after N recorded frames (default: 300 headless, else endless)\n"
    "  --fps N                a fixed rate: frame n shows the scene at n / N seconds (default: 60\n"
    "                         headless, the clock in a window)\n"
    "  --policy drop|wait     when disk or GPU are behind: drop the frame and count it, or wait\n"
    "                         (default: wait headless, drop in a window)\n"
    "  --compression none|snappy\n"
    "                         second stage of each packet (default none)\n"
    "  --sink mov|null|hash   a movie, nothing, or a text file with a hash a frame (default mov)\n"
    "  --picture FILE.png     write the last frame as it was rendered\n"
    "  --reference FILE.rgb   write the rendered frames as raw RGB24 too, to compare a movie with\n"
    "                         them (headless, slow)\n"
    "  --reference-every N    of those, only frames 0, N, 2 N, ... (default 1)\n"
    "  --device N             which GPU, as numbered by `weir info` (default 0)\n"
    "  --no-async             encode on the graphics queue even where there is a compute queue\n"
    "  --validation           with Khronos validation; a message makes the program fail\n"
    "  --help                 this text\n"
    "\n"
    "In the window: R starts and stops recording, Esc quits.\n"
    "The lower left corner carries the frame's number in black and white cells (not in images\n"
    "smaller than 192x16).\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage.\n"
    "\n"
    "Example: five seconds, without a window\n"
    "  sample_capture --headless --frames 300 --output demo.mov --picture demo.png\n";

static bool complain(const char *text, const char *value)
{
    fprintf(stderr, "sample_capture: %s%s; see sample_capture --help\n", text, value);
    return false;
}

static bool parse_number(const char *name, const char *text, uint64_t min, uint64_t max,
                         uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    if (end && *end == '\0' && errno == 0 && *number >= min && *number <= max)
        return true;
    fprintf(stderr,
            "sample_capture: %s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'; "
            "see sample_capture --help\n",
            name, min, max, text);
    return false;
}

static bool parse_u32(const char *name, const char *text, uint32_t min, uint32_t max,
                      uint32_t *number)
{
    uint64_t wide = 0;
    if (!parse_number(name, text, min, max, &wide))
        return false;
    *number = (uint32_t)wide;
    return true;
}

static bool parse_size(const char *text, struct options *options)
{
    char width[16];
    const char *x = strchr(text, 'x');
    if (!x || (size_t)(x - text) >= sizeof width)
        return complain("--size takes WIDTHxHEIGHT such as 1280x720, not ", text);
    memcpy(width, text, (size_t)(x - text));
    width[x - text] = '\0';
    return parse_u32("the width of --size", width, 1, 65535, &options->width) &&
           parse_u32("the height of --size", x + 1, 1, 65535, &options->height);
}

// The place of `text` in a list of names that is ended by NULL.
static bool parse_choice(const char *name, const char *text, const char *const *choices, int *place)
{
    for (*place = 0; choices[*place]; ++*place)
        if (strcmp(choices[*place], text) == 0)
            return true;
    fprintf(stderr, "sample_capture: %s does not know '%s'; it takes", name, text);
    for (int i = 0; choices[i]; ++i)
        fprintf(stderr, "%s%s", i ? " or " : " ", choices[i]);
    fputs("; see sample_capture --help\n", stderr);
    return false;
}

static bool parse_flag(const char *name, struct options *options)
{
    if (strcmp(name, "--headless") == 0)
        options->headless = true;
    else if (strcmp(name, "--validation") == 0)
        options->validation = true;
    else if (strcmp(name, "--no-async") == 0)
        options->no_async = true;
    else
        return false;
    return true;
}

static bool parse_value(const char *name, const char *value, struct options *options,
                        bool *policy_given)
{
    static const char *const policies[] = {"drop", "wait", NULL};
    static const char *const compressions[] = {"none", "snappy", NULL};
    static const char *const sinks[] = {"mov", "null", "hash", NULL};
    int place = 0;
    if (strcmp(name, "--output") == 0)
        return options->output = value, true;
    if (strcmp(name, "--picture") == 0)
        return options->picture = value, true;
    if (strcmp(name, "--reference") == 0)
        return options->reference = value, true;
    if (strcmp(name, "--reference-every") == 0)
        return parse_u32(name, value, 1, UINT32_MAX, &options->reference_every);
    if (strcmp(name, "--size") == 0)
        return parse_size(value, options);
    if (strcmp(name, "--frames") == 0)
        return parse_number(name, value, 1, UINT32_MAX, &options->num_frames);
    if (strcmp(name, "--fps") == 0)
        return parse_u32(name, value, 1, 1000, &options->fps);
    if (strcmp(name, "--device") == 0)
        return parse_u32(name, value, 0, 255, &options->device);
    if (strcmp(name, "--policy") == 0) {
        if (!parse_choice(name, value, policies, &place))
            return false;
        options->policy = place ? WEIR_POLICY_WAIT : WEIR_POLICY_DROP;
        return *policy_given = true;
    }
    if (strcmp(name, "--compression") == 0) {
        if (!parse_choice(name, value, compressions, &place))
            return false;
        options->compression = place ? WEIR_COMPRESSION_SNAPPY : WEIR_COMPRESSION_NONE;
        return true;
    }
    if (strcmp(name, "--sink") == 0) {
        static const enum weir_sink values[] = {WEIR_SINK_MOV, WEIR_SINK_NULL, WEIR_SINK_HASH};
        if (!parse_choice(name, value, sinks, &place))
            return false;
        options->sink = values[place];
        return true;
    }
    return complain("unknown option ", name);
}

static bool takes_value(const char *name)
{
    static const char *const names[] = {
        "--output", "--picture", "--reference", "--reference-every", "--size", "--frames",
        "--fps",    "--device",  "--policy",    "--compression",     "--sink"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static bool complete(struct options *options, bool policy_given)
{
    if (!policy_given)
        options->policy = options->headless ? WEIR_POLICY_WAIT : WEIR_POLICY_DROP;
    if (same(options->output, options->picture) || same(options->output, options->reference))
        return complain("one file for two outputs: ", options->output);
    if (same(options->picture, options->reference))
        return complain("one file for two outputs: ", options->picture);
    if (options->reference && !options->headless)
        return complain("--reference needs ", "--headless");
    if (!options->headless)
        return true;
    if (!options->output && options->sink != WEIR_SINK_NULL)
        return complain("--headless needs ", "--output FILE.mov");
    if (options->num_frames == 0)
        options->num_frames = 300;
    if (options->fps == 0)
        options->fps = 60;
    return true;
}

enum options_result options_parse(int argc, char **argv, struct options *options)
{
    bool policy_given = false;
    *options = (struct options){.width = 1280, .height = 720, .reference_every = 1};
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(help_text, stdout);
            return OPTIONS_HELP;
        }
        if (parse_flag(argv[i], options))
            continue;
        if (takes_value(argv[i]) && i + 1 == argc) {
            complain("a value is missing after ", argv[i]);
            return OPTIONS_BAD;
        }
        if (!parse_value(argv[i], takes_value(argv[i]) ? argv[i + 1] : "", options, &policy_given))
            return OPTIONS_BAD;
        ++i;
    }
    return complete(options, policy_given) ? OPTIONS_RUN : OPTIONS_BAD;
}
