// SPDX-License-Identifier: MIT
// The command line of e2e_present.
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

static const char help[] =
    "Usage: e2e_present [OPTIONS]\n"
    "Presents frames whose pictures say their number (e2e_numbers reads it), by Vulkan 1.0.\n\n"
    "  --frames N               how many (100)\n"
    "  --size WxH               of the window, from 64x88 on (320x240); a second one is 64x32 "
    "larger\n"
    "  --format NAME            bgra8 (default), bgra8_srgb, rgba8, rgba8_srgb, a2b10g10r10,\n"
    "                           a2r10g10b10, rgba16f, hdr10\n"
    "  --resize-each K          another size after each K frames, of three sizes\n"
    "  --recreate-each K        another swapchain of the same size after each K frames\n"
    "  --format-each K          sRGB in place of UNORM after each K frames, and back\n"
    "  --no-old-swapchain       the swapchain is destroyed before the next one is made\n"
    "  --shared-images          draw to images that share the memory of the swapchain's\n"
    "  --windows 1|2            one present for both windows\n"
    "  --waits N                0 .. 40 semaphores that a present waits for (1)\n"
    "  --second-queue           present on another queue than that which draws\n"
    "  --end exit|abort|segv|kill|exec|leak\n"
    "                           how it ends: leak exits and destroys nothing, exec becomes `true`\n"
    "  --fork                   fork at a third of the frames, and at two thirds\n"
    "  --present-log FILE       a line for each present: number, CLOCK_MONOTONIC in nanoseconds\n"
    "  --times                  print how long a present takes, of frames after the 30th, as JSON\n"
    "  --fps N                  so many frames a second\n"
    "  --immediate              do not wait for the display\n"
    "  --api 1.0|1.1|1.2|1.3    that the program asks for (1.0)\n"
    "  --vulkan12-features on|off\n"
    "                           chain them to the device, with or without timeline semaphores\n"
    "  --validate               a message of the validation layer is a failure\n"
    "  --headless               VK_EXT_headless_surface in place of windows\n\n"
    "0: all were presented, 1: not so, 2: the command line is wrong, 77: this machine cannot do "
    "it.\n";

struct name {
    const char *name;
    int value;
};

static const struct name formats[] = {
    {"bgra8", VK_FORMAT_B8G8R8A8_UNORM},
    {"bgra8_srgb", VK_FORMAT_B8G8R8A8_SRGB},
    {"rgba8", VK_FORMAT_R8G8B8A8_UNORM},
    {"rgba8_srgb", VK_FORMAT_R8G8B8A8_SRGB},
    {"a2b10g10r10", VK_FORMAT_A2B10G10R10_UNORM_PACK32},
    {"a2r10g10b10", VK_FORMAT_A2R10G10B10_UNORM_PACK32},
    {"rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT},
    {"hdr10", VK_FORMAT_A2B10G10R10_UNORM_PACK32},
    {NULL, 0},
};
static const struct name ends[] = {
    {"exit", END_EXIT}, {"abort", END_ABORT}, {"segv", END_SEGV}, {"kill", END_KILL},
    {"exec", END_EXEC}, {"leak", END_LEAK},   {NULL, 0},
};
static const struct name apis[] = {
    {"1.0", (int)VK_API_VERSION_1_0},
    {"1.1", (int)VK_API_VERSION_1_1},
    {"1.2", (int)VK_API_VERSION_1_2},
    {"1.3", (int)VK_API_VERSION_1_3},
    {NULL, 0},
};
static const struct name switches[] = {{"off", 0}, {"on", 1}, {NULL, 0}};

static void refuse(const char *option, const char *text)
{
    fprintf(stderr, "e2e_present: --%s does not take %s; see --help\n", option, text);
    exit(2);
}

static int read_name(const char *option, const struct name *names, const char *text)
{
    while (names->name && strcmp(names->name, text) != 0) {
        names++;
    }
    if (!names->name) {
        refuse(option, text);
    }
    return names->value;
}

static uint32_t read_number(const char *option, const char *text, uint32_t least, uint32_t most)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || value < least || value > most) {
        refuse(option, text);
    }
    return (uint32_t)value;
}

static void read_size(const char *text, struct options *options)
{
    char rest;
    if (sscanf(text, "%ux%u%c", &options->width, &options->height, &rest) != 2 ||
        options->width < PICTURE_MIN_WIDTH || options->height < PICTURE_MIN_HEIGHT ||
        options->width > 16384 || options->height > 16384) {
        refuse("size", text);
    }
}

static void read_format(const char *text, struct options *options)
{
    options->format = (VkFormat)read_name("format", formats, text);
    options->color_space = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    if (options->format == VK_FORMAT_R16G16B16A16_SFLOAT) {
        options->color_space = VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT;
    } else if (strcmp(text, "hdr10") == 0) {
        options->color_space = VK_COLOR_SPACE_HDR10_ST2084_EXT;
    }
}

// An option with a value.
static void read_value(const char *option, const char *text, struct options *options)
{
    if (strcmp(option, "frames") == 0) {
        options->num_frames = read_number(option, text, 0, UINT32_MAX);
    } else if (strcmp(option, "size") == 0) {
        read_size(text, options);
    } else if (strcmp(option, "format") == 0) {
        read_format(text, options);
    } else if (strcmp(option, "resize-each") == 0) {
        options->resize_each = read_number(option, text, 1, UINT32_MAX);
    } else if (strcmp(option, "format-each") == 0) {
        options->format_each = read_number(option, text, 1, UINT32_MAX);
    } else if (strcmp(option, "recreate-each") == 0) {
        options->recreate_each = read_number(option, text, 1, UINT32_MAX);
    } else if (strcmp(option, "windows") == 0) {
        options->num_windows = read_number(option, text, 1, MAX_WINDOWS);
    } else if (strcmp(option, "waits") == 0) {
        options->num_waits = read_number(option, text, 0, MAX_WAITS);
    } else if (strcmp(option, "end") == 0) {
        options->end = (enum end)read_name(option, ends, text);
    } else if (strcmp(option, "present-log") == 0) {
        options->present_log = text;
    } else if (strcmp(option, "fps") == 0) {
        options->fps = read_number(option, text, 1, 100000);
    } else if (strcmp(option, "api") == 0) {
        options->api = (uint32_t)read_name(option, apis, text);
    } else {
        options->has_vulkan12 = true;
        options->vulkan12_timeline = read_name(option, switches, text) != 0;
    }
}

// A switch.
static void read_switch(const char *option, struct options *options)
{
    if (strcmp(option, "no-old-swapchain") == 0) {
        options->no_old_swapchain = true;
    } else if (strcmp(option, "shared-images") == 0) {
        options->has_shared_images = true;
    } else if (strcmp(option, "second-queue") == 0) {
        options->second_queue = true;
    } else if (strcmp(option, "fork") == 0) {
        options->forks = true;
    } else if (strcmp(option, "times") == 0) {
        options->times = true;
    } else if (strcmp(option, "immediate") == 0) {
        options->is_immediate = true;
    } else if (strcmp(option, "validate") == 0) {
        options->validate = true;
    } else if (strcmp(option, "headless") == 0) {
        options->is_headless = true;
    } else {
        fputs(help, stdout);
        exit(0);
    }
}

struct options options_read(int argc, char **argv)
{
    static const struct option table[] = {
        {"frames", required_argument, NULL, 0},
        {"size", required_argument, NULL, 0},
        {"format", required_argument, NULL, 0},
        {"resize-each", required_argument, NULL, 0},
        {"recreate-each", required_argument, NULL, 0},
        {"format-each", required_argument, NULL, 0},
        {"windows", required_argument, NULL, 0},
        {"waits", required_argument, NULL, 0},
        {"end", required_argument, NULL, 0},
        {"present-log", required_argument, NULL, 0},
        {"fps", required_argument, NULL, 0},
        {"api", required_argument, NULL, 0},
        {"vulkan12-features", required_argument, NULL, 0},
        {"no-old-swapchain", no_argument, NULL, 0},
        {"shared-images", no_argument, NULL, 0},
        {"second-queue", no_argument, NULL, 0},
        {"fork", no_argument, NULL, 0},
        {"times", no_argument, NULL, 0},
        {"immediate", no_argument, NULL, 0},
        {"validate", no_argument, NULL, 0},
        {"headless", no_argument, NULL, 0},
        {"help", no_argument, NULL, 0},
        {NULL, 0, NULL, 0},
    };
    struct options options = {
        .num_frames = 100,
        .width = 320,
        .height = 240,
        .format = VK_FORMAT_B8G8R8A8_UNORM,
        .num_windows = 1,
        .num_waits = 1,
        .api = VK_API_VERSION_1_0,
    };
    int index, got;
    while ((got = getopt_long(argc, argv, "", table, &index)) == 0) {
        if (table[index].has_arg == required_argument) {
            read_value(table[index].name, optarg, &options);
        } else {
            read_switch(table[index].name, &options);
        }
    }
    if (got != -1 || optind < argc || (options.has_vulkan12 && options.api < VK_API_VERSION_1_2) ||
        (options.has_shared_images && options.api < VK_API_VERSION_1_1)) {
        fprintf(stderr, "e2e_present: it takes the options of --help; --vulkan12-features needs "
                        "--api 1.2, and --shared-images 1.1\n");
        exit(2);
    }
    return options;
}
