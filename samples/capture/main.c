// SPDX-License-Identifier: MIT
// sample_capture: an animated scene in a window or offscreen, recorded while it is rendered.
//
// The code is in samples/common: loop.c draws a frame, offscreen.c and presenter.c hand it to Weir,
// without a window and in one, and recorder.c has the calls of <weir/capture.h>. samples/minimal
// has the same in a hundred lines.
#include <errno.h>
#include <string.h>

#include "cells.h"
#include "costs.h"
#include "reference.h"
#include "renderer.h"
#include "report.h"
#include "settings.h"
#include "timing.h"

struct program {
    struct settings settings;
    struct renderer renderer;
    struct reference reference;
    struct costs costs;
};

static bool start(void *state, struct gpu *gpu, const struct sample_images *images)
{
    struct program *program = state;
    const char *reference = program->settings.reference;
    const struct renderer_params scene = {
        .images = *images,
        .light = {.daylight = 1.0f},
    };
    return renderer_init(gpu, &scene, &program->renderer) &&
           (!reference || reference_open(&program->reference, reference));
}

static void finish(void *state)
{
    costs_print(&((struct program *)state)->costs);
}

static bool resize(void *state, uint32_t width, uint32_t height)
{
    return renderer_resize(&((struct program *)state)->renderer, width, height);
}

static bool record(void *state, VkCommandBuffer cmd, const struct picture *picture)
{
    struct renderer *renderer = &((struct program *)state)->renderer;
    renderer_record(renderer, cmd, picture->image, picture);
    cells_draw(cmd, renderer->width, renderer->height, picture->number);
    renderer_end(renderer, cmd);
    timing_mark(picture->timing, cmd, "scene");
    return true;
}

static enum weir_result hand_over(void *state, weir_capture *capture,
                                  const struct weir_frame *frame, struct weir_point *released)
{
    struct costs *costs = &((struct program *)state)->costs;
    const struct costs_times begin = costs_begin();
    const enum weir_result result = weir_capture_frame(capture, frame, released);
    costs_end(costs, begin);
    return result;
}

static bool write_reference(void *state, const uint8_t *rgb, size_t num_texels)
{
    const struct reference *reference = &((const struct program *)state)->reference;
    return fwrite(rgb, 3, num_texels, reference->file) == num_texels ||
           report("writing the reference failed: %s", strerror(errno));
}

int main(int argc, char **argv)
{
    static struct program program;
    struct sample sample = {
        .title = "Weir capture",
        .has_no_times = true,
        .state = &program,
        .start = start,
        .finish = finish,
        .resize = resize,
        .record = record,
        .hand_over = hand_over,
        .read = write_reference,
    };
    const int status = settings_run(&sample, argc, argv, &program.settings);
    return reference_close(&program.reference, status == 0) ? status : 1;
}
