// SPDX-License-Identifier: MIT
// The command line of e2e_present.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

enum { MAX_WAITS = 100, MAX_WINDOWS = 64, MAX_THREADS = 8 };

enum end { END_EXIT, END_ABORT, END_SEGV, END_KILL, END_EXEC, END_LEAK };
enum filter { FILTER_NONE, FILTER_ERRNO, FILTER_TRAP, FILTER_KILL };
enum forbidden { FORBID_MANY, FORBID_PRCTL, FORBID_FSTAT, FORBID_WRITE };

// Numbers and switches; 0 is none, never or off.
struct options {
    uint32_t num_frames;
    uint32_t width, height;
    uint32_t format, color_space; // VkFormat, VkColorSpaceKHR
    uint32_t resize_each, recreate_each, format_each;
    uint32_t has_seven_sizes; // some are odd or 1 texel, and too small for the picture
    uint32_t no_old_swapchain;
    uint32_t has_shared_images; // that share the memory of the swapchain's
    uint32_t num_windows;
    uint32_t num_waits; // semaphores that a present waits for
    uint32_t second_queue;
    uint32_t idle_ms; // behind the last frame
    uint32_t end;     // enum end
    uint32_t forks;
    uint32_t closes;  // enum closing
    uint32_t signals; // enum signals
    const char *present_log;
    uint32_t times;
    uint32_t fps;
    uint32_t is_immediate;
    uint32_t api;      // of Vulkan
    uint32_t vulkan12; // features that are chained: 1 without timeline semaphores, 2 with them
    uint32_t validate;
    uint32_t is_headless;
    uint32_t has_extensions;                // VK_KHR_present_id and such are used
    uint32_t has_shared_call;               // vkCreateSharedSwapchainsKHR makes the swapchain
    uint32_t num_threads, own_devices;      // each thread has windows, and maybe a device
    uint32_t filter, filter_at;             // enum filter; the frame before which it is set
    uint32_t forbidden, filters_early;      // enum forbidden; before there is a device
    uint32_t most_files;                    // numbers of descriptors, once there is a device
    uint32_t exit_after_us, exit_at_unlock; // behind half of the frames
};

// Read the command line. Ends the program for --help, and where it is wrong.
struct options options_read(int argc, char **argv);
