// SPDX-License-Identifier: MIT
// The command line of e2e_present.
#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disturb.h"
#include "picture.h"

struct name {
    const char *name;
    uint32_t value;
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
static const struct name closings[] = {{"all", CLOSE_ALL},
                                       {"file", CLOSE_FOR_FILE},
                                       {"socket", CLOSE_FOR_SOCKET},
                                       {"error", CLOSE_ERROR},
                                       {NULL, 0}};
static const struct name signals[] = {
    {"restart", SIGNALS_RESTART}, {"interrupt", SIGNALS_INTERRUPT}, {NULL, 0}};
static const struct name apis[] = {
    {"1.0", VK_API_VERSION_1_0},
    {"1.1", VK_API_VERSION_1_1},
    {"1.2", VK_API_VERSION_1_2},
    {"1.3", VK_API_VERSION_1_3},
    {NULL, 0},
};
static const struct name filters[] = {
    {"errno", FILTER_ERRNO}, {"trap", FILTER_TRAP}, {"kill", FILTER_KILL}, {NULL, 0}};
static const struct name forbidden[] = {{"many", FORBID_MANY},
                                        {"prctl", FORBID_PRCTL},
                                        {"fstat", FORBID_FSTAT},
                                        {"write", FORBID_WRITE},
                                        {NULL, 0}};
static const struct name switches[] = {{"off", 1}, {"on", 2}, {NULL, 0}};

// Options with a number from `least` to `most`, or with one of some names; with neither: a switch.
#define AT(member) offsetof(struct options, member)
static const struct option {
    const char *name, *value, *help;
    size_t place;
    uint32_t least, most;
    const struct name *names;
} table[] = {
    {"--frames", "N", "how many (100)", AT(num_frames), 0, UINT32_MAX, NULL},
    {"--format", "NAME",
     "bgra8 (default), bgra8_srgb, rgba8, rgba8_srgb, a2b10g10r10, a2r10g10b10, rgba16f, hdr10",
     AT(format), 0, 0, formats},
    {"--resize-each", "K", "another size after each K frames, of three sizes", AT(resize_each), 1,
     UINT32_MAX, NULL},
    {"--seven-sizes", "", "in place of the three: some are odd, or 1 texel", AT(has_seven_sizes), 0,
     0, NULL},
    {"--recreate-each", "K", "another swapchain of the same size after each K frames",
     AT(recreate_each), 1, UINT32_MAX, NULL},
    {"--format-each", "K", "sRGB in place of UNORM after each K frames, and back", AT(format_each),
     1, UINT32_MAX, NULL},
    {"--no-old-swapchain", "", "the swapchain is destroyed before the next one is made",
     AT(no_old_swapchain), 0, 0, NULL},
    {"--shared-images", "", "draw to images that share the memory of the swapchain's",
     AT(has_shared_images), 0, 0, NULL},
    {"--windows", "N", "1 .. 64 windows, which a present shows all (1)", AT(num_windows), 1,
     MAX_WINDOWS, NULL},
    {"--waits", "N", "0 .. 100 semaphores that a present waits for (1)", AT(num_waits), 0,
     MAX_WAITS, NULL},
    {"--second-queue", "", "present on another queue than that which draws", AT(second_queue), 0, 0,
     NULL},
    {"--end", "NAME",
     "exit, abort, segv, kill, exec or leak: leak exits and destroys nothing, exec becomes `true`",
     AT(end), 0, 0, ends},
    {"--idle", "MS", "present nothing for so long before the end", AT(idle_ms), 0, 100000, NULL},
    {"--fork", "", "fork at a third of the frames, and at two thirds", AT(forks), 0, 0, NULL},
    {"--close", "NAME",
     "at a third of the frames, all descriptors: all, or for a file, a socket or error", AT(closes),
     0, 0, closings},
    {"--signals", "NAME", "each millisecond; calls restart, or the signals interrupt them",
     AT(signals), 0, 0, signals},
    {"--times", "", "print how long a present takes, of frames after the 30th, as JSON", AT(times),
     0, 0, NULL},
    {"--fps", "N", "so many frames a second", AT(fps), 1, 100000, NULL},
    {"--immediate", "", "do not wait for the display", AT(is_immediate), 0, 0, NULL},
    {"--api", "1.0|1.1|1.2|1.3", "that the program asks for (1.0)", AT(api), 0, 0, apis},
    {"--vulkan12-features", "on|off",
     "chain them to the device, with or without timeline semaphores", AT(vulkan12), 0, 0, switches},
    {"--validate", "", "a message of the validation layer is a failure", AT(validate), 0, 0, NULL},
    {"--headless", "", "VK_EXT_headless_surface in place of windows", AT(is_headless), 0, 0, NULL},
    {"--extensions", "",
     "use VK_KHR_present_id, VK_KHR_present_wait, VK_EXT_swapchain_maintenance1",
     AT(has_extensions), 0, 0, NULL},
    {"--shared-call", "", "make swapchains by vkCreateSharedSwapchainsKHR", AT(has_shared_call), 0,
     0, NULL},
    {"--threads", "N", "1 .. 8 that present, on two queues where the device has two (1)",
     AT(num_threads), 1, MAX_THREADS, NULL},
    {"--own-devices", "", "each thread has an instance and a device", AT(own_devices), 0, 0, NULL},
    {"--filter", "errno|trap|kill", "forbid system calls: they fail, by a handler, or end it",
     AT(filter), 0, 0, filters},
    {"--filter-at", "N", "before that frame (0)", AT(filter_at), 0, UINT32_MAX, NULL},
    {"--forbid", "many|prctl|fstat|write", "which (many)", AT(forbidden), 0, 0, forbidden},
    {"--filter-early", "", "before there is a device", AT(filters_early), 0, 0, NULL},
    {"--files", "N", "descriptors are below N once there is a device", AT(most_files), 1, 1000,
     NULL},
    {"--exit-after", "US", "a signal handler calls exit(3) so long after half of the frames",
     AT(exit_after_us), 1, 999999, NULL},
    {"--exit-at-unlock", "N", "so it does in a present, where a layer of Weir unlocks the Nth time",
     AT(exit_at_unlock), 1, UINT32_MAX, NULL},
};
enum { NUM_OPTIONS = sizeof(table) / sizeof(table[0]) };

static _Noreturn void print_help(void)
{
    puts(
        "Usage: e2e_present [OPTIONS]\n"
        "Presents frames whose pictures say their number (e2e_numbers reads it), by Vulkan 1.0.\n\n"
        "  --size WxH: of the window, from 64x88 on (320x240); each second one is 64x32 larger\n"
        "  --present-log FILE: a line for each present: number, CLOCK_MONOTONIC in nanoseconds");
    for (int i = 0; i < NUM_OPTIONS; i++) {
        printf("  %s %s: %s\n", table[i].name, table[i].value, table[i].help);
    }
    puts(
        "\n0: all were presented, 1: not so, 2: the command line is wrong, 77: this machine cannot "
        "do it.");
    exit(0);
}

static _Noreturn void refuse(const char *option, const char *text)
{
    fprintf(stderr, "e2e_present: %s does not take %s; see --help\n", option, text);
    exit(2);
}

static uint32_t read_value(const struct option *option, const char *text)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    const struct name *name = option->names;
    while (name && name->name && strcmp(name->name, text) != 0) {
        name++;
    }
    if (name ? !name->name
             : text[0] < '0' || text[0] > '9' || *end || value < option->least ||
                   value > option->most) {
        refuse(option->name, text);
    }
    return name ? name->value : (uint32_t)value;
}

// Read an option, and the value behind it. Returns how many arguments these were.
static int read_option(const char *name, const char *text, struct options *options)
{
    char rest;
    for (int i = 0; i < NUM_OPTIONS; i++) {
        if (strcmp(name, table[i].name) == 0) {
            const bool is_switch = table[i].value[0] == 0;
            const uint32_t value = is_switch ? 1 : read_value(&table[i], text);
            memcpy((char *)options + table[i].place, &value, sizeof(value));
            return is_switch ? 1 : 2;
        }
    }
    if (strcmp(name, "--present-log") == 0) {
        options->present_log = text;
    } else if (strcmp(name, "--size") != 0 ||
               sscanf(text, "%ux%u%c", &options->width, &options->height, &rest) != 2 ||
               options->width < PICTURE_MIN_WIDTH || options->height < PICTURE_MIN_HEIGHT ||
               options->width > 16384 || options->height > 16384) {
        refuse(name, text);
    }
    return 2;
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
        .num_threads = 1,
        .api = VK_API_VERSION_1_0,
    };
    for (int i = 1; i < argc;) {
        const char *text = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--help") == 0) {
            print_help();
        }
        if (strcmp(argv[i], "--format") == 0 && strcmp(text, "hdr10") == 0) {
            options.color_space = VK_COLOR_SPACE_HDR10_ST2084_EXT;
        }
        i += read_option(argv[i], text, &options);
    }
    if (options.format == VK_FORMAT_R16G16B16A16_SFLOAT) {
        options.color_space = VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT;
    }
    if ((options.vulkan12 && options.api < VK_API_VERSION_1_2) ||
        (options.has_shared_images && options.api < VK_API_VERSION_1_1)) {
        fputs("e2e_present: --vulkan12-features needs --api 1.2, and --shared-images 1.1\n",
              stderr);
        exit(2);
    }
    return options;
}
