// SPDX-License-Identifier: MIT
// Running a sample: in a window, or headless.
#include "sample.h"

#include "process.h"
#include "report.h"

int sample_main(struct sample *sample, int argc, char **argv)
{
    process_begin();
    report_as(sample->program);
    const enum options_result parsed = options_parse(sample, argc, argv);
    if (parsed == OPTIONS_BAD) {
        return 2;
    }
    bool ok = true;
    if (parsed == OPTIONS_RUN) {
        ok = sample->options.headless ? offscreen_run(sample) : window_run(sample);
    }
    if (process_interrupted()) {
        ok = report("interrupted");
    }
    return process_has_printed() && ok ? 0 : 1;
}
