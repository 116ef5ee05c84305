// SPDX-License-Identifier: MIT
// sample_capture: an animated scene in a window or offscreen, recorded while it is rendered.
//
// Where to read on: offscreen.c is the shortest render loop with Weir in it, presenter.c the one
// with a swapchain, recorder.c the calls of <weir/capture.h>. The rest renders the scene.
#include "gpu.h"
#include "offscreen.h"
#include "options.h"
#include "recorder.h"
#include "window.h"

static bool headless_run(const struct options *options)
{
    struct gpu gpu;
    struct recorder recorder = {0};
    bool ok = gpu_init(&gpu, options, &(struct gpu_window){0}) &&
              recorder_init(&gpu, options, &recorder);
    if (ok) {
        ok = offscreen_run(&gpu, options, &recorder);
        recorder_print(&recorder);
    }
    ok = recorder_finish(&recorder) && gpu_check(&gpu) && ok;
    gpu_finish(&gpu);
    return ok;
}

int main(int argc, char **argv)
{
    struct options options;
    switch (options_parse(argc, argv, &options)) {
    case OPTIONS_HELP:
        return 0;
    case OPTIONS_BAD:
        return 2;
    case OPTIONS_RUN:
        break;
    }
    return (options.headless ? headless_run(&options) : window_run(&options)) ? 0 : 1;
}
