// SPDX-License-Identifier: MIT
// The part of a sample that differs from the others: how it draws a frame. The window, the headless
// loop and the recording are shared.
#pragma once

#include "gpu.h"
#include "options.h"

struct timing;

// The images to which frames are drawn.
struct sample_images {
    VkFormat format;
    VkImageLayout final_layout; // the layout in which a frame leaves them
    uint32_t num_slots;         // frames in flight, each with a slot of its own
};
#define SAMPLE_MAX_SLOTS 4

// A frame to draw: what it shows and where.
struct picture {
    uint32_t slot; // whose last frame has been executed
    const struct gpu_image *image;
    uint64_t number;
    double seconds;
    struct timing *timing; // each pass is marked in it, with timing_mark()
};

// Calls that may fail have printed the reason. Resize and finish are called while the GPU is idle.
// The device owns what is made; what resize() makes is gone before the next one.
struct sample {
    const char *program; // its name, as in sample_bloom
    const char *title;   // title of the window
    // The sample's own options, and its parts of the help.
    const struct argument *arguments;
    size_t num_arguments;
    const char *help_before, *help_keys, *help_example;
    struct options options; // its defaults; sample_main() reads the command line into them
    // Optional: checks what was read, and makes of it what the sample runs with. False: the reason
    // was printed.
    bool (*complete)(void *user, struct options *options);
    void *user;

    VkPhysicalDeviceFeatures features; // features that the device must have
    void *state;                       // the first argument of each call
    bool has_no_times;                 // the time of its passes is not measured
    bool (*start)(void *state, struct gpu *gpu, const struct sample_images *images);
    void (*finish)(void *state); // optional: prints what came of it; also after start() has failed
    bool (*resize)(void *state, uint32_t width, uint32_t height);
    // The image is written by the last rendering in `cmd`, whose end makes it visible to copies.
    bool (*record)(void *state, VkCommandBuffer cmd, const struct picture *picture);
    // Optional: a key of the window, and what its title says of the sample's state, beside times.
    void (*press)(void *state, int glfw_key);
    void (*describe)(void *state, char *text, size_t size);
    // Optional: hands a frame to Weir in place of weir_capture_frame(), and gets the texels of the
    // frames that `read_every` of the options names, three bytes each.
    enum weir_result (*hand_over)(void *state, weir_capture *capture,
                                  const struct weir_frame *frame, struct weir_point *released);
    bool (*read)(void *state, const uint8_t *rgb, size_t num_texels);
};

// Members of a sample of that name and those own arguments, beside the parts of its help.
#define SAMPLE_COMMAND_LINE(name, own)                                                             \
    .program = "sample_" name, .arguments = (own),                                                 \
    .num_arguments = sizeof(own) / sizeof((own)[0]), .help_before = help_before,                   \
    .help_keys = help_keys, .help_example = help_example, .options.default_output = name ".mov"

// Members of a sample whose functions have the names of these members, and whose kernels write
// images of any format.
#define SAMPLE_CALLS(its_state)                                                                    \
    .state = (its_state), .start = start, .resize = resize, .record = record, .press = press,      \
    .describe = describe, .features.shaderStorageImageWriteWithoutFormat = VK_TRUE

// Read the command line and run the sample in a window, or headless, as it says. Returns the
// program's exit status.
int sample_main(struct sample *sample, int argc, char **argv);

// window.c and offscreen.c: its two loops. In a window: render until it is closed, or until as many
// frames as the options say are rendered, or recorded where an output is named. Headless: render as
// many, and record them where an output is named. False: the reason was printed.
bool window_run(const struct sample *sample);
bool offscreen_run(const struct sample *sample);

// True if SIGINT, SIGTERM or SIGHUP has come: end well.
bool process_interrupted(void);

// Note SIGUSR1 from now on, which asks for a replay. True if it has come since the last call.
void process_note_replay(void);
bool process_wants_replay(void);
