// SPDX-License-Identifier: MIT
// The command line of sample_capture.
#ifndef SAMPLE_CAPTURE_OPTIONS_H
#define SAMPLE_CAPTURE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

struct options {
    bool headless;
    bool validation;
    bool no_async;
    uint32_t width, height; // of the window's content or of the offscreen images [texels]
    uint64_t num_frames;    // to record; 0 = until the window is closed
    uint32_t fps;           // scene time and time stamps are frame number / fps; 0 = by the clock
    uint32_t device;
    enum weir_policy policy;
    enum weir_compression compression;
    enum weir_sink sink;
    const char *output;    // NULL: none, R in the window records to capture.mov
    const char *picture;   // NULL: none
    const char *reference; // NULL: none
    uint32_t reference_every;
};

enum options_result {
    OPTIONS_RUN,
    OPTIONS_HELP, // the help was printed
    OPTIONS_BAD,  // the reason was printed
};

// Read the command line into `options`. The strings in it are the arguments themselves.
enum options_result options_parse(int argc, char **argv, struct options *options);

#endif
