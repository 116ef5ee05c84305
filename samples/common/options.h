// SPDX-License-Identifier: MIT
// The command line options that all samples have.
#ifndef SAMPLE_OPTIONS_H
#define SAMPLE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

#include "arguments.h"

struct options {
    bool headless;
    bool validation;
    bool no_async;
    uint32_t size[2]; // width and height of the window's content or the offscreen images [texels]
    uint32_t num_frames; // 0 = until the window is closed
    uint32_t fps;        // scene time and time stamps are frame number / fps; 0 = by the clock
    uint32_t device;
    uint32_t max_rate;      // frames a second recorded at most; 0 = all
    uint32_t segment_ms;    // the most of a segment [ms], with 0 in the next one too: no segments
    uint64_t segment_bytes; // and [bytes]
    bool constant_rate;
    const char *timecode; // of the first frame of each segment; NULL: none
    float sync;   // the most that a power cut may lose [s]; 0 = whatever the system has not stored
    float replay; // how much of a recording is kept in memory for a replay [s]; 0 = nothing
    bool sidecar;
    bool steady;
    uint32_t quality; // 0 = 100
    uint64_t rate;    // of the movie; 0 = any [bytes a second]
    enum weir_policy policy;
    enum weir_compression compression;
    enum weir_sink sink;
    enum weir_movie_codec codec;
    const char *output;         // NULL: none, R in the window records to `default_output`
    const char *default_output; // the sample's own
    const char *picture;        // NULL: none
    const char *reference;      // NULL: none
    uint32_t reference_every;
};

enum options_result {
    OPTIONS_RUN,
    OPTIONS_HELP, // the help was printed
    OPTIONS_BAD,  // the reason was printed
};

// A sample's own part of its command line: the options of `table` beside the common ones, and the
// help's text before and after those.
struct command_line {
    struct argument_table table;
    const char *help_before, *help_after;
};

// Read the command line into `options`, which holds the sample's defaults, and to where the table
// says. The strings in it are the arguments themselves.
enum options_result options_parse(const struct command_line *line, int argc, char **argv,
                                  struct options *options);

// True if two paths name the same file, by whatever names, or the same file to be. Prints an error
// then. NULL is no file.
bool options_collide(const char *a, const char *b);

#endif
