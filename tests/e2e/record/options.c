// SPDX-License-Identifier: MIT
// The command line of e2e_present.
#include "options.h"

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

// An option is refused with the name that it has on the command line, `--` included.
_Noreturn static void refuse(const char *option, const char *text)
{
    fprintf(stderr, "e2e_present: %s does not take %s; see --help\n", option, text);
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

static void read_size(const char *text, struct options *options)
{
    char rest;
    if (sscanf(text, "%ux%u%c", &options->width, &options->height, &rest) != 2 ||
        options->width < PICTURE_MIN_WIDTH || options->height < PICTURE_MIN_HEIGHT ||
        options->width > 16384 || options->height > 16384) {
        refuse("--size", text);
    }
}

static void read_format(const char *text, struct options *options)
{
    options->format = (VkFormat)read_name("--format", formats, text);
    options->color_space = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    if (options->format == VK_FORMAT_R16G16B16A16_SFLOAT) {
        options->color_space = VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT;
    } else if (strcmp(text, "hdr10") == 0) {
        options->color_space = VK_COLOR_SPACE_HDR10_ST2084_EXT;
    }
}

// False: there is no switch of that name.
static bool read_switch(const char *option, struct options *options)
{
    const struct {
        const char *name;
        bool *is_on;
    } table[] = {
        {"--no-old-swapchain", &options->no_old_swapchain},
        {"--shared-images", &options->has_shared_images},
        {"--second-queue", &options->second_queue},
        {"--fork", &options->forks},
        {"--times", &options->times},
        {"--immediate", &options->is_immediate},
        {"--validate", &options->validate},
        {"--headless", &options->is_headless},
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(option, table[i].name) == 0) {
            return *table[i].is_on = true;
        }
    }
    return false;
}

// False: there is no option of that name with a number.
static bool read_number(const char *option, const char *text, struct options *options)
{
    const struct {
        const char *name;
        uint32_t *number, least, most;
    } table[] = {
        {"--frames", &options->num_frames, 0, UINT32_MAX},
        {"--resize-each", &options->resize_each, 1, UINT32_MAX},
        {"--recreate-each", &options->recreate_each, 1, UINT32_MAX},
        {"--format-each", &options->format_each, 1, UINT32_MAX},
        {"--windows", &options->num_windows, 1, MAX_WINDOWS},
        {"--waits", &options->num_waits, 0, MAX_WAITS},
        {"--fps", &options->fps, 1, 100000},
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(option, table[i].name) == 0) {
            char *end;
            const unsigned long value = strtoul(text, &end, 10);
            if (text[0] < '0' || text[0] > '9' || *end || value < table[i].least ||
                value > table[i].most) {
                refuse(option, text);
            }
            *table[i].number = (uint32_t)value;
            return true;
        }
    }
    return false;
}

static void read_value(const char *option, const char *text, struct options *options)
{
    if (read_number(option, text, options)) {
        return;
    }
    if (strcmp(option, "--size") == 0) {
        read_size(text, options);
    } else if (strcmp(option, "--format") == 0) {
        read_format(text, options);
    } else if (strcmp(option, "--end") == 0) {
        options->end = (enum end)read_name(option, ends, text);
    } else if (strcmp(option, "--present-log") == 0) {
        options->present_log = text;
    } else if (strcmp(option, "--api") == 0) {
        options->api = (uint32_t)read_name(option, apis, text);
    } else if (strcmp(option, "--vulkan12-features") == 0) {
        options->has_vulkan12 = true;
        options->vulkan12_timeline = read_name(option, switches, text) != 0;
    } else {
        refuse(option, text);
    }
}

struct options options_read(int argc, char **argv)
{
    struct options options = {
        .num_frames = 100,
        .width = 320,
        .height = 240,
        .format = VK_FORMAT_B8G8R8A8_UNORM,
        .num_windows = 1,
        .num_waits = 1,
        .api = VK_API_VERSION_1_0,
    };
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            exit(0);
        }
        if (!read_switch(argv[i], &options)) {
            read_value(argv[i], i + 1 < argc ? argv[i + 1] : "", &options);
            i++;
        }
    }
    if ((options.has_vulkan12 && options.api < VK_API_VERSION_1_2) ||
        (options.has_shared_images && options.api < VK_API_VERSION_1_1)) {
        fprintf(stderr,
                "e2e_present: --vulkan12-features needs --api 1.2, and --shared-images 1.1\n");
        exit(2);
    }
    return options;
}
