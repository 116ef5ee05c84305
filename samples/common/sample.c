// SPDX-License-Identifier: MIT
// Running a sample: in a window, or headless.
#include "sample.h"

#include "offscreen.h"
#include "process.h"
#include "report.h"
#include "window.h"

int sample_main(const struct sample *sample, const struct command_line *line, int argc, char **argv,
                struct options *options)
{
    process_begin();
    report_as(line->program);
    const enum options_result parsed = options_parse(line, argc, argv, options);
    if (parsed == OPTIONS_BAD) {
        return 2;
    }
    bool ok = true;
    if (parsed == OPTIONS_RUN) {
        ok = options->headless ? offscreen_run(sample, options) : window_run(sample, options);
    }
    if (process_interrupted()) {
        ok = report("interrupted");
    }
    return process_has_printed() && ok ? 0 : 1;
}
