// SPDX-License-Identifier: MIT
// sample_capture: an animated scene in a window or offscreen, recorded while it is rendered.
//
// The code is in samples/common: loop.c draws a frame, offscreen.c and window.c hand it to Weir,
// without a window and in one, and recorder.c has the calls of <weir/capture.h>. samples/minimal
// has the same in a hundred lines.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "renderer.h"
#include "report.h"
#include "settings.h"
#include "timing.h"

// The frame's number as a row of black and white cells, which survives block compression: a test
// reads order and completeness out of the decoded movie.
//
// Cells from the left edge: white, black, the number's bits from the lowest (white is 1), black,
// white.
#define CELLS_NUM_BITS 20
#define CELLS_NUM (CELLS_NUM_BITS + 4)

// The place of the row in the image. Cells are squares of `side` texels, a multiple of 8, and the
// row starts at texel (0, top). Their borders are borders of 4x4 blocks, so no block mixes two
// cells.
struct cells_layout {
    uint32_t top, side;
};

// Get the place of the row. False if the image is too small; it has no row then.
static bool cells_layout_get(uint32_t width, uint32_t height, struct cells_layout *layout)
{
    uint32_t side = height < 1440 ? 8 : 8 * (height / 720);
    if ((uint64_t)side * CELLS_NUM > width) {
        side = 8;
    }
    if (side * CELLS_NUM > width || height < 2 * side) {
        return false;
    }
    layout->side = side;
    layout->top = height / 4 * 4 - side;
    return true;
}

// True if cell `i` is white in the row of frame `number`.
static bool cells_is_white(uint32_t i, uint64_t number)
{
    if (i < 2) {
        return i == 0;
    }
    if (i >= CELLS_NUM_BITS + 2) {
        return i == CELLS_NUM - 1;
    }
    return (number >> (i - 2)) & 1;
}

// Clears write exact codes, black 0 and white 255, and need no pipeline.
static void cells_draw(VkCommandBuffer cmd, uint32_t width, uint32_t height, uint64_t number)
{
    struct cells_layout layout;
    if (!cells_layout_get(width, height, &layout)) {
        return;
    }
    for (int white = 0; white <= 1; ++white) {
        const float level = (float)white;
        const VkClearAttachment color = {
            VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {{level, level, level, 1.0f}}}};
        VkClearRect rects[CELLS_NUM];
        uint32_t num_rects = 0;
        for (uint32_t i = 0; i < CELLS_NUM; ++i) {
            if (cells_is_white(i, number) == white) {
                rects[num_rects++] = (VkClearRect){
                    {{(int32_t)(i * layout.side), (int32_t)layout.top}, {layout.side, layout.side}},
                    0,
                    1};
            }
        }
        vkCmdClearAttachments(cmd, 1, &color, num_rects, rects);
    }
}

// ---- What weir_capture_frame() costs the render thread: the time of each call.

#define COSTS_MAX_CALLS (1u << 18)

// Zero to begin with. New calls overwrite the oldest ones.
struct costs {
    uint32_t wall[COSTS_MAX_CALLS], cpu[COSTS_MAX_CALLS], own[COSTS_MAX_CALLS]; // [ns]
    uint64_t num_calls;
};

struct costs_times {
    int64_t wall, cpu, submit; // [ns]
};

static int64_t now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct costs_times costs_now(const struct gpu *gpu)
{
    const int64_t cpu = now(CLOCK_THREAD_CPUTIME_ID);
    return (struct costs_times){now(CLOCK_MONOTONIC), cpu, gpu->submit_ns};
}

static uint32_t clamp(int64_t ns)
{
    return ns > UINT32_MAX ? UINT32_MAX : (uint32_t)ns;
}

static void costs_add(struct costs *costs, struct costs_times begin, struct costs_times end)
{
    const uint64_t call = costs->num_calls++ % COSTS_MAX_CALLS;
    costs->cpu[call] = clamp(end.cpu - begin.cpu);
    costs->wall[call] = clamp(end.wall - begin.wall);
    costs->own[call] = clamp(end.wall - begin.wall - (end.submit - begin.submit));
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void print(const char *name, uint32_t *costs, uint64_t num)
{
    qsort(costs, num, sizeof(*costs), ascending);
    printf("  %-22s median %.1f us, p99.9 %.1f us, max %.1f us\n", name,
           costs[(num - 1) / 2] * 1e-3, costs[(num - 1) * 999 / 1000] * 1e-3,
           costs[num - 1] * 1e-3);
}

static void costs_print(struct costs *costs)
{
    const uint64_t num = costs->num_calls < COSTS_MAX_CALLS ? costs->num_calls : COSTS_MAX_CALLS;
    if (num > 0) {
        printf("the render thread's cost of weir_capture_frame():\n");
        print("wall clock", costs->wall, num);
        print("CPU", costs->cpu, num);
        print("without vkQueueSubmit", costs->own, num);
    }
}

// ---- The sample.

struct program {
    struct settings settings;
    const struct gpu *gpu;
    struct renderer renderer;
    FILE *reference; // of --reference, which is written in its place; NULL: not open
    struct costs costs;
};

static bool open_reference(struct program *program)
{
    const char *path = program->settings.reference;
    program->reference = path ? fopen(path, "wb") : NULL;
    return !path || program->reference ||
           report("cannot write %s: %s; make its folder first, or choose another path", path,
                  strerror(errno));
}

// A file that is not complete is removed; a pipe or a device stays.
static bool close_reference(const struct program *program, bool is_complete)
{
    const char *path = program->settings.reference;
    struct stat status;
    if (!program->reference) {
        return true;
    }
    const bool is_file = fstat(fileno(program->reference), &status) == 0 && S_ISREG(status.st_mode);
    const bool ok = fclose(program->reference) == 0 ||
                    report("cannot write %s: %s", path, strerror(errno));
    if (is_file && !(ok && is_complete)) {
        remove(path);
    }
    return ok;
}

static bool start(void *state, struct gpu *gpu, const struct sample_images *images)
{
    struct program *program = state;
    program->gpu = gpu;
    const struct renderer_params scene = {.images = *images, .light = {.daylight = 1.0f}};
    return renderer_init(gpu, &scene, &program->renderer) && open_reference(program);
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
    struct program *program = state;
    const struct costs_times begin = costs_now(program->gpu);
    const enum weir_result result = weir_capture_frame(capture, frame, released);
    costs_add(&program->costs, begin, costs_now(program->gpu));
    return result;
}

static bool write_reference(void *state, const uint8_t *rgb, size_t num_texels)
{
    return fwrite(rgb, 3, num_texels, ((const struct program *)state)->reference) == num_texels ||
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
    return close_reference(&program, status == 0) ? status : 1;
}
