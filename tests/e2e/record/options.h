// SPDX-License-Identifier: MIT
// The command line of e2e_present.
#ifndef WEIR_TESTS_E2E_RECORD_OPTIONS_H
#define WEIR_TESTS_E2E_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum { MAX_WAITS = 40, MAX_WINDOWS = 2 };

enum end { END_EXIT, END_ABORT, END_SEGV, END_KILL, END_EXEC, END_LEAK };

struct options {
    uint32_t num_frames;
    uint32_t width, height;
    VkFormat format;
    VkColorSpaceKHR color_space;
    uint32_t resize_each;   // 0: never
    uint32_t recreate_each; // 0: never
    uint32_t format_each;   // 0: never
    bool no_old_swapchain;
    bool has_shared_images; // that share the memory of the swapchain's
    uint32_t num_windows;
    uint32_t num_waits; // semaphores that a present waits for
    bool second_queue;
    enum end end;
    bool forks;
    const char *present_log; // NULL: none
    bool times;
    uint32_t fps; // 0: as fast as it goes
    bool is_immediate;
    uint32_t api; // of Vulkan
    bool has_vulkan12, vulkan12_timeline;
    bool validate;
    bool is_headless;
};

// Read the command line. Ends the program for --help, and where it is wrong.
struct options options_read(int argc, char **argv);

#endif
