// SPDX-License-Identifier: MIT
// The command line options that all samples have.
#include "options.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char help_common[] =
    "  --capture FILE.mov     record a movie from the start; later ones, such as those of another\n"
    "                         size, are FILE-2.mov, FILE-3.mov, ...\n"
    "                         Without it, R in the window records to %s\n"
    "  --headless             no window: render to offscreen images, as fast as it goes\n"
    "  --size WxH             size in texels (default 1280x720)\n"
    "  --frames N             stop after N frames (default: 300 headless, else endless)\n"
    "  --fps N                a fixed rate: frame n shows the scene at n / N seconds (default: 60\n"
    "                         headless, the clock in a window)\n"
    "  --policy drop|wait\n"
    "                         when disk or GPU are behind a recording: drop the frame and count\n"
    "                         it, or wait (default: wait headless, drop in a window)\n"
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

static bool complete(const struct command_line *line, int policy, struct options *options)
{
    static const enum weir_policy policies[] = {WEIR_POLICY_DROP, WEIR_POLICY_WAIT};
    options->capture.policy = policies[policy < 0 ? options->headless : policy];
    if (options->headless && options->num_frames == 0) {
        options->num_frames = 300;
    }
    if (options->headless && options->fps == 0) {
        options->fps = 60;
    }
    return !options_collide(options->output, options->picture) &&
           (!line->complete || line->complete(line->user, options));
}

enum options_result options_parse(const struct command_line *line, int argc, char **argv,
                                  struct options *options)
{
    static const char *const policies[] = {"drop", "wait", NULL};
    int policy = -1;
    const struct argument common[] = {
        {"--capture", .text = &options->output},
        {"--headless", .flag = &options->headless},
        {"--validation", .flag = &options->validation},
        {"--no-async", .flag = &options->no_async},
        {"--size", .size = options->size},
        {"--frames", .number = &options->num_frames, .min = 1, .max = UINT32_MAX},
        {"--fps", .number = &options->fps, .min = 1, .max = 1000},
        {"--device", .number = &options->device, .max = 255},
        {"--picture", .text = &options->picture},
        {"--policy", .choice = &policy, .choices = policies},
    };
    const struct argument_table tables[2] = {{common, sizeof(common) / sizeof(common[0])},
                                             line->table};
    for (int i = 1; i < argc;) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(line->help_before, stdout);
            printf(help_common, options->default_output);
            fputs(line->help_after, stdout);
            return OPTIONS_HELP;
        }
        if (!arguments_read(tables, 2, argc, argv, &i)) {
            return OPTIONS_BAD;
        }
    }
    return complete(line, policy, options) ? OPTIONS_RUN : OPTIONS_BAD;
}
