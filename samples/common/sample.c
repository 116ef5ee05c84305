// SPDX-License-Identifier: MIT
// Running a sample: in a window, or headless.
#include "sample.h"

#include "offscreen.h"
#include "process.h"
#include "recorder.h"
#include "report.h"
#include "window.h"

static bool headless_run(const struct sample *sample, const struct options *options)
{
    struct gpu gpu;
    struct recorder recorder = {0};
    const struct gpu_needs needs = {.features = &sample->features};
    bool ok = gpu_init(&gpu, options, &needs) && recorder_init(&gpu, options, &recorder);
    if (ok) {
        ok = offscreen_run(&gpu, sample, &recorder);
        recorder_print(&recorder);
    }
    ok = recorder_finish(&recorder) && gpu_check(&gpu) && ok;
    gpu_finish(&gpu);
    return ok;
}

int sample_run(const struct sample *sample, const struct options *options)
{
    bool ok = options->headless ? headless_run(sample, options) : window_run(sample, options);
    if (process_interrupted()) {
        ok = report("interrupted");
    }
    return process_has_printed() && ok ? 0 : 1;
}
