// SPDX-License-Identifier: MIT
// Reads command lines, and the options that all samples have.
#include "options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report.h"
#include "sample.h"

static const char help_common[] =
    "  --capture FILE.mov     record a movie from the start; later ones, such as\n"
    "                         after a change of size, are FILE-2.mov, FILE-3.mov, ...\n"
    "                         Without it, R in the window records to %s\n"
    "  --headless             no window: render offscreen, as fast as possible\n"
    "  --size WxH             size in texels (default 1280x720)\n"
    "  --frames N             stop after N frames (default: 300 headless, else none)\n"
    "  --fps N                a fixed rate: frame n shows the scene at n / N seconds\n"
    "                         (default: 60 headless, the clock in a window)\n"
    "  --policy drop|wait     if the disk or GPU is too slow for a recording: drop\n"
    "                         and count the frame, or wait (default: wait headless,\n"
    "                         drop in a window)\n"
    "  --picture FILE.png     write the last frame as it was rendered\n"
    "  --device N             GPU, as numbered by weir info (default 0)\n"
    "  --no-async             encode on the graphics queue even if there is a compute\n"
    "                         queue\n"
    "  --validation           with Khronos validation; any message is a failure\n"
    "  --help                 print this\n"
    "\n"
    "Keys in the window:\n";

static const char help_end[] =
    "  R, P                   start or stop recording; pause or resume it\n"
    "  Esc                    quit\n"
    "\n"
    "Exit status: 0 done, 1 failed or interrupted, 2 wrong usage.\n"
    "\n"
    "Example: ";

bool arguments_complain(const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    return report("%s; see %s --help", text, report_program());
}

static bool read_real(const char *name, const char *text, double min, double max, double *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtod(text, &end);
    // strtod() also takes spaces, signs of plus, hexadecimal numbers and names: these are refused.
    const bool plain = text[0] != '\0' && strspn(text, "-.0123456789") == strlen(text);
    return (plain && *end == '\0' && errno == 0 && *out >= min && *out <= max) ||
           arguments_complain("%s takes a number from %g to %g, not '%s'", name, min, max, text);
}

static bool read_number(const char *name, const char *text, double min, double max, uint32_t *out)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long wide = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    *out = (uint32_t)wide;
    return (end && *end == '\0' && errno == 0 && (double)wide >= min && (double)wide <= max) ||
           arguments_complain("%s takes a number from %.0f to %.0f, not '%s'", name, min, max,
                              text);
}

static bool read_size(const char *name, const char *text, uint32_t size[2])
{
    char width[16];
    const char *x = strchr(text, 'x');
    if (!x || (size_t)(x - text) >= sizeof(width)) {
        return arguments_complain("%s takes WIDTHxHEIGHT such as 1280x720, not '%s'", name, text);
    }
    memcpy(width, text, (size_t)(x - text));
    width[x - text] = '\0';
    return read_number("the width of --size", width, 1, 65535, &size[0]) &&
           read_number("the height of --size", x + 1, 1, 65535, &size[1]);
}

static bool read_choice(const struct argument *argument, const char *text)
{
    char known[256] = "";
    for (int i = 0; argument->choices[i]; ++i) {
        if (strcmp(argument->choices[i], text) == 0) {
            *argument->choice = i;
            return true;
        }
        const size_t used = strlen(known);
        snprintf(known + used, sizeof(known) - used, "%s%s", i ? " or " : "", argument->choices[i]);
    }
    return arguments_complain("%s does not know '%s'; it takes %s", argument->name, text, known);
}

static bool read_value(const struct argument *argument, const char *text)
{
    if (argument->text) {
        *argument->text = text;
        return true;
    }
    if (argument->size) {
        return read_size(argument->name, text, argument->size);
    }
    if (argument->choice) {
        return read_choice(argument, text);
    }
    if (argument->number) {
        return read_number(argument->name, text, argument->min, argument->max, argument->number);
    }
    double real = 0.0;
    const bool ok = read_real(argument->name, text, argument->min, argument->max, &real);
    *argument->real = (float)real;
    return ok;
}

static const struct argument *find(const struct argument *arguments, size_t num, const char *name)
{
    for (size_t i = 0; i < num; ++i) {
        if (strcmp(arguments[i].name, name) == 0) {
            return &arguments[i];
        }
    }
    return NULL;
}

// Read the value of the option `argv[*place]`, which follows if the option takes one. Moves
// `*place` behind them. False: the reason was printed.
static bool read_argument(const struct argument *argument, int argc, char **argv, int *place)
{
    const char *name = argv[(*place)++];
    if (!argument) {
        return arguments_complain("unknown option %s", name);
    }
    if (argument->flag) {
        return *argument->flag = true;
    }
    if (*place == argc) {
        return arguments_complain("a value is missing after %s", name);
    }
    return read_value(argument, argv[(*place)++]);
}

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
    // Windows numbers no files here.
    return x.st_ino != 0 && name_a && name_b && strcmp(name_a, name_b) == 0 &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool options_collide(const char *a, const char *b)
{
    return a && b && is_same_file(a, b) && !arguments_complain("one file for two outputs: %s", a);
}

static bool complete(struct sample *sample, int policy)
{
    struct options *options = &sample->options;
    static const enum weir_policy policies[] = {WEIR_POLICY_DROP, WEIR_POLICY_WAIT};
    options->capture.policy = policies[policy < 0 ? options->headless : policy];
    if (options->headless && options->num_frames == 0) {
        options->num_frames = 300;
    }
    if (options->headless && options->fps == 0) {
        options->fps = 60;
    }
    return !options_collide(options->output, options->picture) &&
           (!sample->complete || sample->complete(sample->user, options));
}

enum options_result options_parse(struct sample *sample, int argc, char **argv)
{
    struct options *options = &sample->options;
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
    if (options->size[0] == 0) {
        options->size[0] = 1280;
        options->size[1] = 720;
    }
    for (int i = 1; i < argc;) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(sample->help_before, stdout);
            printf(help_common, options->default_output);
            fputs(sample->help_keys, stdout);
            fputs(help_end, stdout);
            fputs(sample->help_example, stdout);
            return OPTIONS_HELP;
        }
        const struct argument *argument = find(common, sizeof(common) / sizeof(common[0]), argv[i]);
        argument = argument ? argument : find(sample->arguments, sample->num_arguments, argv[i]);
        if (!read_argument(argument, argc, argv, &i)) {
            return OPTIONS_BAD;
        }
    }
    return complete(sample, policy) ? OPTIONS_RUN : OPTIONS_BAD;
}
