// SPDX-License-Identifier: MIT
// The command line options that all samples have.
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help_common[] =
    "  --headless             no window: render to offscreen images, as fast as it goes\n"
    "  --size WxH             size in texels (default 1280x720)\n"
    "  --frames N             stop after N frames (default: 300 headless, else endless)\n"
    "  --fps N                a fixed rate: frame n shows the scene at n / N seconds (default: 60\n"
    "                         headless, the clock in a window)\n"
    "  --max-rate N           record at most N frames a second, evenly spaced (default: every "
    "frame)\n"
    "  --constant-rate        a frame at each point of the rate: where one is missing the one "
    "before\n"
    "                         is written again (for media servers)\n"
    "  --timecode TIME        the time code of the first frame, HH:MM:SS:FF (default: none)\n"
    "  --policy drop|wait|degrade\n"
    "                         when disk or GPU are behind a recording: drop the frame and count\n"
    "                         it, or wait, or give up compression and every second frame before\n"
    "                         (default: wait headless, drop in a window)\n"
    "  --steady               what stands still flickers less, by keeping parts of the frame "
    "before\n"
    "                         (not HAP R)\n"
    "  --quality N            give quality for fewer bytes, with snappy: 1 to 100; 80 is hard\n"
    "                         to see, 60 saves a third or more (default 100)\n"
    "  --rate N[k|M|G]        record so many bytes a second, of 1000 each, by the quality of each\n"
    "                         frame, with snappy and not degrade; --quality is the best then\n"
    "                         (default: any)\n"
    "  --compression none|snappy\n"
    "                         second stage of each packet (default none; snappy with --quality\n"
    "                         or --rate)\n"
    "  --segment SECONDS|SIZE[M|G]\n"
    "                         record segments of that length, or of that many bytes with M or G:\n"
    "                         FILE.001.mov, FILE.002.mov, ...; a window that changes its size\n"
    "                         begins one, and the recording goes on\n"
    "  --sync SECONDS         the most that a power cut may lose of a recording; 0: do not store "
    "on\n"
    "                         the disk at once (default 1)\n"
    "  --replay SECONDS       keep the last seconds of a recording in memory; F9 in the window, "
    "or\n"
    "                         SIGUSR1, writes them to OUTPUT-replay-1.mov, -2 and so on. With\n"
    "                         --sink null there is nothing but these\n"
    "  --sidecar              write statistics, with every dropped frame, to OUTPUT.mov.json\n"
    "  --picture FILE.png     write the last frame as it was rendered\n"
    "  --device N             which GPU, as numbered by `weir info` (default 0)\n"
    "  --no-async             encode on the graphics queue even where there is a compute queue\n"
    "  --validation           with Khronos validation; a message makes the program fail\n"
    "  --help                 this text\n";

// Find the folder of a file that is not there yet; returns the name of the file in it.
static const char *find_folder(const char *path, struct stat *status)
{
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    if (slash) {
        snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path) + 1, path);
    }
    return stat(folder, status) != 0 ? NULL : slash ? slash + 1 : path;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    const char *name_a = "", *name_b = "";
    if (strcmp(a, b) == 0) {
        return true;
    }
    if (stat(a, &x) != 0 && stat(b, &y) != 0) {
        name_a = find_folder(a, &x);
        name_b = find_folder(b, &y);
    } else if (stat(a, &x) != 0 || stat(b, &y) != 0) {
        return false;
    }
    return name_a && name_b && strcmp(name_a, name_b) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

bool options_collide(const char *a, const char *b)
{
    return a && b && is_same_file(a, b) && !arguments_complain("one file for two outputs: %s", a);
}

// Read the length or the size of a segment.
static bool read_segment(const char *text, struct options *options)
{
    char *end;
    const double value = strtod(text, &end);
    const double unit = strcmp(end, "M") == 0 ? 1 << 20 : strcmp(end, "G") == 0 ? 1 << 30 : 0;
    const double most = unit > 0 ? 1e15 / unit : 1e6;
    if (end == text || (unit == 0 && *end) || !(value >= 0.001 && value <= most)) {
        return arguments_complain("--segment %s: it takes seconds, 0.001 to 1000000, or a size "
                                  "such as 500M or 4G",
                                  text);
    }
    options->segment_bytes = (uint64_t)(value * unit);
    options->segment_ms = unit > 0 ? 0 : (uint32_t)(value * 1000);
    return true;
}

// Read bytes a second.
static bool read_rate(const char *text, struct options *options)
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
    options->rate = (uint64_t)(value * unit);
    return true;
}

static bool complete(struct options *options, int policy, int compression)
{
    const bool gives_quality = (options->quality != 0 && options->quality < 100) ||
                               options->rate > 0;
    const bool snappy = compression == 1 || (compression < 0 && gives_quality);
    options->compression = snappy ? WEIR_COMPRESSION_SNAPPY : WEIR_COMPRESSION_NONE;
    static const enum weir_policy policies[] = {WEIR_POLICY_DROP, WEIR_POLICY_WAIT,
                                                WEIR_POLICY_DEGRADE};
    options->policy = policies[policy < 0 ? options->headless : policy];
    if (options->headless && options->num_frames == 0) {
        options->num_frames = 300;
    }
    if (options->headless && options->fps == 0) {
        options->fps = 60;
    }
    if (options->sidecar && options->sink != WEIR_SINK_MOV) {
        return arguments_complain("--sidecar goes with --sink mov");
    }
    return !options_collide(options->output, options->picture);
}

enum options_result options_parse(const struct command_line *line, int argc, char **argv,
                                  struct options *options)
{
    static const char *const policies[] = {"drop", "wait", "degrade", NULL};
    static const char *const compressions[] = {"none", "snappy", NULL};
    int policy = -1, compression = -1;
    const char *segment = NULL, *rate = NULL;
    options->sync = 1;
    const struct argument common[] = {
        {"--headless", .flag = &options->headless},
        {"--validation", .flag = &options->validation},
        {"--no-async", .flag = &options->no_async},
        {"--size", .size = options->size},
        {"--frames", .number = &options->num_frames, .min = 1, .max = UINT32_MAX},
        {"--fps", .number = &options->fps, .min = 1, .max = 1000},
        {"--max-rate", .number = &options->max_rate, .min = 1, .max = 1000},
        {"--constant-rate", .flag = &options->constant_rate},
        {"--timecode", .text = &options->timecode},
        {"--device", .number = &options->device, .max = 255},
        {"--segment", .text = &segment},
        {"--sync", .real = &options->sync, .max = 3600},
        {"--replay", .real = &options->replay, .min = 0.1, .max = 3600},
        {"--sidecar", .flag = &options->sidecar},
        {"--steady", .flag = &options->steady},
        {"--quality", .number = &options->quality, .min = 1, .max = 100},
        {"--rate", .text = &rate},
        {"--picture", .text = &options->picture},
        {"--policy", .choice = &policy, .choices = policies},
        {"--compression", .choice = &compression, .choices = compressions},
    };
    const struct argument_table tables[2] = {{common, sizeof(common) / sizeof(common[0])},
                                             line->table};
    for (int i = 1; i < argc;) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            printf("%s%s%s", line->help_before, help_common, line->help_after);
            return OPTIONS_HELP;
        }
        if (!arguments_read(tables, 2, argc, argv, &i)) {
            return OPTIONS_BAD;
        }
    }
    if ((segment && !read_segment(segment, options)) || (rate && !read_rate(rate, options))) {
        return OPTIONS_BAD;
    }
    return complete(options, policy, compression) ? OPTIONS_RUN : OPTIONS_BAD;
}
