// SPDX-License-Identifier: MIT
// Command lines of the samples: values are within their bounds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples/capture/settings.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_WORDS = 32 };

static const char *const seeds[] = TEST_LIST(
    "--headless\n--size\n640x360\n--frames\n12\n--fps\n60",
    "--policy\ndrop\n--compression\nsnappy\n--picture\na.png",
    "--strength\n1.5\n--stops\n-2.25\n--name\nscene", "--validation\n--no-async\n--device\n255",
    "--frames\n4294967295", "--frames\n18446744073709551616", "--size\n65536x1",
    "--strength\n0x1p3", "--policy\nnone", "--sync\n0.5", "--rate\n1.5G",
    "--rate\n60M\n--quality\n80", "--help", "--picture\nout.mov",
    "--output\na.mov\n--segment\n4G\n--sink\nhash",
    "--segment\n0.001\n--replay\n2.5\n--codec\nhap_r",
    "--headless\n--frames\n3\n--sink\nnull\n--reference\na.rgb\n--reference-every\n2",
    "--capture\nb.mov\n--output\nc.mov", "--picture", NULL);

static void expect_common(const struct options *options)
{
    fuzz_expect(options->size[0] >= 1 && options->size[0] <= 65535 && options->size[1] >= 1 &&
                    options->size[1] <= 65535,
                "a size");
    fuzz_expect(options->fps <= 1000 && options->device <= 255, "numbers");
    fuzz_expect(!options->headless || (options->fps >= 1 && options->num_frames >= 1),
                "headless has an end");
    fuzz_expect(!options->picture || !options->output ||
                    strcmp(options->picture, options->output) != 0,
                "two files");
}

// In the place of the samples' own: checks what sample_capture would run with.
int sample_main(struct sample *sample, int argc, char **argv)
{
    const struct options *options = &sample->options;
    const enum options_result result = options_parse(sample, argc, argv);
    if (result != OPTIONS_RUN) {
        return 2;
    }
    const struct weir_capture_params *params = &options->capture;
    expect_common(options);
    fuzz_expect(params->rate.bytes_per_second == 0 ||
                    (params->rate.bytes_per_second >= 1000 &&
                     params->rate.bytes_per_second <= 1000000000000000),
                "a rate");
    fuzz_expect(params->movie.sync_ms == WEIR_SYNC_NEVER ||
                    (params->movie.sync_ms >= 1 && params->movie.sync_ms <= 3600000),
                "seconds between stores");
    fuzz_expect(params->replay.length_ms <= 3600000 && params->rate.quality <= 100,
                "numbers of a recording");
    fuzz_expect(params->segments.length_ms == 0 || params->segments.max_bytes == 0,
                "one length of a segment");
    fuzz_expect(!options->headless || options->output || params->sink == WEIR_SINK_NULL,
                "a recording without a window goes somewhere");
    return 0;
}

static void run(const uint8_t *data, size_t size)
{
    char *argv[MAX_WORDS + 1] = {"sample"};
    int argc = 1;
    char *words = fuzz_split_words(data, size, argv, &argc, MAX_WORDS);
    const char *name = "";
    float strength = 0, stops = 0;
    const struct argument own[] = {
        {"--strength", .real = &strength, .max = 3},
        {"--stops", .real = &stops, .min = -6, .max = 6},
        {"--name", .text = &name},
    };
    struct sample sample = TEST_LIST(.program = "sample", .arguments = own,
                                     .num_arguments = sizeof(own) / sizeof(own[0]),
                                     .help_before = "", .help_keys = "", .help_example = "",
                                     .options = {.output = "out.mov",
                                                 .default_output = "sample.mov"});
    if (options_parse(&sample, argc, argv) == OPTIONS_RUN) {
        expect_common(&sample.options);
        fuzz_expect(strength >= 0 && strength <= 3 && stops >= -6 && stops <= 6, "reals");
    }
    settings_run(&(struct sample){0}, argc, argv, &(struct settings){0});
    free(words);
}

static void init(void)
{
    fuzz_silence_stderr();
    stdout = stderr; // --help
}

const struct fuzz_target fuzz_target = TEST_LIST(.name = "sample_options", .num_runs = 20000,
                                                 .init = init, .texts = seeds, .run = run);
