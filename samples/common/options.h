// SPDX-License-Identifier: MIT
// Command lines as tables: each entry is an option, with the place and the range of its value. All
// samples have the options of struct options.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

struct argument {
    const char *name; // as in "--frames"
    // The variable that gets the value: one of these, by the type of the value.
    bool *flag; // takes no value
    const char **text;
    uint32_t *number;
    float *real;
    uint32_t *size;             // two numbers, as in 1280x720
    int *choice;                // the index of the value in `choices`
    double min, max;            // range of a number
    const char *const *choices; // ended by NULL
};

struct options {
    bool headless;
    bool validation;
    bool no_async;
    // Width and height of the window's content or the offscreen images [texels]; 0 = 1280x720.
    uint32_t size[2];
    uint32_t num_frames; // 0 = until the window is closed
    uint32_t fps;        // scene time and time stamps are frame number / fps; 0 = by the clock
    uint32_t device;
    const char *output;         // NULL: none, R in the window records to `default_output`
    const char *default_output; // the sample's own
    const char *picture;        // NULL: none
    uint32_t read_every; // headless, frames 0, N, 2 N, ... go to struct sample's read(); 0 = none
    // What a recording is opened with, but for its path, its images and its rate.
    struct weir_capture_params capture;
};

enum options_result {
    OPTIONS_RUN,
    OPTIONS_HELP, // the help was printed
    OPTIONS_BAD,  // the reason was printed
};

// Read the command line into `sample->options`, which hold the sample's defaults, and to where the
// sample's own arguments say. The strings in it are the arguments themselves.
struct sample;
enum options_result options_parse(struct sample *sample, int argc, char **argv);

// True if two paths name the same file, by whatever names, or the same file to be. Prints an error
// then. NULL is no file.
bool options_collide(const char *a, const char *b);

// Print the fault of the command line, and a pointer to the help. Always returns false.
bool arguments_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
